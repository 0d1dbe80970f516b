#include "eciscope/conformance/tables.hpp"

#include <algorithm>

namespace eciscope::conformance {

std::string_view name(Tap tap) {
    constexpr std::array<std::string_view, tap_count> names{"home-side", "in-order", "unordered"};
    return names[static_cast<std::size_t>(tap)];
}

const Profile* find_profile(std::string_view name) {
    const auto all = profiles();
    const auto found = std::find_if(all.begin(), all.end(), [name](const Profile& p) { return p.name == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace eciscope::conformance
