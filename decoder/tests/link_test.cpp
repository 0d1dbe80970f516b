// The link layer, one awkward case each.
#include <gtest/gtest.h>

#include "block_builder.hpp"
#include "decode.hpp"

namespace eciscope::test {
namespace {

constexpr Stream forth{0, 0};
constexpr Stream back{0, 1};

/// A message of one word whose content tells which it is.
std::vector<Slot> numbered(std::uint64_t number) {
    return on(6, {words::rldd + (number << 8)});
}

/// What the numbered messages say, in order of output.
std::vector<std::uint64_t> numbers(const Decoded& decoded) {
    std::vector<std::uint64_t> all;
    for (const std::string& line : decoded.lines) {
        all.push_back((std::stoull(line.substr(line.rfind(',') + 1), nullptr, 16) - words::rldd) >> 8);
    }
    return all;
}

using Numbers = std::vector<std::uint64_t>;

TEST(Link, NothingAtAll) {
    const Decoded decoded = decode({});
    EXPECT_TRUE(decoded.lines.empty());
    EXPECT_TRUE(decoded.events.empty());
    EXPECT_TRUE(decoded.accounts.sums_agree());
}

TEST(Link, OneBlock) {
    Blocks blocks;
    blocks.data(forth, numbered(1));
    EXPECT_EQ(numbers(decode(blocks.items)), Numbers{1});
}

TEST(Link, CreditBlocksCarryNoWordsWhateverIsInThem) {
    Blocks blocks;
    blocks.data(forth, {}, 0xff);  // its unused words hold garbage
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(decoded.accounts.credit, 1U);
    EXPECT_EQ(decoded.accounts.words, 0U);
    EXPECT_TRUE(decoded.lines.empty());
}

TEST(Link, PowerOnIsToldFromReset) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(forth, numbered(1));
    blocks.link_up(0);
    blocks.data(forth, numbered(2));
    const Decoded decoded = decode(blocks.items);
    std::vector<std::uint64_t> details;
    for (const Event& event : decoded.events) {
        if (event.kind == EventKind::link_up && event.stream == forth) {
            details.push_back(event.detail);
        }
    }
    EXPECT_EQ(details, (Numbers{1, 0}));
    EXPECT_EQ(decoded.count(EventKind::link_down), 2U);  // both directions
    EXPECT_EQ(numbers(decoded), (Numbers{1, 2}));
}

TEST(Link, AMessageIsCutByAReset) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(forth, on(4, words::message(words::psha17, 7)));
    blocks.link_up(0);
    blocks.stream_of(forth, on(4, words::message(words::psha5, 5)));
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(decoded.shapes(), "4:5");
    EXPECT_EQ(decoded.accounts.words_discarded, 7U);
}

// Before the tap: the far end throws away block 2 and what follows, all of it comes again, and the second time counts.
TEST(Link, DamageBeforeTheTap) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(forth, numbered(1));
    const BlockItem second = blocks.data(forth, numbered(2));
    blocks.damage_last();
    const BlockItem third = blocks.data(forth, numbered(3));
    blocks.retry(forth, 3, 1);
    const Picoseconds replay = blocks.now;
    blocks.data(forth, numbered(2));
    blocks.again(third);
    blocks.data(forth, numbered(4));
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(numbers(decoded), (Numbers{1, 2, 3, 4}));
    EXPECT_EQ(decoded.heads[1].last, replay);
    EXPECT_GT(decoded.heads[2].last, replay);
    EXPECT_EQ(decoded.accounts.damaged, 1U);
    EXPECT_EQ(decoded.accounts.replayed, 1U);
    EXPECT_EQ(decoded.count(EventKind::retry), 1U);
    EXPECT_EQ(decoded.sum(EventKind::replayed), 2U);
    EXPECT_TRUE(decoded.accounts.sums_agree());
    EXPECT_EQ(second.stream, forth);
}

// Behind the tap: the tap saw good copies; the first time counts.
TEST(Link, DamageBehindTheTap) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(forth, numbered(1));
    const BlockItem second = blocks.data(forth, numbered(2));
    const BlockItem third = blocks.data(forth, numbered(3));
    blocks.retry(forth, 3, 1);
    blocks.again(second);
    blocks.again(third);
    blocks.data(forth, numbered(4));
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(numbers(decoded), (Numbers{1, 2, 3, 4}));
    EXPECT_EQ(decoded.heads[1].last, second.time);
    EXPECT_EQ(decoded.accounts.replayed, 2U);
}

// At the tap alone: nobody sends it again. Its words are missing, the rest comes out with its own times.
TEST(Link, DamageAtTheTapAlone) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(forth, numbered(1));
    blocks.data(forth, numbered(2));
    blocks.damage_last();
    const BlockItem third = blocks.data(forth, numbered(3));
    blocks.now += 10'000'000;
    blocks.data(forth, numbered(4));
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(numbers(decoded), (Numbers{1, 3, 4}));
    EXPECT_EQ(decoded.heads[1].last, third.time);
    EXPECT_EQ(decoded.count(EventKind::damaged), 1U);
}

// The partner counts on past the damaged block: that is evidence at once, long before the wait is over.
TEST(Link, RxSeqShowsThatADamagedBlockWasTaken) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(forth, numbered(1));
    blocks.data(forth, numbered(2));
    blocks.damage_last();
    blocks.data(forth, numbered(3));
    blocks.idle(back, 3);
    // A reset would have thrown away what is still held.
    blocks.link_up(0);
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(numbers(decoded), (Numbers{1, 3}));
    EXPECT_EQ(decoded.accounts.discarded, 0U);
}

TEST(Link, StaleRxSeqShowsNothing) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(forth, numbered(1));
    blocks.data(forth, numbered(2));
    blocks.damage_last();
    const BlockItem third = blocks.data(forth, numbered(3));
    blocks.idle(back, 1);
    blocks.retry(forth, 3, 1);
    blocks.data(forth, numbered(2));
    blocks.again(third);
    EXPECT_EQ(numbers(decode(blocks.items)), (Numbers{1, 2, 3}));
}

// The copy of the damaged block is damaged too: one more retry, from the same place.
TEST(Link, DoubleRetry) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(forth, numbered(1));
    blocks.damage_last();
    const BlockItem second = blocks.data(forth, numbered(2));
    blocks.retry(forth, 2, 0);
    blocks.data(forth, numbered(1));
    blocks.damage_last();
    blocks.again(second);
    blocks.retry(forth, 2, 0);
    blocks.data(forth, numbered(1));
    blocks.again(second);
    blocks.data(forth, numbered(3));
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(numbers(decoded), (Numbers{1, 2, 3}));
    EXPECT_EQ(decoded.accounts.damaged, 2U);
    EXPECT_EQ(decoded.accounts.replayed, 2U);
    EXPECT_EQ(decoded.count(EventKind::retry), 2U);
    EXPECT_TRUE(decoded.accounts.sums_agree());
}

// Sequence numbers have eight bits: damage right at the wrap.
TEST(Link, RetryAcrossTheWrapOfSequenceNumbers) {
    Blocks blocks;
    blocks.link_up(0);
    Numbers expected;
    for (std::uint64_t i = 0; i < 255; ++i) {
        blocks.data(forth, numbered(i));
        expected.push_back(i);
    }
    const BlockItem last_good = blocks.data(forth, numbered(255));
    blocks.data(forth, numbered(256));
    blocks.damage_last();
    const BlockItem after = blocks.data(forth, numbered(257));
    blocks.retry(forth, 2, 255);  // 258 blocks sent, 255 received
    blocks.again(last_good);
    blocks.data(forth, numbered(256));
    blocks.again(after);
    for (std::uint64_t i = 255; i <= 257; ++i) {
        expected.push_back(i);
    }
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(numbers(decoded), expected);
    EXPECT_EQ(decoded.diagnostics.count_of(DiagnosticKind::sequence_mismatch), 0U);
}

// A capture that begins midway learns the numbers from the first retry.
TEST(Link, RetryWithUnknownSequenceNumbers) {
    Blocks blocks;
    blocks.data(forth, numbered(1));
    const BlockItem second = blocks.data(forth, numbered(2));
    blocks.retry(forth, 140, 139);
    blocks.again(second);
    blocks.data(forth, numbered(3));
    EXPECT_EQ(numbers(decode(blocks.items)), (Numbers{1, 2, 3}));
}

// The capture begins during a replay: copies of what it never saw are news.
TEST(Link, ReplayOfBlocksBeforeTheCapture) {
    Blocks blocks;
    blocks.retry(forth, 140, 138);
    blocks.data(forth, numbered(1));
    blocks.data(forth, numbered(2));
    blocks.data(forth, numbered(3));
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(numbers(decoded), (Numbers{1, 2, 3}));
    EXPECT_EQ(decoded.sum(EventKind::replayed), 2U);
}

TEST(Link, RetryWithinAMessage) {
    Blocks blocks;
    blocks.link_up(0);
    const std::vector<Slot> message = on(4, words::message(words::psha17, 17));
    blocks.data(forth, {message.begin(), message.begin() + 7});
    const Picoseconds first = blocks.items.back().time;
    const BlockItem middle = blocks.data(forth, {message.begin() + 7, message.begin() + 14});
    blocks.retry(forth, 2, 1);
    blocks.again(middle);
    blocks.data(forth, {message.begin() + 14, message.end()});
    const Decoded decoded = decode(blocks.items);
    ASSERT_EQ(decoded.shapes(), "4:17");
    EXPECT_EQ(decoded.heads[0].first, first);
    EXPECT_EQ(decoded.heads[0].last, blocks.items.back().time);
}

// Held messages of one stream must not be overtaken by later ones of another.
TEST(Link, OthersWaitForAHeldStream) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.link_up(1);
    blocks.data(forth, numbered(1));
    blocks.damage_last();
    blocks.data(forth, numbered(2));
    blocks.data({1, 0}, numbered(3));
    blocks.now += 10'000'000;
    blocks.data({1, 0}, numbered(4));
    EXPECT_EQ(numbers(decode(blocks.items)), (Numbers{2, 3, 4}));
}

TEST(Link, TheWaitForEvidenceIsBounded) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(forth, numbered(0));
    blocks.damage_last();
    Numbers expected;
    for (std::uint64_t i = 1; i <= 40; ++i) {
        blocks.data(forth, numbered(i));
        expected.push_back(i);
    }
    DecoderOptions options;
    options.held_blocks = 8;
    const Decoded decoded = decode(blocks.items, 1, options);
    EXPECT_EQ(numbers(decoded), expected);
    EXPECT_EQ(decoded.diagnostics.count_of(DiagnosticKind::hold_gave_up), 1U);
}

TEST(Link, WhatALinkResetMakesMootIsDiscarded) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(forth, numbered(1));
    blocks.damage_last();
    blocks.data(forth, numbered(2));
    blocks.link_up(0);
    blocks.data(forth, numbered(3));
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(numbers(decoded), Numbers{3});
    EXPECT_EQ(decoded.accounts.discarded, 1U);
    EXPECT_TRUE(decoded.accounts.sums_agree());
}

TEST(Link, LostBlocksAreCountedInOrdinals) {
    Blocks blocks;
    blocks.data(forth, numbered(1));
    blocks.lost(forth, 60);
    blocks.data(forth, numbered(2));
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(decoded.accounts.lost, 60U);
    EXPECT_EQ(decoded.heads[1].first_block, 61U);
    EXPECT_EQ(decoded.sum(EventKind::lost), 60U);
}

TEST(Link, UnknownNumberLostAndARestart) {
    Blocks blocks;
    blocks.data(forth, numbered(1));
    blocks.lost(forth, BlockItem::unknown_count);
    blocks.data(forth, numbered(2));
    blocks.restarted(forth);
    blocks.data(forth, numbered(3));
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(numbers(decoded), (Numbers{1, 2, 3}));
    EXPECT_EQ(decoded.accounts.lost_unknown, 1U);
    EXPECT_EQ(decoded.count(EventKind::restarted), 1U);
}

TEST(Link, ReservedTypeIsCountedAsDamaged) {
    Blocks blocks;
    blocks.raw(forth, {}, std::uint64_t{2} << 61);
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(decoded.accounts.damaged, 1U);
    EXPECT_EQ(decoded.diagnostics.count_of(DiagnosticKind::reserved_block), 1U);
    EXPECT_TRUE(decoded.accounts.sums_agree());
}

TEST(Link, AFlaggedBlockWithARightCrcIsGood) {
    Blocks blocks;
    blocks.data(forth, numbered(1)).crc_flagged = true;
    const Decoded decoded = decode(blocks.items);
    EXPECT_EQ(numbers(decoded), Numbers{1});
    EXPECT_EQ(decoded.diagnostics.count_of(DiagnosticKind::crc_flag_unfounded), 1U);
}

TEST(Link, CreditsAreFollowedFromPowerOn) {
    Blocks blocks;
    blocks.link_up(0);
    blocks.data(back, {}, 0x40);  // eight words for VC 6
    for (std::uint64_t i = 0; i < 8; ++i) {
        blocks.data(forth, numbered(i));
    }
    EXPECT_EQ(decode(blocks.items).diagnostics.count_of(DiagnosticKind::credit_overdrawn), 0U);
    blocks.data(forth, numbered(8));
    EXPECT_EQ(decode(blocks.items).diagnostics.count_of(DiagnosticKind::credit_overdrawn), 1U);
    // Without the handshake nothing is known, so nothing is wrong.
    const std::span<const BlockItem> midway = std::span<const BlockItem>(blocks.items).subspan(6);
    EXPECT_EQ(decode(midway).diagnostics.count_of(DiagnosticKind::credit_overdrawn), 0U);
}

}  // namespace
}  // namespace eciscope::test
