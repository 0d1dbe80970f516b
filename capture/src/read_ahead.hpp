// Reads the next portion of a file in a thread of its own while the one before is worked on: what the kernel takes for
// copying it then costs the worker nothing.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace eciscope::capture {

class ReadAhead {
 public:
    /// Portions of `size` bytes of the file `fd`, each behind `room` bytes that are the taker's. Throws
    /// std::system_error where the system gives no thread.
    ReadAhead(int fd, std::size_t room, std::size_t size);
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;
    ~ReadAhead();

    struct Portion {
        std::size_t count = 0;  ///< none at the end, or after an error
        int error = 0;
    };
    /// Waits for the next portion and swaps its buffer for `buffer`, which must be of the same size or empty.
    Portion take(std::unique_ptr<std::uint8_t[]>& buffer);

 private:
    void run();
    [[nodiscard]] std::unique_ptr<std::uint8_t[]> make_buffer() const;

    const int fd_;
    const std::size_t room_;
    const std::size_t size_;
    std::unique_ptr<std::uint8_t[]> buffer_;
    Portion portion_;
    bool ready_ = false;  ///< a portion waits to be taken
    bool stop_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread thread_;
};

}  // namespace eciscope::capture
