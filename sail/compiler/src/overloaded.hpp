#pragma once

namespace eciscope::sailgen {

// Several lambdas as one visitor.
template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace eciscope::sailgen
