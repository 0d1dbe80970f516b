// Several traces as one, by time, in memory that does not grow with them.
#pragma once

#include <memory>

#include "trace_source.hpp"

namespace eciscope::cli {

/// Every file of `options` is a trace of its own, read by a thread of its own a few batches ahead.
[[nodiscard]] Result<std::unique_ptr<TraceSource>> open_merged(const InputOptions& options, Diagnostics& diagnostics);

}  // namespace eciscope::cli
