#include "live/stream_counts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace eciscope::cli {
namespace {

class Numbers : public ::testing::Test {
 protected:
    // A record with this number, as the interposer writes it; its time goes on with the number.
    void take(std::uint32_t sequence, std::uint64_t time_ns = 0, std::uint32_t lost = 0) {
        std::array<std::uint8_t, 24> record = {'E', 'C', 'I', 'B', 1, 0, 0, 3};
        record[5] = lost != 0 ? 2 : 0;
        const std::uint64_t time = time_ns != 0 ? time_ns : 1'000'000 + std::uint64_t{sequence} * 1000;
        for (std::size_t i = 0; i < 4; ++i) {
            record[8 + i] = static_cast<std::uint8_t>(sequence >> (8 * i));
            record[12 + i] = static_cast<std::uint8_t>(lost >> (8 * i));
        }
        for (std::size_t i = 0; i < 8; ++i) {
            record[16 + i] = static_cast<std::uint8_t>(time >> (8 * i));
        }
        counter_.take(record);
    }
    [[nodiscard]] const StreamCount& count() const { return counter_.count(); }

 private:
    StreamCounter counter_;
};

TEST_F(Numbers, InOrderNothingIsMissing) {
    for (std::uint32_t number = 7; number < 10'007; ++number) {
        take(number);
    }
    EXPECT_EQ(count().records, 10'000U);
    EXPECT_EQ(count().blocks, 30'000U);
    EXPECT_EQ(count().missing + count().late + count().duplicate + count().restarts, 0U);
}

TEST_F(Numbers, AGapIsMissingUntilItComes) {
    take(1);
    take(5);
    EXPECT_EQ(count().missing, 3U);
    take(3);
    take(3);
    EXPECT_EQ(count().missing, 2U);
    EXPECT_EQ(count().late, 1U);
    EXPECT_EQ(count().duplicate, 1U);
    take(6);
    EXPECT_EQ(count().missing, 2U);
}

TEST_F(Numbers, WhatComesBeforeTheFirstIsLateToo) {
    take(10);
    take(7);
    EXPECT_EQ(count().late, 1U);
    EXPECT_EQ(count().missing, 2U);
    take(8);
    EXPECT_EQ(count().missing, 1U);
    take(7);
    EXPECT_EQ(count().duplicate, 1U);
}

TEST_F(Numbers, TheyWrap) {
    take(0xFFFFFFFE, 1000);
    take(0xFFFFFFFF, 2000);
    take(0, 3000);
    take(2, 5000);
    take(1, 4000);
    EXPECT_EQ(count().missing, 0U);
    EXPECT_EQ(count().late, 1U);
    EXPECT_EQ(count().restarts, 0U);
}

TEST_F(Numbers, ALowerNumberWithALaterTimeIsARestart) {
    take(1'000, 1'000);
    take(1'001, 2'000);
    take(0, 3'000);
    take(1, 4'000);
    EXPECT_EQ(count().restarts, 1U);
    EXPECT_EQ(count().missing, 0U);
    EXPECT_EQ(count().duplicate, 0U);
}

TEST_F(Numbers, AGapWiderThanTheMemoryIsMissing) {
    take(0);
    take(100'000);
    EXPECT_EQ(count().missing, 99'999U);
    take(99'999);
    EXPECT_EQ(count().missing, 99'998U);
}

TEST_F(Numbers, TheInterposersOwnLossesAreCounted) {
    take(0, 0, 17);
    take(1, 0, 0xFFFFFFFF);
    EXPECT_EQ(count().lost_blocks, 17U);
    EXPECT_EQ(count().lost_unknown, 1U);
}

TEST(StreamCounts, ForeignFramesAreCounted) {
    StreamCounts counts;
    const std::vector<std::uint8_t> frame(60);
    EXPECT_FALSE(counts.frame(frame));
    EXPECT_FALSE(counts.frame({}));
    EXPECT_EQ(counts.foreign(), 2U);
    EXPECT_EQ(counts.total().records, 0U);
}

}  // namespace
}  // namespace eciscope::cli
