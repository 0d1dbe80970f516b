// The options that say where a trace goes.
#pragma once

#include "program.hpp"
#include "trace_output.hpp"

namespace eciscope::cli {

/// Adds -o, --to, --threads and those of the text format.
void add_output_options(Program& program, CLI::App& command, OutputRequest& request);

}  // namespace eciscope::cli
