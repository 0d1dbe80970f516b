#include "live/live_decoder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "capture_source.hpp"
#include "figures.hpp"
#include "live/interface.hpp"
#include "run.hpp"
#include "summary.hpp"

namespace eciscope::cli {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 10;
constexpr int pipe_bytes = 1 << 20;

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
      buffer_(new char[buffer_bytes]),
      outcome_(std::make_unique<Outcome>()) {}

LiveDecoder::~LiveDecoder() {
    close_pipe();
    if (thread_.joinable()) {
        thread_.join();
    }
    if (reading_end_ >= 0) {
        close(reading_end_);
    }
}

Result<std::unique_ptr<LiveDecoder>> LiveDecoder::start(const OutputRequest& output, const TriggerOptions& trigger,
                                                        int link_type, const std::string& name) {
    auto opened = open_output(output, {});
    if (!opened) {
        return tl::unexpected<Failure>(opened.error());
    }
    std::unique_ptr<LiveDecoder> decoder(new LiveDecoder(std::move(*opened), output, trigger, name));
    if (const auto pipe = decoder->open_pipe(link_type); !pipe) {
        return tl::unexpected<Failure>(pipe.error());
    }
    try {
        decoder->thread_ = std::thread([&owner = *decoder] { owner.decode(); });
    } catch (const std::system_error& error) {
        return tl::unexpected<Failure>(system_failure("cannot start a thread to decode", error.code().value()));
    }
    return decoder;
}

Result<void> LiveDecoder::open_pipe(int link_type) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        return tl::unexpected<Failure>(system_failure("cannot make a pipe", errno));
    }
    reading_end_ = ends[0];
    (void)fcntl(ends[1], F_SETPIPE_SZ, pipe_bytes);  // a smaller one does as well, with more changes of thread
    FILE* stream = fdopen(ends[1], "wb");
    if (stream == nullptr) {
        close(ends[1]);
        return tl::unexpected<Failure>(system_failure("cannot write into a pipe", errno));
    }
    (void)std::setvbuf(stream, buffer_.get(), _IOFBF, buffer_bytes);
    pcap_t* format =
        pcap_open_dead_with_tstamp_precision(link_type, Interface::snapshot_length, PCAP_TSTAMP_PRECISION_NANO);
    dumper_ = pcap_dump_fopen(format, stream);
    pcap_close(format);
    if (dumper_ == nullptr) {
        return fail(Exit::damaged, "cannot write into a pipe");
    }
    pcap_dump_flush(dumper_);
    return {};
}

/// The thread. Logs nothing: what there is to say is said by finish().
void LiveDecoder::decode() {
    InputOptions input;
    input.files = {fmt::format("/proc/self/fd/{}", reading_end_)};
    input.format = "pcap";  // also where not one frame comes
    CaptureManner manner;
    manner.name = name_;
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
    close(std::exchange(reading_end_, -1));  // whoever still writes sees that nobody reads
}

bool LiveDecoder::write(const pcap_pkthdr& header, const std::uint8_t* bytes) {
    pcap_dump(reinterpret_cast<u_char*>(dumper_), &header, bytes);
    return std::ferror(pcap_dump_file(dumper_)) == 0;
}

bool LiveDecoder::flush() {
    return pcap_dump_flush(dumper_) == 0;
}

std::optional<std::string> LiveDecoder::found() {
    if (!any_found_) {
        return std::nullopt;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    any_found_ = false;
    return found_;
}

void LiveDecoder::close_pipe() {
    if (dumper_ != nullptr) {
        pcap_dump_close(std::exchange(dumper_, nullptr));
    }
}

Exit LiveDecoder::finish(const CommonOptions& common) {
    close_pipe();
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
    if (!outcome_->finished) {
        return report(outcome_->finished.error());
    }
    return verdict(source, outcome_->diagnostics);
}

}  // namespace eciscope::cli
