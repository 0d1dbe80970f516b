#include "layout.hpp"

#include <xxhash.h>

#include <algorithm>

namespace eciscope::ewf {

namespace {

constexpr std::size_t file_hash_at = 56;
constexpr std::size_t section_hash_at = 104;
constexpr std::size_t trailer_hash_at = 48;
constexpr std::size_t trailer_magic_at = 56;

bool starts_with(Bytes bytes, const std::array<std::uint8_t, 8>& mark) {
    return bytes.size() >= mark.size() && std::equal(mark.begin(), mark.end(), bytes.begin());
}

bool sizes_allowed(const SectionHeader& header) {
    switch (header.kind) {
        case SectionKind::chunk:
            return header.head_bytes <= chunk_part_bytes_max && header.data_bytes <= chunk_part_bytes_max &&
                   header.messages <= chunk_messages_max && header.events <= chunk_events_max &&
                   header.words <= chunk_words_max;
        case SectionKind::index:
            return header.head_bytes <= index_bytes_max && header.data_bytes == 0;
        case SectionKind::metadata:
        case SectionKind::provenance:
            return header.head_bytes <= small_section_bytes_max && header.data_bytes == 0;
    }
    return false;
}

}  // namespace

std::uint64_t hash64(Bytes bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::array<std::uint8_t, file_header_bytes> file_header(std::int64_t base_seconds) {
    std::array<std::uint8_t, file_header_bytes> out{};
    std::copy(file_magic.begin(), file_magic.end(), out.begin());
    store_le(out.data() + 8, format_major);
    store_le(out.data() + 10, format_minor);
    store_le(out.data() + 16, base_seconds);
    store_le(out.data() + file_hash_at, hash64({out.data(), file_hash_at}));
    return out;
}

HeaderState parse_file_header(Bytes bytes, std::int64_t& base_seconds) {
    if (bytes.size() < file_header_bytes || !starts_with(bytes, file_magic) ||
        load_le<std::uint64_t>(bytes.data() + file_hash_at) != hash64(bytes.first(file_hash_at))) {
        return HeaderState::damaged;
    }
    if (load_le<std::uint16_t>(bytes.data() + 8) != format_major) {
        return HeaderState::later_version;
    }
    base_seconds = load_le<std::int64_t>(bytes.data() + 16);
    return HeaderState::good;
}

void store_section_header(const SectionHeader& header, std::uint8_t* to) {
    std::copy(sync_mark.begin(), sync_mark.end(), to);
    store_le(to + 8, static_cast<std::uint32_t>(header.kind));
    store_le(to + 12, std::uint32_t{0});
    store_le(to + 16, header.head_bytes);
    store_le(to + 24, header.data_bytes);
    store_le(to + 32, header.head_hash);
    store_le(to + 40, header.data_hash);
    store_le(to + 48, header.base_seconds);
    store_le(to + 56, header.first_message);
    store_le(to + 64, header.messages);
    store_le(to + 68, header.events);
    store_le(to + 72, header.words);
    store_le(to + 76, header.columns);
    store_le(to + 80, header.first_min);
    store_le(to + 88, header.last_min);
    store_le(to + 96, header.last_max);
    store_le(to + section_hash_at, hash64({to, section_hash_at}));
}

std::optional<SectionHeader> parse_section_header(Bytes bytes) {
    if (bytes.size() < section_header_bytes || !starts_with(bytes, sync_mark) ||
        load_le<std::uint64_t>(bytes.data() + section_hash_at) != hash64(bytes.first(section_hash_at))) {
        return std::nullopt;
    }
    const std::uint8_t* from = bytes.data();
    SectionHeader header;
    header.kind = static_cast<SectionKind>(load_le<std::uint32_t>(from + 8));
    header.head_bytes = load_le<std::uint64_t>(from + 16);
    header.data_bytes = load_le<std::uint64_t>(from + 24);
    header.head_hash = load_le<std::uint64_t>(from + 32);
    header.data_hash = load_le<std::uint64_t>(from + 40);
    header.base_seconds = load_le<std::int64_t>(from + 48);
    header.first_message = load_le<std::uint64_t>(from + 56);
    header.messages = load_le<std::uint32_t>(from + 64);
    header.events = load_le<std::uint32_t>(from + 68);
    header.words = load_le<std::uint32_t>(from + 72);
    header.columns = load_le<std::uint32_t>(from + 76);
    header.first_min = load_le<std::int64_t>(from + 80);
    header.last_min = load_le<std::int64_t>(from + 88);
    header.last_max = load_le<std::int64_t>(from + 96);
    if (!sizes_allowed(header)) {
        return std::nullopt;
    }
    return header;
}

std::array<std::uint8_t, trailer_bytes> trailer(const Trailer& trailer) {
    std::array<std::uint8_t, trailer_bytes> out{};
    store_le(out.data(), trailer.index_offset);
    store_le(out.data() + 8, trailer.index_bytes);
    store_le(out.data() + 16, trailer.metadata_offset);
    store_le(out.data() + 24, trailer.canonical_bytes);
    std::copy(trailer.digest.begin(), trailer.digest.end(), out.begin() + 32);
    store_le(out.data() + trailer_hash_at, hash64({out.data(), trailer_hash_at}));
    std::copy(trailer_magic.begin(), trailer_magic.end(), out.begin() + trailer_magic_at);
    return out;
}

std::optional<Trailer> parse_trailer(Bytes bytes) {
    if (bytes.size() != trailer_bytes || !starts_with(bytes.subspan(trailer_magic_at), trailer_magic) ||
        load_le<std::uint64_t>(bytes.data() + trailer_hash_at) != hash64(bytes.first(trailer_hash_at))) {
        return std::nullopt;
    }
    Trailer out;
    out.index_offset = load_le<std::uint64_t>(bytes.data());
    out.index_bytes = load_le<std::uint64_t>(bytes.data() + 8);
    out.metadata_offset = load_le<std::uint64_t>(bytes.data() + 16);
    out.canonical_bytes = load_le<std::uint64_t>(bytes.data() + 24);
    std::copy_n(bytes.begin() + 32, out.digest.size(), out.digest.begin());
    return out;
}

}  // namespace eciscope::ewf
