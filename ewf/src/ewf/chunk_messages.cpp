// The heads of a chunk's messages: the hot loop of reading.
#include <algorithm>
#include <cstddef>

#include "chunk_decoder.hpp"

namespace eciscope::ewf {

/// The columns that message heads are made of, as cursors.
struct HeadColumns {
    struct Times {
        IntegerReader periods, ticks, free;
        [[nodiscard]] bool exhausted() const { return periods.exhausted() && ticks.exhausted() && free.exhausted(); }
    };
    const std::uint8_t* id_matched = nullptr;
    const std::uint8_t* id_other = nullptr;
    const std::uint8_t* offset = nullptr;
    std::size_t matched_left = 0;
    std::size_t other_left = 0;
    IntegerReader line, duration, block, span;
    Times matched, other;

    [[nodiscard]] bool exhausted() const {
        return matched_left == 0 && other_left == 0 && line.exhausted() && duration.exhausted() && block.exhausted() &&
               span.exhausted() && matched.exhausted() && other.exhausted();
    }
};

namespace {

struct Matched {
    std::uint64_t header = 0;
    std::uint64_t time = 0;
};

/// Restores the header word. False where the columns have no more for it.
inline bool take_header(HeadColumns& columns, const Shape shape, std::size_t from, Predictor& predictor, Matched& out) {
    const std::uint64_t high = shape.high() << low_bits;
    Predictor::Context& context = predictor.contexts[from][high >> context_shift];
    if (shape.matched()) {
        if (columns.matched_left-- == 0) {
            return false;
        }
        const std::uint64_t id = (context.id + *columns.id_matched++) & id_mask;
        context.id = id;
        const Predictor::Open& open = predictor.open[1 - from][id];
        out = {high | id << id_shift | open.low, open.time};
        return open.low <= low_mask;
    }
    if (columns.other_left-- == 0) {
        return false;
    }
    const std::uint64_t id = (context.id + *columns.id_other++) & id_mask;
    context.id = id;
    context.line = (context.line + columns.line.get_signed()) & line_mask;
    out.header = high | id << id_shift | context.line << line_shift | (*columns.offset++ & offset_mask);
    return true;
}

inline std::uint64_t take_time(HeadColumns::Times& columns, std::uint64_t stream_time, std::uint64_t since,
                               std::uint64_t blocks) {
    const std::uint8_t symbol = columns.periods.peek();
    if (symbol < time_in_ticks) {
        return stream_time + (columns.periods.get_signed() + blocks) * std::uint64_t{block_period};
    }
    columns.periods.skip();
    if (symbol == time_in_ticks) {
        return since + columns.ticks.get_signed() * std::uint64_t{tick};
    }
    return since + columns.free.get_signed();
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
        .id_matched = column(Column::id_matched).data(),
        .id_other = column(Column::id_other).data(),
        .offset = column(Column::offset_in_line).data(),
        .matched_left = column(Column::id_matched).size(),
        .other_left = column(Column::id_other).size(),
        .line = integers(Column::line_symbols),
        .duration = integers(Column::duration_symbols),
        .block = integers(Column::block_symbols),
        .span = integers(Column::span_symbols),
        .matched = {integers(Column::time_matched_symbols), integers(Column::tick_matched_symbols),
                    integers(Column::free_matched_symbols)},
        .other = {integers(Column::time_other_symbols), integers(Column::tick_other_symbols),
                  integers(Column::free_other_symbols)},
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
        Matched head;
        if (shape.words() > 0 && !take_header(columns, shape, sender.from, predictor, head)) {
            return false;
        }
        Predictor::StreamState& stream = predictor.streams[shape.stream()];
        const std::uint64_t blocks = columns.block.get_signed();
        const std::uint64_t first_block = stream.block + blocks;
        const auto expected = Predictor::expected_end(stream, first_block, shape.words());
        const std::uint64_t span = columns.span.get_signed() + expected.span;
        const std::uint64_t first = shape.matched() ? take_time(columns.matched, stream.time, head.time, blocks)
                                                    : take_time(columns.other, stream.time, stream.time, blocks);
        const std::uint64_t last = first + columns.duration.get_signed() + span * std::uint64_t{block_period};
        stream = {last, first_block + span, static_cast<std::uint8_t>(slots[i] + expected.slot)};

        const std::uint32_t word_offset = whole ? words : static_cast<std::uint32_t>(i);
        out.messages[i] = {
            .first = static_cast<Picoseconds>(first),
            .last = static_cast<Picoseconds>(last),
            .first_block = first_block,
            .last_block = stream.block,
            .word_offset = word_offset,
            .word_count = static_cast<std::uint8_t>(shape.words()),
            .vc = static_cast<std::uint8_t>(shape.vc() ^ ((head.header >> line_shift) & 1U)),
            .stream = sender,
            .slot = stream.slot,
        };
        zeros_[i] = static_cast<std::uint8_t>(shape.zeros());
        if (shape.words() > 0 && !shape.matched()) {
            predictor.open[sender.from][(head.header >> id_shift) & id_mask] = {head.header & low_mask, last};
        }
        if (!whole || shape.words() > 0) {
            out.words[word_offset] = head.header;
        }
        words += static_cast<std::uint32_t>(shape.words());
    }
    return words == header.words && columns.exhausted();
}

}  // namespace eciscope::ewf
