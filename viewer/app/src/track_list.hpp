// Which tracks are shown, in which order: the person's choices. Knows no widgets.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "eciscope/view/track.hpp"

namespace eciscope::view {

/// One row of the timeline: a group's header or a track.
struct Row {
    enum class Kind : std::uint8_t { header, track };
    Kind kind = Kind::track;
    std::string group;    ///< of a header
    bool folded = false;  ///< of a header
    TrackInfo track;
    bool pinned = false;  ///< stays at the top
};

class TrackList {
 public:
    /// New tracks take their place; what was pinned, hidden, moved or folded stays so.
    void set_tracks(std::vector<TrackInfo> tracks);
    /// Pins a cache line at the top; nothing happens where it is already.
    void add_line(const ewf::Line& line);

    void set_pinned(const TrackId& id, bool pinned);
    void remove(const TrackId& id);  ///< hides a track; a line is forgotten
    void show_all();
    void set_show_empty(bool show) { show_empty_ = show; }
    /// By so many places among its neighbours.
    void move(const TrackId& id, int by);
    /// To before the track `before`, which must be of the same group.
    void move_before(const TrackId& id, const TrackId& before);
    void toggle_group(const std::string& group);
    void fold_all(bool folded);

    [[nodiscard]] std::vector<Row> rows() const;
    [[nodiscard]] bool is_pinned(const TrackId& id) const;
    [[nodiscard]] std::size_t hidden_count() const;
    [[nodiscard]] bool empty() const { return entries_.empty(); }

 private:
    struct Entry {
        TrackInfo track;
        bool pinned = false;
        bool hidden = false;
    };
    [[nodiscard]] Entry* find(const TrackId& id);
    [[nodiscard]] const Entry* find(const TrackId& id) const;
    [[nodiscard]] bool shown(const Entry& entry) const;
    [[nodiscard]] bool together(const Entry& a, const Entry& b) const;

    std::vector<Entry> entries_;
    std::set<std::string> folded_;
    bool show_empty_ = false;
};

}  // namespace eciscope::view
