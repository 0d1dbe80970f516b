// The options that say where a trace comes from.
#pragma once

#include <string>

#include "program.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

/// Adds FILE…, --format, --raw, --link and --from.
void add_input_options(Program& program, CLI::App& command, InputOptions& options, const std::string& help);

/// Adds --threads.
void add_threads_option(CLI::App& command, unsigned& threads);

}  // namespace eciscope::cli
