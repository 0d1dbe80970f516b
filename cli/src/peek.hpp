// The start of an input, without taking anything from it: files, and pipes that somebody else will read.
#pragma once

#include <optional>
#include <string>

#include "eciscope/capture/identify.hpp"
#include "failure.hpp"

namespace eciscope::cli {

/// An input that was looked at. Keeps it open, so that the writer of a named pipe is not left alone before the
/// reader opens it.
class Peeked {
 public:
    static Result<Peeked> open(const std::string& path);

    Peeked(Peeked&& other) noexcept;
    Peeked& operator=(Peeked&&) = delete;
    ~Peeked();

    /// From the first bytes, of a pipe as of a file; waits for them if need be. `unknown` of other devices.
    [[nodiscard]] capture::FileKind kind() const { return kind_; }
    [[nodiscard]] bool is_regular() const { return is_regular_; }

 private:
    Peeked(int descriptor, bool owned) : descriptor_(descriptor), owned_(owned) {}
    void look();

    int descriptor_;
    bool owned_;
    bool is_regular_ = false;
    capture::FileKind kind_ = capture::FileKind::unknown;
};

}  // namespace eciscope::cli
