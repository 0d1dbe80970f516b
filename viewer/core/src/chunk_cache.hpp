// The chunks that were looked at last, decoded.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "eciscope/ewf/reader.hpp"

namespace eciscope::view {

/// A message with where it stands in the trace.
struct NearMessage {
    std::uint64_t number = 0;
    MessageHead head;
    std::uint64_t header = 0;
};

class ChunkCache {
 public:
    /// `trouble` is told of chunks that cannot be read.
    explicit ChunkCache(std::function<void(const std::string&)> trouble) : trouble_(std::move(trouble)) {}

    /// Heads alone; null where the chunk cannot be read.
    std::shared_ptr<const TraceBatch> heads(const ewf::Reader& reader, std::size_t chunk);
    /// With data words.
    std::shared_ptr<const TraceBatch> whole(const ewf::Reader& reader, std::size_t chunk);
    void clear() { entries_.clear(); }

 private:
    static constexpr std::size_t most_entries = 12;
    struct Entry {
        std::size_t chunk = 0;
        ewf::Parts parts{};
        std::shared_ptr<const TraceBatch> batch;
    };
    std::shared_ptr<const TraceBatch> get(const ewf::Reader& reader, std::size_t chunk, ewf::Parts parts);

    std::function<void(const std::string&)> trouble_;
    std::list<Entry> entries_;  ///< the one used last stands first
};

}  // namespace eciscope::view
