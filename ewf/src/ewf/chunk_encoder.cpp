#include "chunk_encoder.hpp"

#include <algorithm>
#include <cstddef>
#include <eciscope/spec/eci.hpp>

namespace eciscope::ewf {

namespace {

// Fixed, because they are part of what makes the bytes canonical.
constexpr int zstd_level = 1;

std::uint64_t as_bits(Picoseconds time) {
    return static_cast<std::uint64_t>(time);
}

struct Extent {
    Picoseconds first_min = 0;
    Picoseconds last_min = 0;
    Picoseconds last_max = 0;
};

Extent extent_of(const TraceBatch& trace) {
    Extent extent;
    bool any = false;
    const auto add = [&](Picoseconds first, Picoseconds last) {
        if (!any) {
            extent = {first, last, last};
            any = true;
            return;
        }
        extent.first_min = std::min(extent.first_min, first);
        extent.last_min = std::min(extent.last_min, last);
        extent.last_max = std::max(extent.last_max, last);
    };
    for (const MessageHead& message : trace.messages) {
        add(std::min(message.first, message.last), message.last);
    }
    for (const Event& event : trace.events) {
        add(event.time, event.time);
    }
    return extent;
}

}  // namespace

struct ChunkEncoder::Past {
    HeaderPredictor headers;
    std::array<BlockPredictor, stream_count> blocks{};
    std::array<std::uint64_t, stream_count> stream_times{};
    std::uint64_t begin;
    std::uint64_t completion;  ///< of the last message

    explicit Past(Picoseconds first_min) : begin(as_bits(first_min)), completion(begin) { stream_times.fill(begin); }
};

void ShapeTable::clear() {
    shapes_.clear();
    ++generation_;
    if (generation_ == 0) {  // old entries could be taken for new ones
        std::fill(slots_.begin(), slots_.end(), Entry{});
        generation_ = 1;
    }
}

std::uint16_t ShapeTable::index_of(Shape shape) {
    constexpr std::uint64_t spread = 0x9e3779b97f4a7c15U;
    std::size_t at = static_cast<std::size_t>((shape.bits * spread) >> (64U - slot_bits));
    while (slots_[at].generation == generation_) {
        if (slots_[at].bits == shape.bits) {
            return slots_[at].index;
        }
        at = (at + 1) & (slots_.size() - 1);
    }
    slots_[at] = {shape.bits, generation_, static_cast<std::uint16_t>(shapes_.size())};
    shapes_.push_back(shape.bits);
    return slots_[at].index;
}

ChunkEncoder::ChunkEncoder() : compressor_(ZSTD_createCCtx()) {
    ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_compressionLevel, zstd_level);
    ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_contentSizeFlag, 1);
    ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_checksumFlag, 0);
    ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_dictIDFlag, 0);
}

void ChunkEncoder::clear() {
    shapes_.clear();
    for (auto* column :
         {&shape_low_, &shape_high_, &rank_matched_, &id_other_, &id_again_, &offset_in_line_, &slot_, &event_kind_,
          &event_stream_, &event_vc_, &explicit_map_, &data_bytes_, &directory_, &head_, &tail_}) {
        column->clear();
    }
    for (auto* column : {&line_,         &matched_.periods, &matched_.ticks, &matched_.free, &other_.periods,
                         &other_.ticks,  &other_.free,      &again_.periods, &again_.ticks,  &again_.free,
                         &duration_,     &block_[0],        &block_[1],      &block_[2],     &span_,
                         &event_before_, &event_time_,      &event_block_,   &event_count_,  &event_detail_}) {
        column->clear();
    }
    data_.clear();
    map_bits_ = 0;
    data_step_ = 0;
    data_in_planes_ = false;
    columns_ = 0;
}

ChunkEncoder::Prediction ChunkEncoder::put_header(const MessageHead& message, std::size_t number, std::uint64_t header,
                                                  bool zeros, HeaderPredictor& predictor) {
    const std::size_t from = message.stream.from;
    const std::uint64_t low = header & low_mask;
    const std::uint64_t id = (header >> id_shift) & id_mask;
    const bool any = message.word_count > 0;
    HeaderPredictor::Sender& sender = predictor.senders[from];
    const HeaderPredictor::Open& asked = predictor.senders[1 - from].open[id];
    const HeaderPredictor::Open& before = sender.open[(id - 1) & id_mask];
    const bool matched = any && asked.waiting && asked.low == low;
    const bool again = any && !matched && before.answered && before.low == low;

    Shape shape;
    shape.bits = ((header >> low_bits) & Shape::high_mask) |
                 (std::uint64_t{message.vc} ^ ((header >> line_shift) & 1U)) << Shape::vc_at |
                 std::uint64_t{message.stream.index()} << Shape::stream_at |
                 std::uint64_t{matched} << Shape::matched_at | std::uint64_t{zeros} << Shape::zeros_at |
                 std::uint64_t{message.word_count} << Shape::words_at | std::uint64_t{again} << Shape::again_at;
    const std::uint16_t index = shapes_.index_of(shape);
    shape_low_.push_back(static_cast<std::uint8_t>(index));
    shape_high_.push_back(static_cast<std::uint8_t>(index >> 8U));
    if (matched) {
        const std::size_t rank = predictor.senders[1 - from].waiting.rank_of(id);
        rank_matched_.push_back(static_cast<std::uint8_t>(rank));
        std::uint64_t same = 0;
        return {Kind::matched, predictor.answer(from, rank, number, same).origin};
    }
    Prediction prediction{Kind::other, sender.sent};
    if (again) {
        prediction = {Kind::again, before.answer};
        id_again_.push_back(static_cast<std::uint8_t>((id - sender.again_id) & id_mask));
        sender.again_id = id;
    } else if (any) {
        std::uint64_t& last_id = sender.ids[message.vc / 2U];
        id_other_.push_back(static_cast<std::uint8_t>((id - last_id) & id_mask));
        last_id = id;
        const std::uint64_t line = eci::unalias_index(low >> line_shift);
        std::uint64_t& last_line = sender.lines[header >> context_shift];
        line_.put_signed(line - last_line);
        last_line = line;
        offset_in_line_.push_back(static_cast<std::uint8_t>(low & offset_mask));
    }
    if (any && opens(message.vc)) {
        predictor.open(from, header, prediction.kind, prediction.reference, number);
    }
    return prediction;
}

void ChunkEncoder::put_times(const MessageHead& message, Kind kind, std::uint64_t reference, Past& past) {
    const std::size_t stream_index = message.stream.index();
    BlockPredictor& stream = past.blocks[stream_index];
    const std::uint64_t blocks = message.first_block - stream.block;
    const std::uint64_t span = message.last_block - message.first_block;
    const BlockPredictor::End expected = stream.expected_end(message.first_block, message.word_count);
    const std::uint64_t first = as_bits(message.first);
    const std::uint64_t duration = as_bits(message.last) - first;
    block_[stream.column()].put_signed(blocks);
    span_.put_signed(span - expected.span);
    duration_.put_signed(duration - span * std::uint64_t{block_period});
    slot_.push_back(static_cast<std::uint8_t>(message.slot - expected.slot));

    // Messages are in order of completion: what comes after the last one is no less than this.
    const std::uint64_t earliest = past.completion - duration;
    const auto since = static_cast<std::int64_t>(first - earliest);
    const auto on_grid = [&](std::uint64_t from, std::int64_t period) {
        if (since < 0) {
            return std::int64_t{-1};
        }
        const std::int64_t behind = since - static_cast<std::int64_t>(to_grid(from, earliest, period));
        return behind >= 0 && behind % period == 0 ? behind / period : -1;
    };
    TimeColumns& columns = times_of(kind);
    const std::int64_t periods = on_grid(past.stream_times[stream_index], block_period);
    const auto past_answer = static_cast<std::int64_t>(first - reference);
    const bool again = kind == Kind::again;
    const std::int64_t ticks = periods >= 0 || again ? -1 : on_grid(reference, tick);
    if (periods >= 0) {
        columns.periods.put(static_cast<std::uint64_t>(periods));
    } else if (again && past_answer % tick == 0) {
        columns.periods.symbols.push_back(time_in_ticks);
        columns.ticks.put_signed(static_cast<std::uint64_t>(past_answer / tick));
    } else if (ticks >= 0) {
        columns.periods.symbols.push_back(time_in_ticks);
        columns.ticks.put(static_cast<std::uint64_t>(ticks));
    } else {
        columns.periods.symbols.push_back(time_is_free);
        (again ? other_ : columns).free.put(static_cast<std::uint64_t>(since));
    }
    stream.end_message(message.last_block, message.slot, past.blocks[stream_index ^ 1U], message.word_count);
    past.completion = past.stream_times[stream_index] = as_bits(message.last);
}

void ChunkEncoder::put_data(std::span<const std::uint64_t> words) {
    std::uint64_t previous = 0;
    for (const std::uint64_t word : words) {
        const std::uint64_t expected = previous == 0 ? 0 : previous + data_step_;
        if (map_bits_ % 8 == 0) {
            explicit_map_.push_back(0);
        }
        if (word != expected) {
            explicit_map_.back() = static_cast<std::uint8_t>(explicit_map_.back() | 1U << (map_bits_ % 8));
            data_.push_back(word);
        }
        if (word != 0 && previous != 0) {
            data_step_ = word - previous;
        }
        previous = word;
        ++map_bits_;
    }
}

void ChunkEncoder::put_message(const TraceBatch& trace, std::size_t number, Past& past) {
    const MessageHead& message = trace.messages[number];
    const auto words = trace.words_of(message);
    const std::uint64_t header = words.empty() ? 0 : words[0];
    const auto data = words.empty() ? words : words.subspan(1);
    std::uint64_t seen = 0;
    for (const std::uint64_t word : data) {
        seen |= word;
    }
    const bool zeros = !data.empty() && seen == 0;
    const Prediction prediction = put_header(message, number, header, zeros, past.headers);
    const std::uint64_t reference =
        prediction.reference == 0 ? past.begin : as_bits(trace.messages[prediction.reference - 1].first);
    put_times(message, prediction.kind, reference, past);
    if (seen != 0) {
        put_data(data);
    }
}

void ChunkEncoder::put_events(const std::vector<Event>& events, Picoseconds first_min) {
    std::uint64_t time = as_bits(first_min);
    std::uint64_t before = 0;
    std::array<std::uint64_t, stream_count> blocks{};
    std::array<std::uint64_t, stream_count> details{};
    for (const Event& event : events) {
        const std::size_t stream = event.stream.index();
        event_kind_.push_back(static_cast<std::uint8_t>(event.kind));
        event_stream_.push_back(static_cast<std::uint8_t>(stream));
        event_vc_.push_back(event.vc);
        event_before_.put(event.before - before);
        event_time_.put_signed(as_bits(event.time) - time);
        event_block_.put_signed(event.block - blocks[stream]);
        event_count_.put_signed(event.count);
        event_detail_.put_signed(event.detail - details[stream]);
        before = event.before;
        time = as_bits(event.time);
        blocks[stream] = event.block;
        details[stream] = event.detail;
    }
}

/// Chooses between plain words and planes of what changes from word to word, by how many bytes stay the same.
void ChunkEncoder::finish_data() {
    const std::size_t count = data_.size();
    data_bytes_.resize(count * 8);
    std::size_t same = 0;
    std::uint64_t previous = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t change = data_[i] ^ previous;
        previous = data_[i];
        for (std::size_t plane = 0; plane < 8; ++plane) {
            const auto byte = static_cast<std::uint8_t>(change >> (8 * plane));
            data_bytes_[plane * count + i] = byte;
            same += static_cast<std::size_t>(byte == 0);
        }
    }
    data_in_planes_ = same * 4 >= count * 8;
    if (!data_in_planes_) {
        std::copy_n(reinterpret_cast<const std::uint8_t*>(data_.data()), data_bytes_.size(), data_bytes_.begin());
    }
}

void ChunkEncoder::append_column(Column column, Bytes bytes) {
    if (bytes.empty()) {
        return;
    }
    auto& part = number(column) < first_data_column ? head_ : tail_;
    const std::size_t start = part.size();
    part.resize(start + ZSTD_compressBound(bytes.size()));
    const std::size_t packed =
        ZSTD_compress2(compressor_.get(), part.data() + start, part.size() - start, bytes.data(), bytes.size());
    const bool smaller = ZSTD_isError(packed) == 0 && packed < bytes.size();
    const std::size_t stored = smaller ? packed : bytes.size();
    if (!smaller) {
        std::copy(bytes.begin(), bytes.end(), part.begin() + static_cast<std::ptrdiff_t>(start));
    }
    part.resize(start + stored);
    const std::size_t at = directory_.size();
    directory_.resize(at + column_entry_bytes);
    directory_[at] = static_cast<std::uint8_t>(column);
    directory_[at + 1] = static_cast<std::uint8_t>(smaller ? Coding::zstd : Coding::stored);
    store_le(directory_.data() + at + 4, static_cast<std::uint32_t>(bytes.size()));
    store_le(directory_.data() + at + 8, static_cast<std::uint32_t>(stored));
    ++columns_;
}

void ChunkEncoder::append_integers(Column symbols, IntegerWriter& integers) {
    integers.flush();
    append_column(symbols, integers.symbols);
    append_column(static_cast<Column>(number(symbols) + 1), integers.bits);
}

void ChunkEncoder::append_columns(std::vector<std::uint8_t>& out, SectionHeader& header) {
    const auto& shapes = shapes_.shapes();
    append_column(Column::shape_table, {reinterpret_cast<const std::uint8_t*>(shapes.data()), shapes.size() * 8});
    append_column(Column::shape_low, shape_low_);
    if (shapes.size() > 256) {
        append_column(Column::shape_high, shape_high_);
    }
    append_column(Column::rank_matched, rank_matched_);
    append_column(Column::id_other, id_other_);
    append_integers(Column::line_symbols, line_);
    append_column(Column::offset_in_line, offset_in_line_);
    append_integers(Column::time_matched_symbols, matched_.periods);
    append_integers(Column::time_other_symbols, other_.periods);
    append_integers(Column::tick_matched_symbols, matched_.ticks);
    append_integers(Column::tick_other_symbols, other_.ticks);
    append_integers(Column::free_matched_symbols, matched_.free);
    append_integers(Column::free_other_symbols, other_.free);
    append_integers(Column::duration_symbols, duration_);
    append_integers(Column::block_idle_symbols, block_[0]);
    append_integers(Column::span_symbols, span_);
    append_column(Column::slot, slot_);
    append_column(Column::id_again, id_again_);
    append_integers(Column::time_again_symbols, again_.periods);
    append_column(Column::event_kind, event_kind_);
    append_column(Column::event_stream, event_stream_);
    append_column(Column::event_vc, event_vc_);
    append_integers(Column::event_before_symbols, event_before_);
    append_integers(Column::event_time_symbols, event_time_);
    append_integers(Column::event_block_symbols, event_block_);
    append_integers(Column::event_count_symbols, event_count_);
    append_integers(Column::event_detail_symbols, event_detail_);
    append_integers(Column::block_some_symbols, block_[1]);
    append_integers(Column::block_many_symbols, block_[2]);
    append_integers(Column::tick_again_symbols, again_.ticks);
    append_column(Column::explicit_map, explicit_map_);
    append_column(data_in_planes_ ? Column::data_planes : Column::data_plain, data_bytes_);

    header.columns = columns_;
    header.head_bytes = directory_.size() + head_.size();
    header.data_bytes = tail_.size();
    out.resize(section_header_bytes);
    out.insert(out.end(), directory_.begin(), directory_.end());
    out.insert(out.end(), head_.begin(), head_.end());
    out.insert(out.end(), tail_.begin(), tail_.end());
}

void ChunkEncoder::encode(const TraceBatch& trace, std::int64_t base_seconds, std::uint64_t first_message,
                          std::vector<std::uint8_t>& out) {
    clear();
    const Extent extent = extent_of(trace);
    Past past(extent.first_min);
    std::uint32_t words = 0;
    for (std::size_t number = 0; number < trace.messages.size(); ++number) {
        put_message(trace, number, past);
        words += trace.messages[number].word_count;
    }
    put_events(trace.events, extent.first_min);
    finish_data();

    SectionHeader header;
    header.kind = SectionKind::chunk;
    header.base_seconds = base_seconds;
    header.first_message = first_message;
    header.messages = static_cast<std::uint32_t>(trace.messages.size());
    header.events = static_cast<std::uint32_t>(trace.events.size());
    header.words = words;
    header.first_min = extent.first_min;
    header.last_min = extent.last_min;
    header.last_max = extent.last_max;
    out.clear();
    append_columns(out, header);
    const Bytes payload = Bytes(out).subspan(section_header_bytes);
    header.head_hash = hash64(payload.first(header.head_bytes));
    header.data_hash = hash64(payload.subspan(header.head_bytes));
    store_section_header(header, out.data());
}

}  // namespace eciscope::ewf
