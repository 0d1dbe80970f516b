// What is certainly not answered yet, whichever of several configurations a line is in.
#pragma once

#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace eciscope::conformance::model {

inline constexpr std::uint32_t owes_grant = 1;
inline constexpr std::uint32_t owes_answer = 2;

/// Bits of the above that hold in every one of the configurations (numbers into the graph), as the tap sees it: an
/// answer that has passed the tap is not owed, even if nobody has received it.
[[nodiscard]] std::uint32_t owed(const Machines& machines, const Graph& graph,
                                 const std::vector<std::uint32_t>& configurations);

/// The same for one configuration.
[[nodiscard]] std::uint32_t owed(const Machines& machines, const Configuration& configuration);

}  // namespace eciscope::conformance::model
