// How the index of a trace lies in its file. The file is private to the viewer: numbers are the machine's own, and a
// file of another machine, version or trace is built anew.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "eciscope/decoder/block.hpp"
#include "eciscope/decoder/time.hpp"

namespace eciscope::view {

inline constexpr std::array<char, 8> index_magic{'E', 'C', 'I', 'V', 'I', 'E', 'W', '\n'};
inline constexpr std::uint32_t index_version = 1;
inline constexpr std::uint32_t index_byte_order = 0x01020304;

/// Messages of a series lie in segments of so many, the last shorter: first their times, then their values.
inline constexpr std::size_t segment_messages = 4096;
/// A leaf is at most so many messages, whose times are 32-bit distances from its first. It lies in one segment.
inline constexpr std::size_t leaf_messages = 32;
/// Messages of a stream from one note of its block's number to the next.
inline constexpr std::size_t checkpoint_messages = 32;

enum class SeriesKind : std::uint8_t {
    messages,  ///< of one stream, circuit and operation, by completion; values are word counts, 8 bits
    latency,   ///< answers to one operation, by their completion; values are picoseconds, 64 bits
};

/// What the index was made from.
struct IndexSource {
    std::uint64_t bytes = 0;
    std::int64_t modified_ns = 0;
    std::array<std::uint8_t, 16> digest{};
    std::uint64_t has_digest = 0;
    friend bool operator==(const IndexSource&, const IndexSource&) = default;
};

struct IndexHeader {
    std::array<char, 8> magic = index_magic;
    std::uint32_t version = index_version;
    std::uint32_t byte_order = index_byte_order;
    IndexSource source;
    std::uint64_t checked = 0;  ///< 0: findings are events alone; else hash of the profile's name
    std::uint64_t directory_at = 0;
    std::uint64_t directory_bytes = 0;
    std::uint64_t directory_hash = 0;
    std::uint64_t body_bytes = 0;  ///< what lies between header and directory
    std::uint64_t body_hash = 0;
    std::uint64_t header_hash = 0;  ///< of all before
};

/// Offsets are bytes of the file, multiples of 8.
struct SeriesEntry {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;  ///< of values of messages; the greatest of latencies
    std::uint64_t leaves = 0;
    std::uint64_t bases_at = 0;   ///< time of each leaf's first message
    std::uint64_t starts_at = 0;  ///< its number in the series
    std::uint64_t sums_at = 0;    ///< of messages: values before it; of latencies: the leaf's greatest
    std::uint64_t segments_at = 0;
    std::uint32_t name = 0;
    std::uint32_t uniform = 0;  ///< the value of all messages, where they are alike; else `mixed`
    std::uint8_t stream = 0;
    std::uint8_t vc = 0;
    SeriesKind kind{};
    std::array<std::uint8_t, 5> unused{};

    static constexpr std::uint32_t mixed = 0xffffffff;
};

struct CheckpointsEntry {
    std::uint64_t count = 0;
    std::uint64_t times_at = 0;
    std::uint64_t blocks_at = 0;
    std::uint64_t messages = 0;      ///< of the stream
    std::uint64_t first_number = 0;  ///< of its first message in the trace
};

enum class FindingKind : std::uint8_t { event, violation, owed, damaged_chunk };

struct FindingRecord {
    static constexpr std::uint64_t no_line = ~std::uint64_t{0};

    Picoseconds time = 0;
    std::uint64_t number = 0;  ///< of the message; of an event: of the message that follows
    std::uint64_t count = 0;   ///< of an event; of an owed reply its age
    std::uint64_t detail = 0;
    std::uint64_t line = no_line;  ///< aliased_cli << 1 | home
    std::uint64_t text_at = 0;     ///< in the texts
    std::uint32_t text_bytes = 0;
    std::uint32_t details_bytes = 0;  ///< behind the text
    FindingKind kind{};
    std::uint8_t code = 0;  ///< EventKind or Rule
    std::uint8_t worst = 0;
    std::uint8_t stream = 0;
    std::uint8_t vc = 0;
    std::array<std::uint8_t, 3> unused{};
};

struct IndexDirectory {
    std::uint64_t series = 0;  ///< entries follow the directory, then the names, each with its length before it
    std::uint64_t names = 0;
    std::uint64_t messages = 0;
    std::uint64_t disordered = 0;  ///< messages complete before the one before them, placed there nevertheless
    std::uint64_t findings = 0;
    std::uint64_t findings_at = 0;
    std::uint64_t text_bytes = 0;
    std::uint64_t text_at = 0;
    std::uint64_t findings_dropped = 0;
    std::array<CheckpointsEntry, stream_count> streams{};
};

static_assert(std::has_unique_object_representations_v<IndexHeader>);
static_assert(std::has_unique_object_representations_v<SeriesEntry>);
static_assert(std::has_unique_object_representations_v<FindingRecord>);
static_assert(std::has_unique_object_representations_v<IndexDirectory>);

}  // namespace eciscope::view
