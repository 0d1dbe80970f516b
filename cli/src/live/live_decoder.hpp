// Decodes a live capture while it is taken: a thread of its own reads what was written behind the capture's back, or
// where that is no file, what comes through a pipe.
#pragma once

#include <pcap/pcap.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "common_options.hpp"
#include "failure.hpp"
#include "live/backlog.hpp"
#include "live/frame_pipe.hpp"
#include "live/trigger.hpp"
#include "trace_output.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

class LiveDecoder {
 public:
    /// `output` goes to a file, or to none if only the trigger is wanted. `name` is what diagnostics call the capture.
    /// Reads `backlog`, which must outlive it; if that is null, what is given to write().
    [[nodiscard]] static Result<std::unique_ptr<LiveDecoder>> start(const OutputRequest& output,
                                                                    const TriggerOptions& trigger, Backlog* backlog,
                                                                    int link_type, const std::string& name);
    LiveDecoder(const LiveDecoder&) = delete;
    LiveDecoder& operator=(const LiveDecoder&) = delete;
    ~LiveDecoder();

    /// Does nothing where there is a backlog. Else waits while the decoder is behind; the kernel's ring takes what
    /// comes meanwhile. False once nobody reads.
    bool write(const pcap_pkthdr& header, const std::uint8_t* bytes);
    bool flush();
    /// What the trigger found, as soon as it has.
    [[nodiscard]] std::optional<std::string> found();

    /// Nothing more comes: waits until all is decoded and written, and prints the accounts.
    [[nodiscard]] Exit finish(const CommonOptions& common);

 private:
    struct Outcome;
    class Sink;

    LiveDecoder(std::unique_ptr<TraceOutput> output, OutputRequest request, const TriggerOptions& trigger,
                std::string name);
    void decode();
    void end_input();

    std::string name_;
    std::unique_ptr<TraceOutput> output_;
    OutputRequest request_;
    Trigger trigger_;
    Backlog* backlog_ = nullptr;
    std::unique_ptr<FramePipe> pipe_;  ///< without a backlog

    std::thread thread_;
    std::unique_ptr<Outcome> outcome_;  ///< the thread's until it is joined
    std::mutex mutex_;
    std::optional<std::string> found_;
    std::atomic<bool> any_found_ = false;
};

}  // namespace eciscope::cli
