// How far apart the two cursors are: in time, in cycles, and in blocks of each stream.
#pragma once

#include <QString>
#include <array>
#include <optional>

#include "session.hpp"

namespace eciscope::view {

/// By Stream::index(), the ordinal of the block that ends the first message at `time` or later; none where no message
/// follows soon. A trace knows the time of no other block.
using NextBlocks = std::array<std::optional<std::uint64_t>, stream_count>;
[[nodiscard]] NextBlocks next_blocks(Document& document, Picoseconds time);

/// Nothing unless both cursors are set.
[[nodiscard]] QString cursors_html(Session& session);

}  // namespace eciscope::view
