// Headers decoded per second on one core: the generated decoder, one written by hand, and a copy of the same words.
// Every message is decoded into a struct in memory with all its fields.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <eciscope/spec/eci.hpp>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "hand_decoder.hpp"

namespace {

struct Headers {
    std::vector<std::uint8_t> vcs;
    std::vector<std::uint64_t> words;

    [[nodiscard]] std::size_t size() const { return words.size(); }
};

Headers boot_headers() {
    std::ifstream file(ECISCOPE_SOURCE_DIR "/bench/data/boot_headers.bin", std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    constexpr std::size_t record = 9;
    Headers headers;
    for (std::size_t at = 0; at + record <= bytes.size(); at += record) {
        std::uint64_t word = 0;
        for (std::size_t i = record; i-- > 1;) word = (word << 8) | static_cast<std::uint8_t>(bytes[at + i]);
        headers.vcs.push_back(static_cast<std::uint8_t>(bytes[at]));
        headers.words.push_back(word);
    }
    return headers;
}

const Headers& in_order() {
    static const Headers headers = boot_headers();
    return headers;
}

const Headers& shuffled() {
    static const Headers headers = [] {
        const Headers& from = in_order();
        std::vector<std::size_t> order(from.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
        Headers to;
        for (const std::size_t i : order) {
            to.vcs.push_back(from.vcs[i]);
            to.words.push_back(from.words[i]);
        }
        return to;
    }();
    return headers;
}

using Source = const Headers& (*)();

void done(benchmark::State& state, const Headers& headers) {
    if (headers.size() == 0) state.SkipWithError("bench/data/boot_headers.bin cannot be read");
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(headers.size()));
}

// The barrier after each message makes the compiler store all of it and know nothing of the next one.
void generated(benchmark::State& state, Source source) {
    const Headers& headers = source();
    for (auto _ : state) {
        for (std::size_t i = 0; i < headers.size(); ++i) {
            eci::message message = eci::decode(headers.vcs[i], headers.words[i]);
            benchmark::DoNotOptimize(message);
        }
    }
    done(state, headers);
}

void by_hand(benchmark::State& state, Source source) {
    const Headers& headers = source();
    for (auto _ : state) {
        for (std::size_t i = 0; i < headers.size(); ++i) {
            hand::Message message;
            hand::decode(message, headers.vcs[i], headers.words[i]);
            benchmark::DoNotOptimize(message);
        }
    }
    done(state, headers);
}

void message_words(benchmark::State& state, Source source) {
    const Headers& headers = source();
    for (auto _ : state) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < headers.size(); ++i) {
            sum += eci::message_words(headers.vcs[i], headers.words[i]);
        }
        benchmark::DoNotOptimize(sum);
    }
    done(state, headers);
}

void decode_and_encode(benchmark::State& state, Source source) {
    const Headers& headers = source();
    for (auto _ : state) {
        for (std::size_t i = 0; i < headers.size(); ++i) {
            eci::message message = eci::decode(headers.vcs[i], headers.words[i]);
            benchmark::DoNotOptimize(message);
            std::uint64_t word = eci::encode(message);
            benchmark::DoNotOptimize(word);
        }
    }
    done(state, headers);
}

void copy_of_words(benchmark::State& state, Source source) {
    const Headers& headers = source();
    std::vector<std::uint64_t> copy(headers.size());
    for (auto _ : state) {
        std::memcpy(copy.data(), headers.words.data(), headers.size() * sizeof(std::uint64_t));
        benchmark::DoNotOptimize(copy.data());
        benchmark::ClobberMemory();
    }
    done(state, headers);
}

BENCHMARK_CAPTURE(generated, boot, in_order);
BENCHMARK_CAPTURE(by_hand, boot, in_order);
BENCHMARK_CAPTURE(generated, shuffled, shuffled);
BENCHMARK_CAPTURE(by_hand, shuffled, shuffled);
BENCHMARK_CAPTURE(message_words, boot, in_order);
BENCHMARK_CAPTURE(decode_and_encode, boot, in_order);
BENCHMARK_CAPTURE(copy_of_words, boot, in_order);

}  // namespace
