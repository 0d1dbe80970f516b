// A message or finding as a page of text with links.
#pragma once

#include <QString>

#include "session.hpp"

namespace eciscope::view {

/// Links: "message:17" goes to one, "pin:0x80@1" pins a line.
[[nodiscard]] QString details_html(Session& session);

/// Of a message: what the heading says, without marks.
[[nodiscard]] QString details_heading(const MessageRow& row);

[[nodiscard]] QString statistics_html(const Session& session, const Statistics& statistics);

}  // namespace eciscope::view
