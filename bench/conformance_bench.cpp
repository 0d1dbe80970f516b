// A stored trace against the state machines: the whole way, and each part of it alone.
//
// The trace is the capture named by ECISCOPE_BENCH_CAPTURE, or else demo/boot.pcap, again and again with other lines
// until there are enough messages and lines, as EWF in a file that is in the page cache. Between the copies there is a
// loss, so that the lines of a copy are judged without what the copy before did to them.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <eciscope/spec/eci.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "eciscope/capture/capture.hpp"
#include "eciscope/conformance/checker.hpp"
#include "eciscope/conformance/parallel.hpp"
#include "eciscope/decoder/decoder.hpp"
#include "eciscope/ewf/reader.hpp"
#include "eciscope/ewf/writer.hpp"
#include "header_facts.hpp"
#include "line_table.hpp"

namespace {

using namespace eciscope;

constexpr std::uint64_t wanted_messages = 20'000'000;
constexpr std::uint64_t wanted_lines = 1'000'000;
constexpr unsigned group_bits = 5;  ///< topmost of a line's index, to tell the copies' lines apart

struct Collected final : TraceSink {
    std::vector<TraceBatch> batches;
    bool batch(const TraceBatch& batch) override {
        batches.push_back(batch);
        return true;
    }
};

class FileSink final : public ewf::ByteSink {
 public:
    explicit FileSink(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {}
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;
    ~FileSink() override { std::fclose(file_); }
    ewf::Expected<void> write(std::span<const std::uint8_t> bytes) override {
        std::fwrite(bytes.data(), 1, bytes.size(), file_);
        return {};
    }

 private:
    std::FILE* file_;
};

/// Gives every line of a copy another name, and every time another place.
void shift(TraceBatch& batch, std::uint64_t group, Picoseconds time) {
    for (MessageHead& head : batch.messages) {
        std::uint64_t& header = batch.words[head.word_offset];
        const auto& shape =
            conformance::header_shapes[head.vc * conformance::opcode_count + conformance::opcode_field.of(header)];
        if (shape.has_line) {
            header ^= group << (shape.line_shift + conformance::line_bits - group_bits);
        }
        head.first += time;
        head.last += time;
    }
    for (Event& event : batch.events) {
        event.time += time;
    }
}

/// The file's name; it is removed at the end.
struct Trace {
    std::string path = std::filesystem::temp_directory_path() / ("eciscope-bench-" + std::to_string(getpid()) + ".ewf");
    std::uint64_t messages = 0;

    Trace() {
        const char* given = std::getenv("ECISCOPE_BENCH_CAPTURE");
        capture::SourceSpec spec;
        spec.path = given != nullptr ? given : ECISCOPE_SOURCE_DIR "/demo/boot.pcap";
        auto reader = capture::CaptureReader::open({spec});
        Collected once;
        Diagnostics diagnostics;
        if (reader) {
            Decoder decoder(once, diagnostics);
            reader->run(decoder, diagnostics);
            decoder.finish();
        }
        std::uint64_t count = 0;
        for (const TraceBatch& batch : once.batches) {
            count += batch.messages.size();
        }
        if (count != 0) {
            write(once.batches, count);
        }
    }
    ~Trace() { std::filesystem::remove(path); }
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    void write(const std::vector<TraceBatch>& batches, std::uint64_t count) {
        FileSink sink(path);
        ewf::Writer writer(sink);
        const Picoseconds length =
            batches.back().messages.empty() ? 1'000'000'000 : batches.back().messages.back().last;
        const std::uint64_t lines_once = std::max<std::uint64_t>(1, count / 3);
        const std::uint64_t groups = std::min<std::uint64_t>(wanted_lines / lines_once + 1, (1U << group_bits) - 1);
        for (std::uint64_t copy = 0; messages < wanted_messages; ++copy) {
            for (TraceBatch batch : batches) {
                batch.events.clear();
                shift(batch, copy % groups, static_cast<Picoseconds>(copy) * (length + picoseconds_per_nanosecond));
                if (messages == copy * count && !batch.messages.empty()) {
                    Event event;
                    event.kind = EventKind::lost;
                    event.time = batch.messages.front().last;
                    batch.events.push_back(event);
                }
                messages += batch.messages.size();
                writer.batch(batch);
            }
        }
        (void)writer.finish({});
    }
};

const Trace& trace() {
    static const Trace all;
    return all;
}

void done(benchmark::State& state) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(trace().messages));
}

struct Nothing final : conformance::FindingSink {
    std::uint64_t violations = 0;
    void violation(const conformance::Violation& v) override {
        violations += v.severity == conformance::RuleSeverity::violation ? 1 : 0;
    }
    void owed(const conformance::OwedReply&) override {}
};

struct HeadsOnly final : TraceSink {
    std::uint64_t sum = 0;
    bool batch(const TraceBatch& batch) override {
        sum += batch.messages.size();
        return true;
    }
};

void read_heads(benchmark::State& state) {
    Diagnostics diagnostics;
    const auto reader = ewf::Reader::open(trace().path, diagnostics);
    for (auto _ : state) {
        HeadsOnly sink;
        (void)reader->play(sink, diagnostics, {.parts = ewf::Parts::heads});
        benchmark::DoNotOptimize(sink.sum);
    }
    done(state);
}

/// One entry of 24 bytes found, or made, for every message, in the trace's order of lines.
void hash_lookup(benchmark::State& state) {
    static const std::vector<conformance::LineKey> keys = [] {
        struct Keys final : TraceSink {
            std::vector<conformance::LineKey> all;
            bool batch(const TraceBatch& batch) override {
                for (const MessageHead& head : batch.messages) {
                    const auto message = eci::decode(head.vc, batch.words[head.word_offset]);
                    all.push_back(conformance::line_key(eci::line_of(message).value_or(0),
                                                        eci::home_of(head.stream.from, message)));
                }
                return true;
            }
        } sink;
        Diagnostics diagnostics;
        const auto reader = ewf::Reader::open(trace().path, diagnostics);
        (void)reader->play(sink, diagnostics, {.parts = ewf::Parts::heads});
        return std::move(sink.all);
    }();
    std::size_t lines = 0;
    for (auto _ : state) {
        conformance::LineTable table;
        for (const conformance::LineKey key : keys) {
            conformance::LineState& line = table.find(key, conformance::LineTable::hash(key));
            if (!line.in_use()) {
                line.begin(key, 0, 0);
                table.added();
            }
        }
        lines = table.size();
        benchmark::DoNotOptimize(lines);
    }
    state.counters["lines"] = static_cast<double>(lines);
    done(state);
}

/// The observer's table alone: symbols in random order on a few lines.
void table_lookup(benchmark::State& state) {
    const conformance::Profile& profile = *conformance::find_profile("ThunderX");
    const conformance::ObserverTable& table = profile.observers[static_cast<std::size_t>(conformance::Tap::unordered)];
    std::vector<std::uint8_t> symbols(1U << 16U);
    std::uint64_t random = 1;
    for (std::uint8_t& symbol : symbols) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        symbol = static_cast<std::uint8_t>((random >> 33U) % profile.symbols.size());
    }
    std::vector<conformance::StateNumber> lines(1024, table.at_rest);
    for (auto _ : state) {
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            conformance::StateNumber& line = lines[i % lines.size()];
            const conformance::StateNumber next = table.next[line * profile.symbols.size() + symbols[i]];
            line = next == conformance::impossible ? table.anything : next;
        }
        benchmark::DoNotOptimize(lines.data());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(symbols.size()));
}

void check(benchmark::State& state) {
    Diagnostics diagnostics;
    const auto reader = ewf::Reader::open(trace().path, diagnostics);
    Nothing nothing;
    conformance::Summary summary;
    for (auto _ : state) {
        conformance::Checker checker({}, nothing);
        (void)reader->play(checker, diagnostics, {.parts = ewf::Parts::heads});
        summary = checker.finish();
    }
    state.counters["lines"] = static_cast<double>(summary.lines);
    state.counters["violations"] = static_cast<double>(nothing.violations);
    done(state);
}

void check_with_threads(benchmark::State& state) {
    Diagnostics diagnostics;
    const auto reader = ewf::Reader::open(trace().path, diagnostics);
    Nothing nothing;
    for (auto _ : state) {
        const auto summary = conformance::check_in_parallel(*reader, {}, static_cast<unsigned>(state.range(0)), nothing,
                                                            [](std::uint64_t) { return true; });
        benchmark::DoNotOptimize(summary->messages);
    }
    done(state);
}

/// What a second thread can bring on this machine: arithmetic that needs no memory.
void arithmetic(benchmark::State& state) {
    constexpr std::int64_t steps = 1'000'000;
    std::uint64_t values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (auto _ : state) {
        for (std::int64_t i = 0; i < steps; ++i) {
            for (std::uint64_t& value : values) {
                value = value * 6364136223846793005U + static_cast<std::uint64_t>(i);
            }
        }
        benchmark::DoNotOptimize(values);
    }
    state.SetItemsProcessed(state.iterations() * steps);
}

BENCHMARK(arithmetic)->Threads(1)->Threads(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(read_heads)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(hash_lookup)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(table_lookup)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(check)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(check_with_threads)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
