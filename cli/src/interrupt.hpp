// Ctrl-C and SIGTERM ask for an orderly end: reading stops, what is done is written out as a whole file.
#pragma once

#include "exit_codes.hpp"

namespace eciscope::cli {

/// Installs the handlers. A second signal ends the program at once. SIGPIPE is ignored: a write that nobody reads is an
/// error value.
void catch_interrupts();

[[nodiscard]] bool interrupted();

/// Exit::interrupted or Exit::terminated; only after interrupted().
[[nodiscard]] Exit interrupt_exit();

}  // namespace eciscope::cli
