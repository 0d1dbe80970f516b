// What the first pass over a file finds out about a message from other messages. Lives as long as the file; later
// visits of a frame only read it.
#pragma once

#include <cstdint>

#include "eciscope/conformance/line_states.hpp"
#include "eciscope/conformance/rules.hpp"
#include "eciscope/decoder/time.hpp"

namespace eciscope::shark {

struct FindingNote {
    const FindingNote* next = nullptr;
    const char* rule = nullptr;  ///< its id
    const char* text = nullptr;
    const char* states = nullptr;  ///< configurations of the line that were possible before the message
    conformance::RuleSeverity severity{};
};

struct MessageFacts {
    std::uint32_t frame = 0;
    std::uint32_t request_in = 0;   ///< frames; 0: none
    std::uint32_t response_in = 0;  ///< known once the response was seen
    std::uint32_t retired_by = 0;   ///< a later request with the same line and id, before any answer
    std::uint32_t line_previous = 0;
    std::uint32_t line_next = 0;
    std::uint32_t line_number = 0;     ///< lines are numbered as they appear
    Picoseconds elapsed = 0;           ///< from the request to its response, in both
    std::uint64_t request_header = 0;  ///< of a response, if request_in
    const FindingNote* findings = nullptr;
    const conformance::LineKnowledge* line_before = nullptr;  ///< null where messages are not checked
    const conformance::LineKnowledge* line_after = nullptr;
    std::uint8_t request_vc = 0;
    bool has_line_number = false;
    bool after_loss = false;  ///< the first of its stream after something was lost
    bool opens = false;       ///< asks for an answer
};

}  // namespace eciscope::shark
