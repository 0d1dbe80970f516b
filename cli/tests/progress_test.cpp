#include "progress.hpp"

#include <gtest/gtest.h>

#include <string>

namespace eciscope::cli {
namespace {

TEST(ProgressLine, ShowsShareSpeedMessagesAndTimeLeft) {
    Terminal terminal;
    terminal.columns = 100;
    EXPECT_EQ(progress_line({250'000'000, 1'000'000'000, 1'234'567}, 0.5, terminal),
              "=======----------------------- "
              " 25 %  250 MB  500 MB/s  1,234,567 messages  0:02 left");
}

TEST(ProgressLine, OfAPipeHasNoEnd) {
    EXPECT_EQ(progress_line({1'000'000, std::nullopt, 7}, 1, Terminal{}), "1.00 MB  1.00 MB/s  7 messages");
}

TEST(ProgressLine, FitsNarrowTerminals) {
    Terminal terminal;
    terminal.columns = 30;
    EXPECT_LT(progress_line({250'000'000, 1'000'000'000, 1'234'567}, 0.5, terminal).size(), 30U);
}

TEST(ProgressLine, NothingReadYet) {
    EXPECT_NE(progress_line({0, 0, 0}, 0, Terminal{}).find("0 B"), std::string::npos);
}

}  // namespace
}  // namespace eciscope::cli
