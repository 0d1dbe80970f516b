// One record of the interposer: a run of blocks of one stream. Little-endian, 24 bytes and 72 for each block,
// version 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "eciscope/capture/input.hpp"
#include "eciscope/decoder/block.hpp"
#include "eciscope/decoder/diagnostic.hpp"

namespace eciscope::capture {

inline constexpr std::size_t record_header_bytes = 24;
inline constexpr std::size_t entry_bytes = 72;
inline constexpr std::size_t entry_header_bytes = 8;  ///< picoseconds, flags, reserved; then the block
inline constexpr std::size_t most_blocks = 120;
inline constexpr std::size_t longest_record = record_header_bytes + most_blocks * entry_bytes;
inline constexpr std::uint32_t lost_unknown = 0xFFFFFFFF;  ///< in the record's count of lost blocks
inline constexpr std::uint16_t udp_port = 60443;

[[nodiscard]] inline std::uint16_t load_le16(const std::uint8_t* p) {
    return static_cast<std::uint16_t>(p[0] | (p[1] << 8));
}
[[nodiscard]] inline std::uint32_t load_le32(const std::uint8_t* p) {
    return std::uint32_t{p[0]} | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 | std::uint32_t{p[3]} << 24;
}
[[nodiscard]] inline std::uint64_t load_le64(const std::uint8_t* p) {
    return load_le32(p) | std::uint64_t{load_le32(p + 4)} << 32;
}

/// A record as far as it can be used. `entries` points into the bytes given to parse_record().
struct Record {
    Stream stream;
    std::uint32_t sequence = 0;
    std::uint64_t time_ns = 0;
    Bytes entries;                  ///< whole entries, 72 bytes each
    std::uint64_t lost_before = 0;  ///< blocks missing before the first one; BlockItem::unknown_count: some
    std::uint64_t lost_after = 0;   ///< blocks that the record should have held after the last one
    Position where;
    std::uint64_t input_bytes = 0;  ///< bytes of input that the record stands for in the accounts
    bool crc_present = true;
    bool may_be_late = false;  ///< came as a datagram: order of arrival proves nothing

    [[nodiscard]] std::size_t count() const { return entries.size() / entry_bytes; }
};

struct ParsedRecord {
    std::optional<Record> record;     ///< none: nothing of it could be used
    std::uint64_t damaged_bytes = 0;  ///< the rest of the payload
};

/// Reads one record from a packet's payload. Everything irregular is reported at `where`; what is whole is kept.
[[nodiscard]] ParsedRecord parse_record(Bytes payload, const Position& where, Diagnostics& diagnostics);

}  // namespace eciscope::capture
