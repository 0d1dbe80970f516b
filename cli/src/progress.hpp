// A line on a terminal that shows how far a run is.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "terminal.hpp"

namespace eciscope::cli {

struct ProgressFigures {
    std::uint64_t bytes = 0;
    std::optional<std::uint64_t> total;  ///< unknown for a pipe
    std::uint64_t messages = 0;
};

class Progress {
 public:
    /// Draws on standard error, if `wanted` and that is a terminal. Nothing shows before half a second has passed.
    explicit Progress(bool wanted);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    [[nodiscard]] bool on() const { return on_; }
    /// Cheap: draws at most ten times a second.
    void update(const ProgressFigures& figures);
    /// Removes the line.
    void clear();

    [[nodiscard]] double seconds() const;

 private:
    using Clock = std::chrono::steady_clock;

    Terminal terminal_;
    bool on_ = false;
    bool drawn_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_ + std::chrono::milliseconds(500);
};

/// The line itself, at most `columns` wide.
[[nodiscard]] std::string progress_line(const ProgressFigures& figures, double seconds, const Terminal& terminal);

}  // namespace eciscope::cli
