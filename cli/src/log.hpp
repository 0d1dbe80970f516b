// What goes to standard error besides the progress bar.
#pragma once

#include <string>

#include "common_options.hpp"
#include "failure.hpp"

namespace eciscope::cli {

/// Sets the log up for standard error.
void start_log(const CommonOptions& options);

void log_error(const std::string& text);
/// Not with --quiet.
void log_warning(const std::string& text);

/// Says why the program cannot go on; nothing if whoever read the output went away.
void log_failure(const Failure& failure);

}  // namespace eciscope::cli
