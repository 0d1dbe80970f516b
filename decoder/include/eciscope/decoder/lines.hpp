// How many cache lines a node's memory has, and which addresses, as the specification's functions say.
#pragma once

#include <cstdint>
#include <eciscope/spec/eci.hpp>

namespace eciscope {

inline constexpr std::uint64_t last_line_address = eci::line_address(eci::aliased_cli_of_address(~std::uint64_t{0}));
inline constexpr std::uint64_t line_bytes = last_line_address & (0 - last_line_address);  ///< its lowest bit
inline constexpr std::uint64_t last_address = last_line_address + line_bytes - 1;
inline constexpr std::uint64_t line_count = last_line_address / line_bytes + 1;  ///< aliased indices lie below

static_assert(eci::aliased_cli_of_address(last_address) < line_count);

}  // namespace eciscope
