// Dumps of a trace buffer: rings that went round, markers, offers that waited, dumps that were cut.

#include "eciscope/capture/dma.hpp"

#include <gtest/gtest.h>

#include "dma_dump.hpp"

#include "collected.hpp"

namespace eciscope::capture::test {
namespace {

// Headers of the real traces: RLDD of line 0x100 and PSHA for it (VC 7 and 5), RLDD of 0x80 (VC 6).
constexpr std::uint64_t request = 0x0007f00000000100;
constexpr std::uint64_t grant = 0x4807c00000000100;
constexpr std::uint64_t another = 0x0003e00000000080;
constexpr std::uint64_t cycle = 5000;

struct Read {
    Collected trace;
    Diagnostics diagnostics;
    DmaAccounts accounts;

    explicit Read(const DmaDump& dump, TracePoint point = TracePoint::sys, const std::string& map_text = dma_map()) {
        const auto map = parse_dma_map(map_text, point);
        EXPECT_TRUE(map) << map.error();
        const auto open = [&dump]() -> tl::expected<Input, std::string> { return Input::of_memory(dump.bytes, 7); };
        auto read = read_dma(open, *map, diagnostics.add_source("dump"), trace, diagnostics);
        EXPECT_TRUE(read);
        accounts = *read;
        EXPECT_TRUE(accounts.sums_agree());
    }
    [[nodiscard]] std::vector<std::uint64_t> words() const { return trace.all.words; }
    [[nodiscard]] std::uint64_t count(DiagnosticKind kind) const { return diagnostics.count_of(kind); }
};

TEST(DmaDumps, samples_become_messages_at_their_time) {
    const Read read(DmaDump().message(22, 1005, request, 7).message(26, 1173, grant, 5));
    ASSERT_EQ(read.words(), (std::vector<std::uint64_t>{request, grant}));
    const MessageHead& first = read.trace.all.messages[0];
    EXPECT_EQ(first.last, 1000 * cycle) << "the five cycles in the pipeline are taken off";
    EXPECT_EQ(first.stream.from, 0);
    EXPECT_EQ(first.vc, 7);
    EXPECT_EQ(first.word_count, 1);
    EXPECT_EQ(read.trace.all.messages[1].last, 1168 * cycle);
    EXPECT_EQ(read.trace.all.messages[1].stream.from, 1);
    EXPECT_EQ(read.count(DiagnosticKind::data_not_captured), 1U);
    EXPECT_FALSE(read.accounts.wrapped);
}

TEST(DmaDumps, sources_that_were_late_by_more_come_first) {
    const Read read(DmaDump().message(16, 1000, another, 6).message(22, 1003, request, 7));
    EXPECT_EQ(read.words(), (std::vector<std::uint64_t>{request, another}));
}

TEST(DmaDumps, a_ring_that_went_round_begins_at_its_oldest_sample) {
    DmaDump story;
    for (std::uint64_t i = 0; i < 8; ++i) {
        story.message(22, 1000 + 100 * i, request + (i << 55U), 7);
    }
    const Read straight(story);
    for (std::size_t turn = 1; turn < 8; ++turn) {
        const Read turned(story.turned(turn));
        EXPECT_EQ(turned.words(), straight.words()) << turn;
        EXPECT_TRUE(turned.accounts.wrapped);
        EXPECT_EQ(turned.trace.all.messages.back().last, straight.trace.all.messages.back().last);
        EXPECT_EQ(turned.count(DiagnosticKind::dma_time_backwards), 0U);
    }
}

TEST(DmaDumps, a_counter_that_wraps_is_no_end_of_the_ring) {
    constexpr std::uint64_t end = std::uint64_t{1} << 47U;
    const DmaDump story =
        DmaDump().message(16, end - 10, another, 6).message(16, end - 1, request, 7).message(16, 4, grant, 7);
    const Read read(story);
    EXPECT_FALSE(read.accounts.wrapped);
    EXPECT_EQ(read.words(), (std::vector<std::uint64_t>{another, request, grant}));
    EXPECT_EQ(read.trace.all.messages[2].last - read.trace.all.messages[0].last, 14 * 5000);
    EXPECT_EQ(Read(story.turned(1)).words(), read.words());
}

TEST(DmaDumps, markers_are_no_messages) {
    const Read read(DmaDump()
                        .message(22, 1005, request, 7)
                        .bubble(1400)
                        .bubble(1401)
                        .lost(1500, 42)
                        .message(26, 1600, grant, 5)
                        .lost(1700, 0xffffffff));
    EXPECT_EQ(read.words(), (std::vector<std::uint64_t>{request, grant}));
    EXPECT_EQ(read.accounts.bubbles, 2U);
    EXPECT_EQ(read.accounts.lost, 2U);
    EXPECT_EQ(read.accounts.samples_lost, std::uint64_t{42} + 0xffffffff);
    ASSERT_EQ(read.trace.all.events.size(), 4U) << "for both directions, each time";
    EXPECT_EQ(read.trace.all.events[0].kind, EventKind::lost);
    EXPECT_EQ(read.trace.all.events[0].count, Event::unknown_count) << "samples are no blocks";
    EXPECT_EQ(read.trace.all.events[0].before, 1U);
    EXPECT_EQ(read.trace.all.events[2].before, 2U);
    EXPECT_EQ(read.count(DiagnosticKind::trace_samples_lost), 2U);
    EXPECT_NE(read.diagnostics.kept()[2].detail.find("or more"), std::string::npos);
}

TEST(DmaDumps, a_bubble_stamped_after_its_successor_is_no_end_of_the_ring) {
    const Read read(DmaDump().message(22, 1000, request, 7).bubble(1100).message(26, 1098, grant, 5));
    EXPECT_FALSE(read.accounts.wrapped);
    EXPECT_EQ(read.count(DiagnosticKind::dma_time_backwards), 0U);
    EXPECT_EQ(read.words(), (std::vector<std::uint64_t>{request, grant}));
}

TEST(DmaDumps, an_offer_that_waits_is_one_message_when_it_is_accepted) {
    const Read read(DmaDump()
                        .offer(22, 1000, request, 7)
                        .offer(22, 1400, request, 7)
                        .message(22, 1805, request, 7)
                        .message(22, 1905, request, 7));
    ASSERT_EQ(read.words(), (std::vector<std::uint64_t>{request, request})) << "and the same message again is another";
    EXPECT_EQ(read.trace.all.messages[0].first, 1800 * 5000);
    EXPECT_EQ(read.accounts.offers, 2U);
    EXPECT_EQ(read.count(DiagnosticKind::dma_offer_not_accepted), 0U);
}

TEST(DmaDumps, an_offer_that_is_never_accepted_is_named) {
    const Read read(DmaDump().message(26, 900, grant, 5).offer(22, 1000, request, 7));
    EXPECT_EQ(read.words(), (std::vector<std::uint64_t>{grant}));
    ASSERT_EQ(read.count(DiagnosticKind::dma_offer_not_accepted), 1U);
    EXPECT_EQ(read.diagnostics.kept().back().detail, "0007f00000000100 on VC 7");
    EXPECT_EQ(read.diagnostics.kept().back().where.offset, 16U);
}

TEST(DmaDumps, an_offer_that_changes_is_named) {
    const Read read(DmaDump().offer(22, 1000, request, 7).message(22, 1100, request ^ 0x1000, 7));
    EXPECT_EQ(read.words(), (std::vector<std::uint64_t>{request ^ 0x1000}));
    EXPECT_EQ(read.count(DiagnosticKind::dma_offer_changed), 1U);
}

TEST(DmaDumps, interrupts_are_traced_word_by_word) {
    constexpr std::uint64_t word0 = 0x0000f0500080c817;
    constexpr std::uint64_t word1 = 0x0000000000800001;
    const Read read(DmaDump().message(33, 1000, word0, 12).message(26, 1001, grant, 5).message(33, 1003, word1, 12));
    ASSERT_EQ(read.trace.all.messages.size(), 2U);
    const MessageHead& sgi = read.trace.all.messages[1];
    EXPECT_EQ(sgi.word_count, 2);
    EXPECT_EQ(sgi.first, 995 * 5000);
    EXPECT_EQ(sgi.last, 998 * 5000);
    EXPECT_EQ(read.words(), (std::vector<std::uint64_t>{grant, word0, word1}));

    const Read cut(DmaDump().message(33, 1000, word0, 12).lost(1001, 1).message(33, 1003, word0, 12));
    ASSERT_EQ(cut.trace.all.messages.size(), 2U) << "each is only begun";
    EXPECT_EQ(cut.trace.all.messages[0].word_count, 1);
    EXPECT_EQ(cut.count(DiagnosticKind::message_unfinished), 2U);
    EXPECT_EQ(cut.count(DiagnosticKind::dma_pairing_assumed), 1U) << "after the loss";
}

TEST(DmaDumps, one_trace_point_makes_a_trace) {
    const DmaDump dump = DmaDump()
                             .sample(0, 990, 5)
                             .message(22, 1000, request, 7)
                             .message(10, 1030, request, 7)
                             .message(37, 1200, grant, 5)
                             .message(34, 1300, another, 10);
    const Read sys(dump);
    EXPECT_EQ(sys.words(), (std::vector<std::uint64_t>{request}));
    EXPECT_EQ(sys.accounts.elsewhere, 4U);
    const Read app(dump, TracePoint::app);
    EXPECT_EQ(app.trace.all.messages.at(0).last, 1020 * 5000);
    const Read boundary(dump, TracePoint::boundary);
    EXPECT_EQ(boundary.words(), (std::vector<std::uint64_t>{grant, another}));
    EXPECT_EQ(boundary.trace.all.messages[0].stream, (Stream{1, 1}));
    EXPECT_EQ(boundary.trace.all.messages[1].stream, (Stream{0, 1}));
}

TEST(DmaDumps, memory_that_was_never_written_holds_nothing) {
    const Read read(DmaDump().message(22, 1000, request, 7).unwritten(6));
    EXPECT_EQ(read.accounts.unwritten, 6U);
    EXPECT_FALSE(read.accounts.wrapped);
    EXPECT_EQ(read.words().size(), 1U);
}

TEST(DmaDumps, a_dump_that_was_cut_gives_its_whole_samples) {
    DmaDump dump = DmaDump().message(22, 1000, request, 7).message(26, 1100, grant, 5);
    dump.bytes.resize(dump.bytes.size() - 1);
    const Read read(dump);
    EXPECT_EQ(read.words(), (std::vector<std::uint64_t>{request}));
    EXPECT_EQ(read.accounts.bytes_left, 15U);
    EXPECT_EQ(read.count(DiagnosticKind::dma_partial_sample), 1U);
    EXPECT_TRUE(Read(DmaDump()).words().empty());
}

TEST(DmaDumps, what_the_map_does_not_name_is_counted) {
    const Read read(DmaDump().message(50, 1000, request, 7).message(22, 1100, request, 7));
    EXPECT_EQ(read.accounts.unknown, 1U);
    EXPECT_EQ(read.count(DiagnosticKind::dma_source_unknown), 1U);
    const std::string unsaid =
        dma_map("", "{\"source\": 50, \"type\": \"eci\", \"clock_domain\": \"sys\", \"channel\": \"new\"}, ");
    EXPECT_EQ(Read(DmaDump().message(50, 1000, request, 7), TracePoint::sys, unsaid).accounts.unknown, 1U);
    const std::string said = dma_map("",
                                     "{\"source\": 50, \"type\": \"eci\", \"clock_domain\": \"sys\", \"channel\": "
                                     "\"new\", \"from\": 1, \"link\": 1}, ");
    const Read known(DmaDump().message(50, 1000, request, 7), TracePoint::sys, said);
    EXPECT_EQ(known.trace.all.messages.at(0).stream, (Stream{1, 1}));
}

TEST(DmaDumps, time_that_falls_within_the_ring_stands_still) {
    const Read read(DmaDump()
                        .message(16, 5000, another, 6)
                        .message(16, 1000, request, 7)  // the end of the ring
                        .message(16, 1200, grant, 7)
                        .message(16, 1100, another, 6)
                        .message(16, 1300, another, 6));
    EXPECT_TRUE(read.accounts.wrapped);
    EXPECT_EQ(read.count(DiagnosticKind::dma_time_backwards), 1U);
    EXPECT_EQ(read.words().front(), request);
    EXPECT_EQ(read.words().back(), another);
    Picoseconds last = 0;
    for (const MessageHead& message : read.trace.all.messages) {
        EXPECT_GE(message.last, last);
        last = message.last;
    }
}

TEST(DmaDumps, the_cycle_is_the_map_s) {
    const Read read(DmaDump().message(16, 1000, request, 7), TracePoint::sys, dma_map(", \"cycle_ps\": 3103"));
    EXPECT_EQ(read.trace.all.messages.at(0).last, 1000 * 3103);
}

TEST(DmaMaps, what_cannot_be_used_is_refused) {
    const auto error = [](std::string text, const std::string& from = "", const std::string& to = "") {
        if (!from.empty()) {
            EXPECT_NE(text.find(from), std::string::npos);
            text.replace(text.find(from), from.size(), to);
        }
        const auto map = parse_dma_map(text, TracePoint::sys);
        return map ? std::string() : map.error();
    };
    EXPECT_EQ(error(dma_map()), "");
    EXPECT_NE(error("").find("no JSON object"), std::string::npos);
    EXPECT_NE(error("[1]").find("no JSON object"), std::string::npos);
    EXPECT_NE(error("{}").find("\"sample\""), std::string::npos);
    EXPECT_NE(error(dma_map(), "\"timestamp_width\": 47", "\"timestamp_width\": 48"), "") << "does not fit";
    EXPECT_NE(error(dma_map(), "\"timestamp_width\": 47", "\"timestamp_width\": 0"), "");
    EXPECT_NE(error(dma_map(), "\"payload_width\": 75", "\"payload_width\": \"75\""), "");
    EXPECT_NE(error(dma_map(), "\"sample_width\": 128", "\"sample_width\": 130").find("begin at bytes"),
              std::string::npos);
    EXPECT_NE(error(dma_map(), "\"little\"", "\"big\"").find("byte order"), std::string::npos);
    EXPECT_NE(error(dma_map(), "\"offset\": 64", "\"offset\": 73").find("eci_header"), std::string::npos);
    EXPECT_NE(error(dma_map(), "\"sources\"", "\"streams\"").find("sources"), std::string::npos);
    EXPECT_NE(error(dma_map(), "\"lost_count_width\": 32", "\"lost_count_width\": 76"), "");
    EXPECT_NE(error(dma_map(", \"cycle_ps\": 0")), "");
}

}  // namespace
}  // namespace eciscope::capture::test
