// Writes the little-endian fields of a record's entries, for readers of inputs that are no records.
#pragma once

#include <cstdint>

namespace eciscope::capture {

inline void store_le32(std::uint8_t* to, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) {
        to[i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

inline void store_be64(std::uint8_t* to, std::uint64_t value) {
    for (int i = 0; i < 8; ++i) {
        to[i] = static_cast<std::uint8_t>(value >> (56 - 8 * i));
    }
}

/// `picoseconds` is below 2^32.
inline void store_entry_header(std::uint8_t* entry, std::uint64_t picoseconds, bool crc_wrong = false) {
    store_le32(entry, static_cast<std::uint32_t>(picoseconds));
    store_le32(entry + 4, crc_wrong ? 1 : 0);
}

}  // namespace eciscope::capture
