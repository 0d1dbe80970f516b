// Fields of a message that are not the specification's: where and when it was seen, and what other messages tell of it.
#pragma once

#include "wireshark.hpp"

namespace eciscope::shark {

struct MessageFields {
    int index = -1;
    int time_first = -1;
    int time_last = -1;
    int picoseconds = -1;
    int link = -1;
    int from = -1;
    int to = -1;
    int vc = -1;
    int message_class = -1;
    int op = -1;
    int home = -1;
    int address = -1;
    int aliased_address = -1;
    int aliased_cli = -1;
    int line = -1;
    int word = -1;
    int word_count = -1;
    int data = -1;
    int block_first = -1;
    int block_last = -1;
    int slot = -1;
    int after_loss = -1;
    int request_in = -1;
    int response_in = -1;
    int retired_by = -1;
    int time = -1;
    int time_ps = -1;
    int line_stream = -1;
    int line_previous = -1;
    int line_next = -1;
    int violation = -1;
    int state_before = -1;
    int state_after = -1;
    int hypotheses = -1;
    // Of an event between messages.
    int event = -1;
    int event_time = -1;
    int event_count = -1;
    int event_block = -1;
    int event_detail = -1;
};

struct MessageExperts {
    expert_field reserved = EI_INIT;
    expert_field wrong_vc = EI_INIT;
    expert_field wrong_parity = EI_INIT;
    expert_field partial = EI_INIT;
    expert_field after_loss = EI_INIT;
    expert_field retired = EI_INIT;
    expert_field finding_violation = EI_INIT;
    expert_field finding_warning = EI_INIT;
    expert_field finding_note = EI_INIT;
    expert_field event = EI_INIT;
    expert_field malformed = EI_INIT;
};

[[nodiscard]] const MessageFields& message_fields();
[[nodiscard]] MessageExperts& message_experts();

void register_message_fields(int protocol);

}  // namespace eciscope::shark
