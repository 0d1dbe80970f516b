// Events in words, for people.
#pragma once

#include <string>
#include <string_view>

#include "eciscope/decoder/message.hpp"

namespace eciscope::ewf::detail {

void append_event(const Event& event, std::string& out);

/// Red for what is missing, yellow for what the link repaired or lost for a while, dim for the rest.
[[nodiscard]] std::string_view event_colour(EventKind kind);

}  // namespace eciscope::ewf::detail
