// Pictures without a display.
#pragma once

#include <QString>

#include "arguments.hpp"
#include "session.hpp"

namespace eciscope::view {

[[nodiscard]] OpenOptions open_options(const Arguments& arguments);

/// Shows what the command line says of an open trace. What is wrong with it, else nothing.
[[nodiscard]] QString apply_view(Session& session, const Arguments& arguments);

/// The process's exit code.
[[nodiscard]] int run_export(const Arguments& arguments);

}  // namespace eciscope::view
