// From a capture to messages and to EWF, and each part of that way alone, beside a copy of the same bytes.
//
// The capture is the file named by ECISCOPE_BENCH_CAPTURE, or else demo/boot.pcap, which fits into the processor's
// caches: a comparison with a copy from memory needs a larger one. Repeating it would not do: the reader drops
// duplicates.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "crc24.hpp"
#include "eciscope/capture/capture.hpp"
#include "eciscope/decoder/decoder.hpp"
#include "eciscope/ewf/io.hpp"
#include "eciscope/ewf/metadata.hpp"
#include "eciscope/ewf/writer.hpp"

namespace {

using namespace eciscope;
using Bytes = std::vector<std::uint8_t>;

Bytes read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string capture_path() {
    const char* path = std::getenv("ECISCOPE_BENCH_CAPTURE");
    return path != nullptr ? path : ECISCOPE_SOURCE_DIR "/demo/boot.pcap";
}

const Bytes& capture_bytes() {
    static const Bytes bytes = read_file(capture_path());
    return bytes;
}

/// Reads the capture into `sink`. False if it is none.
bool read_capture(BlockSink& sink) {
    capture::SourceSpec source;
    source.path = "capture";
    source.memory = capture::Bytes(capture_bytes());
    auto reader = capture::CaptureReader::open({source});
    Diagnostics diagnostics;
    return reader && reader->run(sink, diagnostics);
}

/// The same from the file, as the command does it.
bool read_capture_file(TraceSink& sink, unsigned threads) {
    capture::SourceSpec source;
    source.path = capture_path();
    source.read_size = std::size_t{1} << 20;
    source.read_ahead = threads > 1;
    auto reader = capture::CaptureReader::open({source});
    Diagnostics diagnostics;
    Decoder decoder(sink, diagnostics);
    return reader && reader->run(decoder, diagnostics) && decoder.finish();
}

struct CountingSink final : BlockSink {
    std::uint64_t count = 0;
    bool blocks(std::span<const BlockItem> items) override {
        count += items.size();
        return true;
    }
};

struct CountingBytes final : ewf::ByteSink {
    std::uint64_t count = 0;
    ewf::Expected<void> write(std::span<const std::uint8_t> bytes) override {
        count += bytes.size();
        return {};
    }
};

struct CountingTrace final : TraceSink {
    std::uint64_t messages = 0;
    bool batch(const TraceBatch& batch) override {
        messages += batch.messages.size();
        return true;
    }
};

/// The blocks of the capture with their bytes, one after the other in memory.
struct Collected final : BlockSink {
    std::vector<BlockItem> items;
    std::deque<Position> places;
    Bytes bytes;

    Collected() {
        read_capture(*this);
        const std::uint8_t* next = bytes.data();
        for (BlockItem& item : items) {
            if (item.kind == BlockItemKind::block) {
                item.bytes = next;
                next += block_bytes;
            }
        }
    }
    bool blocks(std::span<const BlockItem> given) override {
        for (const BlockItem& item : given) {
            items.push_back(item);
            if (item.record != nullptr) {
                places.push_back(*item.record);
                items.back().record = &places.back();
            }
            if (item.kind == BlockItemKind::block) {
                bytes.insert(bytes.end(), item.bytes, item.bytes + block_bytes);
            }
        }
        return true;
    }
};

const Collected& collected() {
    static const Collected all;
    return all;
}

/// Rates are of bytes of the capture, whatever a part reads of them, so that their times compare.
void done(benchmark::State& state) {
    if (collected().items.empty()) {
        state.SkipWithError("the capture cannot be read");
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(capture_bytes().size()));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(collected().items.size()));
}

void copy_of_file(benchmark::State& state) {
    const Bytes& bytes = capture_bytes();
    Bytes copy(bytes.size());
    for (auto _ : state) {
        std::memcpy(copy.data(), bytes.data(), bytes.size());
        benchmark::DoNotOptimize(copy.data());
        benchmark::ClobberMemory();
    }
    done(state);
}

void reader_alone(benchmark::State& state) {
    for (auto _ : state) {
        CountingSink sink;
        read_capture(sink);
        benchmark::DoNotOptimize(sink.count);
    }
    done(state);
}

void crc_alone(benchmark::State& state) {
    constexpr std::size_t round = 32;
    const LoadBlocks load_blocks = load_blocks_versions().front();
    std::vector<BlockItem> blocks;
    std::copy_if(collected().items.begin(), collected().items.end(), std::back_inserter(blocks),
                 [](const BlockItem& item) { return item.kind == BlockItemKind::block; });
    for (auto _ : state) {
        std::array<std::uint64_t, round * block_words> words;
        std::array<std::uint32_t, round> checksums;
        for (std::span<const BlockItem> rest(blocks); !rest.empty();) {
            const std::size_t count = std::min(rest.size(), round);
            load_blocks(rest.first(count), words.data(), checksums.data());
            benchmark::DoNotOptimize(checksums.data());
            rest = rest.subspan(count);
        }
    }
    done(state);
}

void decoder_alone(benchmark::State& state) {
    // Handed over in parts of the size that the reader's merger hands over.
    constexpr std::size_t part = 256;
    for (auto _ : state) {
        CountingTrace trace;
        Diagnostics diagnostics;
        Decoder decoder(trace, diagnostics);
        for (std::span<const BlockItem> rest(collected().items); !rest.empty();) {
            const std::size_t count = std::min(rest.size(), part);
            decoder.blocks(rest.first(count));
            rest = rest.subspan(count);
        }
        decoder.finish();
        benchmark::DoNotOptimize(trace.messages);
    }
    done(state);
}

void capture_to_messages(benchmark::State& state) {
    for (auto _ : state) {
        CountingTrace trace;
        Diagnostics diagnostics;
        Decoder decoder(trace, diagnostics);
        read_capture(decoder);
        decoder.finish();
        benchmark::DoNotOptimize(trace.messages);
    }
    done(state);
}

void file_to_messages(benchmark::State& state) {
    for (auto _ : state) {
        CountingTrace trace;
        read_capture_file(trace, 1);
        benchmark::DoNotOptimize(trace.messages);
    }
    done(state);
}

/// From the file to EWF, with as many threads as the argument says.
void capture_to_ewf(benchmark::State& state) {
    const auto threads = static_cast<unsigned>(state.range(0));
    std::uint64_t written = 0;
    for (auto _ : state) {
        CountingBytes bytes;
        ewf::Writer writer(bytes, {}, {threads});
        if (!read_capture_file(writer, threads) || !writer.finish({})) {
            state.SkipWithError("the trace cannot be written");
        }
        written = bytes.count;
    }
    done(state);
    state.counters["ewf_bytes"] = static_cast<double>(written);
}

BENCHMARK(copy_of_file)->Unit(benchmark::kMillisecond);
BENCHMARK(reader_alone)->Unit(benchmark::kMillisecond);
BENCHMARK(crc_alone)->Unit(benchmark::kMillisecond);
BENCHMARK(decoder_alone)->Unit(benchmark::kMillisecond);
BENCHMARK(capture_to_messages)->Unit(benchmark::kMillisecond);
BENCHMARK(file_to_messages)->Unit(benchmark::kMillisecond);
BENCHMARK(capture_to_ewf)->Unit(benchmark::kMillisecond)->Arg(1)->Arg(2)->ArgName("threads")->UseRealTime();

}  // namespace
