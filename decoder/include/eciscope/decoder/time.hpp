// Time as the whole suite keeps it: integer picoseconds from a base of whole Unix seconds.
#pragma once

#include <cstdint>
#include <limits>

namespace eciscope {

/// Picoseconds from a trace's base. Signed 64 bits reach 106 days to either side; what lies further away is refused
/// where it enters (diagnostic `time_out_of_range`).
using Picoseconds = std::int64_t;

inline constexpr Picoseconds picoseconds_per_nanosecond = 1'000;
inline constexpr Picoseconds picoseconds_per_second = 1'000'000'000'000;

/// Where a trace's zero lies: whole seconds since the Unix epoch (or the interposer's own, where it has no clock).
/// A trace takes the second of its earliest time as its base, so the base does not depend on how the input was cut.
struct TimeBase {
    std::int64_t unix_seconds = 0;

    friend constexpr bool operator==(TimeBase, TimeBase) = default;
};

}  // namespace eciscope
