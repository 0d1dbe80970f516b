// What a live capture has written and its decoder has not read yet: files, as they grow. The capture never waits for
// the decoder, and nothing is kept in memory.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string>

namespace eciscope::cli {

inline constexpr std::uint64_t file_header_bytes = 24;  ///< of a pcap file

class Backlog {
 public:
    Backlog() = default;
    Backlog(const Backlog&) = delete;
    Backlog& operator=(const Backlog&) = delete;
    ~Backlog();

    // The capture's side.

    void begin(const std::string& path);
    /// So many bytes of the youngest file are there, in `frames` whole frames.
    void written(std::uint64_t bytes, std::uint64_t frames);
    /// The file is about to be deleted. Unless the decoder has it open, it will not see it.
    void removing(const std::string& path);
    /// Nothing more comes.
    void finish();

    // The decoder's side: all files as one capture.

    /// Waits for bytes. 0 at the end.
    [[nodiscard]] std::size_t pull(std::span<std::uint8_t> to);

    /// Frames in files that went before they were read.
    [[nodiscard]] std::uint64_t frames_missed() const;
    [[nodiscard]] std::uint64_t bytes_behind() const;

 private:
    struct File {
        std::string path;
        std::uint64_t bytes = 0;
        std::uint64_t frames = 0;
    };

    bool open_next();
    void close_file();
    void give_up_front();

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<File> files_;  ///< the first is the one being read, if one is open
    bool finished_ = false;
    std::uint64_t missed_ = 0;

    int descriptor_ = -1;
    std::uint64_t position_ = 0;
    bool any_read_ = false;  ///< the header of a first file has been
};

}  // namespace eciscope::cli
