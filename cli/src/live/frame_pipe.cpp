#include "live/frame_pipe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "live/interface.hpp"

namespace eciscope::cli {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 10;
constexpr int pipe_bytes = 1 << 20;

}  // namespace

FramePipe::FramePipe() : buffer_(new char[buffer_bytes]) {}

FramePipe::~FramePipe() {
    close_writing();
    close_reading();
}

Result<std::unique_ptr<FramePipe>> FramePipe::open(int link_type) {
    std::unique_ptr<FramePipe> pipe(new FramePipe());
    if (const auto made = pipe->make(link_type); !made) {
        return tl::unexpected<Failure>(made.error());
    }
    return pipe;
}

Result<void> FramePipe::make(int link_type) {
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

bool FramePipe::write(const pcap_pkthdr& header, const std::uint8_t* bytes) {
    pcap_dump(reinterpret_cast<u_char*>(dumper_), &header, bytes);
    return std::ferror(pcap_dump_file(dumper_)) == 0;
}

bool FramePipe::flush() {
    return pcap_dump_flush(dumper_) == 0;
}

void FramePipe::close_writing() {
    if (dumper_ != nullptr) {
        pcap_dump_close(std::exchange(dumper_, nullptr));
    }
}

std::size_t FramePipe::pull(std::span<std::uint8_t> to) const {
    while (true) {
        const ssize_t count = read(reading_end_, to.data(), to.size());
        if (count >= 0 || errno != EINTR) {
            return count > 0 ? static_cast<std::size_t>(count) : 0;
        }
    }
}

void FramePipe::close_reading() {
    if (reading_end_ >= 0) {
        close(std::exchange(reading_end_, -1));
    }
}

}  // namespace eciscope::cli
