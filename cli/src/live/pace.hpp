// When a record is due, by the time that it carries.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace eciscope::cli {

/// Keeps the distances between records, divided by a speed. A record that is far ahead of the one before, or far behind
/// it (the interposer began again, or its time is damaged), is due at once, and the next ones count from it.
class Pace {
 public:
    using Clock = std::chrono::steady_clock;

    /// Without a speed everything is due at once.
    explicit Pace(std::optional<double> speed) : speed_(speed) {}

    [[nodiscard]] Clock::time_point due(std::uint64_t time_ns, Clock::time_point now) {
        if (!speed_) {
            return now;
        }
        const auto step = static_cast<std::int64_t>(time_ns - newest_ns_);
        if (!started_ || step > longest_step_ns || step < -longest_step_ns) {
            started_ = true;
            zero_ns_ = time_ns;
            newest_ns_ = time_ns;
            zero_ = now;
            return now;
        }
        newest_ns_ = step > 0 ? time_ns : newest_ns_;
        const auto since = static_cast<double>(static_cast<std::int64_t>(time_ns - zero_ns_));
        return zero_ + std::chrono::nanoseconds(static_cast<std::int64_t>(since / *speed_));
    }

 private:
    static constexpr std::int64_t longest_step_ns = 10'000'000'000;

    std::optional<double> speed_;
    bool started_ = false;
    std::uint64_t zero_ns_ = 0;
    std::uint64_t newest_ns_ = 0;
    Clock::time_point zero_;
};

}  // namespace eciscope::cli
