// An independent reader for the tests: whole USER0 pcap files of records (little-endian, in memory), xz or plain, and
// ground truth. It checks nothing; the project's own reader is in capture/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <lzma.h>

#include "eciscope/decoder/block.hpp"
#include "eciscope/decoder/message.hpp"

namespace eciscope::test {

inline std::string unpack_xz(const std::string& packed) {
    lzma_stream stream = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK) {
        throw std::runtime_error("lzma");
    }
    stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
    stream.avail_in = packed.size();
    std::string unpacked;
    std::vector<char> chunk(1U << 20);
    lzma_ret result = LZMA_OK;
    while (result == LZMA_OK) {
        stream.next_out = reinterpret_cast<std::uint8_t*>(chunk.data());
        stream.avail_out = chunk.size();
        result = lzma_code(&stream, LZMA_FINISH);
        unpacked.append(chunk.data(), chunk.size() - stream.avail_out);
    }
    lzma_end(&stream);
    return unpacked;
}

inline std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        throw std::runtime_error("cannot read " + path);
    }
    std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    return path.ends_with(".xz") ? unpack_xz(bytes) : bytes;
}

/// Blocks of a capture in order of (time, stream, position). Items point into `bytes`.
struct PlainCapture {
    static constexpr std::int64_t base_seconds = 1'700'000'000;

    std::string bytes;
    std::vector<BlockItem> items;
    std::deque<Position> records;

    explicit PlainCapture(const std::string& path) : bytes(read_file(path)) {
        constexpr std::size_t file_header = 24;
        constexpr std::size_t packet_header = 16;
        std::size_t at = file_header;
        for (std::uint64_t record = 0; at + packet_header <= bytes.size(); ++record) {
            const auto length = get<std::uint32_t>(at + 8);
            at += packet_header;
            add_record(at, record);
            at += length;
        }
        std::stable_sort(items.begin(), items.end(), [](const BlockItem& a, const BlockItem& b) {
            return a.time != b.time ? a.time < b.time : a.stream.index() < b.stream.index();
        });
    }

 private:
    template <typename T>
    T get(std::size_t at) const {
        T value{};
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    }

    void add_record(std::size_t at, std::uint64_t record) {
        constexpr std::size_t record_header = 24;
        constexpr std::size_t entry_bytes = 72;
        const auto flags = get<std::uint8_t>(at + 5);
        const auto blocks = get<std::uint8_t>(at + 7);
        const auto sequence = get<std::uint32_t>(at + 8);
        const auto lost = get<std::uint32_t>(at + 12);
        const auto nanoseconds = static_cast<std::int64_t>(get<std::uint64_t>(at + 16));
        records.push_back({.offset = at, .record = record});
        BlockItem item;
        item.record = &records.back();
        item.stream = {get<std::uint8_t>(at + 6), static_cast<std::uint8_t>(flags & 1)};
        for (std::uint32_t i = 0; i < blocks; ++i) {
            const std::size_t entry = at + record_header + entry_bytes * i;
            item.time =
                (nanoseconds - base_seconds * 1'000'000'000) * picoseconds_per_nanosecond + get<std::uint32_t>(entry);
            item.block = static_cast<std::uint8_t>(i);
            if (i == 0 && (flags & 2) != 0) {
                BlockItem gap = item;
                gap.kind = BlockItemKind::lost;
                gap.lost = lost == 0xffffffff ? BlockItem::unknown_count : lost;
                items.push_back(gap);
            }
            item.stream_begins = i == 0 && sequence == 0;
            item.crc_flagged = (get<std::uint16_t>(entry + 4) & 1) != 0;
            item.lane_flagged = (get<std::uint16_t>(entry + 4) & 2) != 0;
            item.bytes = reinterpret_cast<const std::uint8_t*>(bytes.data()) + entry + 8;
            items.push_back(item);
        }
    }
};

/// A message as a line of ground truth: t_first_ps,t_last_ps,from,link,vc,words.
inline std::string truth_line(const MessageHead& head, std::span<const std::uint64_t> words) {
    std::string line = std::to_string(head.first) + ',' + std::to_string(head.last) + ',' +
                       std::to_string(head.stream.from) + ',' + std::to_string(head.stream.link) + ',' +
                       std::to_string(head.vc) + ',';
    const char* separator = "";
    for (const std::uint64_t word : words) {
        char text[18];
        std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(word));
        line += separator;
        line += text;
        separator = " ";
    }
    return line;
}

inline std::vector<std::string> read_truth(const std::string& path) {
    std::istringstream in(read_file(path));
    std::vector<std::string> lines;
    std::string line;
    std::getline(in, line);  // column names
    while (std::getline(in, line)) {
        lines.push_back(line);
    }
    return lines;
}

/// Collects a trace as lines of ground truth.
struct Lines final : TraceSink {
    std::vector<std::string> lines;
    std::vector<Event> events;
    std::vector<MessageHead> heads;

    bool batch(const TraceBatch& batch) override {
        for (const MessageHead& head : batch.messages) {
            lines.push_back(truth_line(head, batch.words_of(head)));
            heads.push_back(head);
        }
        events.insert(events.end(), batch.events.begin(), batch.events.end());
        return true;
    }
};

}  // namespace eciscope::test
