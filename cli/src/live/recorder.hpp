// The main loop of a live capture: frames from an interface into files, and to a decoder, until something ends it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "live/capture_files.hpp"
#include "live/held_interrupts.hpp"
#include "live/interface.hpp"
#include "live/live_decoder.hpp"
#include "live/stream_counts.hpp"

namespace eciscope::cli {

struct StopConditions {
    std::optional<std::chrono::nanoseconds> duration;
    std::optional<std::uint64_t> records;
    std::optional<std::uint64_t> bytes;  ///< of files
    std::chrono::nanoseconds after_trigger{0};
};

/// All that is counted, for the line on the terminal and the summary.
struct LiveFigures {
    double seconds = 0;
    std::uint64_t frames = 0;  ///< taken from the kernel
    std::uint64_t frame_bytes = 0;
    std::uint64_t decoder_refused = 0;  ///< frames that a decoder which had ended did not get
    KernelCounts kernel;
    StreamCounts streams;
};

class LiveLine;

class Recorder {
 public:
    Recorder(Interface& interface, CaptureFiles& files, LiveDecoder* decoder, const StopConditions& conditions)
        : interface_(interface), files_(files), decoder_(decoder), conditions_(conditions) {}

    /// Until a condition holds, a signal comes (then all that was received before it is still taken), or something
    /// fails. Says in `why()` what it was. `line` is drawn now and then.
    Result<void> run(LiveLine& line);

    [[nodiscard]] const std::string& why() const { return why_; }
    [[nodiscard]] const LiveFigures& figures() const { return figures_; }

 private:
    using Clock = std::chrono::steady_clock;

    void take(const pcap_pkthdr& header, const std::uint8_t* bytes);
    Result<void> round(int milliseconds);
    Result<void> drain();
    bool is_over();
    void end(std::string why);
    void count();

    Interface& interface_;
    CaptureFiles& files_;
    LiveDecoder* decoder_;
    const StopConditions& conditions_;
    HeldInterrupts held_;
    LiveFigures figures_;
    Clock::time_point start_ = Clock::now();
    std::optional<Clock::time_point> trigger_end_;
    std::string trigger_;
    std::uint64_t records_ = 0;
    std::int64_t latest_ns_ = 0;  ///< frames that came later are not taken; 0: all are
    bool beyond_ = false;         ///< such a frame has come
    std::string why_;
    Result<void> outcome_;
};

}  // namespace eciscope::cli
