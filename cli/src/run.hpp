// From a source to an output, with a progress bar, until the end or an interrupt.
#pragma once

#include <functional>

#include "common_options.hpp"
#include "eciscope/decoder/diagnostic.hpp"
#include "trace_output.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

/// Stands between a source and a sink: tells the sink the base of times before the first batch, draws progress and
/// stops at an interrupt.
class Watch final : public TraceSink {
 public:
    using Begin = std::function<void()>;

    Watch(TraceSink& sink, const TraceSource& source, Progress& progress, Begin begin)
        : sink_(sink), source_(source), progress_(progress), begin_(std::move(begin)) {}

    bool batch(const TraceBatch& batch) override;

    [[nodiscard]] std::uint64_t messages() const { return messages_; }
    [[nodiscard]] bool stopped_by_sink() const { return stopped_by_sink_; }

 private:
    TraceSink& sink_;
    const TraceSource& source_;
    Progress& progress_;
    Begin begin_;
    std::uint64_t messages_ = 0;
    bool begun_ = false;
    bool stopped_by_sink_ = false;
};

struct Job {
    TraceSource& source;
    TraceOutput& output;
    Diagnostics& diagnostics;
    const CommonOptions& common;
    const OutputRequest& request;
    const std::vector<std::string>& inputs;
    /// What stands between source and output, if anything (`cut`); it passes on to `output`.
    TraceSink* filter = nullptr;
};

/// Runs the job, prints the summary, and says how the program ends.
[[nodiscard]] Exit run_job(const Job& job);

/// Text to standard output, as a whole.
[[nodiscard]] Exit print(const std::string& text);

/// The failure on standard error, and its exit code.
[[nodiscard]] Exit report(const Failure& failure);

}  // namespace eciscope::cli
