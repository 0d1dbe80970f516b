// Statistics over messages, and lines to export and to follow.
#pragma once

namespace eciscope::shark {

/// Tables, exports and follow; in the order of Wireshark's start, before the hand-off.
void register_statistics(int message_protocol);
/// The tree needs the tap to be registered.
void register_statistics_tree();

void register_lines(int message_protocol);
/// Tap of the messages that bring data of a line.
[[nodiscard]] int export_tap();

}  // namespace eciscope::shark
