// The two protocols: messages, one a packet, and records of blocks.
#pragma once

namespace eciscope::shark {

void register_eci();
void hand_off_eci();
void register_eciblk();
void hand_off_eciblk();

[[nodiscard]] int eci_protocol_number();

/// Binds the dissectors to the link types of the preferences.
void apply_preferences();

}  // namespace eciscope::shark
