// A plain dump: blocks of 64 bytes of one stream and nothing else. Link, direction and time come from options.
#pragma once

#include <array>
#include <cstdint>

#include "eciscope/capture/accounts.hpp"
#include "eciscope/capture/input.hpp"
#include "eciscope/capture/merge.hpp"
#include "eciscope/decoder/diagnostic.hpp"

namespace eciscope::capture {

struct RawOptions {
    Stream stream;
    /// From one block to the next. A link moves 0.715 blocks in a system clock of 3.103 ns, 4.34 ns a block; the dump
    /// does not say when its blocks came, so a whole number of picoseconds is as good as any.
    std::uint32_t block_time = 4340;
    std::uint64_t start_ns = 0;  ///< time of the first block
};

/// How much of a stream earlier dumps held: time and numbering go on from there.
struct RawProgress {
    std::uint64_t blocks = 0;
    std::uint32_t records = 0;
};

/// Packs a dump into records and pushes them one by one, so that dumps of several streams can be read in turn.
class RawReader {
 public:
    RawReader(Input& input, const RawOptions& options, std::uint32_t source, RawProgress& progress);

    /// Reads up to one record's blocks. False at the end of the dump, or when the sink has asked to stop.
    bool step(Merger& merger, Accounts& accounts, Diagnostics& diagnostics, std::uint64_t record_number);

 private:
    Input* input_;
    RawOptions options_;
    std::uint32_t source_;
    RawProgress* progress_;
    std::array<std::uint8_t, most_blocks * entry_bytes> entries_{};
};

}  // namespace eciscope::capture
