#include "eciscope/capture/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "read_ahead.hpp"

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

Input Input::of_pull(Pull pull, std::size_t read_size) {
    Input input;
    input.pull_ = std::move(pull);
    input.make_buffer(read_size);
    return input;
}

Input::Input() = default;

Input::Input(Input&& other) noexcept {
    *this = std::move(other);
}

Input& Input::operator=(Input&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(owns_fd_, other.owns_fd_);
    std::swap(memory_, other.memory_);
    std::swap(pull_, other.pull_);
    std::swap(read_size_, other.read_size_);
    std::swap(size_, other.size_);
    std::swap(error_, other.error_);
    std::swap(ended_, other.ended_);
    std::swap(ahead_, other.ahead_);
    std::swap(buffer_, other.buffer_);
    std::swap(spare_, other.spare_);
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    std::swap(start_, other.start_);
    std::swap(filled_, other.filled_);
    std::swap(next_, other.next_);
    return *this;
}

Input::~Input() {
    ahead_.reset();  // before its file is closed
    if (owns_fd_ && fd_ >= 0) {
        ::close(fd_);
    }
}

void Input::make_buffer(std::size_t read_size) {
    // Memory of known small size needs no large buffer: fuzzer and tests open thousands of them. A file may still grow.
    const std::size_t most = fd_ < 0 && !pull_ ? memory_.size() + 1 : std::size_t{64} << 20;
    read_size_ = std::clamp<std::size_t>(read_size, 1, most);
    capacity_ = 2 * std::min(most, history) + std::max(read_size_, longest_peek);
    // Uninitialised on purpose: every byte is written before it is read.
    buffer_.reset(new std::uint8_t[capacity_]);
    data_ = buffer_.get();
}

std::size_t Input::take(std::span<std::uint8_t> to) {
    if (pull_) {
        return pull_(to);
    }
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

void Input::read_ahead() {
    // Below some size waking a thread costs more than reading; a pipe must be read where a signal can interrupt it.
    constexpr std::size_t worth_a_thread = std::size_t{64} << 10;
    if (fd_ < 0 || !size_ || !owns_fd_ || taken() != 0 || read_size_ < worth_a_thread) {
        return;
    }
    try {
        ahead_ = std::make_unique<ReadAhead>(fd_, history + longest_peek, read_size_);
        buffer_.reset();
    } catch (const std::system_error&) {
        // The system gives no more threads: this one reads.
    }
}

/// What is kept goes before the new portion, in its buffer.
bool Input::refill_from_ahead() {
    const std::size_t dropped = next_ - std::min(next_, history);
    const std::size_t kept = filled_ - dropped;
    std::unique_ptr<std::uint8_t[]> before = std::move(buffer_);
    // The old buffer goes to the thread only with the next call: what is kept is still to be copied from it.
    const ReadAhead::Portion portion = ahead_->take(spare_);
    buffer_ = std::move(spare_);
    spare_ = std::move(before);
    std::uint8_t* to = buffer_.get() + (history + longest_peek - kept);
    if (kept != 0) {
        std::memcpy(to, data_ + dropped, kept);
    }
    data_ = to;
    start_ += dropped;
    next_ -= dropped;
    filled_ = kept + portion.count;
    if (portion.error != 0) {
        error_ = text_of(portion.error);
    }
    ended_ = portion.count == 0;
    return !ended_;
}

bool Input::refill() {
    if (ended_) {
        return false;
    }
    if (ahead_) {
        return refill_from_ahead();
    }
    if (capacity_ - filled_ < read_size_) {
        const std::size_t dropped = next_ - std::min(next_, history);
        std::memmove(data_, data_ + dropped, filled_ - dropped);
        start_ += dropped;
        filled_ -= dropped;
        next_ -= dropped;
    }
    const std::size_t room = std::min(read_size_, capacity_ - filled_);
    const std::size_t count = room == 0 ? 0 : take({data_ + filled_, room});
    filled_ += count;
    ended_ = count == 0;
    return count != 0;
}

Bytes Input::peek(std::size_t wanted) {
    wanted = std::min(wanted, longest_peek);
    while (filled_ - next_ < wanted && refill()) {
    }
    return {data_ + next_, std::min(wanted, filled_ - next_)};
}

std::size_t Input::read(std::span<std::uint8_t> to) {
    if (next_ == filled_ && !refill()) {
        return 0;
    }
    const std::size_t count = std::min(to.size(), filled_ - next_);
    std::memcpy(to.data(), data_ + next_, count);
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
