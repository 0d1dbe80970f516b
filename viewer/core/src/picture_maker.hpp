// Makes the picture of one viewport from what is known of a trace.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "chunk_cache.hpp"
#include "eciscope/view/picture.hpp"
#include "line_timeline.hpp"
#include "matcher.hpp"
#include "trace_model.hpp"

namespace eciscope::view {

/// What pictures need besides the model, and what lasts from one to the next.
struct PictureSources {
    ChunkCache& chunks;
    MessageKinds& kinds;
    /// Of messages that a filter takes that an index does not know; null while they are looked for.
    std::function<std::shared_ptr<const Hits>(const Filter&)> hits;
    /// Null while its messages are looked for.
    std::function<std::shared_ptr<const LineTimeline>(const ewf::Line&)> line;
};

class PictureMaker {
 public:
    PictureMaker(const TraceModel& model, const Viewport& viewport, Matcher& matcher, PictureSources sources);

    [[nodiscard]] TrackPicture make(const TrackId& id);
    /// Something that was asked for is not known yet.
    [[nodiscard]] bool is_coarse() const { return coarse_; }

 private:
    using Ranks = std::vector<std::uint64_t>;

    void circuit(const TrackId& id, TrackPicture& picture);
    void coarse_circuit(const TrackId& id, TrackPicture& picture) const;
    void circuit_from_hits(const TrackId& id, const Hits& hits, TrackPicture& picture);
    void utilisation(const TrackId& id, TrackPicture& picture);
    void latency(const TrackId& id, TrackPicture& picture);
    void findings(TrackPicture& picture) const;
    void line(const TrackId& id, TrackPicture& picture);

    void count_ranks(std::span<const std::uint64_t> ranks, TrackPicture& picture) const;
    void mark_worst(const FindingTimes& findings, TrackPicture& picture) const;
    void level_by_count(TrackPicture& picture) const;
    [[nodiscard]] const Ranks& ranks_of(const Series& series);
    [[nodiscard]] bool is_near();
    [[nodiscard]] const std::vector<NearMessage>& near_messages();
    void add_boxes(std::span<const NearMessage> messages, TrackPicture& picture) const;
    [[nodiscard]] std::string label_of(const NearMessage& message) const;
    void add_states(const LineTimeline& line, TrackPicture& picture) const;
    void add_states_of(const LineTimeline& line, std::uint8_t node, TrackPicture& picture) const;
    void add_arrows(const LineTimeline& line, std::size_t from, std::size_t to, TrackPicture& picture) const;

    const TraceModel& model_;
    const Viewport viewport_;
    Matcher& matcher_;
    PictureSources sources_;
    std::vector<Picoseconds> edges_;  ///< of all columns, one more than there are
    std::map<const Series*, Ranks> ranks_;
    std::vector<NearMessage> near_;
    bool near_is_known_ = false;
    bool coarse_ = false;
};

/// How many of sorted times lie before each edge.
[[nodiscard]] std::vector<std::uint64_t> ranks_of(std::span<const Picoseconds> times,
                                                  std::span<const Picoseconds> edges);
/// Puts boxes that would overlap below each other; how many lanes that takes.
[[nodiscard]] int assign_lanes(std::vector<Box>& boxes);

[[nodiscard]] std::string grouped(std::uint64_t number);

}  // namespace eciscope::view
