#include "selection.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace eciscope::cli {
namespace {

TEST(SelectionText, LinesByAddressOrAliasedIndex) {
    // 0x41941000 is the example of the NDJSON form: aliased index 0x833130, home 1.
    const auto plain = parse_line("0x41941000@1");
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->aliased_cli, 0x833130U);
    EXPECT_EQ(plain->home, 1);
    EXPECT_EQ(parse_line("0x4194107f")->aliased_cli, 0x833130U) << "any address within the line names it";
    EXPECT_FALSE(parse_line("0x41941000")->home);
    EXPECT_EQ(parse_line("a:0x833130@0")->aliased_cli, 0x833130U);
    for (const char* bad : {"", "0x", "@1", "0x41941000@2", "0x41941000@", "line", "0x10000000000", "a:0x200000000"}) {
        EXPECT_FALSE(parse_line(bad)) << bad;
    }
}

TEST(SelectionText, Ranges) {
    EXPECT_EQ(parse_range("3..7")->first, 3U);
    EXPECT_EQ(parse_range("3..7")->end, 7U);
    EXPECT_EQ(parse_range("..7")->first, 0U);
    EXPECT_EQ(parse_range("3..")->end, MessageRange{}.end);
    for (const char* bad : {"", "7", "7..3", "a..b", "1...3", "-1..2"}) {
        EXPECT_FALSE(parse_range(bad)) << bad;
    }
}

class Collected : public TraceSink {
 public:
    bool batch(const TraceBatch& batch) override {
        for (const MessageHead& message : batch.messages) {
            last.push_back(message.last);
            words.push_back(batch.words_of(message)[0]);
        }
        for (const Event& event : batch.events) {
            events.push_back(event.kind);
            before.push_back(event.before);
        }
        return true;
    }
    std::vector<Picoseconds> last;
    std::vector<std::uint64_t> words;
    std::vector<EventKind> events;
    std::vector<std::uint32_t> before;
};

// Ten messages, one a nanosecond from 100 ns on, alternately on VC 6 and 7; a loss before the sixth, words discarded on
// VC 4 before the eighth.
TraceBatch ten_messages() {
    TraceBatch batch;
    for (std::uint32_t i = 0; i < 10; ++i) {
        MessageHead message;
        message.first = message.last = 100'000 + Picoseconds{i} * 1'000;
        message.word_offset = i;
        message.word_count = 1;
        message.vc = static_cast<std::uint8_t>(6 + i % 2);
        batch.messages.push_back(message);
        batch.words.push_back(0x2803'f000'4198'9800U + i * 0x80U);
    }
    Event lost;
    lost.kind = EventKind::lost;
    lost.time = 104'500;
    lost.before = 5;
    Event discarded;
    discarded.kind = EventKind::discarded;
    discarded.time = 106'500;
    discarded.vc = 4;
    discarded.before = 7;
    batch.events = {lost, discarded};
    return batch;
}

Collected select(const Selection& selection) {
    Collected out;
    Selector selector(selection, out);
    selector.begin({});
    selector.batch(ten_messages());
    return out;
}

TEST(Selector, ByTime) {
    Selection selection;
    selection.from_time = parse_time("+4ns");
    selection.to_time = parse_time("+6ns");
    const Collected out = select(selection);
    EXPECT_EQ(out.last, (std::vector<Picoseconds>{104'000, 105'000})) << "the end is not included";
    EXPECT_EQ(out.events, std::vector{EventKind::lost});
    EXPECT_EQ(out.before, std::vector{1U}) << "between the same messages as before";
}

TEST(Selector, ByCircuitKeepsLossesOfTheLink) {
    Selection selection;
    selection.vcs = {6};
    const Collected out = select(selection);
    EXPECT_EQ(out.last.size(), 5U);
    EXPECT_EQ(out.events, std::vector{EventKind::lost}) << "what VC 4 discarded does not matter here";
    EXPECT_EQ(out.before, std::vector{3U});
}

TEST(Selector, ByNumberLineOperationAndClass) {
    Selection by_number;
    by_number.messages = {2, 4};
    EXPECT_EQ(select(by_number).last, (std::vector<Picoseconds>{102'000, 103'000}));

    Selection by_line;
    by_line.lines = {*parse_line("0x41941000")};
    EXPECT_EQ(select(by_line).words, std::vector<std::uint64_t>{0x2803'f000'4198'9800U});
    by_line.lines[0].home = 0;
    EXPECT_TRUE(select(by_line).words.empty()) << "its home is the node that did not ask";

    Selection by_op;
    by_op.ops = {"RLDX"};
    by_op.classes = {"MREQ"};
    EXPECT_EQ(select(by_op).last.size(), 10U);
    by_op.ops = {"RLDD"};
    EXPECT_TRUE(select(by_op).last.empty());
}

}  // namespace
}  // namespace eciscope::cli
