// A capture of one or several files as a trace: reader and decoder in a row.
#pragma once

#include <memory>

#include "trace_source.hpp"

namespace eciscope::cli {

/// All files of `options` as one capture. Fewer messages in a batch come sooner.
[[nodiscard]] Result<std::unique_ptr<TraceSource>> open_capture(
    const InputOptions& options, Diagnostics& diagnostics, unsigned threads,
    std::size_t batch_messages = DecoderOptions{}.batch_messages);

}  // namespace eciscope::cli
