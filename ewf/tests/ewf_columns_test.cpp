// What messages are predicted from: exact whatever is found or not, and damage behind right checksums is survived.
#include <gtest/gtest.h>

#include <random>

#include "chunk_decoder.hpp"
#include "chunk_encoder.hpp"
#include "eciscope/ewf/reader.hpp"
#include "trace_tools.hpp"

namespace eciscope {
namespace {

using test::difference;
using test::traffic;

constexpr Stream cpu{0, 0};
constexpr Stream fpga{0, 1};
constexpr unsigned request_circuit = 6;
constexpr unsigned answer_circuit = 10;

std::uint64_t header(std::uint64_t opcode, std::uint64_t id, std::uint64_t line) {
    return opcode << 59U | id << 50U | line << 7U;
}

void add(TraceBatch& trace, Stream stream, unsigned vc, Picoseconds time, std::vector<std::uint64_t> words) {
    MessageHead head;
    head.first = head.last = time;
    head.first_block = head.last_block = trace.messages.size();
    head.stream = stream;
    head.vc = static_cast<std::uint8_t>(vc);
    test::add_message(trace, head, std::move(words));
}

std::vector<std::uint8_t> encoded(const TraceBatch& trace) {
    std::vector<std::uint8_t> bytes;
    ewf::ChunkEncoder().encode(trace, 1'700'000'000, 0, bytes);
    return bytes;
}

void expect_exact(const TraceBatch& trace) {
    const std::vector<std::uint8_t> bytes = encoded(trace);
    const auto parsed = ewf::parse_section_header(bytes);
    TraceBatch found;
    ASSERT_TRUE(ewf::ChunkDecoder().decode(*parsed, ewf::Bytes(bytes).subspan(ewf::section_header_bytes),
                                           ewf::Parts::whole, found));
    EXPECT_EQ(difference(trace, found), "");
}

TEST(EwfColumns, TrafficComesBackExactly) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        expect_exact(traffic(seed, 300));
    }
}

TEST(EwfColumns, AnswersAreFoundInAnyOrder) {
    TraceBatch trace;
    for (std::uint64_t id = 0; id < 64; ++id) {
        add(trace, cpu, request_circuit, static_cast<Picoseconds>(id), {header(0, id, id)});
    }
    for (std::uint64_t i = 0; i < 64; ++i) {
        const std::uint64_t id = i * 37 % 64;
        add(trace, fpga, answer_circuit, static_cast<Picoseconds>(100 + i), {header(10, id, id)});
    }
    expect_exact(trace);
}

TEST(EwfColumns, IdsThatAreUsedAgainOrAnsweredTwice) {
    TraceBatch trace;
    for (std::uint64_t i = 0; i < 200; ++i) {
        const auto time = static_cast<Picoseconds>(i * 1000);
        add(trace, cpu, request_circuit, time, {header(0, i % 3, 1)});
        add(trace, fpga, answer_circuit, time + 100, {header(10, i % 2, 1)});
        add(trace, fpga, answer_circuit, time + 200, {header(10, i % 2, 1)});
        add(trace, cpu, request_circuit, time + 300, {header(7, i % 2 + 1, 1)});
    }
    expect_exact(trace);
}

/// No capture is like that, but a file may be written from anything.
TEST(EwfColumns, TimesInNoOrder) {
    std::mt19937_64 random(1);
    TraceBatch trace = traffic(3, 100);
    for (MessageHead& message : trace.messages) {
        message.first = static_cast<Picoseconds>(random() >> (random() % 64));
        message.last = static_cast<Picoseconds>(random() >> (random() % 64)) * (random() % 2 == 0 ? 1 : -1);
    }
    expect_exact(trace);
}

/// An upgrade follows the answer by a constant time: it costs next to nothing.
TEST(EwfColumns, WhatFollowsAnAnswerOnItsClockIsSmall) {
    const auto bytes = [](bool follows) {
        std::mt19937_64 random(5);
        TraceBatch trace;
        Picoseconds now = 0;
        for (std::uint64_t i = 0; i < 2000; ++i) {
            const std::uint64_t line = random() % 0x100000000U;
            add(trace, cpu, request_circuit, now += static_cast<Picoseconds>(random() % 100'000),
                {header(0, 2 * i % 64, line)});
            add(trace, fpga, answer_circuit, now += 150'000, {header(10, 2 * i % 64, line)});
            if (follows) {
                add(trace, cpu, request_circuit, now += 120'000, {header(7, (2 * i + 1) % 64, line)});
            }
        }
        return encoded(trace).size();
    };
    EXPECT_LT(bytes(true), bytes(false) + 2000);
}

void fix_hashes(std::vector<std::uint8_t>& bytes) {
    const ewf::Bytes payload = ewf::Bytes(bytes).subspan(ewf::section_header_bytes);
    const auto head = std::min<std::uint64_t>(ewf::load_le<std::uint64_t>(bytes.data() + 16), payload.size());
    const auto data = std::min<std::uint64_t>(ewf::load_le<std::uint64_t>(bytes.data() + 24), payload.size() - head);
    ewf::store_le(bytes.data() + 32, ewf::hash64(payload.first(head)));
    ewf::store_le(bytes.data() + 40, ewf::hash64(payload.subspan(head, data)));
    ewf::store_le(bytes.data() + 104, ewf::hash64(ewf::Bytes(bytes).first(104)));
}

/// Damage that no checksum shows: counts, ranks, columns. What still decodes is a trace that can be written again.
TEST(EwfColumns, RandomDamageBehindRightChecksums) {
    const std::vector<std::uint8_t> whole = encoded(traffic(1, 12));
    ewf::ChunkDecoder decoder;
    TraceBatch found;
    std::size_t refused = 0;
    for (std::uint32_t seed = 0; seed < 10'000; ++seed) {
        std::mt19937 random(seed);
        std::vector<std::uint8_t> bytes = whole;
        for (std::size_t flips = 1 + random() % 3; flips > 0; --flips) {
            bytes[8 + random() % (bytes.size() - 8)] ^= static_cast<std::uint8_t>(1U << random() % 8);
        }
        fix_hashes(bytes);
        const auto parsed = ewf::parse_section_header(bytes);
        if (!parsed ||
            !decoder.decode(*parsed, ewf::Bytes(bytes).subspan(ewf::section_header_bytes), ewf::Parts::whole, found)) {
            ++refused;
            continue;
        }
        expect_exact(found);
    }
    EXPECT_GT(refused, 5'000U);
    EXPECT_LT(refused, 10'000U);
}

TEST(EwfColumns, RandomDamageToFiles) {
    const std::vector<std::uint8_t> whole = test::written(traffic(2, 20));
    for (std::uint32_t seed = 0; seed < 10'000; ++seed) {
        std::mt19937 random(seed);
        std::vector<std::uint8_t> bytes = whole;
        bytes[random() % bytes.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
        bytes.resize(seed % 4 == 0 ? random() % bytes.size() : bytes.size());
        Diagnostics diagnostics;
        const auto reader = ewf::Reader::open(ewf::memory_source(bytes), diagnostics);
        test::Collector collector;
        ASSERT_TRUE(!reader || reader->play(collector, diagnostics)) << seed;
        ASSERT_TRUE(collector.all.empty() || difference(traffic(2, 20), collector.all) == "") << seed;
        ASSERT_TRUE(!reader || diagnostics.count_of(Severity::damage) + diagnostics.count_of(Severity::loss) > 0)
            << seed;
    }
}

}  // namespace
}  // namespace eciscope
