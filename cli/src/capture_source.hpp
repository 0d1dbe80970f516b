// A capture of one or several files as a trace: reader and decoder in a row.
#pragma once

#include <memory>
#include <string>

#include "eciscope/capture/input.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

/// What matters where a capture is decoded while it is taken.
struct CaptureManner {
    std::string name;  ///< of the one input in diagnostics, where it is not the path
    std::size_t batch_messages = DecoderOptions{}.batch_messages;  ///< fewer come sooner
    capture::Input::Pull pull;  ///< where the one input's bytes come from, if not from its path
};

/// All files of `options` as one capture.
[[nodiscard]] Result<std::unique_ptr<TraceSource>> open_capture(const InputOptions& options, Diagnostics& diagnostics,
                                                                unsigned threads, const CaptureManner& manner = {});

}  // namespace eciscope::cli
