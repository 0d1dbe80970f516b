#include "live/backlog.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace eciscope::cli {

Backlog::~Backlog() {
    close_file();
}

void Backlog::begin(const std::string& path) {
    const std::lock_guard<std::mutex> lock(mutex_);
    files_.push_back({path, 0, 0});
    changed_.notify_one();
}

void Backlog::written(std::uint64_t bytes, std::uint64_t frames) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!files_.empty()) {
        files_.back().bytes = bytes;
        files_.back().frames = frames;
    }
    changed_.notify_one();
}

void Backlog::removing(const std::string& path) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(files_.begin() + (descriptor_ >= 0 ? 1 : 0), files_.end(),
                                    [&path](const File& file) { return file.path == path; });
    if (found != files_.end()) {
        missed_ += found->frames;
        files_.erase(found);
    }
}

void Backlog::finish() {
    const std::lock_guard<std::mutex> lock(mutex_);
    finished_ = true;
    changed_.notify_one();
}

/// True if a file is open now. With the lock held, so that it is not deleted in between.
bool Backlog::open_next() {
    while (descriptor_ < 0 && !files_.empty()) {
        if (files_.front().bytes == 0 && files_.size() == 1 && !finished_) {
            return false;  // not even its header is there
        }
        descriptor_ = open(files_.front().path.c_str(), O_RDONLY | O_CLOEXEC);
        position_ = any_read_ ? file_header_bytes : 0;
        if (descriptor_ < 0) {
            give_up_front();  // somebody else took it away
        }
    }
    return descriptor_ >= 0;
}

void Backlog::close_file() {
    if (descriptor_ >= 0) {
        close(std::exchange(descriptor_, -1));
    }
}

void Backlog::give_up_front() {
    missed_ += files_.front().frames;
    files_.pop_front();
}

std::size_t Backlog::pull(std::span<std::uint8_t> to) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
        if (!open_next()) {
            if (finished_) {
                return 0;
            }
            changed_.wait(lock);
            continue;
        }
        const std::uint64_t there = files_.front().bytes;
        if (position_ >= there) {
            const bool complete = files_.size() > 1 || finished_;
            if (!complete) {
                changed_.wait(lock);
                continue;
            }
            close_file();
            files_.pop_front();
            continue;
        }
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), there - position_));
        lock.unlock();  // only this thread closes the file
        const ssize_t count = pread(descriptor_, to.data(), wanted, static_cast<off_t>(position_));
        lock.lock();
        if (count > 0) {
            any_read_ = true;
            position_ += static_cast<std::uint64_t>(count);
            return static_cast<std::size_t>(count);
        }
        if (count == 0 || errno != EINTR) {
            position_ = UINT64_MAX;  // cut by somebody else, or unreadable: the next file goes on
        }
    }
}

std::uint64_t Backlog::frames_missed() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return missed_;
}

std::uint64_t Backlog::bytes_behind() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::uint64_t bytes = 0;
    for (const File& file : files_) {
        bytes += file.bytes;
    }
    return bytes - std::min(bytes, descriptor_ >= 0 ? position_ : 0);
}

}  // namespace eciscope::cli
