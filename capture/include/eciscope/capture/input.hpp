// Where bytes come from: a file, a pipe or memory, read in portions of a given size. Never mapped, so that a file which
// is cut while it is read ends early and does nothing worse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace eciscope::capture {

using Bytes = std::span<const std::uint8_t>;

class ReadAhead;

/// A buffered source that remembers the last `history` bytes it has passed, so that a reader which ran into damage can
/// step back and look for the next sound place, also in a pipe.
class Input {
 public:
    static constexpr std::size_t default_read_size = std::size_t{256} << 10;
    static constexpr std::size_t history = std::size_t{64} << 10;
    /// peek() never shows more than this.
    static constexpr std::size_t longest_peek = std::size_t{32} << 10;

    /// Opens a path, or standard input for "-". The error is the operating system's text.
    [[nodiscard]] static tl::expected<Input, std::string> open(const std::string& path,
                                                               std::size_t read_size = default_read_size);
    /// Reads from memory, which must outlive the input.
    [[nodiscard]] static Input of_memory(Bytes memory, std::size_t read_size = default_read_size);
    /// Bytes from anywhere: `pull` fills what it is given from the front and says how far; 0 is the end.
    using Pull = std::function<std::size_t(std::span<std::uint8_t>)>;
    [[nodiscard]] static Input of_pull(Pull pull, std::size_t read_size = default_read_size);

    /// Lets a thread of its own read the next portion of a regular file while this one is worked on. Only before
    /// anything was read; does nothing where it cannot help.
    void read_ahead();

    Input(Input&&) noexcept;
    Input& operator=(Input&&) noexcept;
    ~Input();

    /// The next `wanted` bytes, or fewer at the end of the source, without passing them.
    [[nodiscard]] Bytes peek(std::size_t wanted);
    /// Passes up to `to.size()` bytes; fewer only when a portion ends, none only at the end or after an error.
    [[nodiscard]] std::size_t read(std::span<std::uint8_t> to);
    /// Passes up to `count` bytes and says how many there were.
    std::uint64_t skip(std::uint64_t count);
    /// Steps back (or ahead within what peek() showed) to an earlier position; false if that is no longer remembered.
    [[nodiscard]] bool seek(std::uint64_t position);

    [[nodiscard]] std::uint64_t position() const { return start_ + next_; }
    [[nodiscard]] std::uint64_t oldest_position() const { return start_; }
    /// Bytes taken from the operating system so far.
    [[nodiscard]] std::uint64_t taken() const { return start_ + filled_; }
    /// Known for regular files and memory.
    [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }
    /// The operating system's text, once reading has failed.
    [[nodiscard]] const std::string& error() const { return error_; }

 private:
    Input();
    void make_buffer(std::size_t read_size);
    bool refill();
    bool refill_from_ahead();
    std::size_t take(std::span<std::uint8_t> to);

    int fd_ = -1;
    bool owns_fd_ = false;
    Bytes memory_;
    Pull pull_;
    std::size_t read_size_ = default_read_size;
    std::optional<std::uint64_t> size_;
    std::string error_;
    bool ended_ = false;

    std::unique_ptr<ReadAhead> ahead_;
    std::unique_ptr<std::uint8_t[]> buffer_;
    std::unique_ptr<std::uint8_t[]> spare_;  ///< the buffer before, while reading ahead
    std::uint8_t* data_ = nullptr;           ///< where in the buffer what is kept begins
    std::size_t capacity_ = 0;
    std::uint64_t start_ = 0;  ///< position in the source of the first byte kept
    std::size_t filled_ = 0;   ///< bytes kept
    std::size_t next_ = 0;     ///< first byte of them that was not passed
};

}  // namespace eciscope::capture
