#include "read_ahead.hpp"

#include <unistd.h>

#include <cerrno>

namespace eciscope::capture {

ReadAhead::ReadAhead(int fd, std::size_t room, std::size_t size)
    : fd_(fd), room_(room), size_(size), buffer_(make_buffer()), thread_([this] { run(); }) {}

ReadAhead::~ReadAhead() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

std::unique_ptr<std::uint8_t[]> ReadAhead::make_buffer() const {
    // Uninitialised on purpose: every byte is written before it is read.
    return std::unique_ptr<std::uint8_t[]>(new std::uint8_t[room_ + size_]);
}

ReadAhead::Portion ReadAhead::take(std::unique_ptr<std::uint8_t[]>& buffer) {
    if (buffer == nullptr) {
        buffer = make_buffer();
    }
    Portion portion;
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ready_; });
        portion = portion_;
        std::swap(buffer, buffer_);
        ready_ = false;
    }
    changed_.notify_one();
    return portion;
}

void ReadAhead::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return !ready_ || stop_; });
        if (stop_) {
            return;
        }
        lock.unlock();
        ssize_t count = 0;
        do {
            count = ::read(fd_, buffer_.get() + room_, size_);
        } while (count < 0 && errno == EINTR);
        const int error = count < 0 ? errno : 0;
        lock.lock();
        portion_ = {count < 0 ? 0 : static_cast<std::size_t>(count), error};
        ready_ = true;
        changed_.notify_one();
    }
}

}  // namespace eciscope::capture
