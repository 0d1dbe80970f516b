// Where EWF bytes come from and go to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "eciscope/ewf/error.hpp"

namespace eciscope::ewf {

class ByteSink {
 public:
    virtual ~ByteSink() = default;
    /// Takes all of `bytes` or fails.
    virtual Expected<void> write(std::span<const std::uint8_t> bytes) = 0;
};

/// Writes to a file descriptor of the caller's, which may be a pipe. Does not close it.
class FileSink final : public ByteSink {
 public:
    explicit FileSink(int descriptor) : descriptor_(descriptor) {}
    Expected<void> write(std::span<const std::uint8_t> bytes) override;

 private:
    int descriptor_;
};

class MemorySink final : public ByteSink {
 public:
    Expected<void> write(std::span<const std::uint8_t> bytes) override;
    [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
    std::vector<std::uint8_t> bytes_;
};

/// Bytes that can be read anywhere, from several threads at once. A file that shrinks while it is read gives short
/// reads, never a signal.
class ByteSource {
 public:
    virtual ~ByteSource() = default;
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    /// Fills `into` from `offset`; returns how many bytes there were.
    virtual Expected<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> into) const = 0;
};

[[nodiscard]] Expected<std::unique_ptr<ByteSource>> open_file(const std::string& path);
/// `bytes` must outlive the source.
[[nodiscard]] std::unique_ptr<ByteSource> memory_source(std::span<const std::uint8_t> bytes);

/// Bytes that come once, in order: a pipe.
class ByteStream {
 public:
    virtual ~ByteStream() = default;
    /// Returns how many bytes were read, 0 only at the end.
    virtual Expected<std::size_t> read(std::span<std::uint8_t> into) = 0;
};

/// Reads a file descriptor of the caller's. Does not close it.
class FileStream final : public ByteStream {
 public:
    explicit FileStream(int descriptor) : descriptor_(descriptor) {}
    Expected<std::size_t> read(std::span<std::uint8_t> into) override;

 private:
    int descriptor_;
};

}  // namespace eciscope::ewf
