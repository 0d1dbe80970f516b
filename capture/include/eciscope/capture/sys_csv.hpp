// The table of messages that was recorded at the boundary of a real machine's directory slices:
// run,slice,sample,window,ts_cycles,vc,src,size,header. Runs do not share a time base: each begins a whole second
// after the one before it, and a `restarted` event of every stream stands between them. Data words were not captured,
// so that messages hold their headers only; of link 0, since the table does not say.
#pragma once

#include <cstdint>

#include "eciscope/capture/input.hpp"
#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/decoder/message.hpp"

namespace eciscope::capture {

/// One cycle of the 322.265625 MHz system clock is 102,400/33 ps.
inline constexpr std::uint64_t sys_cycle_numerator = 102'400;
inline constexpr std::uint64_t sys_cycle_denominator = 33;
inline constexpr std::uint64_t sys_most_cycles = std::uint64_t{1} << 50U;  ///< of a run; 40 days
inline constexpr std::size_t sys_most_rows = 1'000'000;                    ///< of a run; they are sorted in memory

/// Hands the table's messages to `sink`, run by run. False if the sink asked to stop.
bool read_sys_csv(Input& input, std::uint32_t source, TraceSink& sink, Diagnostics& diagnostics);

}  // namespace eciscope::capture
