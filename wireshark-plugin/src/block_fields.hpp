// Fields of records and blocks that are not the specification's.
#pragma once

#include "wireshark.hpp"

namespace eciscope::shark {

struct BlockFields {
    // The record.
    int magic = -1;
    int version = -1;
    int flags = -1;
    int direction = -1;
    int lost_flag = -1;
    int link = -1;
    int count = -1;
    int sequence = -1;
    int lost = -1;
    int time = -1;
    // One block.
    int offset = -1;
    int entry_flags = -1;
    int crc_flag = -1;
    int lane_flag = -1;
    int ordinal = -1;
    int type = -1;
    int control = -1;
    int word = -1;
    int vc = -1;
    int crc_computed = -1;
    int crc_status = -1;
    int credited_vc = -1;
    // What the blocks before and behind tell.
    int fragment = -1;
    int fragment_count = -1;
    int reassembled_in = -1;
    int pending = -1;
    int event = -1;
    int event_count = -1;
    int event_block = -1;
};

struct BlockExperts {
    expert_field crc = EI_INIT;
    expert_field sequence = EI_INIT;
    expert_field lost = EI_INIT;
    expert_field reserved_type = EI_INIT;
    expert_field malformed = EI_INIT;
    expert_field cut = EI_INIT;
    expert_field event = EI_INIT;
    expert_field not_used = EI_INIT;
};

[[nodiscard]] const BlockFields& block_fields();
[[nodiscard]] BlockExperts& block_experts();

void register_block_fields(int protocol);

}  // namespace eciscope::shark
