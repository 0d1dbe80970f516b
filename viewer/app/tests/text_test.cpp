#include "text.hpp"

#include <gtest/gtest.h>

namespace eciscope::view {
namespace {

Facts facts_from(std::int64_t second, Picoseconds first) {
    Facts facts;
    facts.base.unix_seconds = second;
    facts.limits = {first, first + 1000};
    return facts;
}

TEST(Text, SecondsHaveAllDigitsOnBothSidesOfTheBase) {
    EXPECT_EQ(seconds_text({1359}, 224'872'569'018), QStringLiteral("1359.224872569018"));
    EXPECT_EQ(seconds_text({1359}, -1), QStringLiteral("1358.999999999999"));
    EXPECT_EQ(seconds_text({0}, 690 * picoseconds_per_second / 1000), QStringLiteral("0.690000000000"));
}

TEST(Text, SecondsAreReadAsTheyAreWritten) {
    const Facts facts = facts_from(1359, 200);
    for (const Picoseconds time : {Picoseconds{0}, Picoseconds{1}, Picoseconds{224'872'569'018}, Picoseconds{-1}}) {
        const auto read = parse_seconds(seconds_text(facts.base, time), facts);
        ASSERT_TRUE(read);
        EXPECT_EQ(*read, time);
    }
    EXPECT_EQ(*parse_seconds(QStringLiteral("+0.000001"), facts), 1'000'200);
    for (const char* wrong : {"", "x", "1.2.3", "1.0000000000001", "99999999999999999999", "900000000000000"}) {
        EXPECT_FALSE(parse_seconds(QString::fromLatin1(wrong), facts)) << wrong;
    }
}

TEST(Text, LinesAreReadAsTheyAreWritten) {
    const auto line = parse_line(QStringLiteral("0x80@1"));
    ASSERT_TRUE(line);
    EXPECT_EQ(line->home, 1);
    EXPECT_EQ(line->aliased_cli, 0x80U);
    EXPECT_EQ(line_text(*line), QStringLiteral("0x80@1"));
    EXPECT_EQ(parse_line(QStringLiteral("128"))->aliased_cli, 128U);
    for (const char* wrong : {"", "0x80@2", "0x80@", "@1", "0x80@1@1", "line"}) {
        EXPECT_FALSE(parse_line(QString::fromLatin1(wrong))) << wrong;
    }
}

}  // namespace
}  // namespace eciscope::view
