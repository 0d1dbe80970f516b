// Frames on their way to a decoder where no file holds them: a pipe of bounded size, for which the capture waits.
#pragma once

#include <pcap/pcap.h>

#include <cstdint>
#include <memory>
#include <span>

#include "failure.hpp"

namespace eciscope::cli {

class FramePipe {
 public:
    [[nodiscard]] static Result<std::unique_ptr<FramePipe>> open(int link_type);
    FramePipe(const FramePipe&) = delete;
    FramePipe& operator=(const FramePipe&) = delete;
    ~FramePipe();

    /// Waits while the pipe is full. False once nobody reads.
    bool write(const pcap_pkthdr& header, const std::uint8_t* bytes);
    bool flush();
    void close_writing();

    /// The decoder's side. 0 at the end.
    [[nodiscard]] std::size_t pull(std::span<std::uint8_t> to) const;
    void close_reading();

 private:
    FramePipe();
    Result<void> make(int link_type);

    std::unique_ptr<char[]> buffer_;
    pcap_dumper_t* dumper_ = nullptr;
    int reading_end_ = -1;
};

}  // namespace eciscope::cli
