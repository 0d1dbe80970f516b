// JSON out and in, each beside its yardstick: memcpy of the same bytes. The messages are those of a boot, many times
// over.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "eciscope/ewf/ndjson_reader.hpp"
#include "eciscope/ewf/ndjson_writer.hpp"
#include "eciscope/ewf/protobuf_writer.hpp"
#include "eciscope/ewf/text_writer.hpp"

namespace {

using namespace eciscope;

/// `t_first_ps,t_last_ps,from,link,vc,words` lines.
TraceBatch load(const std::string& path) {
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
        head.first_block = static_cast<std::uint64_t>(head.first) / 4340;
        head.last_block = static_cast<std::uint64_t>(head.last) / 4340;
        head.word_offset = static_cast<std::uint32_t>(trace.words.size());
        for (std::uint64_t word = 0; fields >> word;) {
            trace.words.push_back(word);
        }
        head.word_count = static_cast<std::uint8_t>(trace.words.size() - head.word_offset);
        trace.messages.push_back(head);
    }
    return trace;
}

const TraceBatch& messages() {
    static const TraceBatch trace = load(ECISCOPE_SOURCE_DIR "/ewf/tests/data/small.truth.csv");
    return trace;
}

constexpr int repeats = 100;

class Counter final : public ewf::ByteSink {
 public:
    ewf::Expected<void> write(std::span<const std::uint8_t> bytes) override {
        count += bytes.size();
        benchmark::DoNotOptimize(bytes.data());
        return {};
    }
    std::uint64_t count = 0;
};

class Memory final : public ewf::ByteStream {
 public:
    explicit Memory(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    ewf::Expected<std::size_t> read(std::span<std::uint8_t> into) override {
        const std::size_t count = std::min(into.size(), bytes_.size());
        std::copy_n(bytes_.begin(), count, into.begin());
        bytes_ = bytes_.subspan(count);
        return count;
    }

 private:
    std::span<const std::uint8_t> bytes_;
};

template <class Writer>
void write_all(benchmark::State& state) {
    std::uint64_t bytes = 0;
    for ([[maybe_unused]] auto _ : state) {
        Counter sink;
        Writer writer(sink);
        for (int i = 0; i < repeats; ++i) {
            writer.batch(messages());
        }
        static_cast<void>(writer.finish());
        bytes += sink.count;
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
    state.SetItemsProcessed(state.iterations() * repeats * static_cast<std::int64_t>(messages().messages.size()));
}

const std::vector<std::uint8_t>& json() {
    static const std::vector<std::uint8_t> bytes = [] {
        ewf::MemorySink sink;
        ewf::NdjsonWriter writer(sink);
        for (int i = 0; i < repeats; ++i) {
            writer.batch(messages());
        }
        static_cast<void>(writer.finish());
        return sink.bytes();
    }();
    return bytes;
}

void yardstick_memcpy(benchmark::State& state) {
    std::vector<std::uint8_t> to(json().size());
    for ([[maybe_unused]] auto _ : state) {
        std::memcpy(to.data(), json().data(), to.size());
        benchmark::DoNotOptimize(to.data());
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(to.size()));
}

void ndjson_out(benchmark::State& state) {
    write_all<ewf::NdjsonWriter>(state);
}

void protobuf_out(benchmark::State& state) {
    write_all<ewf::ProtobufWriter>(state);
}

void text_out(benchmark::State& state) {
    write_all<ewf::TextWriter>(state);
}

void ndjson_in(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
        Memory stream(json());
        Diagnostics diagnostics;
        ewf::NdjsonReader reader(stream, diagnostics);
        TraceBatch batch;
        while (*reader.next(batch)) {
            benchmark::DoNotOptimize(batch.words.data());
        }
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(json().size()));
    state.SetItemsProcessed(state.iterations() * repeats * static_cast<std::int64_t>(messages().messages.size()));
}

BENCHMARK(yardstick_memcpy)->Unit(benchmark::kMillisecond);
BENCHMARK(ndjson_out)->Unit(benchmark::kMillisecond);
BENCHMARK(ndjson_in)->Unit(benchmark::kMillisecond);
BENCHMARK(protobuf_out)->Unit(benchmark::kMillisecond);
BENCHMARK(text_out)->Unit(benchmark::kMillisecond);

}  // namespace
