// Numbers and times for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "eciscope/decoder/time.hpp"

namespace eciscope::cli {

/// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);
/// "4.2 MB", decimal units.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);
/// "1.234 ms", at most four digits, the unit that suits.
[[nodiscard]] std::string duration_text(Picoseconds duration);
/// "12.3 M" per second; "-" where the duration is zero.
[[nodiscard]] std::string rate_text(std::uint64_t count, Picoseconds duration);
/// Seconds since 1970 with twelve decimals.
[[nodiscard]] std::string seconds_text(TimeBase base, Picoseconds time);
/// "2023-11-14 22:13:20.000005000000 UTC", or nothing where the clock evidently does not count from 1970.
[[nodiscard]] std::string date_text(TimeBase base, Picoseconds time);

/// A point in time as the command line takes it: "+1.5ms" from the start of the trace, or seconds since 1970.
struct TimeWish {
    bool relative = false;
    std::int64_t seconds = 0;     ///< whole seconds; floor
    Picoseconds picoseconds = 0;  ///< 0 up to a second

    /// As picoseconds from `base`; clipped where it lies beyond what a trace can hold.
    [[nodiscard]] Picoseconds from(TimeBase base, Picoseconds start) const;
};

/// "+1.5ms", "+3s", "1700000000.000005", "2023-11-14T22:13:20.5Z"; exact to the picosecond.
[[nodiscard]] std::optional<TimeWish> parse_time(std::string_view text);

}  // namespace eciscope::cli
