// The fixed structures of an EWF file (docs/ewf.md, "Fixed structures"): file header, section header, trailer.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "eciscope/ewf/metadata.hpp"

namespace eciscope::ewf {

using Bytes = std::span<const std::uint8_t>;

inline constexpr std::uint16_t format_major = 1;
inline constexpr std::uint16_t format_minor = 0;

inline constexpr std::array<std::uint8_t, 8> file_magic{0x89, 'E', 'W', 'F', 0x0d, 0x0a, 0x1a, 0x0a};
inline constexpr std::array<std::uint8_t, 8> sync_mark{0xf3, 0x9e, 'E', 'W', 'F', 0xc5, 0x7a, 0xd1};
inline constexpr std::array<std::uint8_t, 8> trailer_magic{'E', 'W', 'F', 'e', 'n', 'd', 0x0d, 0x0a};

inline constexpr std::size_t file_header_bytes = 64;
inline constexpr std::size_t section_header_bytes = 112;
inline constexpr std::size_t trailer_bytes = 64;

// A chunk ends with the message or event that reaches one of these, or before the message that would pass words_max.
inline constexpr std::uint32_t chunk_messages_max = 16384;
inline constexpr std::uint32_t chunk_events_max = 16384;
inline constexpr std::uint32_t chunk_words_max = 1U << 18U;

// What a reader accepts before it allocates.
inline constexpr std::uint64_t chunk_part_bytes_max = std::uint64_t{8} << 20U;
inline constexpr std::uint64_t index_bytes_max = std::uint64_t{256} << 20U;
inline constexpr std::uint64_t small_section_bytes_max = std::uint64_t{16} << 20U;

enum class SectionKind : std::uint32_t { chunk = 1, metadata = 2, index = 3, provenance = 4 };

/// Stands before every section. The fields from `base_seconds` on are zero in sections other than chunks.
struct SectionHeader {
    SectionKind kind{};
    std::uint64_t head_bytes = 0;  ///< first part of the payload: all of it but a chunk's data columns
    std::uint64_t data_bytes = 0;  ///< second part: a chunk's data columns
    std::uint64_t head_hash = 0;
    std::uint64_t data_hash = 0;
    std::int64_t base_seconds = 0;
    std::uint64_t first_message = 0;
    std::uint32_t messages = 0;
    std::uint32_t events = 0;
    std::uint32_t words = 0;
    std::uint32_t columns = 0;
    Picoseconds first_min = 0;
    Picoseconds last_min = 0;
    Picoseconds last_max = 0;

    [[nodiscard]] std::uint64_t total_bytes() const { return section_header_bytes + head_bytes + data_bytes; }
};

struct Trailer {
    std::uint64_t index_offset = 0;
    std::uint64_t index_bytes = 0;  ///< section header included
    std::uint64_t metadata_offset = 0;
    std::uint64_t canonical_bytes = 0;
    Digest digest{};
};

template <class T>
[[nodiscard]] T load_le(const std::uint8_t* from) {
    static_assert(std::endian::native == std::endian::little, "the library is built for little-endian hosts");
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
}

template <class T>
void store_le(std::uint8_t* to, T value) {
    std::memcpy(to, &value, sizeof(T));
}

[[nodiscard]] std::uint64_t hash64(Bytes bytes);

[[nodiscard]] std::array<std::uint8_t, file_header_bytes> file_header(std::int64_t base_seconds);
enum class HeaderState : std::uint8_t { good, damaged, later_version };
/// `bytes` holds file_header_bytes; `base_seconds` is set if the state is good.
[[nodiscard]] HeaderState parse_file_header(Bytes bytes, std::int64_t& base_seconds);

void store_section_header(const SectionHeader& header, std::uint8_t* to);
/// None unless sync mark, hash, kind and every size are right.
[[nodiscard]] std::optional<SectionHeader> parse_section_header(Bytes bytes);

[[nodiscard]] std::array<std::uint8_t, trailer_bytes> trailer(const Trailer& trailer);
[[nodiscard]] std::optional<Trailer> parse_trailer(Bytes bytes);

}  // namespace eciscope::ewf
