#include "chunk_cache.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace eciscope::view {

std::shared_ptr<const TraceBatch> ChunkCache::heads(const ewf::Reader& reader, std::size_t chunk) {
    return get(reader, chunk, ewf::Parts::heads);
}

std::shared_ptr<const TraceBatch> ChunkCache::whole(const ewf::Reader& reader, std::size_t chunk) {
    return get(reader, chunk, ewf::Parts::whole);
}

std::shared_ptr<const TraceBatch> ChunkCache::get(const ewf::Reader& reader, std::size_t chunk, ewf::Parts parts) {
    const auto known = std::find_if(entries_.begin(), entries_.end(), [chunk, parts](const Entry& entry) {
        return entry.chunk == chunk && entry.parts == parts;
    });
    if (known != entries_.end()) {
        entries_.splice(entries_.begin(), entries_, known);
        return entries_.front().batch;
    }
    auto batch = std::make_shared<TraceBatch>();
    const auto read = reader.read_chunk(chunk, *batch, parts);
    if (!read) {
        trouble_(fmt::format("Messages {} to {} cannot be read: {}", reader.chunk(chunk).first_message,
                             reader.chunk(chunk).first_message + reader.chunk(chunk).messages, read.error().message));
        batch.reset();
    }
    entries_.push_front({chunk, parts, batch});  // damage is remembered as well
    if (entries_.size() > most_entries) {
        entries_.pop_back();
    }
    return batch;
}

}  // namespace eciscope::view
