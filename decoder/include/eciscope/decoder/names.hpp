// What the specification calls a message.
#pragma once

#include <cstdint>
#include <string_view>

namespace eciscope {

/// The name of the operation, e.g. "RLDX"; "RESERVED", "UNDOCUMENTED" or "UNASSIGNED" where the specification has none.
[[nodiscard]] std::string_view op_name(std::uint8_t vc, std::uint64_t header);

}  // namespace eciscope
