// Whole captures against what they really hold.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>

#include "decode.hpp"

namespace eciscope::test {
namespace {

const std::string data = ECISCOPE_TEST_DATA "/";

void expect_truth(const std::string& capture_name) {
    const PlainCapture capture(data + capture_name + ".pcap.xz");
    std::vector<std::string> truth = read_truth(data + capture_name + ".truth.csv.xz");
    sort_ties(truth);
    const Decoded decoded = decode(capture.items);
    EXPECT_TRUE(decoded.accounts.sums_agree());
    ASSERT_EQ(decoded.lines.size(), truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
        ASSERT_EQ(decoded.lines[i], truth[i]) << "message " << i;
    }
}

TEST(Golden, PowerOnAndFirstMessages) {
    expect_truth("small");
}
TEST(Golden, StartsMidwayWithFiveSilentSeconds) {
    expect_truth("gap");
}
TEST(Golden, DamageBeforeTheTapIsSentAgain) {
    expect_truth("crc-replay");
}
TEST(Golden, DamageBeforeBehindAndAtTheTap) {
    expect_truth("crc-where");
}

TEST(Golden, DamageAndReplayAreAccounted) {
    const PlainCapture capture(data + "crc-replay.pcap.xz");
    const Decoded decoded = decode(capture.items);
    EXPECT_EQ(decoded.accounts.damaged, 23U);
    EXPECT_EQ(decoded.count(EventKind::retry), 23U);
    EXPECT_EQ(decoded.count(EventKind::damaged), 0U) << "every damaged block came again";
    EXPECT_EQ(decoded.sum(EventKind::replayed), 34U);  // 23 damaged, 11 that followed them
    EXPECT_EQ(decoded.accounts.replayed, 11U);
    EXPECT_EQ(decoded.accounts.discarded, 0U);
}

// What was sent, and which of it lies in blocks that the capture has. Messages take at most three blocks and losses are
// longer, so the first and last block tell.
TEST(Golden, NothingIsInventedAfterLossAndAllThatIsWholeComesOut) {
    const PlainCapture capture(data + "lossy.pcap.xz");
    std::set<std::tuple<std::size_t, Picoseconds>> seen;
    for (const BlockItem& item : capture.items) {
        if (item.kind == BlockItemKind::block) {
            seen.emplace(item.stream.index(), item.time);
        }
    }
    std::vector<std::string> whole;
    for (const std::string& line : read_truth(data + "lossy.sent.csv.xz")) {
        long long first = 0;
        long long last = 0;
        int from = 0;
        int link = 0;
        std::sscanf(line.c_str(), "%lld,%lld,%d,%d", &first, &last, &from, &link);
        const std::size_t stream = Stream{static_cast<std::uint8_t>(link), static_cast<std::uint8_t>(from)}.index();
        if (seen.contains({stream, first}) && seen.contains({stream, last})) {
            whole.push_back(line);
        }
    }
    sort_ties(whole);
    const Decoded decoded = decode(capture.items);
    EXPECT_TRUE(decoded.accounts.sums_agree());
    EXPECT_EQ(decoded.accounts.lost, 540U);
    EXPECT_EQ(decoded.lines, whole);
}

TEST(Golden, OutputDoesNotDependOnHowBlocksAreFed) {
    for (const char* capture_name : {"crc-where", "lossy"}) {
        const PlainCapture capture(data + capture_name + ".pcap.xz");
        const Decoded all = decode(capture.items, capture.items.size());
        for (const std::size_t batch : {std::size_t{1}, std::size_t{7}, std::size_t{64}}) {
            const Decoded parts = decode(capture.items, batch);
            EXPECT_EQ(parts.lines, all.lines);
            ASSERT_EQ(parts.events.size(), all.events.size());
            for (std::size_t i = 0; i < all.events.size(); ++i) {
                EXPECT_EQ(parts.events[i].kind, all.events[i].kind);
                EXPECT_EQ(parts.events[i].time, all.events[i].time);
                EXPECT_EQ(parts.events[i].count, all.events[i].count);
            }
        }
    }
}

// A capture that begins at any block: nothing but what was sent comes out, and soon all of it.
TEST(Golden, NothingIsInventedWhereverACaptureBegins) {
    const PlainCapture capture(data + "small.pcap.xz");
    const std::vector<std::string> truth = read_truth(data + "small.truth.csv.xz");
    const std::set<std::string> sent(truth.begin(), truth.end());
    for (std::size_t begin = 0; begin < 600; ++begin) {
        const Decoded decoded = decode(std::span(capture.items).subspan(begin));
        EXPECT_TRUE(decoded.accounts.sums_agree());
        for (const std::string& line : decoded.lines) {
            ASSERT_TRUE(sent.contains(line)) << "begin " << begin << ": " << line;
        }
        // At most a handful of messages are cut by the start, on each of four streams.
        EXPECT_GE(decoded.lines.size() + begin + 20, truth.size()) << begin;
    }
}

}  // namespace
}  // namespace eciscope::test
