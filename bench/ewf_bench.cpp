// EWF written and read, beside a copy of the raw words and the bare decompression of the same file.
//
// The trace is that of the capture named by ECISCOPE_BENCH_CAPTURE, or else of demo/boot.pcap. Rates in bytes are of
// that capture, whatever a part reads of it, so that they compare with those of pipeline_bench. ECISCOPE_BENCH_WORDS
// names a file to put the raw words into, for other compressors.
#include <benchmark/benchmark.h>
#include <zstd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "columns.hpp"
#include "eciscope/capture/capture.hpp"
#include "eciscope/decoder/decoder.hpp"
#include "eciscope/ewf/reader.hpp"
#include "eciscope/ewf/writer.hpp"
#include "layout.hpp"

namespace {

using namespace eciscope;
using Buffer = std::vector<std::uint8_t>;

const Buffer& capture_bytes() {
    static const Buffer bytes = [] {
        const char* path = std::getenv("ECISCOPE_BENCH_CAPTURE");
        std::ifstream file(path != nullptr ? path : ECISCOPE_SOURCE_DIR "/demo/boot.pcap", std::ios::binary);
        return Buffer{std::istreambuf_iterator<char>(file), {}};
    }();
    return bytes;
}

bool decode_capture(TraceSink& sink) {
    capture::SourceSpec source;
    source.path = "capture";
    source.memory = capture::Bytes(capture_bytes());
    auto reader = capture::CaptureReader::open({source});
    Diagnostics diagnostics;
    Decoder decoder(sink, diagnostics);
    const bool read = reader && reader->run(decoder, diagnostics);
    decoder.finish();
    return read;
}

/// The trace of the capture, and the EWF file of that.
struct Trace final : TraceSink {
    std::vector<TraceBatch> batches;
    std::vector<std::uint64_t> words;  // as a link carries them, most significant byte first
    std::size_t messages = 0;
    Buffer file;

    Trace() {
        decode_capture(*this);
        ewf::MemorySink sink;
        ewf::Writer writer(sink);
        for (const TraceBatch& batch : batches) {
            writer.batch(batch);
        }
        static_cast<void>(writer.finish({}));
        file = sink.bytes();
        if (const char* path = std::getenv("ECISCOPE_BENCH_WORDS")) {
            std::ofstream(path, std::ios::binary)
                .write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 8));
        }
    }
    bool batch(const TraceBatch& batch) override {
        batches.push_back(batch);
        for (const std::uint64_t word : batch.words) {
            words.push_back(__builtin_bswap64(word));
        }
        messages += batch.messages.size();
        return true;
    }
};

const Trace& trace() {
    static const Trace all;
    return all;
}

class Counter final : public ewf::ByteSink {
 public:
    ewf::Expected<void> write(std::span<const std::uint8_t> bytes) override {
        count += bytes.size();
        benchmark::DoNotOptimize(bytes.data());
        return {};
    }
    std::uint64_t count = 0;
};

void done(benchmark::State& state) {
    if (trace().messages == 0) {
        state.SkipWithError("the capture cannot be read");
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(capture_bytes().size()));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(trace().messages));
}

void copy_of_words(benchmark::State& state) {
    const auto& words = trace().words;
    std::vector<std::uint64_t> copy(words.size());
    for (auto _ : state) {
        std::memcpy(copy.data(), words.data(), words.size() * sizeof(std::uint64_t));
        benchmark::DoNotOptimize(copy.data());
        benchmark::ClobberMemory();
    }
    done(state);
    state.counters["stored"] = static_cast<double>(words.size() * sizeof(std::uint64_t));
}

struct Frame {
    std::size_t at = 0;
    std::size_t stored = 0;
    std::size_t length = 0;
};

/// Where the compressed columns of the file are.
std::vector<Frame> frames_of(ewf::Bytes file) {
    std::vector<Frame> frames;
    std::size_t at = ewf::file_header_bytes;
    while (const auto header = ewf::parse_section_header(file.subspan(at))) {
        if (header->kind == ewf::SectionKind::chunk) {
            const std::size_t directory = at + ewf::section_header_bytes;
            std::size_t column = directory + header->columns * ewf::column_entry_bytes;
            for (std::size_t i = 0; i < header->columns; ++i) {
                const std::uint8_t* entry = file.data() + directory + i * ewf::column_entry_bytes;
                const Frame frame{column, ewf::load_le<std::uint32_t>(entry + 8),
                                  ewf::load_le<std::uint32_t>(entry + 4)};
                if (entry[1] != 0) {
                    frames.push_back(frame);
                }
                column += frame.stored;
            }
        }
        at += header->total_bytes();
    }
    return frames;
}

void zstd_alone(benchmark::State& state) {
    const Buffer& file = trace().file;
    const std::vector<Frame> frames = frames_of(file);
    Buffer out(std::size_t{1} << 23U);
    ZSTD_DCtx* context = ZSTD_createDCtx();
    for (auto _ : state) {
        for (const Frame& frame : frames) {
            benchmark::DoNotOptimize(
                ZSTD_decompressDCtx(context, out.data(), frame.length, file.data() + frame.at, frame.stored));
        }
    }
    ZSTD_freeDCtx(context);
    done(state);
}

void write(benchmark::State& state) {
    std::uint64_t stored = 0;
    for (auto _ : state) {
        Counter sink;
        ewf::Writer writer(sink);
        for (const TraceBatch& batch : trace().batches) {
            writer.batch(batch);
        }
        static_cast<void>(writer.finish({}));
        stored = sink.count;
    }
    done(state);
    state.counters["stored"] = static_cast<double>(stored);
}

struct Writing final : TraceSink {
    Counter sink;
    ewf::Writer writer{sink};
    bool batch(const TraceBatch& batch) override { return writer.batch(batch); }
};

void capture_to_ewf(benchmark::State& state) {
    for (auto _ : state) {
        Writing out;
        decode_capture(out);
        static_cast<void>(out.writer.finish({}));
        benchmark::DoNotOptimize(out.sink.count);
    }
    done(state);
}

/// Opening is part of it.
void read(benchmark::State& state, ewf::Parts parts) {
    for (auto _ : state) {
        Diagnostics diagnostics;
        const auto reader = ewf::Reader::open(ewf::memory_source(trace().file), diagnostics);
        static TraceBatch batch;
        for (std::size_t i = 0; reader && i < reader->chunk_count(); ++i) {
            static_cast<void>(reader->read_chunk(i, batch, parts));
            benchmark::DoNotOptimize(batch.messages.data());
        }
    }
    done(state);
}

/// From the number of a message to its place, in a file that is open.
void find_message(benchmark::State& state) {
    Diagnostics diagnostics;
    const auto reader = ewf::Reader::open(ewf::memory_source(trace().file), diagnostics);
    std::uint64_t number = 0;
    for (auto _ : state) {
        number = (number + 7919) % trace().messages;
        benchmark::DoNotOptimize(reader->find_message(number));
    }
    state.SetItemsProcessed(state.iterations());
}

/// The same, and the chunk there.
void find_message_and_read(benchmark::State& state) {
    Diagnostics diagnostics;
    const auto reader = ewf::Reader::open(ewf::memory_source(trace().file), diagnostics);
    std::uint64_t number = 0;
    TraceBatch batch;
    for (auto _ : state) {
        number = (number + 7919) % trace().messages;
        const auto place = reader->find_message(number);
        if (place) {
            static_cast<void>(reader->read_chunk(place->chunk, batch, ewf::Parts::heads));
        }
        benchmark::DoNotOptimize(batch.messages.data());
    }
    state.SetItemsProcessed(state.iterations());
}

/// The yardstick of writing: the raw words alone, without times.
void words_by_zstd(benchmark::State& state) {
    const auto& words = trace().words;
    Buffer out(ZSTD_compressBound(words.size() * sizeof(std::uint64_t)));
    std::size_t stored = 0;
    for (auto _ : state) {
        stored = ZSTD_compress(out.data(), out.size(), words.data(), words.size() * sizeof(std::uint64_t),
                               static_cast<int>(state.range(0)));
    }
    done(state);
    state.counters["stored"] = static_cast<double>(stored);
}

BENCHMARK(copy_of_words)->Unit(benchmark::kMillisecond);
BENCHMARK(zstd_alone)->Unit(benchmark::kMillisecond);
BENCHMARK(write)->Unit(benchmark::kMillisecond);
BENCHMARK(capture_to_ewf)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, whole, ewf::Parts::whole)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, heads, ewf::Parts::heads)->Unit(benchmark::kMillisecond);
BENCHMARK(find_message);
BENCHMARK(find_message_and_read);
BENCHMARK(words_by_zstd)->Arg(1)->Arg(3)->Unit(benchmark::kMillisecond);

}  // namespace
