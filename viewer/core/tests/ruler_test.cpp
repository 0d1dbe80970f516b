// Times as a person reads them, and the ticks of the ruler.

#include <gtest/gtest.h>

#include <set>

#include "eciscope/view/picture.hpp"

namespace eciscope::view {

namespace {

TEST(TimeText, is_exact_in_the_largest_unit_that_fits) {
    EXPECT_EQ(time_text(0), "0 s");
    EXPECT_EQ(time_text(350), "350 ps");
    EXPECT_EQ(time_text(12'500), "12.5 ns");
    EXPECT_EQ(time_text(4'340), "4.34 ns");
    EXPECT_EQ(time_text(1'204'567'000'000), "1.204 567 s");
    EXPECT_EQ(time_text(-1'000'001), "-1.000 001 µs");
}

TEST(TimeText, with_digits_is_rounded) {
    EXPECT_EQ(time_text(1'204'567'000'000, 3), "1.205 s");
    EXPECT_EQ(time_text(1'999'999, 1), "2.0 µs");
    EXPECT_EQ(time_text(12'500, 0), "13 ns");
}

TEST(TimeText, the_ends_of_the_range) {
    EXPECT_EQ(time_text(std::numeric_limits<Picoseconds>::min()), "-9 223 372.036 854 775 808 s");
    EXPECT_EQ(time_text(std::numeric_limits<Picoseconds>::max()), "9 223 372.036 854 775 807 s");
}

TEST(Ruler, ticks_at_steps_of_1_2_or_5) {
    const auto ticks = ruler({0, 1'000'000, 1000}, 90);  // a microsecond
    std::vector<std::string> labels;
    for (const Tick& tick : ticks) {
        if (tick.major) {
            labels.push_back(tick.label);
        }
    }
    EXPECT_EQ(labels, (std::vector<std::string>{"0 ns", "100 ns", "200 ns", "300 ns", "400 ns", "500 ns", "600 ns",
                                                "700 ns", "800 ns", "900 ns"}));
}

TEST(Ruler, labels_keep_their_distance_and_differ_at_every_zoom) {
    for (Picoseconds span = 1920; span < Picoseconds{1} << 60; span = span * 3 / 2) {
        int last = -1000;
        std::set<std::string> labels;
        const auto ticks = ruler({987'654'321'987, span, 1920}, 90);
        EXPECT_LT(ticks.size(), 250U);
        for (const Tick& tick : ticks) {
            if (!tick.major) {
                continue;
            }
            EXPECT_GE(tick.column - last, 89) << span;
            EXPECT_TRUE(labels.insert(tick.label).second) << tick.label;
            last = tick.column;
        }
        EXPECT_FALSE(labels.empty());
    }
}

}  // namespace

}  // namespace eciscope::view
