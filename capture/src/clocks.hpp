// Cycles of a machine's clocks as picoseconds, exactly.
#pragma once

#include <algorithm>
#include <cstdint>

#include "eciscope/capture/sys_csv.hpp"
#include "eciscope/decoder/time.hpp"

namespace eciscope::capture {

/// Rounded down; bounded, so that no number in a table overflows.
[[nodiscard]] inline Picoseconds time_of_sys_cycles(std::uint64_t cycles) {
    cycles = std::min(cycles, sys_most_cycles);
    const std::uint64_t whole = cycles / sys_cycle_denominator * sys_cycle_numerator;
    const std::uint64_t rest = cycles % sys_cycle_denominator * sys_cycle_numerator / sys_cycle_denominator;
    return static_cast<Picoseconds>(whole + rest);
}

inline constexpr std::uint64_t app_cycle_ps = 5'000;  ///< 200 MHz

[[nodiscard]] inline Picoseconds time_of_app_cycles(std::uint64_t cycles) {
    return static_cast<Picoseconds>(std::min(cycles, sys_most_cycles) * app_cycle_ps);
}

}  // namespace eciscope::capture
