// Names of the JSON form that writer and reader share.
#pragma once

#include <cstdint>
#include <string_view>

#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/metadata.hpp"

namespace eciscope::ewf::detail {

inline constexpr std::string_view json_format_name = "eciscope-trace";
inline constexpr std::uint64_t json_format_version = 1;

/// Which of an event's values always have a key; others have one where they are not zero.
struct EventKeys {
    bool count = false;
    bool power_on = false;  ///< `detail` is the truth value `from_power_on`
    bool control = false;   ///< `detail` is the control word `control`
};

inline constexpr EventKind last_event_kind = EventKind::capture_ends;

constexpr EventKeys event_keys(EventKind kind) {
    switch (kind) {
        case EventKind::lost:
        case EventKind::discarded:
        case EventKind::replayed:
        case EventKind::capture_ends:
            return {.count = true};
        case EventKind::link_up:
            return {.power_on = true};
        case EventKind::handshake:
            return {.control = true};
        case EventKind::damaged:
        case EventKind::retry:
        case EventKind::link_down:
        case EventKind::restarted:
            break;
    }
    return {};
}

constexpr std::string_view json_name(Clock clock) {
    switch (clock) {
        case Clock::unix_time:
            return "unix_time";
        case Clock::interposer:
            return "interposer";
        case Clock::unknown:
            break;
    }
    return "unknown";
}

}  // namespace eciscope::ewf::detail
