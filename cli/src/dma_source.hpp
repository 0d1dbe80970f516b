// The dump of a trace buffer as a trace.
#pragma once

#include <memory>

#include "trace_source.hpp"

namespace eciscope::cli {

/// The one file of `options`, laid out as the map of `options` says.
[[nodiscard]] Result<std::unique_ptr<TraceSource>> open_dma(const InputOptions& options, bool is_regular,
                                                            Diagnostics& diagnostics);

/// The words of --point.
[[nodiscard]] const std::vector<std::string>& trace_point_names();

}  // namespace eciscope::cli
