// One home with several remotes: the directory has an entry for each, and a request waits for what the others hold.
#pragma once

#include <cstddef>
#include <vector>

#include "checks.hpp"

namespace eciscope::conformance::model {

struct SeveralRemotes {
    std::size_t configurations = 0;  ///< remotes that change places count once
    std::vector<Finding> findings;   ///< the first of each check
};

/// Explores everything that one home and `remotes` remotes (at most four) can come to, data aside, and checks: no
/// unspecified reception, no deadlock, and that nobody else has a copy while one may write.
[[nodiscard]] SeveralRemotes check_several(const Machines& machines, std::size_t remotes);

}  // namespace eciscope::conformance::model
