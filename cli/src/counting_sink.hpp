// Output of the EWF library to a file descriptor.
#pragma once

#include <cstdint>
#include <span>

#include "eciscope/ewf/io.hpp"

namespace eciscope::cli {

/// Counts, and keeps the system's error number, which says more than a text.
class CountingSink final : public ewf::ByteSink {
 public:
    explicit CountingSink(int descriptor) : descriptor_(descriptor) {}

    ewf::Expected<void> write(std::span<const std::uint8_t> bytes) override;

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// 0 while all is well.
    [[nodiscard]] int error_number() const { return error_number_; }

 private:
    int descriptor_;
    std::uint64_t bytes_ = 0;
    int error_number_ = 0;
};

}  // namespace eciscope::cli
