#include "live/capture_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "live/interface.hpp"

namespace eciscope::cli {

namespace {

constexpr std::uint64_t frame_header_bytes = 16;
/// The stream's buffer holds more than is ever written between two flushes, so that the C library writes only when it
/// is told to: what a file holds then ends with a whole frame even if the program is killed.
constexpr std::uint64_t flush_step = std::uint64_t{1} << 20;
constexpr std::size_t file_buffer_bytes = flush_step + frame_header_bytes + Interface::snapshot_length;

std::int64_t time_of(const pcap_pkthdr& header) {
    return std::int64_t{header.ts.tv_sec} * 1'000'000'000 + header.ts.tv_usec;
}

}  // namespace

CaptureFiles::CaptureFiles(std::string path, int link_type, const Rotation& rotation)
    : path_(std::move(path)),
      rotation_(rotation),
      format_(pcap_open_dead_with_tstamp_precision(link_type, Interface::snapshot_length, PCAP_TSTAMP_PRECISION_NANO)),
      buffer_(new char[file_buffer_bytes]) {}

Result<CaptureFiles> CaptureFiles::open(std::string path, int link_type, const Rotation& rotation) {
    CaptureFiles files(std::move(path), link_type, rotation);
    if (const auto opened = files.open_next(); !opened) {
        return tl::unexpected<Failure>(opened.error());
    }
    files.is_stream_ = !files.is_regular();
    return files;
}

std::string CaptureFiles::name_of(std::size_t number) const {
    if (!rotation_.is_on()) {
        return path_;
    }
    const std::filesystem::path path(path_);
    const std::string name = fmt::format("{}-{:05}{}", path.stem().string(), number, path.extension().string());
    return (path.parent_path() / name).string();
}

Result<void> CaptureFiles::open_next() {
    auto file = OutputFile::open(name_of(++number_), {});
    if (!file) {
        return tl::unexpected<Failure>(file.error());
    }
    name_ = file->name();
    const int descriptor = dup(file->descriptor());
    FILE* stream = descriptor < 0 ? nullptr : fdopen(descriptor, "wb");
    if (stream == nullptr) {
        return tl::unexpected<Failure>(system_failure("cannot write " + name_, errno));
    }
    (void)std::setvbuf(stream, buffer_.get(), _IOFBF, file_buffer_bytes);
    dumper_.reset(pcap_dump_fopen(format_.get(), stream));  // which has the stream from now on
    if (!dumper_) {
        return fail(Exit::damaged, fmt::format("cannot write {}: {}", name_, pcap_geterr(format_.get())));
    }
    file_.emplace(std::move(*file));
    file_bytes_ = file_header_bytes;
    file_frames_ = 0;
    bytes_ += file_header_bytes;
    flushed_ = 0;
    any_frame_ = false;
    if (path_ != "-") {
        kept_.push_back(name_);
    }
    if (backlog_) {
        backlog_->begin(name_);
    }
    if (rotation_.ring != 0 && kept_.size() > rotation_.ring) {
        remove_oldest();
    }
    return flush();
}

void CaptureFiles::remove_oldest() {
    if (backlog_) {
        backlog_->removing(kept_.front());
    }
    std::error_code ignored;  // a file that somebody else took away is gone as well
    std::filesystem::remove(kept_.front(), ignored);
    kept_.pop_front();
    ++removed_;
}

bool CaptureFiles::is_regular() const {
    struct stat status {};
    return file_ && fstat(file_->descriptor(), &status) == 0 && S_ISREG(status.st_mode);
}

Backlog* CaptureFiles::backlog() {
    if (!backlog_ && path_ != "-" && is_regular()) {
        backlog_ = std::make_unique<Backlog>();
        backlog_->begin(name_);
        backlog_->written(flushed_, file_frames_);
    }
    return backlog_.get();
}

bool CaptureFiles::is_full(const pcap_pkthdr& header) const {
    if (!any_frame_) {
        return false;
    }
    const bool too_large = rotation_.size != 0 && file_bytes_ + frame_header_bytes + header.caplen > rotation_.size;
    const bool too_long =
        rotation_.nanoseconds != 0 && time_of(header) - first_time_ >= static_cast<std::int64_t>(rotation_.nanoseconds);
    return too_large || too_long;
}

Result<void> CaptureFiles::write(const pcap_pkthdr& header, const std::uint8_t* bytes) {
    if (is_full(header)) {
        if (auto closed = close(); !closed) {
            return closed;
        }
        if (auto opened = open_next(); !opened) {
            return opened;
        }
    }
    if (!std::exchange(any_frame_, true)) {
        first_time_ = time_of(header);
    }
    pcap_dump(reinterpret_cast<u_char*>(dumper_.get()), &header, bytes);
    ++frames_;
    ++file_frames_;
    file_bytes_ += frame_header_bytes + header.caplen;
    frame_ends_.push_back(file_bytes_);
    bytes_ += frame_header_bytes + header.caplen;
    return file_bytes_ - flushed_ >= flush_step ? flush() : Result<void>();
}

Result<void> CaptureFiles::flush() {
    if (dumper_ && flushed_ != file_bytes_) {
        errno = 0;
        if (pcap_dump_flush(dumper_.get()) != 0) {
            return tl::unexpected<Failure>(give_up(errno));
        }
        flushed_ = file_bytes_;
        frame_ends_.clear();
        if (backlog_) {
            backlog_->written(flushed_, file_frames_);
        }
    }
    return {};
}

/// The file is cut behind its last whole frame, and frames that did not get into it are no longer counted.
Failure CaptureFiles::give_up(int error_number) {
    dumper_.reset();  // which tries once more to write what it has
    struct stat status {};
    const bool is_file = is_regular() && fstat(file_->descriptor(), &status) == 0;
    const std::uint64_t there = is_file ? static_cast<std::uint64_t>(status.st_size) : flushed_;
    const auto beyond = std::upper_bound(frame_ends_.begin(), frame_ends_.end(), there);
    const std::uint64_t end = beyond == frame_ends_.begin() ? flushed_ : *(beyond - 1);
    if (is_file && ftruncate(file_->descriptor(), static_cast<off_t>(end)) != 0) {
        error_number = errno;
    }
    frames_ -= static_cast<std::uint64_t>(frame_ends_.end() - beyond);
    bytes_ -= file_bytes_ - end;
    Failure failure = file_->write_failure(error_number);
    if (error_number == ENOSPC || error_number == EDQUOT) {
        failure.remedy = "Make room or write elsewhere; with --rotate-size and --ring a capture takes only so much.";
    }
    file_.reset();
    frame_ends_.clear();
    flushed_ = file_bytes_ = end;
    if (backlog_) {
        backlog_->written(end, file_frames_);
    }
    return failure;
}

Result<void> CaptureFiles::close() {
    if (auto flushed = flush(); !flushed) {
        return flushed;
    }
    dumper_.reset();
    if (!file_) {
        return {};
    }
    auto closed = file_->close();
    file_.reset();
    return closed;
}

}  // namespace eciscope::cli
