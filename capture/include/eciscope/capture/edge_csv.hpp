// The table of blocks that a logic analyser on a real machine recorded:
// window,sample,link,from,word1,…,word7,control with `link` 1 or 2, `from` cpu (node 0) or fpga (node 1), words of 16
// hex digits. The lowest 24 bits of the control word, its CRC, were not captured, and time does not run on between
// windows.
#pragma once

#include <cstdint>

#include "eciscope/capture/accounts.hpp"
#include "eciscope/capture/input.hpp"
#include "eciscope/capture/merge.hpp"
#include "eciscope/decoder/diagnostic.hpp"

namespace eciscope::capture {

inline constexpr std::uint64_t edge_sample_ps = 3103;      ///< one system clock of 322.265625 MHz, rounded
inline constexpr std::uint64_t edge_window_ns = 10'000;    ///< a window's time is its number times this
inline constexpr std::uint64_t edge_most_samples = 3'000;  ///< so that a window ends before the next begins
inline constexpr std::uint64_t edge_most_windows = 100'000'000;

/// Pushes a table's blocks. Each window stands alone: a boundary of the merger lies between any two. `records` counts
/// on.
void read_edge_csv(Input& input, std::uint32_t source, std::uint64_t& records, Merger& merger, Accounts& accounts,
                   Diagnostics& diagnostics);

}  // namespace eciscope::capture
