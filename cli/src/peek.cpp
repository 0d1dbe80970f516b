#include "peek.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

namespace eciscope::cli {

namespace {

using capture::FileKind;

// The first byte of a pipe: duplicated into another pipe, where it can be read.
std::optional<std::uint8_t> first_byte_of_pipe(int descriptor) {
    std::array<int, 2> copy{};
    if (pipe2(copy.data(), O_CLOEXEC) != 0) {
        return std::nullopt;
    }
    std::uint8_t byte = 0;
    const bool is_there = tee(descriptor, copy[1], 1, 0) == 1 && read(copy[0], &byte, 1) == 1;
    close(copy[0]);
    close(copy[1]);
    return is_there ? std::optional(byte) : std::nullopt;
}

std::optional<std::uint8_t> first_byte_of_socket(int descriptor) {
    std::uint8_t byte = 0;
    return recv(descriptor, &byte, 1, MSG_PEEK) == 1 ? std::optional(byte) : std::nullopt;
}

FileKind kind_by(std::optional<std::uint8_t> byte) {
    if (!byte) {
        return FileKind::unknown;
    }
    if (*byte == static_cast<std::uint8_t>(capture::ewf_magic[0])) {
        return FileKind::ewf;
    }
    return *byte == '{' ? FileKind::ndjson : (*byte == '[' ? FileKind::json : FileKind::unknown);
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
        kind_ = kind_by(first_byte_of_pipe(descriptor_));
    } else if (S_ISSOCK(status.st_mode)) {
        kind_ = kind_by(first_byte_of_socket(descriptor_));
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
