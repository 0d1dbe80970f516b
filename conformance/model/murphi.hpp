// The same model for an independent checker: Murphi's language, as `rumur` reads it.
#pragma once

#include <string>

#include "machines.hpp"

namespace eciscope::conformance::model {

/// One line with unordered channels and tracked data, with the invariants of checks.hpp. The number of states that
/// rumur counts is that of explore(machines, Tap::in_order, Data::tracked).
[[nodiscard]] std::string to_murphi(const Machines& machines);

}  // namespace eciscope::conformance::model
