// Measures what a person waits for.
#pragma once

#include "arguments.hpp"

namespace eciscope::view {

/// Prints the figures, one a line. The process's exit code.
[[nodiscard]] int run_bench(const Arguments& arguments);

}  // namespace eciscope::view
