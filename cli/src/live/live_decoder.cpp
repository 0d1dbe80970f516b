#include "live/live_decoder.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <system_error>
#include <utility>

#include "capture_source.hpp"
#include "figures.hpp"
#include "log.hpp"
#include "run.hpp"
#include "summary.hpp"

namespace eciscope::cli {

namespace {

/// Where processors are short, taking frames comes before decoding them.
constexpr int niceness = 10;

}  // namespace

struct LiveDecoder::Outcome {
    Diagnostics diagnostics;
    std::unique_ptr<TraceSource> source;
    std::uint64_t messages = 0;
    bool output_failed = false;
    Result<void> run;
    Result<void> finished;
};

/// Between the decoder and the output. An output that fails does not end the trigger's watch, nor the capture.
class LiveDecoder::Sink final : public TraceSink {
 public:
    explicit Sink(LiveDecoder& owner) : owner_(owner) {}

    bool batch(const TraceBatch& batch) override {
        const TraceSource& source = *owner_.outcome_->source;
        if (!std::exchange(begun_, true)) {
            owner_.output_->begin(source.time_base(), source.metadata());
        }
        owner_.outcome_->messages += batch.messages.size();
        if (auto what = owner_.trigger_.look(batch, source.time_base())) {
            const std::lock_guard<std::mutex> lock(owner_.mutex_);
            owner_.found_ = std::move(what);
            owner_.any_found_ = true;
        }
        const bool written = owner_.outcome_->output_failed || owner_.output_->batch(batch);
        owner_.outcome_->output_failed |= !written;
        return true;
    }

 private:
    LiveDecoder& owner_;
    bool begun_ = false;
};

LiveDecoder::LiveDecoder(std::unique_ptr<TraceOutput> output, OutputRequest request, const TriggerOptions& trigger,
                         std::string name)
    : name_(std::move(name)),
      output_(std::move(output)),
      request_(std::move(request)),
      trigger_(trigger),
      outcome_(std::make_unique<Outcome>()) {}

LiveDecoder::~LiveDecoder() {
    end_input();
    if (thread_.joinable()) {
        thread_.join();
    }
}

Result<std::unique_ptr<LiveDecoder>> LiveDecoder::start(const OutputRequest& output, const TriggerOptions& trigger,
                                                        Backlog* backlog, int link_type, const std::string& name) {
    auto opened = open_output(output, {});
    if (!opened) {
        return tl::unexpected<Failure>(opened.error());
    }
    std::unique_ptr<LiveDecoder> decoder(new LiveDecoder(std::move(*opened), output, trigger, name));
    decoder->backlog_ = backlog;
    if (backlog == nullptr) {
        auto pipe = FramePipe::open(link_type);
        if (!pipe) {
            return tl::unexpected<Failure>(pipe.error());
        }
        decoder->pipe_ = std::move(*pipe);
    }
    try {
        decoder->thread_ = std::thread([&owner = *decoder] { owner.decode(); });
    } catch (const std::system_error& error) {
        return tl::unexpected<Failure>(system_failure("cannot start a thread to decode", error.code().value()));
    }
    return decoder;
}

/// The thread. Logs nothing: what there is to say is said by finish().
void LiveDecoder::decode() {
    (void)setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), niceness);  // on Linux, of this thread
    InputOptions input;
    input.files = {name_};
    input.format = "pcap";  // also where not one frame comes
    CaptureManner manner;
    manner.name = name_;
    manner.pull = [this](std::span<std::uint8_t> to) {
        return backlog_ != nullptr ? backlog_->pull(to) : pipe_->pull(to);
    };
    manner.batch_messages = trigger_.is_on() ? 64 : manner.batch_messages;
    auto source = open_capture(input, outcome_->diagnostics, 1, manner);
    if (source) {
        outcome_->source = std::move(*source);
        Sink sink(*this);
        outcome_->run = outcome_->source->run(sink);
        outcome_->finished = output_->finish(outcome_->source->metadata(), nullptr);
    } else {
        outcome_->run = tl::unexpected<Failure>(source.error());
    }
    if (pipe_) {
        pipe_->close_reading();  // whoever still writes sees that nobody reads
    }
}

bool LiveDecoder::write(const pcap_pkthdr& header, const std::uint8_t* bytes) {
    return !pipe_ || pipe_->write(header, bytes);
}

bool LiveDecoder::flush() {
    return !pipe_ || pipe_->flush();
}

std::optional<std::string> LiveDecoder::found() {
    if (!any_found_) {
        return std::nullopt;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    any_found_ = false;
    return found_;
}

void LiveDecoder::end_input() {
    if (backlog_ != nullptr) {
        backlog_->finish();
    } else if (pipe_) {
        pipe_->close_writing();
    }
}

Exit LiveDecoder::finish(const CommonOptions& common) {
    constexpr std::uint64_t worth_a_word = std::uint64_t{64} << 20;
    end_input();
    if (backlog_ != nullptr && backlog_->bytes_behind() > worth_a_word && !common.quiet) {
        fmt::print(stderr, "{} are captured and not decoded yet: decoding them\n",
                   bytes_text(backlog_->bytes_behind()));
    }
    thread_.join();
    if (!outcome_->run) {
        return report(outcome_->run.error());
    }
    const TraceSource& source = *outcome_->source;
    const bool to_file = format_of(request_) != OutputFormat::none;
    if (!common.quiet && to_file) {
        fmt::print(stderr, "{}: {} messages, {}\n", request_.path, grouped(outcome_->messages),
                   bytes_text(output_->bytes()));
    }
    print_summary(source, outcome_->diagnostics, common);
    if (backlog_ != nullptr && backlog_->frames_missed() != 0) {
        log_warning(
            fmt::format("{} frames were captured and not decoded, since --ring deleted their files first → a "
                        "larger --ring, or decode afterwards",
                        grouped(backlog_->frames_missed())));
    }
    if (!outcome_->finished) {
        return report(outcome_->finished.error());
    }
    return verdict(source, outcome_->diagnostics);
}

}  // namespace eciscope::cli
