// A record in the merger's keeping: taken from a pool, filled with one copy, given back when its blocks are handed
// over.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "eciscope/capture/merge.hpp"

namespace eciscope::capture {

struct Merger::Held {
    Held* next = nullptr;
    Picoseconds time = 0;
    std::uint64_t lost_before = 0;
    std::uint64_t lost_after = 0;
    Position where;
    std::uint64_t input_bytes = 0;
    std::uint32_t sequence = 0;
    std::uint32_t count = 0;
    std::uint32_t cursor = 0;  ///< first block that was not handed over
    Stream stream;
    bool crc_present = true;
    std::array<std::uint8_t, most_blocks * entry_bytes> entries;

    [[nodiscard]] const std::uint8_t* entry(std::uint32_t index) const { return entries.data() + index * entry_bytes; }
    [[nodiscard]] Picoseconds time_of(std::uint32_t index) const { return time + load_le32(entry(index)); }
    /// When the next item of this record is due.
    [[nodiscard]] Picoseconds due() const {
        const bool marker_first = (cursor == 0 && lost_before != 0) || count == 0;
        return marker_first ? time : time_of(std::min(cursor, count - 1));
    }
};

}  // namespace eciscope::capture
