#include "chunk_encoder.hpp"

#include <algorithm>
#include <cstddef>

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
    for (auto* column : {&shape_low_, &shape_high_, &id_matched_, &id_other_, &offset_in_line_, &slot_, &event_kind_,
                         &event_stream_, &event_vc_, &zero_map_, &data_bytes_, &directory_, &head_, &tail_}) {
        column->clear();
    }
    for (auto* column :
         {&line_, &matched_.periods, &matched_.ticks, &matched_.free, &other_.periods, &other_.ticks, &other_.free,
          &duration_, &block_, &span_, &event_before_, &event_time_, &event_block_, &event_count_, &event_detail_}) {
        column->clear();
    }
    data_.clear();
    map_bits_ = 0;
    data_in_planes_ = false;
    columns_ = 0;
}

bool ChunkEncoder::put_header(const MessageHead& message, std::uint64_t header, bool zeros, Predictor& predictor,
                              std::uint64_t& matched_time) {
    const std::size_t from = message.stream.from;
    const std::uint64_t low = header & low_mask;
    const std::uint64_t id = (header >> id_shift) & id_mask;
    const bool any = message.word_count > 0;
    const Predictor::Open& open = predictor.open[1 - from][id];
    const bool matched = any && open.low == low;
    matched_time = open.time;

    Shape shape;
    shape.bits = ((header >> low_bits) & Shape::high_mask) |
                 (std::uint64_t{message.vc} ^ ((header >> line_shift) & 1U)) << Shape::vc_at |
                 std::uint64_t{message.stream.index()} << Shape::stream_at |
                 std::uint64_t{matched} << Shape::matched_at | std::uint64_t{zeros} << Shape::zeros_at |
                 std::uint64_t{message.word_count} << Shape::words_at;
    const std::uint16_t index = shapes_.index_of(shape);
    shape_low_.push_back(static_cast<std::uint8_t>(index));
    shape_high_.push_back(static_cast<std::uint8_t>(index >> 8U));
    if (!any) {
        return false;
    }
    Predictor::Context& context = predictor.contexts[from][header >> context_shift];
    (matched ? id_matched_ : id_other_).push_back(static_cast<std::uint8_t>((id - context.id) & id_mask));
    context.id = id;
    if (!matched) {
        const std::uint64_t line = low >> line_shift;
        line_.put_signed(line - context.line);
        context.line = line;
        offset_in_line_.push_back(static_cast<std::uint8_t>(low & offset_mask));
        predictor.open[from][id] = {low, as_bits(message.last)};
    }
    return matched;
}

void ChunkEncoder::put_times(const MessageHead& message, bool matched, std::uint64_t matched_time,
                             Predictor& predictor) {
    Predictor::StreamState& stream = predictor.streams[message.stream.index()];
    const std::uint64_t blocks = message.first_block - stream.block;
    const auto since_stream = static_cast<std::int64_t>(as_bits(message.first) - stream.time);
    const auto since = matched ? static_cast<std::int64_t>(as_bits(message.first) - matched_time) : since_stream;
    TimeColumns& columns = matched ? matched_ : other_;
    if (since_stream % block_period == 0) {
        columns.periods.put_signed(static_cast<std::uint64_t>(since_stream / block_period) - blocks);
    } else if (since % tick == 0) {
        columns.periods.symbols.push_back(time_in_ticks);
        columns.ticks.put_signed(static_cast<std::uint64_t>(since / tick));
    } else {
        columns.periods.symbols.push_back(time_is_free);
        columns.free.put_signed(static_cast<std::uint64_t>(since));
    }
    const std::uint64_t span = message.last_block - message.first_block;
    const Predictor::End expected = Predictor::expected_end(stream, message.first_block, message.word_count);
    block_.put_signed(blocks);
    span_.put_signed(span - expected.span);
    duration_.put_signed(as_bits(message.last) - as_bits(message.first) - span * std::uint64_t{block_period});
    slot_.push_back(static_cast<std::uint8_t>(message.slot - expected.slot));
    stream = {as_bits(message.last), message.last_block, message.slot};
}

void ChunkEncoder::put_data(std::span<const std::uint64_t> words) {
    for (const std::uint64_t word : words) {
        if (map_bits_ % 8 == 0) {
            zero_map_.push_back(0);
        }
        if (word != 0) {
            zero_map_.back() = static_cast<std::uint8_t>(zero_map_.back() | 1U << (map_bits_ % 8));
            data_.push_back(word);
        }
        ++map_bits_;
    }
}

void ChunkEncoder::put_message(const TraceBatch& trace, const MessageHead& message, Predictor& predictor) {
    const auto words = trace.words_of(message);
    const std::uint64_t header = words.empty() ? 0 : words[0];
    const auto data = words.empty() ? words : words.subspan(1);
    std::uint64_t seen = 0;
    for (const std::uint64_t word : data) {
        seen |= word;
    }
    const bool zeros = !data.empty() && seen == 0;
    std::uint64_t matched_time = 0;
    const bool matched = put_header(message, header, zeros, predictor, matched_time);
    put_times(message, matched, matched_time, predictor);
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

/// Chooses between plain words and planes of differences by how often a difference is mostly zero bytes.
void ChunkEncoder::finish_data() {
    std::size_t near = 0;
    std::uint64_t previous = 0;
    for (const std::uint64_t word : data_) {
        const std::uint64_t difference = zigzag(word - previous);
        near += static_cast<std::size_t>(difference < (std::uint64_t{1} << 40U));
        previous = word;
    }
    data_in_planes_ = near * 4 >= data_.size();
    data_bytes_.resize(data_.size() * 8);
    if (!data_in_planes_) {
        std::copy_n(reinterpret_cast<const std::uint8_t*>(data_.data()), data_bytes_.size(), data_bytes_.begin());
        return;
    }
    const std::size_t count = data_.size();
    previous = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t difference = data_[i] - previous;
        previous = data_[i];
        for (std::size_t plane = 0; plane < 8; ++plane) {
            data_bytes_[plane * count + i] = static_cast<std::uint8_t>(difference >> (8 * plane));
        }
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
    append_column(Column::id_matched, id_matched_);
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
    append_integers(Column::block_symbols, block_);
    append_integers(Column::span_symbols, span_);
    append_column(Column::slot, slot_);
    append_column(Column::event_kind, event_kind_);
    append_column(Column::event_stream, event_stream_);
    append_column(Column::event_vc, event_vc_);
    append_integers(Column::event_before_symbols, event_before_);
    append_integers(Column::event_time_symbols, event_time_);
    append_integers(Column::event_block_symbols, event_block_);
    append_integers(Column::event_count_symbols, event_count_);
    append_integers(Column::event_detail_symbols, event_detail_);
    append_column(Column::zero_map, zero_map_);
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
    Predictor predictor(extent.first_min);
    std::uint32_t words = 0;
    for (const MessageHead& message : trace.messages) {
        put_message(trace, message, predictor);
        words += message.word_count;
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
