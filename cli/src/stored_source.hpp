// Traces that are stored: EWF, from a file or a pipe, and JSON.
#pragma once

#include <memory>
#include <string>

#include "eciscope/capture/identify.hpp"
#include "eciscope/capture/input.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

/// A file that can be read anywhere.
[[nodiscard]] Result<std::unique_ptr<TraceSource>> open_ewf_file(const std::string& path, Diagnostics& diagnostics,
                                                                 unsigned threads);
[[nodiscard]] std::unique_ptr<TraceSource> open_ewf_stream(capture::Input input, const std::string& name,
                                                           Diagnostics& diagnostics);
[[nodiscard]] std::unique_ptr<TraceSource> open_json(capture::Input input, const std::string& name,
                                                     Diagnostics& diagnostics);

/// An error of the EWF library about a file.
[[nodiscard]] Failure stored_failure(const std::string& name, const ewf::Error& error);

/// A table of messages: sys_csv or ila_csv.
[[nodiscard]] std::unique_ptr<TraceSource> open_table(capture::Input input, const std::string& name,
                                                      capture::FileKind kind, Diagnostics& diagnostics);

}  // namespace eciscope::cli
