// Files cut at every byte and flipped at every byte: what is whole comes out, and damage is said.
#include <gtest/gtest.h>

#include "chunk_encoder.hpp"
#include "eciscope/ewf/reader.hpp"
#include "eciscope/ewf/recover.hpp"
#include "eciscope/ewf/writer.hpp"
#include "file_end.hpp"
#include "index.hpp"
#include "trace_tools.hpp"

namespace eciscope {
namespace {

using ewf::Reader;
using test::difference;

struct Whole {
    std::vector<std::uint8_t> bytes;
    std::vector<TraceBatch> chunks;
    std::vector<ewf::ChunkInfo> infos;
};

/// A file of three chunks far smaller than the writer's, so that every byte of it can be damaged in turn.
const Whole& whole() {
    static const Whole out = [] {
        Whole w;
        w.chunks = test::cut(test::made_up_trace(3, 45), 15);
        ewf::MemorySink sink;
        ewf::CanonicalOutput output(sink);
        ewf::ContentsCounter counter({.unix_seconds = 1'700'000'000});
        ewf::ChunkEncoder encoder;
        std::vector<std::uint8_t> bytes;
        EXPECT_TRUE(output.write(ewf::file_header(1'700'000'000)));
        for (std::size_t i = 0; i < w.chunks.size(); ++i) {
            encoder.encode(w.chunks[i], 1'700'000'000, 15 * i, bytes);
            ewf::ChunkInfo info = ewf::info_of(*ewf::parse_section_header(bytes));
            info.offset = output.offset();
            info.bytes = bytes.size();
            ewf::ChunkSummariser().summarise(w.chunks[i], false, info);
            counter.add(w.chunks[i], info);
            EXPECT_TRUE(output.write(bytes));
            w.infos.push_back(info);
        }
        const ewf::Provenance provenance{"tool", "1", {{"file", 1, "hash"}}};
        EXPECT_TRUE(output.finish({}, counter.contents(), w.infos, &provenance));
        w.bytes = sink.bytes();
        return w;
    }();
    return out;
}

struct Outcome {
    std::vector<TraceBatch> batches;
    std::uint64_t reported = 0;
    bool opened = false;
};

Outcome played(std::span<const std::uint8_t> bytes) {
    Outcome out;
    Diagnostics diagnostics;
    auto reader = Reader::open(ewf::memory_source(bytes), diagnostics);
    if (!reader) {
        return out;
    }
    out.opened = true;
    test::Collector collector;
    EXPECT_TRUE(reader->play(collector, diagnostics));
    out.batches = std::move(collector.batches);
    out.reported = diagnostics.count_of(Severity::damage) + diagnostics.count_of(Severity::loss);
    return out;
}

Outcome streamed(std::span<const std::uint8_t> bytes) {
    Outcome out;
    Diagnostics diagnostics;
    test::TrickleStream stream(bytes, 333);
    ewf::StreamReader reader(stream, diagnostics);
    TraceBatch batch;
    for (;;) {
        const auto found = reader.next(batch);
        out.opened = found.has_value();
        if (!found || !*found) {
            break;
        }
        out.batches.push_back(batch);
    }
    out.reported = diagnostics.count_of(Severity::damage) + diagnostics.count_of(Severity::loss);
    return out;
}

Outcome recovered(std::span<const std::uint8_t> bytes) {
    Diagnostics diagnostics;
    ewf::MemorySink sink;
    const auto report = ewf::recover(*ewf::memory_source(bytes), sink, diagnostics);
    if (!report) {
        return {};
    }
    Outcome out = played(sink.bytes());
    out.reported = diagnostics.count_of(Severity::damage) + diagnostics.count_of(Severity::loss);
    EXPECT_EQ(report->was_complete, out.reported == 0);
    return out;
}

/// All chunks but `missing`, unchanged.
void expect_all_but(const std::vector<TraceBatch>& found, std::size_t missing, const std::string& where) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < whole().chunks.size(); ++i) {
        if (i == missing) {
            continue;
        }
        ASSERT_LT(next, found.size()) << where;
        ASSERT_EQ(difference(whole().chunks[i], found[next++]), "") << where;
    }
    ASSERT_EQ(next, found.size()) << where;
}

constexpr std::size_t none = ~std::size_t{0};

std::size_t chunk_at(std::uint64_t offset) {
    for (std::size_t i = 0; i < whole().infos.size(); ++i) {
        if (offset >= whole().infos[i].offset && offset < whole().infos[i].offset + whole().infos[i].bytes) {
            return i;
        }
    }
    return none;
}

TEST(EwfDamage, FileThatWasWholeIsRecoveredToTheSameBytes) {
    Diagnostics diagnostics;
    ewf::MemorySink sink;
    const auto report = ewf::recover(*ewf::memory_source(whole().bytes), sink, diagnostics);
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->was_complete);
    EXPECT_EQ(sink.bytes(), whole().bytes);
}

TEST(EwfDamage, EveryFlippedByteCostsAtMostItsChunkAndIsReported) {
    std::vector<std::uint8_t> bytes = whole().bytes;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const std::string where = "byte " + std::to_string(at);
        const auto mask = static_cast<std::uint8_t>(1U << (at % 8));
        bytes[at] ^= mask;
        const std::size_t lost = chunk_at(at);
        for (const auto& outcome : {played(bytes), streamed(bytes), recovered(bytes)}) {
            ASSERT_TRUE(outcome.opened) << where;
            ASSERT_GT(outcome.reported, 0U) << where;
            expect_all_but(outcome.batches, lost, where);
            if (HasFatalFailure()) {
                return;
            }
        }
        bytes[at] ^= mask;
    }
}

TEST(EwfDamage, FileCutAnywhereKeepsEveryWholeChunk) {
    for (std::size_t size = 0; size < whole().bytes.size(); ++size) {
        const std::span<const std::uint8_t> bytes(whole().bytes.data(), size);
        std::size_t expected = 0;
        for (const ewf::ChunkInfo& info : whole().infos) {
            expected += static_cast<std::size_t>(info.offset + info.bytes <= size);
        }
        for (const auto& outcome : {played(bytes), streamed(bytes), recovered(bytes)}) {
            ASSERT_EQ(outcome.opened, size >= 64) << size;
            ASSERT_EQ(outcome.batches.size(), expected) << size;
            ASSERT_TRUE(!outcome.opened || outcome.reported > 0) << size;
            for (std::size_t i = 0; i < expected; ++i) {
                ASSERT_EQ(difference(whole().chunks[i], outcome.batches[i]), "") << size;
            }
        }
    }
}

TEST(EwfDamage, BytesPutInOrTakenOutCostOneChunk) {
    const std::uint64_t middle = whole().infos[1].offset + whole().infos[1].bytes / 2;
    for (const bool put_in : {true, false}) {
        std::vector<std::uint8_t> bytes = whole().bytes;
        const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(middle);
        if (put_in) {
            bytes.insert(place, 77, 0xf3);
        } else {
            bytes.erase(place, place + 77);
        }
        expect_all_but(recovered(bytes).batches, 1, "stream slipped");
        expect_all_but(played(bytes).batches, 1, "stream slipped");
    }
}

TEST(EwfDamage, RepeatedAndMissingChunksAreReported) {
    const auto& info = whole().infos[1];
    const auto begin = whole().bytes.begin() + static_cast<std::ptrdiff_t>(info.offset);
    const auto end = begin + static_cast<std::ptrdiff_t>(info.bytes);
    std::vector<std::uint8_t> repeated(whole().bytes.begin(), end);
    repeated.insert(repeated.end(), begin, whole().bytes.end());
    auto outcome = streamed(repeated);
    EXPECT_GT(outcome.reported, 0U);
    expect_all_but(outcome.batches, none, "repeated");

    std::vector<std::uint8_t> missing(whole().bytes.begin(), begin);
    missing.insert(missing.end(), end, whole().bytes.end());
    outcome = streamed(missing);
    EXPECT_GT(outcome.reported, 0U);
    expect_all_but(outcome.batches, 1, "missing");
}

TEST(EwfDamage, LostMessagesKeepTheirNumbers) {
    std::vector<std::uint8_t> bytes = whole().bytes;
    bytes[whole().infos[1].offset + 200] ^= 1U;
    Diagnostics diagnostics;
    ewf::MemorySink sink;
    const auto report = ewf::recover(*ewf::memory_source(bytes), sink, diagnostics);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->chunks_damaged, 1U);
    EXPECT_EQ(report->messages_missing, whole().infos[1].messages);
    Diagnostics again;
    const auto reader = Reader::open(ewf::memory_source(sink.bytes()), again);
    ASSERT_TRUE(reader);
    EXPECT_EQ(again.count_of(DiagnosticKind::ewf_messages_missing), 1U);
    EXPECT_EQ(reader->find_message(whole().infos[2].first_message)->chunk, 1U);
    EXPECT_FALSE(reader->find_message(whole().infos[1].first_message));
}

}  // namespace
}  // namespace eciscope
