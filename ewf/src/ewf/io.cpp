#include "eciscope/ewf/io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace eciscope::ewf {

namespace {

tl::unexpected<Error> system_error(const std::string& what, std::uint64_t offset) {
    return tl::unexpected(Error{ErrorCode::io, what + ": " + std::generic_category().message(errno), offset});
}

class FileSource final : public ByteSource {
 public:
    FileSource(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;
    ~FileSource() override { ::close(descriptor_); }

    [[nodiscard]] std::uint64_t size() const override { return size_; }

    Expected<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        std::size_t done = 0;
        while (done < into.size() && offset + done < size_) {
            const ssize_t got =
                ::pread(descriptor_, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
            if (got < 0 && errno == EINTR) {
                continue;
            }
            if (got < 0) {
                return system_error("cannot read", offset + done);
            }
            if (got == 0) {
                break;
            }
            done += static_cast<std::size_t>(got);
        }
        return done;
    }

 private:
    int descriptor_;
    std::uint64_t size_;
};

class MemorySource final : public ByteSource {
 public:
    explicit MemorySource(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

    Expected<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        if (offset >= bytes_.size()) {
            return std::size_t{0};
        }
        const std::size_t count = std::min<std::size_t>(into.size(), bytes_.size() - offset);
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), count, into.begin());
        return count;
    }

 private:
    std::span<const std::uint8_t> bytes_;
};

}  // namespace

Expected<void> FileSink::write(std::span<const std::uint8_t> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t put = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return system_error("cannot write", 0);
        }
        done += static_cast<std::size_t>(put);
    }
    return {};
}

Expected<void> MemorySink::write(std::span<const std::uint8_t> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return {};
}

Expected<std::unique_ptr<ByteSource>> open_file(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return system_error("cannot open " + path, 0);
    }
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return tl::unexpected(Error{ErrorCode::io, path + " is not a regular file; read it as a stream", 0});
    }
    return std::make_unique<FileSource>(descriptor, static_cast<std::uint64_t>(status.st_size));
}

std::unique_ptr<ByteSource> memory_source(std::span<const std::uint8_t> bytes) {
    return std::make_unique<MemorySource>(bytes);
}

Expected<std::size_t> FileStream::read(std::span<std::uint8_t> into) {
    for (;;) {
        const ssize_t got = ::read(descriptor_, into.data(), into.size());
        if (got >= 0) {
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR) {
            return system_error("cannot read", 0);
        }
    }
}

}  // namespace eciscope::ewf
