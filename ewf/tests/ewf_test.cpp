// What is written is read, exactly, and the bytes depend on nothing but the trace.
#include <gtest/gtest.h>

#include <fstream>

#include "eciscope/ewf/reader.hpp"
#include "eciscope/ewf/writer.hpp"
#include "trace_tools.hpp"

namespace eciscope {
namespace {

using ewf::Reader;
using test::difference;
using test::made_up_trace;
using test::written;

constexpr std::size_t chunk_messages = 16384;

Reader opened(const std::vector<std::uint8_t>& bytes) {
    Diagnostics diagnostics;
    auto reader = Reader::open(ewf::memory_source(bytes), diagnostics);
    EXPECT_TRUE(reader) << reader.error().message;
    EXPECT_TRUE(diagnostics.kept().empty());
    return std::move(*reader);
}

TraceBatch played(const Reader& reader, const ewf::PlayOptions& options = {}) {
    Diagnostics diagnostics;
    test::Collector collector;
    auto done = reader.play(collector, diagnostics, options);
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_TRUE(diagnostics.kept().empty());
    return collector.all;
}

TEST(Ewf, MessagesAndEventsComeBackExactly) {
    for (const std::size_t messages : {1U, 2U, 3U, 700U, 40'000U}) {
        const TraceBatch trace = made_up_trace(7, messages);
        const auto bytes = written(trace);
        const Reader reader = opened(bytes);
        EXPECT_EQ(difference(trace, played(reader)), "") << messages;
        EXPECT_EQ(reader.contents().messages, messages);
        EXPECT_EQ(reader.contents().words, trace.words.size());
        EXPECT_EQ(reader.contents().events, trace.events.size());
    }
}

TEST(Ewf, EveryFieldHoldsItsExtremes) {
    const TraceBatch trace = test::extreme_trace();
    const auto bytes = written(trace);
    EXPECT_EQ(difference(trace, played(opened(bytes))), "");
}

TEST(Ewf, GroundTruthComesBackAndTimesCountFromAWholeSecond) {
    TraceBatch trace = test::read_truth(ECISCOPE_TEST_DATA "/small.truth.csv");
    ASSERT_EQ(trace.messages.size(), 2000U);
    constexpr Picoseconds shift = 7 * picoseconds_per_second;
    const auto near = written({trace}, 1, nullptr, {1'700'000'000});
    for (MessageHead& message : trace.messages) {
        message.first += shift;
        message.last += shift;
    }
    EXPECT_EQ(written({trace}, 1, nullptr, {1'700'000'000 - 7}), near);
    const Reader reader = opened(near);
    EXPECT_EQ(reader.time_base().unix_seconds, 1'700'000'000);
    EXPECT_EQ(difference(trace, played(reader), -shift), "");
}

TEST(Ewf, EmptyTraceAndEventsAloneAreTraces) {
    const auto nothing = written(TraceBatch{});
    EXPECT_EQ(played(opened(nothing)).messages.size(), 0U);
    EXPECT_EQ(opened(nothing).time_base().unix_seconds, 0);

    TraceBatch trace;
    for (std::uint64_t i = 0; i < 40'000; ++i) {
        Event event;
        event.kind = i == 0 ? EventKind::link_up : EventKind::lost;
        event.detail = 1;
        event.count = i;
        event.time = static_cast<Picoseconds>(i * i);
        trace.events.push_back(event);
    }
    const auto bytes = written(trace);
    const Reader reader = opened(bytes);
    EXPECT_EQ(reader.chunk_count(), 3U);
    EXPECT_TRUE(reader.contents().from_power_on);
    EXPECT_EQ(difference(trace, played(reader)), "");
    EXPECT_FALSE(reader.find_message(0));
}

TEST(Ewf, BytesDoNotDependOnBatching) {
    const TraceBatch trace = made_up_trace(11, 20'000);
    const auto whole = written(trace);
    for (const std::size_t size : {1U, 2U, 7U, 1000U, 16384U, 16385U}) {
        EXPECT_EQ(written(test::cut(trace, size)), whole) << size;
    }
}

TEST(Ewf, BytesDoNotDependOnThreads) {
    const auto batches = test::cut(made_up_trace(12, 100'000), 5000);
    const auto one = written(batches, 1);
    EXPECT_EQ(written(batches, 2), one);
    EXPECT_EQ(written(batches, 5), one);
    const Reader reader = opened(one);
    EXPECT_EQ(difference(played(reader), played(reader, {.threads = 2})), "");
}

TEST(Ewf, ProvenanceStandsOutsideTheCanonicalPart) {
    const TraceBatch trace = made_up_trace(13, 100);
    const ewf::Provenance provenance{"eciscope", "0.1", {{"boot.pcap", 12345, "sha256:00"}, {"\xff\xfe", 0, ""}}};
    const auto with = written({trace}, 1, &provenance);
    const auto without = written(trace);
    EXPECT_NE(with, without);
    const Reader reader = opened(with);
    EXPECT_EQ(reader.provenance(), provenance);
    EXPECT_EQ(reader.digest(), opened(without).digest());
    EXPECT_EQ(reader.verify_digest(), true);
    EXPECT_FALSE(opened(without).provenance());
}

TEST(Ewf, HeadsComeWithoutDataWords) {
    const TraceBatch trace = made_up_trace(14, 20'000);
    const auto bytes = written(trace);
    const Reader reader = opened(bytes);
    std::size_t number = 0;
    TraceBatch batch;
    for (std::size_t chunk = 0; chunk < reader.chunk_count(); ++chunk) {
        ASSERT_TRUE(reader.read_chunk(chunk, batch, ewf::Parts::heads));
        ASSERT_EQ(batch.words.size(), batch.messages.size());
        for (std::size_t i = 0; i < batch.messages.size(); ++i, ++number) {
            EXPECT_EQ(batch.words[i], trace.words_of(trace.messages[number])[0]);
            EXPECT_EQ(batch.messages[i].word_count, trace.messages[number].word_count);
            EXPECT_EQ(batch.messages[i].last, trace.messages[number].last);
        }
    }
    EXPECT_EQ(number, trace.messages.size());
}

TEST(Ewf, MessagesAreFoundByNumberAndTime) {
    const TraceBatch trace = made_up_trace(15, 3 * chunk_messages + 5);
    const auto bytes = written(trace);
    const Reader reader = opened(bytes);
    ASSERT_EQ(reader.chunk_count(), 4U);
    for (const std::size_t number : {std::size_t{0}, chunk_messages - 1, chunk_messages, 3 * chunk_messages + 4}) {
        const auto place = reader.find_message(number);
        ASSERT_TRUE(place);
        EXPECT_EQ(place->chunk, number / chunk_messages);
        EXPECT_EQ(place->message, number % chunk_messages);
        EXPECT_EQ(reader.find_time(trace.messages[number].last), number / chunk_messages);
    }
    EXPECT_EQ(reader.find_message(3 * chunk_messages + 5).error().code, ewf::ErrorCode::out_of_range);
    EXPECT_EQ(reader.find_time(-1), 0U);
    EXPECT_FALSE(reader.find_time(trace.messages.back().last + 1));
    TraceBatch batch;
    EXPECT_EQ(reader.read_chunk(4, batch).error().code, ewf::ErrorCode::out_of_range);
}

MessageHead request_of(Picoseconds time) {
    MessageHead head;
    head.first = head.last = time;
    head.vc = 6;
    return head;
}

TEST(Ewf, EveryChunkOfALineIsFoundAndFewOthers) {
    constexpr std::uint64_t wanted = 0x123456789;
    TraceBatch trace;
    for (std::uint64_t i = 0; i < 8 * chunk_messages; ++i) {
        const bool here = i == 5 || i == 6 * chunk_messages;
        // Each chunk is busy in a range of its own.
        const std::uint64_t line = here ? wanted : (i / chunk_messages) << 20U | (i * 7919) % 100'000;
        test::add_message(trace, request_of(static_cast<Picoseconds>(i)), {line << 7U});
    }
    const auto bytes = written(trace);
    const Reader reader = opened(bytes);
    EXPECT_EQ(reader.chunks_with_line({.home = 1, .aliased_cli = wanted}), (std::vector<std::size_t>{0, 6}));
    EXPECT_TRUE(reader.chunks_with_line({.home = 0, .aliased_cli = wanted}).empty());
    EXPECT_EQ(reader.chunks_with_line({.home = 1, .aliased_cli = 3U << 20U}), std::vector<std::size_t>{3});
    EXPECT_EQ(reader.chunk(2).vc_messages[6], chunk_messages);
    EXPECT_EQ(reader.chunk(2).opcodes[6], 1U);
    EXPECT_LE(reader.chunk(2).regions.size(), 256U);
}

TEST(Ewf, StreamIsReadInAnyPieces) {
    const TraceBatch trace = made_up_trace(16, 17'000);
    const ewf::Provenance provenance{"t", "1", {}};
    const auto bytes = written({trace}, 1, &provenance);
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, bytes.size()}) {
        test::TrickleStream stream(bytes, step);
        Diagnostics diagnostics;
        ewf::StreamReader reader(stream, diagnostics);
        TraceBatch batch;
        TraceBatch all;
        while (reader.next(batch).value_or(false)) {
            EXPECT_EQ(reader.first_message(), all.messages.size());
            test::append(all, batch);
        }
        EXPECT_EQ(difference(trace, all), "") << step;
        EXPECT_TRUE(diagnostics.kept().empty());
        EXPECT_EQ(reader.metadata(), ewf::Metadata{});
        EXPECT_EQ(reader.provenance(), provenance);
    }
}

/// Takes so many bytes, then no more.
class FullDisk final : public ewf::ByteSink {
 public:
    explicit FullDisk(std::size_t room) : room_(room) {}
    ewf::Expected<void> write(std::span<const std::uint8_t> bytes) override {
        if (bytes.size() > room_) {
            return tl::unexpected(ewf::Error{ewf::ErrorCode::io, "no space left", 0});
        }
        room_ -= bytes.size();
        return {};
    }

 private:
    std::size_t room_;
};

TEST(Ewf, FullDiskIsAnError) {
    const auto batches = test::cut(made_up_trace(17, 40'000), 1000);
    const std::size_t size = written(batches).size();
    for (const unsigned threads : {1U, 2U}) {
        for (const std::size_t room : {std::size_t{0}, std::size_t{64}, size / 2, size - 1}) {
            FullDisk disk(room);
            ewf::Writer writer(disk, {}, {.threads = threads});
            for (const TraceBatch& batch : batches) {
                if (!writer.batch(batch)) {
                    break;
                }
            }
            const auto finished = writer.finish({});
            ASSERT_FALSE(finished);
            EXPECT_EQ(finished.error().code, ewf::ErrorCode::io);
        }
    }
}

TEST(Ewf, TracesThatTheFormatCannotHoldAreRefused) {
    const auto refused = [](const TraceBatch& trace) {
        ewf::MemorySink sink;
        ewf::Writer writer(sink);
        EXPECT_FALSE(writer.batch(trace));
        const auto finished = writer.finish({});
        return !finished && finished.error().code == ewf::ErrorCode::invalid_trace;
    };
    TraceBatch trace = made_up_trace(18, 2);
    trace.messages[1].vc = 16;
    EXPECT_TRUE(refused(trace));
    trace = made_up_trace(18, 2);
    trace.messages[1].word_offset = 1'000'000;
    EXPECT_TRUE(refused(trace));
    trace = made_up_trace(18, 2);
    trace.events = {Event{}};
    trace.events[0].before = 3;
    EXPECT_TRUE(refused(trace));
    trace = made_up_trace(18, 2);
    trace.messages[0].first = std::numeric_limits<Picoseconds>::min();
    trace.messages[1].first = std::numeric_limits<Picoseconds>::max();
    EXPECT_TRUE(refused(trace));
}

TEST(Ewf, FileIsWrittenAndReadFromDisk) {
    const std::string path = ::testing::TempDir() + "/ewf_test.ewf";
    const TraceBatch trace = made_up_trace(19, 20'000);
    const auto bytes = written(trace);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    Diagnostics diagnostics;
    const auto reader = Reader::open(path, diagnostics);
    ASSERT_TRUE(reader);
    EXPECT_EQ(difference(trace, played(*reader, {.threads = 2})), "");
    EXPECT_EQ(Reader::open(path + ".none", diagnostics).error().code, ewf::ErrorCode::io);
    EXPECT_EQ(Reader::open(ECISCOPE_TEST_DATA "/small.truth.csv", diagnostics).error().code, ewf::ErrorCode::not_ewf);
}

}  // namespace
}  // namespace eciscope
