// The specification's fields, registered with Wireshark.
#pragma once

#include <cstdint>

#include "spec_fields.hpp"
#include "wireshark.hpp"

namespace eciscope::shark {

/// Registers those whose filters begin with "eci." or "eciblk." for the protocol of that name.
void register_spec_fields(int message_protocol, int block_protocol);

/// Adds the fields of a layout, which stand in the 8 bytes at `offset`.
void add_spec_fields(proto_tree* tree, tvbuff_t* tvb, int offset, std::size_t layout);

}  // namespace eciscope::shark
