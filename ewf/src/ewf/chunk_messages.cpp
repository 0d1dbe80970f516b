// The heads of a chunk's messages: the hot loop of reading. A run of messages at a time, in three passes, each of which
// has few columns to follow: where the messages stand in their streams' blocks, their headers, their times.
#include <algorithm>
#include <array>
#include <cstddef>
#include <eciscope/spec/eci.hpp>

#include "chunk_decoder.hpp"

namespace eciscope::ewf {

namespace {

/// Messages of a run. What one pass leaves for the next stays in the fastest cache.
constexpr std::size_t run_length = 256;

/// What the passes hand on of each message of a run.
struct Run {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::array<Kind, run_length> kinds{};
    std::array<std::uint32_t, run_length> references{};  ///< moments
};

struct BlockColumns {
    std::array<IntegerReader, 3> block;
    IntegerReader duration, span;
    const std::uint8_t* slot = nullptr;

    [[nodiscard]] bool exhausted() const {
        return block[0].exhausted() && block[1].exhausted() && block[2].exhausted() && duration.exhausted() &&
               span.exhausted();
    }
};

/// Their lengths agree with the shapes, so that none of them is read too far.
struct HeaderColumns {
    const std::uint8_t* rank = nullptr;
    const std::uint8_t* id_other = nullptr;
    const std::uint8_t* id_again = nullptr;
    const std::uint8_t* offset = nullptr;
    IntegerReader line;
};

struct TimeColumns {
    std::array<IntegerReader, 3> ways;  // periods, ticks, picoseconds
};

/// Blocks, slots and lengths. `last` holds the length until take_times() makes it a time.
void take_blocks(BlockColumns& columns, const Run& run, const ShapeFacts* shapes, const std::uint16_t* indices,
                 bool whole, std::uint32_t& words, std::array<BlockPredictor, stream_count>& streams, TraceBatch& out) {
    for (std::size_t i = run.begin; i < run.end; ++i) {
        const ShapeFacts& shape = shapes[indices[i]];
        BlockPredictor& stream = streams[shape.stream];
        const std::uint64_t first_block = stream.block + columns.block[stream.column()].get_small_signed();
        const BlockPredictor::End expected = stream.expected_end(first_block, shape.words);
        const std::uint64_t span = columns.span.get_small_signed() + expected.span;
        MessageHead& message = out.messages[i];
        message.first_block = first_block;
        message.last_block = first_block + span;
        message.last =
            static_cast<Picoseconds>(columns.duration.get_small_signed() + span * std::uint64_t{block_period});
        message.record = 0;
        message.word_offset = whole ? words : static_cast<std::uint32_t>(i);
        message.word_count = shape.words;
        message.vc = shape.vc;
        message.stream = Stream::of_index(shape.stream);
        message.slot = static_cast<std::uint8_t>(*columns.slot++ + expected.slot);
        words += shape.words;
        stream.end_message(first_block + span, message.slot, streams[shape.stream ^ 1U], shape.words);
    }
}

/// Restores a header word, and finds out from which moment its message's time is told. False where it answers what
/// nobody asked.
inline bool take_header(HeaderColumns& columns, const ShapeFacts& shape, std::size_t i, HeaderPredictor& predictor,
                        std::uint64_t& word, std::uint32_t& reference) {
    const std::size_t from = shape.stream & 1U;
    HeaderPredictor::Sender& sender = predictor.senders[from];
    reference = sender.sent;
    if (shape.words == 0) {
        return true;
    }
    if (shape.kind == Kind::matched) {
        const std::size_t rank = *columns.rank++;
        if (rank >= predictor.senders[1 - from].waiting.count()) {
            return false;
        }
        std::uint64_t id = 0;
        const HeaderPredictor::Open& asked = predictor.answer(from, rank, i, id);
        word = shape.high | id << id_shift | asked.low;
        reference = asked.origin;
        return true;
    }
    if (shape.kind == Kind::again) {
        const std::uint64_t id = sender.again_id = (sender.again_id + *columns.id_again++) & id_mask;
        const HeaderPredictor::Open& before = sender.open[(id - 1) & id_mask];
        word = shape.high | id << id_shift | before.low;
        reference = before.answer;
        return before.answered;
    }
    std::uint64_t& last_id = sender.ids[shape.vc / 2U];
    last_id = (last_id + *columns.id_other++) & id_mask;
    std::uint64_t& line = sender.lines[shape.high >> context_shift];
    line = (line + columns.line.get_signed()) & line_mask;
    word = shape.high | last_id << id_shift | eci::alias_index(line) << line_shift | (*columns.offset++ & offset_mask);
    return true;
}

bool take_headers(HeaderColumns& columns, Run& run, const ShapeFacts* shapes, const std::uint16_t* indices, bool whole,
                  HeaderPredictor& predictor, TraceBatch& out) {
    for (std::size_t i = run.begin; i < run.end; ++i) {
        const ShapeFacts& shape = shapes[indices[i]];
        MessageHead& message = out.messages[i];
        std::uint64_t word = 0;
        std::uint32_t& reference = run.references[i - run.begin];
        if (!take_header(columns, shape, i, predictor, word, reference)) {
            return false;
        }
        run.kinds[i - run.begin] = shape.kind;
        message.vc = static_cast<std::uint8_t>(shape.vc ^ ((word >> line_shift) & 1U));
        if (!whole || shape.words > 0) {
            out.words[message.word_offset] = word;
        }
        if (shape.words > 0 && shape.kind != Kind::matched && opens(message.vc)) {
            predictor.open(shape.stream & 1U, word, shape.kind, reference, i);
        }
    }
    return true;
}

/// Which way a time is stored is hard to foretell, so that the ways are chosen between without branches.
inline std::uint64_t take_time(std::array<TimeColumns, 3>& columns, Kind kind, std::uint64_t stream_time,
                               std::uint64_t reference, std::uint64_t earliest) {
    TimeColumns& times = columns[static_cast<std::size_t>(kind)];
    const unsigned symbol = times.ways[0].peek();
    const unsigned way =
        static_cast<unsigned>(symbol == time_in_ticks) + 2U * static_cast<unsigned>(symbol == time_is_free);
    times.ways[0].skip_if(way != 0);
    if (kind == Kind::again && way != 0) {
        return way == 1 ? reference + times.ways[1].get_signed() * std::uint64_t{tick}
                        : earliest + columns[0].ways[2].get();
    }
    const std::array<std::uint64_t, 3> steps{block_period, tick, 1};
    const std::array<std::uint64_t, 3> starts{to_grid(stream_time, earliest, block_period),
                                              to_grid(reference, earliest, tick), 0};
    return earliest + starts[way] + times.ways[way].get() * steps[way];
}

/// What times are predicted from.
struct Moments {
    std::uint64_t completion;  ///< of the last message
    std::array<std::uint64_t, stream_count> streams{};
    std::vector<std::uint64_t>& first;  ///< by moment

    Moments(Picoseconds begin, std::size_t messages, std::vector<std::uint64_t>& store)
        : completion(static_cast<std::uint64_t>(begin)), first(store) {
        streams.fill(completion);
        first.resize(messages + 1);
        first[0] = completion;
    }
};

void take_times(std::array<TimeColumns, 3>& columns, const Run& run, Moments& moments, TraceBatch& out) {
    for (std::size_t i = run.begin; i < run.end; ++i) {
        MessageHead& message = out.messages[i];
        const auto duration = static_cast<std::uint64_t>(message.last);
        std::uint64_t& stream_time = moments.streams[message.stream.index()];
        const std::uint64_t first =
            take_time(columns, run.kinds[i - run.begin], stream_time, moments.first[run.references[i - run.begin]],
                      moments.completion - duration);
        moments.first[i + 1] = first;
        moments.completion = stream_time = first + duration;
        message.first = static_cast<Picoseconds>(first);
        message.last = static_cast<Picoseconds>(moments.completion);
    }
}

}  // namespace

/// Reads the shapes and which message has which. False unless every one is one, and the columns that are read by shape
/// are as long as the shapes say.
bool ChunkDecoder::take_shapes(const SectionHeader& header) {
    const Bytes table = column(Column::shape_table);
    const Bytes low = column(Column::shape_low);
    const Bytes high = column(Column::shape_high);
    shapes_.clear();
    for (std::size_t at = 0; at < table.size(); at += 8) {
        const Shape shape{load_le<std::uint64_t>(table.data() + at)};
        if (!shape.valid()) {
            return false;
        }
        shapes_.push_back(shape.facts());
    }
    indices_.assign(low.begin(), low.end());
    for (std::size_t i = 0; i < high.size(); ++i) {
        indices_[i] = static_cast<std::uint16_t>(indices_[i] | high[i] << 8U);
    }
    if (!indices_.empty() && *std::max_element(indices_.begin(), indices_.end()) >= shapes_.size()) {
        return false;
    }
    std::array<std::size_t, 3> with_header{};
    std::size_t words = 0;
    for (const std::uint16_t index : indices_) {
        const ShapeFacts& shape = shapes_[index];
        with_header[static_cast<std::size_t>(shape.kind)] += static_cast<std::size_t>(shape.words > 0);
        words += shape.words;
    }
    return words == header.words && with_header[0] == column(Column::id_other).size() &&
           with_header[1] == column(Column::rank_matched).size() && with_header[2] == column(Column::id_again).size();
}

bool ChunkDecoder::messages(const SectionHeader& header, Parts parts, TraceBatch& out) {
    if (!take_shapes(header)) {
        return false;
    }
    BlockColumns blocks{{integers(Column::block_idle_symbols), integers(Column::block_some_symbols),
                         integers(Column::block_many_symbols)},
                        integers(Column::duration_symbols),
                        integers(Column::span_symbols),
                        column(Column::slot).data()};
    HeaderColumns headers{column(Column::rank_matched).data(), column(Column::id_other).data(),
                          column(Column::id_again).data(), column(Column::offset_in_line).data(),
                          integers(Column::line_symbols)};
    std::array<TimeColumns, 3> times{
        {{{integers(Column::time_other_symbols), integers(Column::tick_other_symbols),
           integers(Column::free_other_symbols)}},
         {{integers(Column::time_matched_symbols), integers(Column::tick_matched_symbols),
           integers(Column::free_matched_symbols)}},
         {{integers(Column::time_again_symbols), integers(Column::tick_again_symbols), IntegerReader()}}}};
    const bool whole = parts == Parts::whole;
    out.messages.resize(header.messages);
    out.words.resize(whole ? header.words : header.messages);
    std::array<BlockPredictor, stream_count> streams{};
    HeaderPredictor predictor;
    Moments moments(header.first_min, header.messages, firsts_);
    std::uint32_t words = 0;
    Run run;
    for (; run.begin < header.messages; run.begin = run.end) {
        run.end = std::min<std::size_t>(run.begin + run_length, header.messages);
        take_blocks(blocks, run, shapes_.data(), indices_.data(), whole, words, streams, out);
        if (!take_headers(headers, run, shapes_.data(), indices_.data(), whole, predictor, out)) {
            return false;
        }
        take_times(times, run, moments, out);
    }
    return blocks.exhausted() && headers.line.exhausted() &&
           std::all_of(times.begin(), times.end(), [](const TimeColumns& kind) {
               return kind.ways[0].exhausted() && kind.ways[1].exhausted() && kind.ways[2].exhausted();
           });
}

}  // namespace eciscope::ewf
