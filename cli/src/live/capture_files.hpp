// The pcap files that a live capture writes: one, or a row of them of which the oldest go.
#pragma once

#include <pcap/pcap.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "failure.hpp"
#include "live/backlog.hpp"
#include "trace_output.hpp"

namespace eciscope::cli {

struct Rotation {
    std::uint64_t size = 0;         ///< a new file before this one grows beyond it; 0: never
    std::uint64_t nanoseconds = 0;  ///< a new file when this one covers so much time; 0: never
    std::size_t ring = 0;           ///< so many files are kept; 0: all

    [[nodiscard]] bool is_on() const { return size != 0 || nanoseconds != 0; }
};

/// Writes frames with nanosecond times. After a failed write the file ends with its last whole frame.
class CaptureFiles {
 public:
    /// `path` is "-" for standard output. With rotation boot.pcap becomes boot-00001.pcap and so on.
    [[nodiscard]] static Result<CaptureFiles> open(std::string path, int link_type, const Rotation& rotation);

    CaptureFiles(CaptureFiles&&) = default;
    CaptureFiles& operator=(CaptureFiles&&) = delete;
    ~CaptureFiles() = default;

    /// Tells a decoder, from the first frame on, what it can read behind the capture. Null if that is no file.
    [[nodiscard]] Backlog* backlog();

    /// `header.ts` is in nanoseconds.
    Result<void> write(const pcap_pkthdr& header, const std::uint8_t* bytes);
    /// What was written so far can be read by others.
    Result<void> flush();
    Result<void> close();

    /// Standard output or a named pipe: somebody reads it as it is written.
    [[nodiscard]] bool is_stream() const { return is_stream_; }
    [[nodiscard]] std::uint64_t frames() const { return frames_; }  ///< whole in the files, or on their way there
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }    ///< of all files
    [[nodiscard]] std::size_t files() const { return number_; }
    [[nodiscard]] std::size_t files_removed() const { return removed_; }
    /// The file at hand, as the user knows it.
    [[nodiscard]] const std::string& name() const { return name_; }

 private:
    struct CloseDead {
        void operator()(pcap_t* pcap) const { pcap_close(pcap); }
    };
    struct CloseDumper {
        void operator()(pcap_dumper_t* dumper) const { pcap_dump_close(dumper); }
    };

    CaptureFiles(std::string path, int link_type, const Rotation& rotation);
    Result<void> open_next();
    void remove_oldest();
    [[nodiscard]] bool is_regular() const;
    [[nodiscard]] bool is_full(const pcap_pkthdr& header) const;
    [[nodiscard]] std::string name_of(std::size_t number) const;
    Failure give_up(int error_number);

    std::string path_;
    Rotation rotation_;
    std::unique_ptr<pcap_t, CloseDead> format_;
    std::unique_ptr<char[]> buffer_;
    std::optional<OutputFile> file_;
    std::unique_ptr<pcap_dumper_t, CloseDumper> dumper_;  ///< closed before the buffer goes
    std::string name_;
    std::deque<std::string> kept_;
    std::unique_ptr<Backlog> backlog_;  ///< only if somebody asked

    std::size_t number_ = 0;
    std::size_t removed_ = 0;
    std::uint64_t frames_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t file_bytes_ = 0;
    std::uint64_t file_frames_ = 0;
    std::uint64_t flushed_ = 0;              ///< of this file
    std::vector<std::uint64_t> frame_ends_;  ///< in this file, of the frames that are not flushed
    std::int64_t first_time_ = 0;            ///< of this file's first frame
    bool any_frame_ = false;                 ///< in this file
    bool is_stream_ = false;
};

}  // namespace eciscope::cli
