// What a live capture tells: a line while it runs, and sums at its end.
#pragma once

#include <string>

#include "live/recorder.hpp"
#include "terminal.hpp"

namespace eciscope::cli {

/// A line on the terminal with rates and losses.
class LiveLine {
 public:
    explicit LiveLine(bool wanted);
    LiveLine(const LiveLine&) = delete;
    LiveLine& operator=(const LiveLine&) = delete;
    ~LiveLine() { clear(); }

    void draw(const LiveFigures& figures);
    void clear();

 private:
    Terminal terminal_;
    bool on_ = false;
    bool drawn_ = false;
    double seconds_ = 0;  ///< when it was drawn last, and what the figures were
    std::uint64_t frames_ = 0;
    std::uint64_t bytes_ = 0;
};

/// Every frame in one account, then each stream that showed. `sums_agree` is set.
[[nodiscard]] std::string live_summary(const LiveFigures& figures, const CaptureFiles& files, bool& sums_agree);

}  // namespace eciscope::cli
