// Blocks as hexadecimal text: 128 digits a block, in wire order, in one line or in several, with or without settings,
// offsets and comments; docs/capture.md says exactly what is read.
#pragma once

#include <cstdint>
#include <optional>

#include "eciscope/capture/accounts.hpp"
#include "eciscope/capture/input.hpp"
#include "eciscope/capture/merge.hpp"
#include "eciscope/capture/raw.hpp"
#include "eciscope/decoder/diagnostic.hpp"

namespace eciscope::capture {

/// True if the first line that is not empty or a comment holds at least 16 bytes of such text.
[[nodiscard]] bool looks_like_hex(Bytes head);

/// Pushes the blocks. `options` say the time of the first block and the distance of those whose time is not said, and
/// where `stream_said`, of which stream blocks are until the text says another. `records` counts on.
void read_hex(Input& input, const RawOptions& options, bool stream_said, std::uint32_t source, std::uint64_t& records,
              Merger& merger, Accounts& accounts, Diagnostics& diagnostics);

}  // namespace eciscope::capture
