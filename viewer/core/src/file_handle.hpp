// A file descriptor that closes itself, and a mapping of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "eciscope/ewf/error.hpp"

namespace eciscope::view {

[[nodiscard]] ewf::Error system_error(const std::string& what);

class FileHandle {
 public:
    FileHandle() = default;
    explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
    FileHandle(FileHandle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FileHandle& operator=(FileHandle&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~FileHandle();

    [[nodiscard]] int get() const { return descriptor_; }
    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
    /// Writes all of it at an offset.
    [[nodiscard]] ewf::Expected<void> write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes) const;
    /// Fills `into`, or says why not; a file that is too short is an error.
    [[nodiscard]] ewf::Expected<void> read_at(std::uint64_t offset, std::span<std::uint8_t> into) const;
    [[nodiscard]] ewf::Expected<std::uint64_t> size() const;

 private:
    int descriptor_ = -1;
};

/// Read-only. The file must not shrink meanwhile: only files of the viewer's own are mapped, which are replaced whole.
class Mapping {
 public:
    Mapping() = default;
    static ewf::Expected<Mapping> of(const FileHandle& file, std::uint64_t bytes);
    Mapping(Mapping&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    Mapping& operator=(Mapping&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~Mapping();

    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
    explicit Mapping(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    std::span<const std::uint8_t> bytes_;
};

}  // namespace eciscope::view
