// Makes a whole EWF file of what is left of one: every chunk that is whole, and a new index.
#pragma once

#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/ewf/error.hpp"
#include "eciscope/ewf/io.hpp"
#include "eciscope/ewf/metadata.hpp"

namespace eciscope::ewf {

struct RecoverReport {
    Contents contents;  ///< of the file written
    std::uint64_t chunks_damaged = 0;
    std::uint64_t messages_missing = 0;  ///< known from the numbering of the chunks that are there
    std::uint64_t bytes_skipped = 0;     ///< of the input, outside whole chunks and sections
    bool was_complete = false;           ///< header, every chunk, metadata, index and trailer were whole
    bool metadata_lost = false;          ///< the file has the default metadata now
};

/// Scans `in` for sync marks, copies whole chunks to `out` byte for byte and writes metadata, index and trailer.
/// A file that was whole comes out the same.
Expected<RecoverReport> recover(const ByteSource& in, ByteSink& out, Diagnostics& diagnostics);

}  // namespace eciscope::ewf
