#include "heavy_hitters.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace eciscope::cli {
namespace {

TEST(HeavyHitters, ExactWhileKeysFit) {
    HeavyHitters lines(16);
    for (std::uint64_t key = 0; key < 16; ++key) {
        for (std::uint64_t n = 0; n <= key; ++n) {
            lines.add(key << 32U);
        }
    }
    EXPECT_EQ(lines.error(), 0U);
    EXPECT_EQ(lines.distinct(), 16U);
    const auto top = lines.top(3);
    ASSERT_EQ(top.size(), 3U);
    EXPECT_EQ(top[0].key, std::uint64_t{15} << 32U);
    EXPECT_EQ(top[0].count, 16U);
    EXPECT_EQ(top[2].count, 14U);
}

TEST(HeavyHitters, KeepsItsPromiseWhenKeysDoNotFit) {
    HeavyHitters lines(64);
    std::map<std::uint64_t, std::uint64_t> truth;
    std::mt19937_64 random(1);  // NOLINT(cert-msc51-cpp): the same every time
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t key = random() % 4 == 0 ? random() % 3 : random() % 10'000;
        lines.add(key);
        ++truth[key];
    }
    ASSERT_GT(lines.error(), 0U);
    const auto top = lines.top(64);
    for (const auto& entry : top) {
        EXPECT_LE(entry.count, truth[entry.key]);
        EXPECT_GE(entry.count + lines.error(), truth[entry.key]);
    }
    for (std::size_t place = 0; place < 3; ++place) {
        EXPECT_LT(top[place].key, 3U) << "the frequent ones come first";
    }
}

TEST(HeavyHitters, ManyEquallyRareKeys) {
    HeavyHitters lines(8);
    for (std::uint64_t key = 0; key < 1'000; ++key) {
        lines.add(key);
    }
    EXPECT_LE(lines.top(100).size(), 8U);
}

}  // namespace
}  // namespace eciscope::cli
