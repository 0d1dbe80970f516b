#include "figures.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace eciscope::cli {
namespace {

constexpr TimeBase capture_base{1'700'000'000};

TEST(Figures, AreReadable) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1'234'567), "1,234,567");
    EXPECT_EQ(bytes_text(999), "999 B");
    EXPECT_EQ(bytes_text(1'500), "1.50 kB");
    EXPECT_EQ(bytes_text(999'600), "1.00 MB");
    EXPECT_EQ(bytes_text(123'456'789'000), "123 GB");
    EXPECT_EQ(duration_text(0), "0 s");
    EXPECT_EQ(duration_text(1), "1 ps");
    EXPECT_EQ(duration_text(1'500'000'000), "1.5 ms");
    EXPECT_EQ(rate_text(1'000, 0), "-");
}

TEST(Figures, TimesAreExactToThePicosecond) {
    EXPECT_EQ(seconds_text(capture_base, 5'000'001), "1700000000.000005000001");
    EXPECT_EQ(seconds_text(capture_base, -1), "1699999999.999999999999");
    EXPECT_EQ(seconds_text({0}, -1), "-0.000000000001");
    EXPECT_EQ(date_text(capture_base, 5'000'000), "2023-11-14 22:13:20.000005000000 UTC");
    EXPECT_EQ(date_text({12}, 0), "") << "a clock that counts from power-on has no date";
    EXPECT_EQ(date_text({std::numeric_limits<std::int64_t>::max() / 2}, 0), "");
}

Picoseconds in_capture(std::string_view text) {
    const auto wish = parse_time(text);
    EXPECT_TRUE(wish) << text;
    return wish ? wish->from(capture_base, 5'000'000) : -1;
}

TEST(Figures, TimesOfTheCommandLine) {
    EXPECT_EQ(in_capture("+1.5ms"), 5'000'000 + 1'500'000'000);
    EXPECT_EQ(in_capture("+3"), 5'000'000 + 3 * picoseconds_per_second);
    EXPECT_EQ(in_capture("+7ps"), 5'000'007);
    EXPECT_EQ(in_capture("+0.001ns"), 5'000'001);
    EXPECT_EQ(in_capture("1700000000.000005000001"), 5'000'001);
    EXPECT_EQ(in_capture("1700000001"), picoseconds_per_second);
    EXPECT_EQ(in_capture("2023-11-14T22:13:20.5Z"), picoseconds_per_second / 2);
}

TEST(Figures, WhatIsNoTimeIsRefused) {
    for (const char* text : {"", "+", "-1", "soon", "1.", "+1.5m", "+0.5ps", "1700000000.0000000000001",
                             "+99999999999999999999", "2023-11-14", "2023-99-14T22:13:20Z", "1e9", "+1.2.3s"}) {
        EXPECT_FALSE(parse_time(text)) << text;
    }
}

TEST(Figures, TimesFarOutsideTheTraceAreClipped) {
    EXPECT_EQ(parse_time("9999999999")->from({0}, 0), std::numeric_limits<Picoseconds>::max());
    EXPECT_EQ(parse_time("0")->from({9'999'999'999}, 0), std::numeric_limits<Picoseconds>::min());
}

}  // namespace
}  // namespace eciscope::cli
