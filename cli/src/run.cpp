#include "run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "counting_sink.hpp"
#include "figures.hpp"
#include "interrupt.hpp"
#include "log.hpp"
#include "provenance.hpp"
#include "summary.hpp"

namespace eciscope::cli {

bool Watch::batch(const TraceBatch& batch) {
    if (!begun_) {
        begin_();
        begun_ = true;
    }
    messages_ += batch.messages.size();
    if (!sink_.batch(batch)) {
        stopped_by_sink_ = true;
        return false;
    }
    if (progress_.on()) {
        ProgressFigures figures = source_.figures();
        figures.messages = messages_;
        progress_.update(figures);
    }
    return !interrupted();
}

Exit report(const Failure& failure) {
    log_failure(failure);
    return failure.reader_left ? Exit::fine : failure.exit;
}

Exit print(const std::string& text) {
    CountingSink sink(STDOUT_FILENO);
    const auto written = sink.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    return written ? Exit::fine : report(system_failure("cannot write to standard output", sink.error_number()));
}

namespace {

/// By the user, now, or when what is converted was written.
bool is_interrupted(const Job& job) {
    const bool before = job.filter == nullptr && job.diagnostics.count_of(DiagnosticKind::trace_interrupted) != 0;
    return before || interrupted();
}

}  // namespace

Exit run_job(const Job& job) {
    Progress progress(!job.common.quiet && !job.common.no_progress);
    TraceSink& first = job.filter == nullptr ? static_cast<TraceSink&>(job.output) : *job.filter;
    Watch watch(first, job.source, progress,
                [&job] { job.output.begin(job.source.time_base(), job.source.metadata()); });
    const Result<void> run = job.source.run(watch);
    std::optional<ewf::Provenance> provenance;
    if (job.request.provenance && format_of(job.request) == OutputFormat::ewf) {
        provenance = provenance_of(job.inputs);
    }
    if (is_interrupted(job)) {
        provenance = provenance ? provenance : provenance_of({});
        provenance->interrupted = true;
    }
    const Result<void> finished = job.output.finish(job.source.metadata(), provenance ? &*provenance : nullptr);
    progress.clear();
    if (!finished) {
        return report(finished.error());
    }
    if (!run) {
        print_summary(job.source, job.diagnostics, job.common);
        return report(run.error());
    }
    if (!job.common.quiet && !job.request.to_stdout()) {
        const double seconds = progress.seconds();
        const auto read = static_cast<double>(job.source.figures().bytes);
        fmt::print(stderr, "{}: {} messages, {} ({:.2f} s, {}/s read)\n", job.request.path, grouped(watch.messages()),
                   bytes_text(job.output.bytes()), seconds, bytes_text(static_cast<std::uint64_t>(read / seconds)));
    }
    print_summary(job.source, job.diagnostics, job.common);
    if (interrupted()) {
        log_warning(fmt::format("interrupted: what was done by then is written, {} is whole",
                                job.request.to_stdout() ? "the output" : job.request.path));
        return interrupt_exit();
    }
    return verdict(job.source, job.diagnostics);
}

}  // namespace eciscope::cli
