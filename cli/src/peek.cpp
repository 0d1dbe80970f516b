#include "peek.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "interrupt.hpp"

namespace eciscope::cli {

namespace {

using capture::FileKind;

using Head = std::array<std::uint8_t, capture::identify_bytes>;

// The first bytes of a pipe: duplicated into another pipe, where they can be read.
std::size_t head_of_pipe(int descriptor, Head& head) {
    std::array<int, 2> copy{};
    if (pipe2(copy.data(), O_CLOEXEC) != 0) {
        return 0;
    }
    std::size_t count = 0;
    if (tee(descriptor, copy[1], head.size(), 0) > 0) {
        const ssize_t got = read(copy[0], head.data(), head.size());
        count = got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    close(copy[0]);
    close(copy[1]);
    return count;
}

std::size_t head_of_socket(int descriptor, Head& head) {
    const ssize_t count = recv(descriptor, head.data(), head.size(), MSG_PEEK);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

// The kinds that more bytes could still turn into another.
bool may_change(FileKind kind, capture::Bytes head) {
    switch (kind) {
        case FileKind::empty:
        case FileKind::unknown:
        case FileKind::zeros:
        case FileKind::raw_blocks:
            return true;
        case FileKind::json:
            return head.front() == '{' && std::find(head.begin(), head.end(), std::uint8_t{'\n'}) == head.end();
        case FileKind::text:
        case FileKind::csv:
        case FileKind::hex:
        case FileKind::ila_csv:
            return std::find(head.begin(), head.end(), std::uint8_t{'\n'}) == head.end();
        default:
            return false;
    }
}

// Waits until what came tells what it is: a writer may be slow. Nothing is taken from the pipe meanwhile.
FileKind kind_of_stream(int descriptor, std::size_t (*look)(int, Head&)) {
    constexpr int pause_milliseconds = 5;
    constexpr std::size_t longest_magic = 32;
    Head head{};
    while (true) {
        const std::size_t count = look(descriptor, head);
        const capture::Bytes bytes(head.data(), count);
        const FileKind kind = capture::identify(bytes);
        pollfd state{descriptor, POLLRDHUP, 0};
        const bool ended = count == 0 || poll(&state, 1, 0) != 0;  // nobody writes any more
        const bool known = !may_change(kind, bytes) || (kind == FileKind::unknown && count >= longest_magic);
        if (known || ended || count == head.size() || interrupted()) {
            return kind;
        }
        (void)poll(nullptr, 0, pause_milliseconds);
    }
}

}  // namespace

Result<Peeked> Peeked::open(const std::string& path) {
    if (path == "-") {
        Peeked input(STDIN_FILENO, false);
        input.look();
        return input;
    }
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return tl::unexpected<Failure>(system_failure("cannot read " + path, errno));
    }
    Peeked input(descriptor, true);
    struct stat status {};
    if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        return tl::unexpected<Failure>(system_failure("cannot read " + path, EISDIR));
    }
    input.look();
    return input;
}

void Peeked::look() {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) {
        return;
    }
    is_regular_ = S_ISREG(status.st_mode);
    if (is_regular_) {
        std::array<std::uint8_t, capture::identify_bytes> head{};
        const off_t here = lseek(descriptor_, 0, SEEK_CUR);
        const ssize_t count = pread(descriptor_, head.data(), head.size(), here);
        if (count >= 0) {
            kind_ = capture::identify({head.data(), static_cast<std::size_t>(count)},
                                      static_cast<std::uint64_t>(status.st_size - here));
        }
    } else if (S_ISFIFO(status.st_mode)) {
        kind_ = kind_of_stream(descriptor_, head_of_pipe);
    } else if (S_ISSOCK(status.st_mode)) {
        kind_ = kind_of_stream(descriptor_, head_of_socket);
    }
}

Peeked::Peeked(Peeked&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      owned_(other.owned_),
      is_regular_(other.is_regular_),
      kind_(other.kind_) {}

Peeked::~Peeked() {
    if (owned_ && descriptor_ >= 0) {
        close(descriptor_);
    }
}

}  // namespace eciscope::cli
