#include "chunk_decoder.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace eciscope::ewf {

namespace {

Error damage(const char* what) {
    return {ErrorCode::damaged, what, 0};
}

/// The most a column can hold in a chunk of the size its header says.
std::size_t column_limit(std::uint8_t column, const SectionHeader& header) {
    const std::size_t items = std::max<std::size_t>(header.messages, header.events);
    switch (static_cast<Column>(column)) {
        case Column::explicit_map:
            return (std::size_t{header.words} + 7) / 8;
        case Column::data_plain:
        case Column::data_planes:
            return std::size_t{header.words} * 8;
        default:
            return items * 8;
    }
}

bool known(std::uint8_t column) {
    return (column >= number(Column::shape_table) && column <= number(Column::time_again_bits)) ||
           (column >= number(Column::event_kind) && column <= number(Column::tick_again_bits)) ||
           (column >= number(Column::explicit_map) && column <= number(Column::data_planes));
}

}  // namespace

ChunkDecoder::ChunkDecoder() : decompressor_(ZSTD_createDCtx()) {
    for (std::vector<std::uint8_t>& buffer : buffers_) {
        buffer.resize(padding_bytes);
    }
}

bool ChunkDecoder::unpack_column(std::uint8_t column, std::uint8_t coding, std::size_t raw, Bytes stored) {
    std::vector<std::uint8_t>& buffer = buffers_[column];
    if (buffer.size() < raw + padding_bytes) {
        buffer.resize(raw + padding_bytes);
    }
    sizes_[column] = raw;
    buffer[raw] = no_such_symbol;
    if (coding == static_cast<std::uint8_t>(Coding::stored)) {
        if (stored.size() != raw) {
            return false;
        }
        std::copy(stored.begin(), stored.end(), buffer.begin());
        return true;
    }
    return coding == static_cast<std::uint8_t>(Coding::zstd) &&
           ZSTD_decompressDCtx(decompressor_.get(), buffer.data(), raw, stored.data(), stored.size()) == raw;
}

Expected<void> ChunkDecoder::unpack(const SectionHeader& header, Bytes payload, Parts parts) {
    sizes_.fill(0);
    for (std::vector<std::uint8_t>& buffer : buffers_) {
        buffer[0] = no_such_symbol;
    }
    const std::size_t directory = std::size_t{header.columns} * column_entry_bytes;
    if (header.columns > columns_max || directory > header.head_bytes) {
        return tl::unexpected(damage("the chunk's column directory is longer than the chunk"));
    }
    std::array<std::size_t, 2> at{directory, header.head_bytes};
    const std::array<std::size_t, 2> end{header.head_bytes, header.head_bytes + header.data_bytes};
    std::uint8_t previous = 0;
    for (std::size_t i = 0; i < header.columns; ++i) {
        const std::uint8_t* entry = payload.data() + i * column_entry_bytes;
        const std::uint8_t column = entry[0];
        const auto raw = load_le<std::uint32_t>(entry + 4);
        const auto stored = load_le<std::uint32_t>(entry + 8);
        const bool reserved = load_le<std::uint16_t>(entry + 2) != 0 || load_le<std::uint32_t>(entry + 12) != 0;
        if (reserved || column <= previous || !known(column) || raw == 0 || raw > column_limit(column, header)) {
            return tl::unexpected(damage("the chunk's column directory makes no sense"));
        }
        previous = column;
        const std::size_t part = column < first_data_column ? 0 : 1;
        if (stored > end[part] - at[part]) {
            return tl::unexpected(damage("a column is longer than its chunk"));
        }
        const std::size_t start = at[part];
        at[part] += stored;
        if (part == 1 && parts == Parts::heads) {
            continue;
        }
        if (!unpack_column(column, entry[1], raw, payload.subspan(start, stored))) {
            return tl::unexpected(damage("a column cannot be decompressed"));
        }
    }
    if (at != end) {
        return tl::unexpected(damage("bytes are left over behind the chunk's columns"));
    }
    return {};
}

Bytes ChunkDecoder::column(Column which) const {
    return {buffers_[number(which)].data(), sizes_[number(which)]};
}

IntegerReader ChunkDecoder::integers(Column symbols) const {
    return {column(symbols), column(static_cast<Column>(number(symbols) + 1))};
}

bool ChunkDecoder::sizes_agree(const SectionHeader& header) const {
    const std::size_t shapes = column(Column::shape_table).size();
    const std::size_t high = column(Column::shape_high).size();
    const std::size_t matched = column(Column::time_matched_symbols).size();
    const std::size_t other = column(Column::time_other_symbols).size();
    const std::size_t again = column(Column::time_again_symbols).size();
    const std::size_t messages = header.messages;
    const std::size_t events = header.events;
    return shapes % 8 == 0 && (high == 0) == (shapes <= 256 * std::size_t{8}) && (high == 0 || high == messages) &&
           column(Column::shape_low).size() == messages && matched + other + again == messages &&
           column(Column::rank_matched).size() == matched && column(Column::id_again).size() == again &&
           column(Column::id_other).size() <= other &&
           column(Column::offset_in_line).size() == column(Column::id_other).size() &&
           column(Column::line_symbols).size() == column(Column::id_other).size() &&
           column(Column::slot).size() == messages && column(Column::event_kind).size() == events &&
           column(Column::event_stream).size() == events && column(Column::event_vc).size() == events;
}

bool ChunkDecoder::events(const SectionHeader& header, TraceBatch& out) const {
    IntegerReader befores = integers(Column::event_before_symbols);
    IntegerReader times = integers(Column::event_time_symbols);
    IntegerReader blocks = integers(Column::event_block_symbols);
    IntegerReader counts = integers(Column::event_count_symbols);
    IntegerReader details = integers(Column::event_detail_symbols);
    auto time = static_cast<std::uint64_t>(header.first_min);
    std::uint64_t before = 0;
    std::array<std::uint64_t, stream_count> block{};
    std::array<std::uint64_t, stream_count> detail{};
    out.events.resize(header.events);
    for (std::size_t i = 0; i < header.events; ++i) {
        const std::uint8_t kind = column(Column::event_kind)[i];
        const std::uint8_t stream = column(Column::event_stream)[i];
        const std::uint8_t vc = column(Column::event_vc)[i];
        const std::uint64_t step = befores.get();
        if (kind > static_cast<std::uint8_t>(EventKind::capture_ends) || stream >= stream_count ||
            (vc >= vc_slots && vc != Event::no_vc) || step > header.messages - before) {
            return false;
        }
        before += step;
        time += times.get_signed();
        block[stream] += blocks.get_signed();
        Event& event = out.events[i];
        event.time = static_cast<Picoseconds>(time);
        event.block = block[stream];
        event.count = counts.get_signed();
        detail[stream] += details.get_signed();
        event.detail = detail[stream];
        event.before = static_cast<std::uint32_t>(before);
        event.kind = static_cast<EventKind>(kind);
        event.vc = vc;
        event.stream = Stream::of_index(stream);
    }
    return befores.exhausted() && times.exhausted() && blocks.exhausted() && counts.exhausted() && details.exhausted();
}

bool ChunkDecoder::unpack_words() {
    const Bytes plain = column(Column::data_plain);
    const Bytes planes = column(Column::data_planes);
    if (plain.size() % 8 != 0 || planes.size() % 8 != 0 || (!plain.empty() && !planes.empty())) {
        return false;
    }
    const std::size_t count = (plain.size() + planes.size()) / 8;
    data_.resize(count);
    if (planes.empty()) {
        std::copy(plain.begin(), plain.end(), reinterpret_cast<std::uint8_t*>(data_.data()));
    } else {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < count; ++i) {
            std::uint64_t change = 0;
            for (std::size_t plane = 0; plane < 8; ++plane) {
                change |= std::uint64_t{planes[plane * count + i]} << (8 * plane);
            }
            word ^= change;
            data_[i] = word;
        }
    }
    return true;
}

/// Fills in the data words behind each header.
bool ChunkDecoder::words(TraceBatch& out) {
    if (!unpack_words()) {
        return false;
    }
    const Bytes map = column(Column::explicit_map);
    std::size_t bit = 0;
    std::size_t next = 0;
    std::uint64_t step = 0;
    for (std::size_t i = 0; i < out.messages.size(); ++i) {
        const MessageHead& message = out.messages[i];
        if (message.word_count < 2) {
            continue;
        }
        std::uint64_t* to = out.words.data() + message.word_offset + 1;
        const std::size_t count = message.word_count - 1U;
        if (shapes_[indices_[i]].zeros) {
            std::fill_n(to, count, 0);
            continue;
        }
        if (bit + count > map.size() * 8) {
            return false;
        }
        std::uint64_t previous = 0;
        for (std::size_t k = 0; k < count; ++k, ++bit) {
            std::uint64_t word = previous == 0 ? 0 : previous + step;
            if (((map[bit / 8] >> (bit % 8)) & 1U) != 0) {
                // A word that is as expected is never stored.
                if (next == data_.size() || data_[next] == word) {
                    return false;
                }
                word = data_[next++];
            }
            step = word != 0 && previous != 0 ? word - previous : step;
            previous = to[k] = word;
        }
    }
    return next == data_.size() && (bit + 7) / 8 == map.size();
}

Expected<void> ChunkDecoder::decode(const SectionHeader& header, Bytes payload, Parts parts, TraceBatch& out) {
    // What `out` held stays in place until it is overwritten: clearing it first would write every element twice.
    auto done = check_and_unpack(header, payload, parts);
    if (done && (!sizes_agree(header) || !messages(header, parts, out) || !events(header, out) ||
                 (parts == Parts::whole && !words(out)))) {
        done = tl::unexpected(damage("the chunk's columns contradict each other"));
    }
    if (!done) {
        out.clear();
    }
    return done;
}

Expected<void> ChunkDecoder::check_and_unpack(const SectionHeader& header, Bytes payload, Parts parts) {
    const std::uint64_t needed = header.head_bytes + (parts == Parts::whole ? header.data_bytes : 0);
    if (header.kind != SectionKind::chunk || payload.size() < needed) {
        return tl::unexpected(damage("the chunk is cut short"));
    }
    if (hash64(payload.first(header.head_bytes)) != header.head_hash ||
        (parts == Parts::whole && hash64(payload.subspan(header.head_bytes, header.data_bytes)) != header.data_hash)) {
        return tl::unexpected(damage("the chunk's checksum is wrong"));
    }
    return unpack(header, payload, parts);
}

}  // namespace eciscope::ewf
