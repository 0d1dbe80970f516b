#pragma once

#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "chunk_cache.hpp"
#include "eciscope/view/document.hpp"
#include "line_timeline.hpp"
#include "matcher.hpp"
#include "message_kinds.hpp"
#include "picture_maker.hpp"
#include "scanner.hpp"
#include "worker.hpp"

namespace eciscope::view {

/// Says when a file is no longer what it was when it was opened.
class FileWatch {
 public:
    explicit FileWatch(std::string path);
    /// A sentence, once something has changed.
    [[nodiscard]] std::optional<std::string> look() const;

 private:
    struct Facts {
        bool exists = false;
        std::uint64_t bytes = 0;
        std::int64_t modified_ns = 0;
        std::uint64_t node = 0;
    };
    [[nodiscard]] static Facts facts_of(const std::string& path);

    std::string path_;
    Facts facts_;
};

class Document::Impl {
 public:
    Impl(TraceModel model, OpenOptions options);

    [[nodiscard]] Worker& worker() { return worker_; }
    [[nodiscard]] Scanner& scanner() { return scanner_; }
    [[nodiscard]] ChunkCache& chunks() { return chunks_; }
    [[nodiscard]] MessageKinds& kinds() { return kinds_; }
    void watch_file();

    Picture picture(const Viewport& viewport, std::span<const TrackId> tracks, const Filter& filter);
    std::shared_ptr<const LineTimeline> line(const TraceModel& model, const ewf::Line& line);
    [[nodiscard]] std::vector<TrackInfo> tracks();
    [[nodiscard]] Statistics statistics(Picoseconds from, Picoseconds to);
    [[nodiscard]] std::optional<MessageNumber> find(const Filter& filter, MessageNumber from, bool forward,
                                                    const std::function<bool()>& go_on);
    ewf::Expected<std::uint64_t> export_messages(const std::string& path, Format format, Picoseconds from,
                                                 Picoseconds to, const Filter& filter);
    [[nodiscard]] Finding finding_of(const TraceModel& model, const FindingRecord& record) const;

 private:
    struct Timeline {
        std::shared_ptr<const Index> index;  ///< that it was made with
        std::shared_ptr<const LineTimeline> timeline;
    };

    std::string profile_;
    Worker worker_;
    ChunkCache chunks_;
    MessageKinds kinds_;
    std::optional<conformance::LineStates> states_;
    std::list<Timeline> timelines_;
    std::optional<Matcher> matcher_;  ///< of the filter used last
    std::string matcher_key_;
    FileWatch watch_;
    std::optional<FileWatch> watch_ewf_;
    std::chrono::steady_clock::time_point looked_;
    Scanner scanner_;  ///< last: its thread uses what is above
};

}  // namespace eciscope::view
