// Messages that keep no order, as a sorted list of steps.
#pragma once

#include <algorithm>
#include <vector>

#include "machines.hpp"

namespace eciscope::conformance::model {

using Bag = std::vector<StepId>;

[[nodiscard]] inline Bag with(Bag bag, StepId step) {
    bag.insert(std::upper_bound(bag.begin(), bag.end(), step), step);
    return bag;
}

/// Only if it is in it.
[[nodiscard]] inline Bag without(Bag bag, StepId step) {
    bag.erase(std::lower_bound(bag.begin(), bag.end(), step));
    return bag;
}

}  // namespace eciscope::conformance::model
