#include "chunk_scan.hpp"
#include "eciscope/ewf/reader.hpp"

namespace eciscope::ewf {

class StreamReader::Impl {
 public:
    Impl(ByteStream& stream, Diagnostics& diagnostics, const std::string& name)
        : scan(stream, diagnostics, diagnostics.add_source(name)) {}

    ChunkScan scan;
    Section section;
    std::optional<Metadata> metadata;
};

StreamReader::StreamReader(ByteStream& stream, Diagnostics& diagnostics, std::string name)
    : impl_(std::make_unique<Impl>(stream, diagnostics, name)) {}
StreamReader::~StreamReader() = default;

Expected<bool> StreamReader::next(TraceBatch& batch, Parts parts) {
    auto found = impl_->scan.next(impl_->section, batch, parts);
    if (found && !*found) {
        batch.clear();
        if (impl_->scan.foreign()) {
            return tl::unexpected(Error{ErrorCode::not_ewf, "neither an EWF header nor a chunk was found", 0});
        }
        if (impl_->scan.metadata()) {
            impl_->metadata = impl_->scan.metadata()->metadata;
        }
    }
    return found;
}

TimeBase StreamReader::time_base() const {
    return {impl_->scan.base_seconds()};
}
const std::optional<Metadata>& StreamReader::metadata() const {
    return impl_->metadata;
}
const std::optional<Provenance>& StreamReader::provenance() const {
    return impl_->scan.provenance();
}
std::uint64_t StreamReader::first_message() const {
    return impl_->section.header.first_message;
}

}  // namespace eciscope::ewf
