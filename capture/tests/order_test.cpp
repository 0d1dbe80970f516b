// Order within a stream, and the merge of all streams.

#include <gtest/gtest.h>

#include <algorithm>

#include "collect.hpp"

namespace eciscope::capture::test {
namespace {

using Counts = std::map<std::string, std::uint64_t>;
using Story = std::vector<std::string>;

constexpr std::uint64_t millisecond = 1'000'000;
constexpr std::uint64_t second = 1'000'000'000;

/// One block; its time is the sequence number in microseconds unless told otherwise.
RecordBuilder one(std::uint32_t sequence, int link = 0, int from = 0) {
    RecordBuilder made;
    made.link = link;
    made.from = from;
    made.sequence = sequence;
    made.blocks = 1;
    made.time_ns = epoch_ns + sequence * 1000ULL;
    return made;
}

RecordBuilder at(std::uint64_t time_ns, RecordBuilder made) {
    made.time_ns = epoch_ns + time_ns;
    return made;
}

Outcome read(const std::vector<RecordBuilder>& records) {
    CaptureBuilder capture;
    capture.begin();
    for (const RecordBuilder& each : records) {
        capture.record(each);
    }
    Outcome outcome = run({capture.out});
    EXPECT_TRUE(outcome.accounts.sums_agree());
    return outcome;
}

TEST(Order, late_records_find_their_place) {
    const Outcome outcome = read({one(1), one(0), one(4), one(2), one(3)});
    EXPECT_EQ(outcome.story(), (Story{"0.0:0/0", "0.0:1/0", "0.0:2/0", "0.0:3/0", "0.0:4/0"}));
    EXPECT_TRUE(outcome.diagnostics.empty());
}

TEST(Order, a_missing_number_is_a_loss_of_unknown_size) {
    const Outcome outcome = read({one(0), one(3)});
    EXPECT_EQ(outcome.story(), (Story{"0.0:0/0", "0.0:lost ?", "0.0:3/0"}));
    EXPECT_EQ(outcome.diagnostics, (Counts{{"records_missing", 1}}));
    EXPECT_EQ(outcome.accounts.records_missing, 2U);
    EXPECT_EQ(outcome.accounts.losses_unknown, 1U);
}

TEST(Order, a_missing_number_whose_loss_the_next_record_names) {
    RecordBuilder next = one(2);
    next.lost = 60;
    const Outcome outcome = read({one(0), next});
    EXPECT_EQ(outcome.story(), (Story{"0.0:0/0", "0.0:lost 60", "0.0:2/0"}));
    EXPECT_EQ(outcome.accounts.blocks_lost_known, 60U);
}

TEST(Order, numbers_wrap) {
    const Outcome outcome =
        read({at(0, one(0xFFFFFFFE)), at(1, one(0xFFFFFFFF)), at(3, one(1)), at(2, one(0)), at(4, one(2))});
    EXPECT_EQ(outcome.story(), (Story{"0.0:4294967294/0", "0.0:4294967295/0", "0.0:0/0", "0.0:1/0", "0.0:2/0"}));
    EXPECT_TRUE(outcome.diagnostics.empty());
}

TEST(Order, duplicates_are_dropped_and_counted) {
    const Outcome outcome = read({one(0), one(0), one(1), one(2), one(1), one(2), one(0)});
    EXPECT_EQ(outcome.story(), (Story{"0.0:0/0", "0.0:1/0", "0.0:2/0"}));
    EXPECT_EQ(outcome.diagnostics, (Counts{{"record_duplicate", 4}}));
    EXPECT_EQ(outcome.accounts.blocks_duplicate, 4U);
}

TEST(Order, every_datagram_twice) {
    std::vector<RecordBuilder> records;
    for (std::uint32_t i = 0; i < 500; ++i) {
        records.push_back(one(i));
        records.push_back(one(i));
    }
    const Outcome outcome = read(records);
    EXPECT_EQ(outcome.accounts.blocks_delivered, 500U);
    EXPECT_EQ(outcome.diagnostics, (Counts{{"record_duplicate", 500}}));
}

TEST(Order, a_restart_is_told_to_every_stream_and_is_no_loss) {
    const Outcome outcome = read({at(0, one(700)), at(1, one(900, 1, 1)), at(1000, one(701)), at(2 * second, one(0)),
                                  at(2 * second + 5, one(0, 1, 1)), at(2 * second + 1000, one(1))});
    EXPECT_EQ(outcome.story(), (Story{"0.0:700/0", "1.1:900/0", "0.0:701/0", "0.0:restarted", "0.1:restarted",
                                      "1.0:restarted", "1.1:restarted", "0.0:0/0", "1.1:0/0", "0.0:1/0"}));
    EXPECT_EQ(outcome.diagnostics, (Counts{{"interposer_restarted", 1}}));
    EXPECT_EQ(outcome.accounts.restarts, 1U);
    EXPECT_TRUE(is_in_order({outcome.items.begin(), outcome.items.begin() + 3}));
}

TEST(Order, a_restart_with_the_clock_back_at_its_beginning) {
    const Outcome outcome =
        read({at(500 * second, one(70)), at(501 * second, one(71)), at(3 * second, one(0)), at(4 * second, one(1))});
    EXPECT_EQ(outcome.count(BlockItemKind::restarted), 4U);
    EXPECT_EQ(outcome.count(BlockItemKind::block), 4U);
    EXPECT_EQ(outcome.diagnostics, (Counts{{"interposer_restarted", 1}, {"record_time_backwards", 1}}));
}

TEST(Order, a_restart_after_a_few_records_is_not_a_duplicate) {
    const Outcome outcome = read({at(0, one(0)), at(1000, one(1)), at(9 * second, one(0)), at(9 * second + 9, one(1))});
    EXPECT_EQ(outcome.count(BlockItemKind::restarted), 4U);
    EXPECT_EQ(outcome.accounts.blocks_delivered, 4U);
}

TEST(Order, a_restart_from_beyond_the_middle_of_the_numbers) {
    const Outcome outcome = read({at(0, one(0xF0000000)), at(9 * second, one(0)), at(9 * second + 9, one(1))});
    EXPECT_EQ(outcome.count(BlockItemKind::restarted), 4U);
    EXPECT_EQ(outcome.count(BlockItemKind::lost), 0U);
}

TEST(Order, the_clock_is_set_back_and_numbers_go_on) {
    const Outcome outcome = read({at(20 * second, one(0)), at(21 * second, one(1)), at(10 * second, one(2)),
                                  at(10 * second + 5, one(0, 1, 0)), at(10 * second + 9, one(3))});
    EXPECT_EQ(outcome.story(), (Story{"0.0:0/0", "0.0:1/0", "0.0:2/0", "1.0:0/0", "0.0:3/0"}));
    EXPECT_EQ(outcome.diagnostics, (Counts{{"record_time_backwards", 1}}));
}

TEST(Order, one_record_with_a_time_far_ahead_does_not_stop_the_rest) {
    const Outcome outcome = read({one(0), at(3000 * second, one(1)), one(2), one(3), one(4)});
    EXPECT_EQ(outcome.story(), (Story{"0.0:0/0", "0.0:1/0", "0.0:2/0", "0.0:3/0", "0.0:4/0"}));
    EXPECT_EQ(outcome.diagnostics.at("record_time_backwards"), 1U);
}

TEST(Order, a_damaged_first_time_does_not_cost_the_capture) {
    const Outcome outcome = read({at(4000 * 86400 * second, one(0)), one(1), one(2)});
    EXPECT_EQ(outcome.story(), (Story{"0.0:1/0", "0.0:2/0"}));
    EXPECT_EQ(outcome.diagnostics, (Counts{{"time_out_of_range", 1}}));
}

TEST(Order, a_record_later_than_the_wait_is_dropped_and_named) {
    const Outcome outcome = read({at(0, one(0)), at(2000, one(2)), at(20 * millisecond, one(3)), at(1000, one(1))});
    EXPECT_EQ(outcome.story(), (Story{"0.0:0/0", "0.0:lost ?", "0.0:2/0", "0.0:3/0"}));
    EXPECT_EQ(outcome.accounts.blocks_late + outcome.accounts.restarts, 1U);
}

TEST(Merge, ties_go_by_stream_and_records_overlap) {
    RecordBuilder a = at(0, one(0, 0, 0));
    RecordBuilder b = at(0, one(0, 1, 1));
    a.blocks = b.blocks = 3;
    b.spacing_ps = 2170;
    const Outcome outcome = read({b, a});
    EXPECT_EQ(outcome.story(), (Story{"0.0:0/0", "1.1:0/0", "1.1:0/1", "0.0:0/1", "1.1:0/2", "0.0:0/2"}));
    EXPECT_TRUE(is_in_order(outcome.items));
}

TEST(Merge, a_long_record_that_comes_after_the_short_ones_within_its_time) {
    RecordBuilder slow = at(0, one(0, 1, 0));
    slow.blocks = 5;
    slow.spacing_ps = 1'000'000'000;  // 4 ms in all
    std::vector<RecordBuilder> records;
    for (std::uint32_t i = 0; i < 40; ++i) {
        records.push_back(at(i * 100'000 + 50, one(i)));
    }
    records.push_back(slow);
    const Outcome outcome = read(records);
    EXPECT_EQ(outcome.accounts.blocks_delivered, 45U);
    EXPECT_TRUE(is_in_order(outcome.items));
    EXPECT_TRUE(outcome.diagnostics.empty());
}

TEST(Merge, five_silent_seconds_and_a_silent_stream_stop_nothing) {
    std::vector<RecordBuilder> records;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        records.push_back(at(i * 10'000ULL + (i > 1500 ? 5 * second : 0), one(i)));
    }
    std::size_t most = 0;
    const Outcome outcome = read(records);
    most = outcome.accounts.blocks_delivered;
    EXPECT_EQ(most, 3000U);
    EXPECT_TRUE(is_in_order(outcome.items));
    EXPECT_TRUE(outcome.diagnostics.empty());
}

TEST(Merge, memory_is_bounded_when_a_stream_is_silent_under_full_load) {
    std::vector<RecordBuilder> records;
    for (std::uint32_t i = 0; i < 5000; ++i) {
        records.push_back(at(i * 100ULL, one(i)));
    }
    const Outcome outcome = read(records);
    EXPECT_EQ(outcome.accounts.blocks_delivered, 5000U);
    EXPECT_TRUE(is_in_order(outcome.items));
    EXPECT_GE(outcome.diagnostics.at("merge_memory_bound"), 1U);
}

TEST(Merge, the_base_is_the_second_of_the_earliest_block) {
    const Outcome outcome = read({at(second + 5, one(1)), at(second - 5, one(0))});
    EXPECT_EQ(outcome.base.unix_seconds, 1'700'000'000);
    EXPECT_EQ(outcome.items.at(0).time, 999'999'995'000);
    EXPECT_EQ(outcome.items.at(1).time, 1'000'000'005'000);
}

TEST(Merge, the_sink_asks_to_stop) {
    const Outcome outcome = run({data_file("small.pcap")}, {.format = {}, .raw = {}, .stop_after = 1});
    EXPECT_FALSE(outcome.finished);
    EXPECT_TRUE(outcome.accounts.sums_agree());
    EXPECT_EQ(outcome.items.size(), outcome.accounts.blocks_delivered);
    EXPECT_GT(outcome.accounts.bytes_unread, 0U);
}

TEST(Merge, datagrams_that_arrived_late_all_come_out_in_order) {
    const Outcome outcome = run({data_file("udp.pcap")});
    EXPECT_EQ(outcome.accounts.blocks_delivered, 4378U) << "75 records, counted independently";
    EXPECT_EQ(outcome.count(BlockItemKind::lost), 0U);
    EXPECT_TRUE(outcome.diagnostics.empty());
    EXPECT_TRUE(is_in_order(outcome.items));
}

}  // namespace
}  // namespace eciscope::capture::test
