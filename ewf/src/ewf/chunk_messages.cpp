// The heads of a chunk's messages: the hot loop of reading.
#include <algorithm>
#include <array>
#include <cstddef>
#include <eciscope/spec/eci.hpp>

#include "chunk_decoder.hpp"

namespace eciscope::ewf {

/// The columns that message heads are made of, as cursors.
struct HeadColumns {
    struct Times {
        std::array<IntegerReader, 3> ways;  // periods, ticks, picoseconds
        [[nodiscard]] bool exhausted() const {
            return ways[0].exhausted() && ways[1].exhausted() && ways[2].exhausted();
        }
    };
    struct Bytes8 {
        const std::uint8_t* next = nullptr;
        std::size_t left = 0;
        explicit Bytes8(Bytes column) : next(column.data()), left(column.size()) {}
        bool take(std::uint64_t& value) {
            if (left == 0) {
                return false;
            }
            --left;
            value = *next++;
            return true;
        }
    };
    Bytes8 rank, id_other, id_again, offset;
    IntegerReader line, duration, span;
    std::array<IntegerReader, 3> block;
    std::array<Times, 3> times;  // by Kind

    [[nodiscard]] bool exhausted() const {
        return rank.left == 0 && id_other.left == 0 && id_again.left == 0 && offset.left == 0 && line.exhausted() &&
               duration.exhausted() && span.exhausted() && block[0].exhausted() && block[1].exhausted() &&
               block[2].exhausted() && times[0].exhausted() && times[1].exhausted() && times[2].exhausted();
    }
};

namespace {

/// A header word, and what its time is predicted from.
struct Header {
    std::uint64_t word = 0;
    std::uint64_t reference = 0;
    Predictor::Open* asked = nullptr;  ///< what a matched message answers
};

/// Restores the header word. False where the columns have no more for it.
inline bool take_header(HeadColumns& columns, const Shape shape, std::size_t from, Predictor& predictor, Header& out) {
    const std::uint64_t high = shape.high() << low_bits;
    Predictor::Sender& sender = predictor.senders[from];
    std::uint64_t id = 0;
    if (shape.matched()) {
        std::uint64_t rank = 0;
        if (!columns.rank.take(rank) || rank >= predictor.senders[1 - from].waiting.count()) {
            return false;
        }
        out.asked = &predictor.answer(from, rank, id);
        out.word = high | id << id_shift | out.asked->low;
        out.reference = out.asked->time;
        return true;
    }
    std::uint64_t step = 0;
    if (shape.again()) {
        if (!columns.id_again.take(step)) {
            return false;
        }
        id = sender.again_id = (sender.again_id + step) & id_mask;
        const Predictor::Open& before = sender.open[(id - 1) & id_mask];
        out.word = high | id << id_shift | before.low;
        out.reference = before.answer;
        return before.answered;
    }
    std::uint64_t offset = 0;
    if (!columns.id_other.take(step) || !columns.offset.take(offset)) {
        return false;
    }
    std::uint64_t& last_id = sender.ids[shape.vc() / 2];
    id = last_id = (last_id + step) & id_mask;
    std::uint64_t& line = sender.lines[high >> context_shift];
    line = (line + columns.line.get_signed()) & line_mask;
    out.word = high | id << id_shift | eci::alias_index(line) << line_shift | (offset & offset_mask);
    out.reference = sender.sent;
    return true;
}

/// Which way a time is stored is hard to foretell, so that the ways are chosen between without branches.
inline std::uint64_t take_time(HeadColumns& columns, const Shape shape, std::uint64_t stream_time,
                               std::uint64_t reference, std::uint64_t earliest) {
    HeadColumns::Times& times = columns.times[static_cast<std::size_t>(shape.kind())];
    const unsigned symbol = times.ways[0].peek();
    const unsigned way =
        static_cast<unsigned>(symbol == time_in_ticks) + 2U * static_cast<unsigned>(symbol == time_is_free);
    times.ways[0].skip_if(way != 0);
    if (shape.again() && way != 0) {
        return way == 1 ? reference + times.ways[1].get_signed() * std::uint64_t{tick}
                        : earliest + columns.times[0].ways[2].get();
    }
    const std::array<std::uint64_t, 3> steps{block_period, tick, 1};
    const std::array<std::uint64_t, 3> starts{Predictor::to_grid(stream_time, earliest, block_period),
                                              Predictor::to_grid(reference, earliest, tick), 0};
    return earliest + starts[way] + times.ways[way].get() * steps[way];
}

/// Keeps what later messages are predicted from.
inline void remember(Predictor& predictor, const Shape shape, std::size_t from, unsigned vc, const Header& header,
                     std::uint64_t first) {
    if (header.asked != nullptr) {
        header.asked->answer = first;
    } else if (shape.words() > 0 && opens(vc)) {
        const std::uint64_t id = (header.word >> id_shift) & id_mask;
        predictor.open(from, id, header.word & low_mask, shape.again() ? header.reference : first);
        std::uint64_t& sent = predictor.senders[from].sent;
        sent = shape.again() ? sent : first;
    }
}

}  // namespace

/// Every entry of the table is a shape, and every index one of an entry.
bool ChunkDecoder::shapes_valid() const {
    const Bytes table = column(Column::shape_table);
    for (std::size_t at = 0; at < table.size(); at += 8) {
        if (!Shape{load_le<std::uint64_t>(table.data() + at)}.valid()) {
            return false;
        }
    }
    const Bytes low = column(Column::shape_low);
    const Bytes high = column(Column::shape_high);
    std::size_t largest = 0;
    for (std::size_t i = 0; i < low.size(); ++i) {
        largest = std::max(largest, low[i] | (high.empty() ? 0U : std::size_t{high[i]} << 8U));
    }
    return low.empty() || largest < table.size() / 8;
}

HeadColumns ChunkDecoder::head_columns() const {
    return {
        .rank = HeadColumns::Bytes8(column(Column::rank_matched)),
        .id_other = HeadColumns::Bytes8(column(Column::id_other)),
        .id_again = HeadColumns::Bytes8(column(Column::id_again)),
        .offset = HeadColumns::Bytes8(column(Column::offset_in_line)),
        .line = integers(Column::line_symbols),
        .duration = integers(Column::duration_symbols),
        .span = integers(Column::span_symbols),
        .block = {integers(Column::block_idle_symbols), integers(Column::block_some_symbols),
                  integers(Column::block_many_symbols)},
        .times = {{{{integers(Column::time_other_symbols), integers(Column::tick_other_symbols),
                     integers(Column::free_other_symbols)}},
                   {{integers(Column::time_matched_symbols), integers(Column::tick_matched_symbols),
                     integers(Column::free_matched_symbols)}},
                   {{integers(Column::time_again_symbols), integers(Column::tick_again_symbols), {}}}}},
    };
}

bool ChunkDecoder::messages(const SectionHeader& header, Parts parts, TraceBatch& out) {
    const std::size_t count = header.messages;
    const Bytes table = column(Column::shape_table);
    const Bytes shape_low = column(Column::shape_low);
    const Bytes shape_high = column(Column::shape_high);
    const Bytes slots = column(Column::slot);
    HeadColumns columns = head_columns();
    Predictor predictor(header.first_min);
    const bool whole = parts == Parts::whole;
    if (!shapes_valid()) {
        return false;
    }
    out.messages.resize(count);
    out.words.resize(whole ? header.words : count);
    zeros_.resize(count);
    std::uint32_t words = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t index = shape_low[i] | (shape_high.empty() ? 0U : std::size_t{shape_high[i]} << 8U);
        const Shape shape{load_le<std::uint64_t>(table.data() + index * 8)};
        const Stream sender = Stream::of_index(shape.stream());
        if (shape.words() > header.words - words) {
            return false;
        }
        Header head;
        head.reference = predictor.senders[sender.from].sent;
        if (shape.words() > 0 && !take_header(columns, shape, sender.from, predictor, head)) {
            return false;
        }
        const unsigned vc = shape.vc() ^ static_cast<unsigned>((head.word >> line_shift) & 1U);
        const Predictor::StreamState& stream = predictor.streams[shape.stream()];
        const std::uint64_t first_block =
            stream.block + columns.block[Predictor::block_column(stream)].get_small_signed();
        const auto expected = Predictor::expected_end(stream, first_block, shape.words());
        const std::uint64_t span = columns.span.get_small_signed() + expected.span;
        const std::uint64_t last_block = first_block + span;
        const std::uint64_t duration = columns.duration.get_small_signed() + span * std::uint64_t{block_period};
        const std::uint64_t first =
            take_time(columns, shape, stream.time, head.reference, predictor.completion - duration);
        const std::uint64_t last = first + duration;
        const auto slot = static_cast<std::uint8_t>(slots[i] + expected.slot);
        remember(predictor, shape, sender.from, vc, head, first);
        predictor.end_message(shape.stream(), last, last_block, slot, shape.words());

        const std::uint32_t word_offset = whole ? words : static_cast<std::uint32_t>(i);
        MessageHead& message = out.messages[i];
        message.first = static_cast<Picoseconds>(first);
        message.last = static_cast<Picoseconds>(last);
        message.first_block = first_block;
        message.last_block = last_block;
        message.record = 0;
        message.word_offset = word_offset;
        message.word_count = static_cast<std::uint8_t>(shape.words());
        message.vc = static_cast<std::uint8_t>(vc);
        message.stream = sender;
        message.slot = slot;
        zeros_[i] = static_cast<std::uint8_t>(shape.zeros());
        if (!whole || shape.words() > 0) {
            out.words[word_offset] = head.word;
        }
        words += static_cast<std::uint32_t>(shape.words());
    }
    return words == header.words && columns.exhausted();
}

}  // namespace eciscope::ewf
