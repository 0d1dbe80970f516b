// Tables as Vivado's logic analyser exports them: a heading with the full names of the probes, a row with their
// radices, then one row a sample. Columns are found by the ends of their names, wherever they stand. Two kinds are
// read: the read-out of a trace buffer with messages (event_data, event_vc, src, ts), and blocks of both links as they
// pass (rx_block_…, tx_block_…).
#pragma once

#include <cstdint>

#include "eciscope/capture/accounts.hpp"
#include "eciscope/capture/input.hpp"
#include "eciscope/capture/merge.hpp"
#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/decoder/message.hpp"

namespace eciscope::capture {

inline constexpr std::size_t ila_most_rows = 1'000'000;  ///< of messages; they are sorted in memory

/// Hands the messages to `sink`, in order of time, which counts from the cycle 0: tables of one capture share it. Data
/// words are not in such tables, nor the link. False if the sink asked to stop.
bool read_ila_messages(Input& input, std::uint32_t source, TraceSink& sink, Diagnostics& diagnostics);

/// Pushes the blocks. Each window stands alone, as in edge_csv.hpp. `records` counts on.
void read_ila_blocks(Input& input, std::uint32_t source, std::uint64_t& records, Merger& merger, Accounts& accounts,
                     Diagnostics& diagnostics);

}  // namespace eciscope::capture
