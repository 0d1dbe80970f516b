// Decodes a live capture while it is taken: a thread of its own reads the frames from a pipe, as it would from a file.
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
#include "live/trigger.hpp"
#include "trace_output.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

class LiveDecoder {
 public:
    /// `output` goes to a file, or to none if only the trigger is wanted. `name` is what diagnostics call the capture.
    [[nodiscard]] static Result<std::unique_ptr<LiveDecoder>> start(const OutputRequest& output,
                                                                    const TriggerOptions& trigger, int link_type,
                                                                    const std::string& name);
    LiveDecoder(const LiveDecoder&) = delete;
    LiveDecoder& operator=(const LiveDecoder&) = delete;
    ~LiveDecoder();

    /// Waits while the decoder is behind; the kernel's ring takes what comes meanwhile. False once nobody reads.
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
    Result<void> open_pipe(int link_type);
    void decode();
    void close_pipe();

    std::string name_;
    std::unique_ptr<TraceOutput> output_;
    OutputRequest request_;
    Trigger trigger_;
    std::unique_ptr<char[]> buffer_;
    pcap_dumper_t* dumper_ = nullptr;
    int reading_end_ = -1;

    std::thread thread_;
    std::unique_ptr<Outcome> outcome_;  ///< the thread's until it is joined
    std::mutex mutex_;
    std::optional<std::string> found_;
    std::atomic<bool> any_found_ = false;
};

}  // namespace eciscope::cli
