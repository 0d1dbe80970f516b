// The index of a trace, as it lies in its file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eciscope/ewf/error.hpp"
#include "file_handle.hpp"
#include "index_format.hpp"
#include "index_series.hpp"
#include "index_writer.hpp"

namespace eciscope::view {

/// Numbers of a stream's blocks at some times, to say how many blocks lie between two times.
struct Checkpoints {
    std::span<const Picoseconds> times;
    std::span<const std::uint64_t> blocks;

    /// Blocks before `time`, between two notes in proportion.
    [[nodiscard]] double blocks_before(Picoseconds time) const;
};

class Index {
 public:
    /// Checks everything: header, hashes (`verify`), and that each part lies in the file. The file is hostile.
    static ewf::Expected<std::shared_ptr<const Index>> open(const FileHandle& file, bool verify);

    /// False once the file was cut: nothing of it may be touched then. Asked before each use; the viewer itself only
    /// ever replaces index files.
    [[nodiscard]] bool is_whole() const;
    [[nodiscard]] const IndexHeader& header() const { return header_; }
    [[nodiscard]] const DirectoryParts& parts() const { return parts_; }
    [[nodiscard]] const std::vector<Series>& messages() const { return messages_; }
    /// By number in Document::request_kinds().
    [[nodiscard]] const std::vector<Series>& latencies() const { return latencies_; }
    [[nodiscard]] const std::string& name_of(const Series& series) const { return parts_.names[series.entry().name]; }
    [[nodiscard]] const Checkpoints& checkpoints(Stream stream) const { return checkpoints_[stream.index()]; }
    [[nodiscard]] std::span<const FindingRecord> findings() const { return findings_; }
    [[nodiscard]] std::string text_of(const FindingRecord& record) const;
    [[nodiscard]] std::string details_of(const FindingRecord& record) const;

 private:
    Index() = default;
    [[nodiscard]] bool take_series();
    [[nodiscard]] bool take_rest();
    [[nodiscard]] std::string text_at(std::uint64_t at, std::uint64_t bytes) const;

    FileHandle file_;
    Mapping mapping_;
    IndexHeader header_;
    DirectoryParts parts_;
    std::vector<Series> messages_;
    std::vector<Series> latencies_;
    std::array<Checkpoints, stream_count> checkpoints_{};
    std::span<const FindingRecord> findings_;
    std::span<const char> texts_;
};

}  // namespace eciscope::view
