#include "bars.hpp"

#include <gtest/gtest.h>

namespace eciscope::cli {
namespace {

Terminal terminal(bool unicode) {
    Terminal result;
    result.unicode = unicode;
    result.columns = 50;
    return result;
}

TEST(Bars, TheLargestFillsTheLine) {
    EXPECT_EQ(draw_bars({{"RLDD", 300}, {"PSHA", 100}}, terminal(false)),
              "  RLDD  300  75.0 %  " + std::string(29, '#') + "\n" + "  PSHA  100  25.0 %  ##########\n");
}

TEST(Bars, WithUnicodeTheyAreExactToAnEighth) {
    EXPECT_EQ(draw_bars({{"a", 80}, {"b", 1}}, terminal(true)),
              "  a  80  98.8 %  █████████████████████████████████\n"
              "  b   1   1.2 %  ▍\n");
}

TEST(Bars, SomethingIsSeenOfTheSmallest) {
    const std::string text = draw_bars({{"many", 1'000'000}, {"one", 1}, {"none", 0}}, terminal(false));
    EXPECT_NE(text.find("one           1   0.0 %  #\n"), std::string::npos) << text;
    EXPECT_NE(text.find("none          0   0.0 %  \n"), std::string::npos) << text;
}

}  // namespace
}  // namespace eciscope::cli
