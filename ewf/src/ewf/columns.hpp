// The columns of a chunk, their identities and the prediction that writer and reader share (docs/ewf.md, "Chunks").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "eciscope/decoder/message.hpp"
#include "layout.hpp"

namespace eciscope::ewf {

/// Numbers of columns in the file. An integer column has two: its symbols, then its bits.
enum class Column : std::uint8_t {
    shape_table = 1,   ///< the distinct shapes, eight bytes each, in order of first use
    shape_low = 2,     ///< low byte of each message's index into shape_table
    shape_high = 3,    ///< high byte; only with more than 256 shapes
    id_matched = 4,    ///< change of the id field, messages that answer one in the chunk
    id_other = 5,      ///< the same, other messages
    line_symbols = 6,  ///< change of the line field, messages that answer none
    line_bits = 7,
    offset_in_line = 8,  ///< header bits 6:0 of the same messages
    /// Block periods since the stream's last message, or where else to look; messages that answer one in the chunk.
    time_matched_symbols = 9,
    time_matched_bits = 10,
    time_other_symbols = 11,  ///< the same, other messages
    time_other_bits = 12,
    tick_matched_symbols = 13,  ///< ticks since the message answered
    tick_matched_bits = 14,
    tick_other_symbols = 15,  ///< ticks since the stream's last message
    tick_other_bits = 16,
    free_matched_symbols = 17,  ///< the same in picoseconds
    free_matched_bits = 18,
    free_other_symbols = 19,
    free_other_bits = 20,
    duration_symbols = 21,
    duration_bits = 22,
    block_symbols = 23,
    block_bits = 24,
    span_symbols = 25,
    span_bits = 26,
    slot = 27,
    event_kind = 32,
    event_stream = 33,
    event_vc = 34,
    event_before_symbols = 35,
    event_before_bits = 36,
    event_time_symbols = 37,
    event_time_bits = 38,
    event_block_symbols = 39,
    event_block_bits = 40,
    event_count_symbols = 41,
    event_count_bits = 42,
    event_detail_symbols = 43,
    event_detail_bits = 44,
    zero_map = 64,     ///< a bit for each data word of messages with any that is not zero
    data_plain = 65,   ///< the words that are not zero, eight bytes each
    data_planes = 66,  ///< or their differences, plane by plane
};

inline constexpr std::size_t column_numbers = 67;
inline constexpr std::size_t first_data_column = 64;
inline constexpr std::size_t column_entry_bytes = 16;
inline constexpr std::size_t columns_max = column_numbers;

constexpr std::size_t number(Column column) {
    return static_cast<std::size_t>(column);
}

enum class Coding : std::uint8_t { stored = 0, zstd = 1 };

// How a header word is split. These are choices of the format, made so that usual traffic predicts well; any word is
// stored exactly, whatever the protocol says of it.
inline constexpr unsigned low_bits = 40;  ///< line and offset in it
inline constexpr unsigned line_shift = 7;
inline constexpr unsigned id_shift = 50;
inline constexpr std::uint64_t id_mask = 63;
inline constexpr std::uint64_t low_mask = (std::uint64_t{1} << low_bits) - 1;
inline constexpr std::uint64_t line_mask = (std::uint64_t{1} << (low_bits - line_shift)) - 1;
inline constexpr std::uint64_t offset_mask = (std::uint64_t{1} << line_shift) - 1;
inline constexpr unsigned context_shift = 59;

// Times are counted in periods of a block on the wire where that comes out even, else in ticks of an answering clock.
inline constexpr std::int64_t block_period = 4340;
inline constexpr std::int64_t tick = 1000;

/// Symbols of the time columns beyond those of integers.
inline constexpr std::uint8_t time_in_ticks = 252;
inline constexpr std::uint8_t time_is_free = 253;

/// What a message has in common with many: an entry of shape_table.
struct Shape {
    std::uint64_t bits = 0;

    static constexpr unsigned vc_at = 24;
    static constexpr unsigned stream_at = 28;
    static constexpr unsigned matched_at = 30;
    static constexpr unsigned zeros_at = 31;
    static constexpr unsigned words_at = 32;
    static constexpr unsigned used_bits = 40;
    static constexpr std::uint64_t high_mask = 0xffffffU & ~(id_mask << (id_shift - low_bits));

    [[nodiscard]] constexpr std::uint64_t high() const { return bits & high_mask; }
    [[nodiscard]] constexpr unsigned vc() const { return static_cast<unsigned>(bits >> vc_at) & 15U; }
    [[nodiscard]] constexpr unsigned stream() const { return static_cast<unsigned>(bits >> stream_at) & 3U; }
    [[nodiscard]] constexpr bool matched() const { return ((bits >> matched_at) & 1U) != 0; }
    [[nodiscard]] constexpr bool zeros() const { return ((bits >> zeros_at) & 1U) != 0; }
    [[nodiscard]] constexpr unsigned words() const { return static_cast<unsigned>(bits >> words_at) & 255U; }
    /// No writer makes any other: unused bits set, or flags that need words there are none of.
    [[nodiscard]] constexpr bool valid() const {
        return (bits >> used_bits) == 0 && (words() > 0 || (high() == 0 && !matched())) && (words() > 1 || !zeros()) &&
               (bits & 0xffffffU & ~high_mask) == 0;
    }
};

/// What has been seen in the chunk so far, the same on both sides.
struct Predictor {
    struct StreamState {
        std::uint64_t time = 0;
        std::uint64_t block = 0;
        std::uint8_t slot = 0;
    };
    struct Context {
        std::uint64_t line = 0;
        std::uint64_t id = 0;
    };
    struct Open {
        std::uint64_t low = ~std::uint64_t{0};  ///< nothing that a header can hold
        std::uint64_t time = 0;
    };

    std::array<StreamState, stream_count> streams{};
    std::array<std::array<Context, 32>, node_count> contexts{};
    std::array<std::array<Open, id_mask + 1>, node_count> open{};

    explicit Predictor(Picoseconds first_min) {
        for (StreamState& stream : streams) {
            stream.time = static_cast<std::uint64_t>(first_min);
        }
    }

    /// Where a message of `words` words ends if its words follow the stream's last one without a gap.
    struct End {
        std::uint64_t span = 0;  ///< blocks after the first
        std::uint8_t slot = 0;
    };
    [[nodiscard]] static End expected_end(const StreamState& stream, std::uint64_t first_block, unsigned words) {
        const unsigned start = first_block == stream.block ? stream.slot + 1U : 0U;
        const unsigned last = start + (words == 0 ? 0 : words - 1);
        return {last / 7, static_cast<std::uint8_t>(last % 7)};
    }
};

}  // namespace eciscope::ewf
