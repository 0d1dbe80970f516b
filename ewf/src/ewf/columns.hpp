// The columns of a chunk, their identities and the prediction that writer and reader share (docs/ewf.md, "Chunks").
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/metadata.hpp"
#include "layout.hpp"

namespace eciscope::ewf {

/// Numbers of columns in the file. An integer column has two: its symbols, then its bits.
enum class Column : std::uint8_t {
    shape_table = 1,   ///< the distinct shapes, eight bytes each, in order of first use
    shape_low = 2,     ///< low byte of each message's index into shape_table
    shape_high = 3,    ///< high byte; only with more than 256 shapes
    rank_matched = 4,  ///< which of the waiting messages is answered; messages that answer one in the chunk
    id_other = 5,      ///< change of the id field, other messages
    line_symbols = 6,  ///< change of the plain line
    line_bits = 7,
    offset_in_line = 8,  ///< header bits 6:0 of the same messages
    /// Block periods, or where else to look for the time; messages that answer one in the chunk.
    time_matched_symbols = 9,
    time_matched_bits = 10,
    time_other_symbols = 11,  ///< the same, other messages
    time_other_bits = 12,
    tick_matched_symbols = 13,  ///< ticks, counted so that they fit to the message answered
    tick_matched_bits = 14,
    tick_other_symbols = 15,  ///< ticks, counted so that they fit to the sender's last message that opens
    tick_other_bits = 16,
    free_matched_symbols = 17,  ///< picoseconds
    free_matched_bits = 18,
    free_other_symbols = 19,
    free_other_bits = 20,
    duration_symbols = 21,
    duration_bits = 22,
    block_idle_symbols = 23,  ///< blocks since the stream's last message, if nothing came the other way meanwhile
    block_idle_bits = 24,
    span_symbols = 25,
    span_bits = 26,
    slot = 27,
    id_again = 28,  ///< change of the id field, messages that follow an answer
    time_again_symbols = 29,
    time_again_bits = 30,
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
    block_some_symbols = 45,  ///< if a few words came the other way
    block_some_bits = 46,
    block_many_symbols = 47,  ///< if many did
    block_many_bits = 48,
    tick_again_symbols = 49,  ///< ticks since the answer
    tick_again_bits = 50,
    explicit_map = 64,  ///< a bit for each data word of messages with any that is not zero: is it stored?
    data_plain = 65,    ///< the words that are, eight bytes each
    data_planes = 66,   ///< or what changes from one to the next, plane by plane
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

/// Circuits whose messages wait for no answer: those of responses.
inline constexpr unsigned answering_circuits = 0b0000'1100'0011'0010;
constexpr bool opens(unsigned vc) {
    return ((answering_circuits >> vc) & 1U) == 0;
}

// Times are counted in periods of a block on the wire where that comes out even, else in ticks of an answering clock.
inline constexpr std::int64_t block_period = 4340;
inline constexpr std::int64_t tick = 1000;

/// A data message has more words than this; a receiver of one has credits to give back, which takes blocks.
inline constexpr std::uint64_t few_words = 17;

/// Symbols of the time columns beyond those of integers.
inline constexpr std::uint8_t time_in_ticks = 252;
inline constexpr std::uint8_t time_is_free = 253;

/// What a message is predicted from.
enum class Kind : std::uint8_t { other, matched, again };

/// A shape, ready to be used message by message.
struct ShapeFacts {
    std::uint64_t high = 0;  ///< in place, as in a header
    std::uint8_t words = 0;
    std::uint8_t vc = 0;  ///< its lowest bit still exclusive-or'ed
    std::uint8_t stream = 0;
    Kind kind = Kind::other;
    bool zeros = false;
};

/// What a message has in common with many: an entry of shape_table.
struct Shape {
    std::uint64_t bits = 0;

    static constexpr unsigned vc_at = 24;
    static constexpr unsigned stream_at = 28;
    static constexpr unsigned matched_at = 30;
    static constexpr unsigned zeros_at = 31;
    static constexpr unsigned words_at = 32;
    static constexpr unsigned again_at = 40;
    static constexpr unsigned used_bits = 41;
    static constexpr std::uint64_t high_mask = 0xffffffU & ~(id_mask << (id_shift - low_bits));

    [[nodiscard]] constexpr std::uint64_t high() const { return bits & high_mask; }
    [[nodiscard]] constexpr unsigned vc() const { return static_cast<unsigned>(bits >> vc_at) & 15U; }
    [[nodiscard]] constexpr unsigned stream() const { return static_cast<unsigned>(bits >> stream_at) & 3U; }
    [[nodiscard]] constexpr bool matched() const { return ((bits >> matched_at) & 1U) != 0; }
    [[nodiscard]] constexpr bool zeros() const { return ((bits >> zeros_at) & 1U) != 0; }
    [[nodiscard]] constexpr unsigned words() const { return static_cast<unsigned>(bits >> words_at) & 255U; }
    [[nodiscard]] constexpr bool again() const { return ((bits >> again_at) & 1U) != 0; }
    [[nodiscard]] constexpr Kind kind() const {
        return static_cast<Kind>(((bits >> matched_at) & 1U) | (bits >> (again_at - 1) & 2U));
    }
    [[nodiscard]] constexpr ShapeFacts facts() const {
        return {high() << low_bits,
                static_cast<std::uint8_t>(words()),
                static_cast<std::uint8_t>(vc()),
                static_cast<std::uint8_t>(stream()),
                kind(),
                zeros()};
    }
    /// No writer makes any other: unused bits set, or flags that need words there are none of.
    [[nodiscard]] constexpr bool valid() const {
        return (bits >> used_bits) == 0 && (words() > 0 || (high() == 0 && !matched() && !again())) &&
               (words() > 1 || !zeros()) && !(matched() && again()) && (bits & 0xffffffU & ~high_mask) == 0;
    }
};

/// Ids of one sender that wait for an answer, the oldest first.
class Waiting {
 public:
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::size_t rank_of(std::uint64_t id) const {
        return static_cast<std::size_t>(std::find(ids_.begin(), ids_.begin() + count_, id) - ids_.begin());
    }
    /// Only ids that are not there, so that there is always room.
    void add(std::uint64_t id) { ids_[count_++] = static_cast<std::uint8_t>(id); }
    std::uint64_t take(std::size_t rank) {
        const std::uint8_t id = ids_[rank];
        --count_;
        for (std::size_t at = rank; at < count_; at += sizeof(std::uint64_t)) {
            store_le(ids_.data() + at, load_le<std::uint64_t>(ids_.data() + at + 1));
        }
        return id;
    }

 private:
    std::array<std::uint8_t, id_mask + 1 + sizeof(std::uint64_t)> ids_{};  // moved eight at a time
    std::size_t count_ = 0;
};

/// How far the first time from `earliest` on lies that is a whole number of periods from `reference`.
[[nodiscard]] inline std::uint64_t to_grid(std::uint64_t reference, std::uint64_t earliest, std::int64_t period) {
    const std::int64_t rest = static_cast<std::int64_t>(reference - earliest) % period;
    return static_cast<std::uint64_t>(rest < 0 ? rest + period : rest);
}

// What has been seen in the chunk so far, the same for writer and reader. Headers are predicted without knowing any
// time: where a time comes in, a *moment* stands for it, 0 for the chunk's earliest time, else n for the `first` of the
// chunk's message n - 1.

/// Where a stream's next message will stand.
struct BlockPredictor {
    std::uint64_t block = 0;
    std::uint64_t words_back = 0;  ///< that came the other way since
    std::uint8_t slot = 0;

    /// Which of three columns tells how many blocks went by.
    [[nodiscard]] std::size_t column() const {
        return static_cast<std::size_t>(words_back > 0) + static_cast<std::size_t>(words_back >= few_words);
    }

    /// Where a message of `words` words ends if its words follow the stream's last one without a gap.
    struct End {
        std::uint64_t span = 0;  ///< blocks after the first
        std::uint8_t slot = 0;
    };
    [[nodiscard]] End expected_end(std::uint64_t first_block, unsigned words) const {
        const unsigned start = first_block == block ? slot + 1U : 0U;
        const unsigned last = start + (words == 0 ? 0 : words - 1);
        return {last / 7, static_cast<std::uint8_t>(last % 7)};
    }

    void end_message(std::uint64_t last_block, std::uint8_t last_slot, BlockPredictor& other_way, unsigned words) {
        block = last_block;
        words_back = 0;
        slot = last_slot;
        other_way.words_back += words;
    }
};

struct HeaderPredictor {
    struct Open {
        std::uint64_t low = 0;
        std::uint32_t origin = 0;  ///< moment from which its answer's time is told
        std::uint32_t answer = 0;  ///< moment of that
        bool waiting = false;
        bool answered = false;
    };
    struct Sender {
        std::array<std::uint64_t, 32> lines{};          ///< by the header's highest bits, plain
        std::array<std::uint64_t, vc_slots / 2> ids{};  ///< by pair of circuits
        std::array<Open, id_mask + 1> open{};
        Waiting waiting;
        std::uint64_t again_id = 0;
        std::uint32_t sent = 0;  ///< moment of the last message that opens and follows no answer
    };
    std::array<Sender, node_count> senders{};

    /// Message `number` of the chunk answers the one that `rank` others have waited longer than.
    const Open& answer(std::size_t from, std::size_t rank, std::size_t number, std::uint64_t& id) {
        Sender& asker = senders[1 - from];
        id = asker.waiting.take(rank);
        Open& open = asker.open[id];
        open.waiting = false;
        open.answered = true;
        open.answer = static_cast<std::uint32_t>(number + 1);
        return open;
    }

    /// Message `number` of the chunk waits for an answer from now on.
    void open(std::size_t from, std::uint64_t header, Kind kind, std::uint32_t reference, std::size_t number) {
        Sender& sender = senders[from];
        const std::uint64_t id = (header >> id_shift) & id_mask;
        Open& open = sender.open[id];
        if (open.waiting) {
            sender.waiting.take(sender.waiting.rank_of(id));
        }
        sender.waiting.add(id);
        const auto moment = static_cast<std::uint32_t>(number + 1);
        open.low = header & low_mask;
        open.origin = kind == Kind::again ? reference : moment;
        open.waiting = true;
        open.answered = false;
        sender.sent = kind == Kind::again ? sender.sent : moment;
    }
};

}  // namespace eciscope::ewf
