#include "block_table.hpp"

#include "store.hpp"

namespace eciscope::capture {

void BlockTable::add(const BlockRow& row, std::uint64_t offset, std::uint64_t bytes) {
    if (row.window_ns != window_ns_ || !any_) {
        push_all();
        if (any_) {
            merger_.boundary();
            streams_ = {};
        }
        any_ = true;
        window_ns_ = row.window_ns;
    }
    Gathered& stream = streams_[row.stream.index()];
    if (stream.entries.size() == most_blocks * entry_bytes) {
        push(row.stream.index());
    }
    if (stream.entries.empty()) {
        stream.offset = offset;
    }
    stream.input_bytes += bytes;
    std::array<std::uint8_t, entry_bytes> entry{};
    store_entry_header(entry.data(), row.picoseconds, row.crc_wrong);
    for (std::size_t i = 0; i < block_words; ++i) {
        store_be64(entry.data() + entry_header_bytes + 8 * i, row.words[i]);
    }
    stream.entries.insert(stream.entries.end(), entry.begin(), entry.end());
}

void BlockTable::push_all() {
    for (std::size_t i = 0; i < stream_count; ++i) {
        push(i);
    }
}

void BlockTable::push(std::size_t index) {
    Gathered& stream = streams_[index];
    if (stream.entries.empty()) {
        return;
    }
    Record record;
    record.stream = Stream::of_index(index);
    record.sequence = ++stream.sequence;  // 0 would say that the interposer begins here
    record.time_ns = window_ns_;
    record.entries = stream.entries;
    record.where = {source_, stream.offset, records_++, 0};
    record.input_bytes = stream.input_bytes;
    record.crc_present = false;
    merger_.push(record);
    stream.entries.clear();
    stream.input_bytes = 0;
}

}  // namespace eciscope::capture
