// How a reader learns what is in a file: from its index, or by looking for its chunks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/ewf/io.hpp"
#include "eciscope/ewf/reader.hpp"
#include "index.hpp"
#include "layout.hpp"

namespace eciscope::ewf {

struct OpenedFile {
    std::unique_ptr<ByteSource> source;
    std::uint32_t source_number = 0;
    MetadataSection metadata;
    std::optional<Provenance> provenance;
    std::optional<Trailer> trailer;
    std::vector<ChunkInfo> chunks;
    bool rebuilt = false;
};

Expected<OpenedFile> open_ewf(std::unique_ptr<ByteSource> source, Diagnostics& diagnostics, const std::string& name);

}  // namespace eciscope::ewf
