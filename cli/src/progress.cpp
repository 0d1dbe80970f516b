#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "figures.hpp"

namespace eciscope::cli {

namespace {

std::string meter(double share, std::size_t width, bool unicode) {
    std::string text;
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
    for (std::size_t place = 0; place < width; ++place) {
        text += place < filled ? (unicode ? "━" : "=") : (unicode ? "╌" : "-");
    }
    return text;
}

std::string clock_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::clamp(std::ceil(seconds), 0.0, 359'999.0));
    return whole >= 3600 ? fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
                         : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

std::string progress_line(const ProgressFigures& figures, double seconds, const Terminal& terminal) {
    const double speed = seconds > 0 ? static_cast<double>(figures.bytes) / seconds : 0;
    const std::string done = fmt::format("{}  {}/s  {} messages", bytes_text(figures.bytes),
                                         bytes_text(static_cast<std::uint64_t>(speed)), grouped(figures.messages));
    if (!figures.total || *figures.total == 0) {
        return done;
    }
    const double share = std::min(1.0, static_cast<double>(figures.bytes) / static_cast<double>(*figures.total));
    const double left = speed > 0 ? static_cast<double>(*figures.total) * (1 - share) / speed : 0;
    const std::string text = fmt::format("{:3.0f} %  {}  {} left", share * 100, done, clock_text(left));
    if (text.size() + 8 > terminal.columns) {
        return text.substr(0, terminal.columns - 1);
    }
    const std::size_t width = std::min<std::size_t>(30, terminal.columns - text.size() - 3);
    return meter(share, width, terminal.unicode) + " " + text;
}

Progress::Progress(bool wanted) : terminal_(look_at(STDERR_FILENO)), on_(wanted && terminal_.is_terminal) {}

Progress::~Progress() {
    clear();
}

double Progress::seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Progress::update(const ProgressFigures& figures) {
    if (!on_) {
        return;
    }
    const Clock::time_point now = Clock::now();
    if (now < next_) {
        return;
    }
    next_ = now + std::chrono::milliseconds(100);
    drawn_ = true;
    fmt::print(stderr, "\r\033[K{}", progress_line(figures, seconds(), terminal_));
    std::fflush(stderr);
}

void Progress::clear() {
    if (drawn_) {
        fmt::print(stderr, "\r\033[K");
        std::fflush(stderr);
        drawn_ = false;
    }
}

}  // namespace eciscope::cli
