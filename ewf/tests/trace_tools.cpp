#include "trace_tools.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "eciscope/ewf/writer.hpp"

namespace eciscope::test {

void add_message(TraceBatch& trace, MessageHead head, std::vector<std::uint64_t> words) {
    head.word_offset = static_cast<std::uint32_t>(trace.words.size());
    head.word_count = static_cast<std::uint8_t>(words.size());
    trace.words.insert(trace.words.end(), words.begin(), words.end());
    trace.messages.push_back(head);
}

TraceBatch read_truth(const std::string& path) {
    TraceBatch trace;
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream fields(line);
        MessageHead head;
        unsigned from = 0;
        unsigned link = 0;
        unsigned vc = 0;
        fields >> head.first >> head.last >> from >> link >> vc >> std::hex;
        head.stream = {static_cast<std::uint8_t>(link), static_cast<std::uint8_t>(from)};
        head.vc = static_cast<std::uint8_t>(vc);
        std::vector<std::uint64_t> words;
        for (std::uint64_t word = 0; fields >> word;) {
            words.push_back(word);
        }
        head.first_block = static_cast<std::uint64_t>(head.first) / 4340;
        head.last_block = static_cast<std::uint64_t>(head.last) / 4340;
        head.slot = static_cast<std::uint8_t>((words.size() + 6) % 7);
        add_message(trace, head, words);
    }
    return trace;
}

TraceBatch made_up_trace(std::uint32_t seed, std::size_t messages) {
    std::mt19937_64 random(seed);
    TraceBatch trace;
    Picoseconds now = 5'000'000;
    std::array<std::uint64_t, stream_count> blocks{};
    for (std::size_t i = 0; i < messages; ++i) {
        const Stream stream = Stream::of_index(random() % stream_count);
        now += static_cast<Picoseconds>(random() % 3 == 0 ? 4340 : random() % 100'000);
        if (random() % 16 == 0) {
            Event event;
            event.time = now;
            event.kind = static_cast<EventKind>(random() % 10);
            event.block = blocks[stream.index()];
            event.count = random() % 4 == 0 ? Event::unknown_count : random() % 9;
            event.detail = random() % 3 == 0 ? random() : 1;
            event.before = static_cast<std::uint32_t>(i);
            event.vc = random() % 2 == 0 ? Event::no_vc : static_cast<std::uint8_t>(random() % 14);
            event.stream = stream;
            trace.events.push_back(event);
        }
        const std::uint64_t line = 0x830000 + random() % 4096;
        const bool data = random() % 3 == 0;
        MessageHead head;
        head.stream = stream;
        head.vc = static_cast<std::uint8_t>((data ? 4 : 6) + (~line & 1U));
        std::vector<std::uint64_t> words{(data ? 9ULL : random() % 8) << 59U | (i % 32) << 50U | 0x3e000000000ULL |
                                         line << 7U};
        for (std::size_t k = 0; data && k < 16; ++k) {
            words.push_back(random() % 4 == 0 ? 0 : random() >> (random() % 64));
        }
        head.first = now - (data ? 8680 : 0);
        head.last = now;
        head.first_block = blocks[stream.index()];
        blocks[stream.index()] += random() % 4;
        head.last_block = blocks[stream.index()];
        head.slot = static_cast<std::uint8_t>(random() % 7);
        add_message(trace, head, words);
    }
    return trace;
}

namespace {

std::uint64_t header_word(std::uint64_t opcode, std::uint64_t id, std::uint64_t line) {
    return opcode << 59U | id << 50U | line << 7U;
}

void add_traffic(TraceBatch& trace, Stream stream, std::uint8_t vc, Picoseconds time,
                 std::vector<std::uint64_t> words) {
    MessageHead head;
    head.first = head.last = time;
    head.first_block = head.last_block = trace.messages.size();
    head.stream = stream;
    head.vc = vc;
    add_message(trace, head, std::move(words));
}

}  // namespace

TraceBatch traffic(std::uint32_t seed, std::uint64_t transactions) {
    constexpr Stream cpu{0, 0};
    constexpr Stream fpga{0, 1};
    std::mt19937_64 random(seed);
    TraceBatch trace;
    Picoseconds now = 7;
    for (std::uint64_t i = 0; i < transactions; ++i) {
        const std::uint64_t line = random() % 64;
        const std::uint64_t id = 2 * i % 64;
        const bool on_clock = random() % 4 != 0;
        const auto later = [&](std::int64_t ticks) { return now += ticks * 1000 + (on_clock ? 0 : 333); };
        add_traffic(trace, cpu, 6, now += static_cast<Picoseconds>(random() % 30'000), {header_word(0, id, line)});
        std::vector<std::uint64_t> data{header_word(9, id, line)};
        for (std::uint64_t k = 0; k < 16; ++k) {
            data.push_back(i % 3 == 0 ? 0 : (random() << 40U) * (i % 3 - 1) + (k << 24U) + i);
        }
        add_traffic(trace, fpga, 4, later(150), data);
        if (random() % 2 == 0) {
            add_traffic(trace, cpu, 6, later(120), {header_word(7, id + 1, line)});
            add_traffic(trace, fpga, 10, now += 3 * 4340, {header_word(10, id + 1, line)});
        } else {
            add_traffic(trace, cpu, 10, later(20), {header_word(2, 1, line ^ 9U)});
        }
    }
    return trace;
}

TraceBatch extreme_trace() {
    constexpr auto far = Picoseconds{1} << 62;
    TraceBatch trace;
    Event event;
    event.time = 0;
    event.kind = EventKind::link_up;
    event.detail = ~std::uint64_t{0};
    event.block = std::uint64_t{1} << 62U;
    trace.events.push_back(event);
    for (unsigned words = 0; words < 256; ++words) {
        MessageHead head;
        head.first = words % 2 == 0 ? -far + words : far - words;
        head.last = words % 3 == 0 ? far : -far;
        head.first_block = words % 5 == 0 ? ~std::uint64_t{0} : std::uint64_t{1} << (words % 64);
        head.last_block = words % 7 == 0 ? 0 : std::uint64_t{1} << 62U;
        head.vc = static_cast<std::uint8_t>(words % 16);
        head.stream = Stream::of_index(words % stream_count);
        head.slot = static_cast<std::uint8_t>(words);
        add_message(trace, head, std::vector<std::uint64_t>(words, words % 4 == 0 ? ~std::uint64_t{0} : words % 4 - 1));
        event.before = words + 1;
        event.kind = static_cast<EventKind>(words % 10);
        event.vc = words % 17 == 16 ? Event::no_vc : static_cast<std::uint8_t>(words % 17);
        event.time = head.first;
        event.block = head.first_block;
        event.count = head.last_block;
        event.detail = words;
        trace.events.push_back(event);
    }
    return trace;
}

std::vector<TraceBatch> cut(const TraceBatch& trace, std::size_t size) {
    std::vector<TraceBatch> out;
    std::size_t event = 0;
    std::size_t start = 0;
    do {
        const std::size_t end = std::min(trace.messages.size(), start + size);
        TraceBatch batch;
        for (std::size_t i = start; i < end; ++i) {
            const auto words = trace.words_of(trace.messages[i]);
            add_message(batch, trace.messages[i], {words.begin(), words.end()});
        }
        const bool last = end == trace.messages.size();
        while (event < trace.events.size() && (last || trace.events[event].before < end)) {
            batch.events.push_back(trace.events[event++]);
            batch.events.back().before -= static_cast<std::uint32_t>(start);
        }
        out.push_back(std::move(batch));
        start = end;
    } while (start < trace.messages.size());
    return out;
}

void append(TraceBatch& trace, const TraceBatch& batch) {
    const auto before = static_cast<std::uint32_t>(trace.messages.size());
    for (const MessageHead& message : batch.messages) {
        const auto words = batch.words_of(message);
        add_message(trace, message, {words.begin(), words.end()});
    }
    for (Event event : batch.events) {
        event.before += before;
        trace.events.push_back(event);
    }
}

std::string difference(const TraceBatch& expected, const TraceBatch& found, Picoseconds shift) {
    if (expected.messages.size() != found.messages.size() || expected.events.size() != found.events.size()) {
        return std::to_string(found.messages.size()) + " messages and " + std::to_string(found.events.size()) +
               " events instead of " + std::to_string(expected.messages.size()) + " and " +
               std::to_string(expected.events.size());
    }
    for (std::size_t i = 0; i < expected.messages.size(); ++i) {
        const MessageHead& a = expected.messages[i];
        const MessageHead& b = found.messages[i];
        const bool heads = a.first + shift == b.first && a.last + shift == b.last && a.first_block == b.first_block &&
                           a.last_block == b.last_block && a.word_count == b.word_count && a.vc == b.vc &&
                           a.stream == b.stream && a.slot == b.slot;
        if (!heads || !std::ranges::equal(expected.words_of(a), found.words_of(b))) {
            return "message " + std::to_string(i) + (heads ? ": words" : ": head");
        }
    }
    for (std::size_t i = 0; i < expected.events.size(); ++i) {
        const Event& a = expected.events[i];
        const Event& b = found.events[i];
        if (a.time + shift != b.time || a.block != b.block || a.count != b.count || a.detail != b.detail ||
            a.before != b.before || a.kind != b.kind || a.vc != b.vc || a.stream != b.stream) {
            return "event " + std::to_string(i);
        }
    }
    return {};
}

bool Collector::batch(const TraceBatch& batch) {
    append(all, batch);
    batches.push_back(batch);
    return true;
}

std::vector<std::uint8_t> written(const std::vector<TraceBatch>& batches, unsigned threads,
                                  const ewf::Provenance* provenance, TimeBase base) {
    ewf::MemorySink sink;
    ewf::Writer writer(sink, base, {.threads = threads});
    for (const TraceBatch& batch : batches) {
        EXPECT_TRUE(writer.batch(batch));
    }
    auto finished = writer.finish({}, provenance);
    EXPECT_TRUE(finished) << finished.error().message;
    return sink.bytes();
}

ewf::Expected<std::size_t> TrickleStream::read(std::span<std::uint8_t> into) {
    const std::size_t count = std::min({into.size(), bytes_.size(), step_});
    std::copy_n(bytes_.begin(), count, into.begin());
    bytes_ = bytes_.subspan(count);
    return count;
}

}  // namespace eciscope::test
