#include "live/recorder.hpp"

#include <fmt/format.h>

#include <utility>

#include "figures.hpp"
#include "interrupt.hpp"
#include "live/capture_report.hpp"
#include "log.hpp"

namespace eciscope::cli {

namespace {

/// How often conditions of time are looked at on a silent link.
constexpr int tick_milliseconds = 100;
/// So long a silence after a signal means that the kernel holds nothing more from before it.
constexpr int silence_milliseconds = 2 * Interface::batch_milliseconds;

std::int64_t wall_clock_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace

void Recorder::end(std::string why) {
    if (why_.empty()) {
        why_ = std::move(why);
    }
}

void Recorder::take(const pcap_pkthdr& header, const std::uint8_t* bytes) {
    if (latest_ns_ != 0 && std::int64_t{header.ts.tv_sec} * 1'000'000'000 + header.ts.tv_usec > latest_ns_) {
        beyond_ = true;
        interface_.stop();
        return;
    }
    ++figures_.frames;
    figures_.frame_bytes += header.caplen;
    records_ += figures_.streams.frame({bytes, header.caplen}) ? 1U : 0U;
    if (outcome_ = files_.write(header, bytes); !outcome_) {
        interface_.stop();
        return;
    }
    if (decoder_ != nullptr && (figures_.decoder_refused != 0 || !decoder_->write(header, bytes))) {
        ++figures_.decoder_refused;
    }
    if (conditions_.records && records_ >= *conditions_.records) {
        end(fmt::format("{} records", grouped(*conditions_.records)));
        interface_.stop();
    } else if (conditions_.bytes && files_.bytes() >= *conditions_.bytes) {
        end(bytes_text(*conditions_.bytes));
        interface_.stop();
    }
}

/// Waits for frames and takes what there is.
Result<void> Recorder::round(int milliseconds) {
    interface_.wait(milliseconds, held_.mask_before());
    const auto taken = interface_.take([this](const pcap_pkthdr& h, const std::uint8_t* b) { take(h, b); });
    if (!outcome_) {
        return outcome_;
    }
    if (!taken) {
        return tl::unexpected<Failure>(taken.error());
    }
    if (decoder_ != nullptr && figures_.decoder_refused == 0 && !decoder_->flush()) {
        figures_.decoder_refused = 1;
    }
    // Whoever reads behind the capture sees frames as soon as they come.
    return decoder_ != nullptr || files_.is_stream() ? files_.flush() : Result<void>();
}

bool Recorder::is_over() {
    const Clock::time_point now = Clock::now();
    if (interrupted()) {
        end("a signal");
    }
    if (conditions_.duration && now - start_ >= *conditions_.duration) {
        end("the time given");
    }
    if (decoder_ != nullptr && !trigger_end_) {
        if (auto found = decoder_->found()) {
            trigger_ = "the trigger: " + *found;
            trigger_end_ = now + std::chrono::duration_cast<Clock::duration>(conditions_.after_trigger);
        }
    }
    if (trigger_end_ && now >= *trigger_end_) {
        end(trigger_);
    }
    return !why_.empty();
}

void Recorder::count() {
    figures_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    figures_.kernel = interface_.counts();
}

/// Takes what had come before the end was known and is still in the kernel's ring.
Result<void> Recorder::drain() {
    latest_ns_ = wall_clock_ns();
    Clock::time_point silent_since = Clock::now();
    while (!beyond_ && Clock::now() - silent_since < std::chrono::milliseconds(silence_milliseconds)) {
        const std::uint64_t before = figures_.frames;
        if (auto done = round(silence_milliseconds); !done) {
            return done;
        }
        silent_since = figures_.frames == before ? silent_since : Clock::now();
    }
    return {};
}

Result<void> Recorder::run(LiveLine& line) {
    start_ = Clock::now();
    Clock::time_point next_look = start_;
    Result<void> outcome;
    while (outcome && !is_over()) {
        outcome = round(tick_milliseconds);
        if (const Clock::time_point now = Clock::now(); outcome && now >= next_look) {
            next_look = now + std::chrono::milliseconds(500);
            count();
            line.draw(figures_);
            outcome = interface_.check_up();
            outcome = outcome ? files_.flush() : outcome;  // others may look at the file while it grows
        }
    }
    held_.let_go();  // a second signal ends the program, wherever it is
    const bool exact = conditions_.records && records_ >= *conditions_.records;
    if (outcome && !exact && (!conditions_.bytes || files_.bytes() < *conditions_.bytes)) {
        outcome = drain();
    }
    count();
    line.clear();
    const auto closed = files_.close();
    if (!outcome) {
        end("a failure");
        return outcome;
    }
    return closed;
}

}  // namespace eciscope::cli
