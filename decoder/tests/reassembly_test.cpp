// Messages out of words: straddling, interleaved, cut, and found again.
#include <gtest/gtest.h>

#include "block_builder.hpp"
#include "decode.hpp"
#include "resync.hpp"

namespace eciscope::test {
namespace {

constexpr Stream stream{0, 0};

std::vector<Slot> joined(std::initializer_list<std::vector<Slot>> parts) {
    std::vector<Slot> all;
    for (const std::vector<Slot>& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

const std::vector<Slot> whole_line = on(4, words::message(words::psha17, 17));
const std::vector<Slot> one_sub_line = on(4, words::message(words::psha5, 5));
const std::vector<Slot> empty(1);

TEST(Reassembly, AMessageStraddlesThreeBlocks) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.stream_of(stream, whole_line);
    const Decoded decoded = decode(blocks.items);
    ASSERT_EQ(decoded.shapes(), "4:17");
    EXPECT_EQ(decoded.heads[0].last - decoded.heads[0].first, 2 * Blocks::slot_time);
    EXPECT_EQ(decoded.heads[0].slot, 2);
    EXPECT_EQ(decoded.lines[0].substr(decoded.lines[0].size() - 16), "f800000000000010");
}

TEST(Reassembly, HeaderInTheLastSlotDataInTheNextBlock) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(stream, joined({empty, empty, empty, empty, empty, empty, on(0, {words::iobsta})}));
    blocks.data(stream, on(0, {0x12}));
    EXPECT_EQ(decode(blocks.items).shapes(), "0:2");
}

TEST(Reassembly, EmptySlotsAndTheirGarbageLieBetweenWords) {
    Blocks blocks;
    blocks.link_up(0);
    const std::vector<Slot> garbage{{15, words::psha17}};
    blocks.data(stream, joined({garbage, garbage, on(0, {words::iobsta}), garbage, on(0, {0x9c40}), garbage}));
    EXPECT_EQ(decode(blocks.items).shapes(), "0:2");
}

TEST(Reassembly, CircuitsInterleaveWordByWord) {
    Blocks blocks;
    blocks.link_up(0);
    std::vector<Slot> mixed;
    for (std::size_t i = 0; i < 17; ++i) {
        mixed.push_back(whole_line[i]);
        mixed.push_back({5, i == 0 ? 0x4803c00000000000 : i});
        mixed.push_back({6, words::rldd});
    }
    blocks.stream_of(stream, mixed);
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(decoded.heads.size(), 19U);
    EXPECT_EQ(decoded.accounts.words_in_messages, 51U);
}

TEST(Reassembly, TheSameCircuitOnEveryStreamIsAnother) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.link_up(1);
    for (std::size_t at = 0; at < 17; at += 7) {
        for (std::size_t i = 0; i < stream_count; ++i) {
            const auto begin = whole_line.begin() + static_cast<std::ptrdiff_t>(at);
            blocks.data(Stream::of_index(i), {begin, begin + std::min<std::ptrdiff_t>(7, whole_line.end() - begin)});
        }
    }
    EXPECT_EQ(decode(blocks.items).shapes(), "4:17 4:17 4:17 4:17");
}

TEST(Reassembly, AnUnusedCircuitHasMessagesOfOneWord) {
    Blocks blocks;
    blocks.data(stream, on(14, {1, 2}));
    EXPECT_EQ(decode(blocks.items).shapes(), "14:1 14:1");
}

TEST(Reassembly, TheCaptureEndsWithinAMessage) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(stream, {whole_line.begin(), whole_line.begin() + 7});
    const Decoded decoded = decode(blocks.items);
    EXPECT_TRUE(decoded.lines.empty());
    EXPECT_EQ(decoded.accounts.words_unfinished, 7U);
    EXPECT_EQ(decoded.sum(EventKind::capture_ends), 7U);
    EXPECT_TRUE(decoded.accounts.sums_agree());
}

// Back-to-back messages without any pause, and the capture begins at every word of the first: what is cut is thrown
// away, everything after it comes out. With eleven words or fewer to come, the short message behind them could be their
// continuation, a message being no longer than 17 words: then the start of the one after is the first that is proved.
TEST(Resynchronisation, StartAtEveryWord) {
    const std::vector<Slot> traffic = joined({whole_line, one_sub_line, whole_line, whole_line, one_sub_line});
    for (std::ptrdiff_t offset = 1; offset < 17; ++offset) {
        Blocks blocks;
        blocks.stream_of(stream, {traffic.begin() + offset, traffic.end()});
        const Decoded decoded = decode(blocks.items);
        const std::ptrdiff_t to_come = 17 - offset;
        const bool ambiguous = to_come + 5 <= 16;
        EXPECT_EQ(decoded.shapes(), ambiguous ? "4:17 4:17 4:5" : "4:5 4:17 4:17 4:5") << offset;
        EXPECT_EQ(decoded.accounts.words_discarded, static_cast<std::uint64_t>(to_come + (ambiguous ? 5 : 0)))
            << offset;
        EXPECT_TRUE(decoded.accounts.sums_agree());
    }
}

// Data that all looks like headers: nothing can be proved until the link pauses, and nothing is made up.
TEST(Resynchronisation, DataThatLooksLikeHeaders) {
    const std::vector<Slot> deceptive = on(4, std::vector<std::uint64_t>(17, words::psha17));
    for (std::ptrdiff_t offset = 1; offset < 17; ++offset) {
        Blocks blocks;
        blocks.stream_of(stream, joined({{deceptive.begin() + offset, deceptive.end()}, deceptive, deceptive}));
        const Decoded cut = decode(blocks.items);
        EXPECT_TRUE(cut.lines.empty()) << offset;
        blocks.now += 1'000'000;
        blocks.stream_of(stream, deceptive);
        EXPECT_EQ(decode(blocks.items).heads.back().word_count, 17) << offset;
    }
}

TEST(Resynchronisation, AFirstMessageBehindAPauseIsWhole) {
    Blocks blocks;
    blocks.idle(stream);
    blocks.now += 25'000;
    blocks.data(stream, on(0, {words::iobld, words::iobsta, 0x12}));
    EXPECT_EQ(decode(blocks.items).shapes(), "0:1 0:2");
}

TEST(Resynchronisation, TwoIdleBlocksShowThatNothingIsLeftToSend) {
    Blocks blocks;
    blocks.idle(stream);
    blocks.idle(stream);
    blocks.data(stream, on(12, {1, 2}));
    EXPECT_EQ(decode(blocks.items).shapes(), "12:2");
}

// The very first block of a stream, and the interposer was there before it: the silence counts.
TEST(Resynchronisation, AStreamThatBeginsAfterTheCapture) {
    Blocks blocks;
    blocks.idle({1, 1});
    blocks.now += 100'000;
    blocks.data(stream, on(0, {words::iobsta, 0x34}));
    EXPECT_EQ(decode(blocks.items).shapes(), "") << "it may have begun before, in a record that the capture lacks";
    blocks.items.back().stream_begins = true;
    EXPECT_EQ(decode(blocks.items).shapes(), "0:2");
}

// With no pause a word on a circuit of one- and two-word messages may be a header or data: nobody can tell.
TEST(Resynchronisation, WithoutAPauseNothingIsClaimed) {
    Blocks blocks;
    blocks.data(stream, on(12, {1, 2}));
    const Decoded decoded = decode(blocks.items);
    EXPECT_TRUE(decoded.lines.empty());
    EXPECT_EQ(decoded.accounts.words_discarded, 2U);
    EXPECT_TRUE(decoded.accounts.sums_agree());
}

TEST(Resynchronisation, OneWordCircuitsAreNeverLost) {
    Blocks blocks;
    blocks.data(stream, on(6, {words::rldd}));
    blocks.lost(stream, BlockItem::unknown_count);
    blocks.data(stream, on(6, {words::rldd}));
    EXPECT_EQ(decode(blocks.items).shapes(), "6:1 6:1");
}

// One block lost in a message with more than seven words to come: at most seven are missing, so the end is still
// within known bounds, and the next start is found as soon as the words say so.
TEST(Resynchronisation, ALossWithinAMessageKeepsWhatItCannotHaveTaken) {
    EXPECT_EQ(after_unseen(4, RemainingSet{1} << 10, 3), RemainingSet{0b1111} << 7);
    EXPECT_EQ(after_unseen(4, 1, 1), any_remaining(4));
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(stream, {whole_line.begin(), whole_line.begin() + 7});
    blocks.lost(stream, 1);
    blocks.data(stream,
                joined({{whole_line.begin() + 14, whole_line.end()}, {whole_line.begin(), whole_line.begin() + 4}}));
    blocks.stream_of(stream, {whole_line.begin() + 4, whole_line.end()});
    EXPECT_EQ(decode(blocks.items).shapes(), "4:17");
}

// A loss may hide a whole message and the head of the next one: the words before and after it are never joined.
TEST(Resynchronisation, WordsBeforeAndAfterALossAreNeverJoined) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(stream, {whole_line.begin(), whole_line.begin() + 7});
    blocks.lost(stream, 100);
    blocks.stream_of(stream, {whole_line.begin() + 7, whole_line.end()});
    const Decoded decoded = decode(blocks.items);
    EXPECT_TRUE(decoded.lines.empty());
    EXPECT_EQ(decoded.accounts.words_discarded, 17U);
}

// Undocumented traffic refutes every reading; the search begins again instead of making something up.
TEST(Resynchronisation, WordsThatAreNoMessagesAtAll) {
    Blocks blocks;
    blocks.stream_of(stream, on(4, std::vector<std::uint64_t>(60, words::no_header)));
    const Decoded decoded = decode(blocks.items);
    EXPECT_TRUE(decoded.lines.empty());
    EXPECT_GT(decoded.diagnostics.count_of(DiagnosticKind::no_message_start), 0U);
    EXPECT_TRUE(decoded.accounts.sums_agree());
}

}  // namespace
}  // namespace eciscope::test
