#include "eciscope/capture/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace eciscope::capture {

namespace {

std::string text_of(int error_number) {
    return std::generic_category().message(error_number);
}

}  // namespace

tl::expected<Input, std::string> Input::open(const std::string& path, std::size_t read_size) {
    Input input;
    if (path == "-") {
        input.fd_ = STDIN_FILENO;
    } else {
        input.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        input.owns_fd_ = true;
    }
    struct stat status {};
    if (input.fd_ < 0 || ::fstat(input.fd_, &status) != 0) {
        return tl::unexpected(text_of(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return tl::unexpected(text_of(EISDIR));
    }
    if (S_ISREG(status.st_mode)) {
        input.size_ = static_cast<std::uint64_t>(status.st_size);
    }
    input.make_buffer(read_size);
    return input;
}

Input Input::of_memory(Bytes memory, std::size_t read_size) {
    Input input;
    input.memory_ = memory;
    input.size_ = memory.size();
    input.make_buffer(read_size);
    return input;
}

Input::Input(Input&& other) noexcept {
    *this = std::move(other);
}

Input& Input::operator=(Input&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(owns_fd_, other.owns_fd_);
    std::swap(memory_, other.memory_);
    std::swap(read_size_, other.read_size_);
    std::swap(size_, other.size_);
    std::swap(error_, other.error_);
    std::swap(ended_, other.ended_);
    std::swap(buffer_, other.buffer_);
    std::swap(capacity_, other.capacity_);
    std::swap(start_, other.start_);
    std::swap(filled_, other.filled_);
    std::swap(next_, other.next_);
    return *this;
}

Input::~Input() {
    if (owns_fd_ && fd_ >= 0) {
        ::close(fd_);
    }
}

void Input::make_buffer(std::size_t read_size) {
    // Memory of known small size needs no large buffer: fuzzer and tests open thousands of them. A file may still grow.
    const std::size_t most = fd_ < 0 ? memory_.size() + 1 : std::size_t{64} << 20;
    read_size_ = std::clamp<std::size_t>(read_size, 1, most);
    capacity_ = 2 * std::min(most, history) + std::max(read_size_, longest_peek);
    // Uninitialised on purpose: every byte is written before it is read.
    buffer_.reset(new std::uint8_t[capacity_]);
}

std::size_t Input::take(std::span<std::uint8_t> to) {
    if (fd_ < 0) {
        const std::size_t count = std::min<std::size_t>(to.size(), memory_.size());
        std::copy_n(memory_.begin(), count, to.begin());
        memory_ = memory_.subspan(count);
        return count;
    }
    while (true) {
        const ssize_t count = ::read(fd_, to.data(), to.size());
        if (count >= 0) {
            return static_cast<std::size_t>(count);
        }
        if (errno != EINTR) {
            error_ = text_of(errno);
            return 0;
        }
    }
}

bool Input::refill() {
    if (ended_) {
        return false;
    }
    if (capacity_ - filled_ < read_size_) {
        const std::size_t dropped = next_ - std::min(next_, history);
        std::memmove(buffer_.get(), buffer_.get() + dropped, filled_ - dropped);
        start_ += dropped;
        filled_ -= dropped;
        next_ -= dropped;
    }
    const std::size_t room = std::min(read_size_, capacity_ - filled_);
    const std::size_t count = room == 0 ? 0 : take({buffer_.get() + filled_, room});
    filled_ += count;
    ended_ = count == 0;
    return count != 0;
}

Bytes Input::peek(std::size_t wanted) {
    wanted = std::min(wanted, longest_peek);
    while (filled_ - next_ < wanted && refill()) {
    }
    return {buffer_.get() + next_, std::min(wanted, filled_ - next_)};
}

std::size_t Input::read(std::span<std::uint8_t> to) {
    if (next_ == filled_ && !refill()) {
        return 0;
    }
    const std::size_t count = std::min(to.size(), filled_ - next_);
    std::memcpy(to.data(), buffer_.get() + next_, count);
    next_ += count;
    return count;
}

std::uint64_t Input::skip(std::uint64_t count) {
    std::uint64_t skipped = 0;
    while (skipped < count && (next_ < filled_ || refill())) {
        const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(count - skipped, filled_ - next_));
        next_ += step;
        skipped += step;
    }
    return skipped;
}

bool Input::seek(std::uint64_t position) {
    if (position < start_ || position > start_ + filled_) {
        return false;
    }
    next_ = static_cast<std::size_t>(position - start_);
    return true;
}

}  // namespace eciscope::capture
