// One trace and how a person looks at it: what is in view, chosen and pinned. The widgets show it, change it, and are
// told when it changes.
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "eciscope/view/bookmarks.hpp"
#include "eciscope/view/document.hpp"
#include "theme.hpp"
#include "track_list.hpp"
#include "view_history.hpp"

class QFileSystemWatcher;

namespace eciscope::view {

struct Range {
    Picoseconds from = 0;
    Picoseconds to = 0;
    friend bool operator==(const Range&, const Range&) = default;
};

enum class Change : std::uint8_t {
    opened,   ///< another document, or none
    content,  ///< more is known of it
    view,     ///< what is in view
    tracks,   ///< which tracks
    filter,   ///< which messages
    chosen,   ///< the selected message, finding or range
    cursors,
    bookmarks,
    theme,
};

class Session {
 public:
    Session();
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void listen(std::function<void(Change)> listener) { listeners_.push_back(std::move(listener)); }

    [[nodiscard]] ewf::Expected<void> open(const QString& path, OpenOptions options);
    [[nodiscard]] ewf::Expected<void> reopen();
    void close();
    [[nodiscard]] Document* document() { return document_.get(); }
    [[nodiscard]] const Facts& facts() const { return facts_; }
    [[nodiscard]] const Status& status() const { return status_; }
    [[nodiscard]] const QString& path() const { return path_; }
    /// Of the document and of the window itself.
    [[nodiscard]] std::vector<std::string> troubles() const;
    void add_trouble(const std::string& sentence);
    [[nodiscard]] std::optional<Finding> finding_number(std::size_t number) const;

    // What is in view.
    [[nodiscard]] const Viewport& viewport() const { return viewport_; }
    void set_columns(int columns);
    /// `continues`: one of many small steps, such as those of a wheel; they are undone together.
    void show(const Viewport& viewport, bool continues = false);
    void show_range(Picoseconds from, Picoseconds to) { show(showing(viewport_, from, to, facts_.limits)); }
    /// The same zoom, beginning at `start`.
    void show_from(Picoseconds start) { show_range(start, start + viewport_.span); }
    void show_whole() { show(whole(facts_.limits, viewport_.columns)); }
    /// Brings a moment into view without changing the zoom.
    void reveal(Picoseconds time);
    void zoom(int column, int numerator, int denominator);
    void pan(int columns);
    void undo();
    void redo();
    [[nodiscard]] const ViewHistory& history() const { return history_; }

    // Tracks and filter.
    [[nodiscard]] TrackList& tracks() { return tracks_; }
    void tracks_changed() { tell(Change::tracks); }
    void pin_line(const ewf::Line& line);
    [[nodiscard]] ewf::Expected<void> set_filter(const QString& text);
    [[nodiscard]] const Filter& filter() const { return filter_; }

    // What is chosen.
    [[nodiscard]] std::optional<MessageNumber> message() const { return message_; }
    [[nodiscard]] std::optional<std::size_t> finding() const { return finding_; }
    [[nodiscard]] const std::optional<Range>& range() const { return range_; }
    void choose_message(std::optional<MessageNumber> message);
    /// Also brings it into view.
    void go_to_message(MessageNumber message);
    void go_to_finding(std::size_t finding);
    void choose_range(std::optional<Range> range);

    // Cursors and bookmarks.
    [[nodiscard]] std::optional<Picoseconds> cursor(int which) const { return cursors_[which]; }
    void set_cursor(int which, std::optional<Picoseconds> time);
    [[nodiscard]] const std::vector<Bookmark>& bookmarks() const { return bookmarks_; }
    /// Kept in their file at once; where that cannot be written, a trouble says so.
    void set_bookmarks(std::vector<Bookmark> bookmarks);

    [[nodiscard]] const Theme& theme() const { return *theme_; }
    void set_theme(const Theme& theme);
    /// The clock in whose cycles distances are given.
    [[nodiscard]] double clock_megahertz() const { return clock_megahertz_; }
    void set_clock_megahertz(double value);

    /// Takes what the document has learnt; otherwise done when it says so.
    void refresh();

 private:
    void tell(Change change);
    void file_changed();
    void load_bookmarks_of(const QString& path);

    QObject receiver_;  // of calls from the document's thread; outlives the document
    std::atomic<bool> refresh_asked_{false};
    std::unique_ptr<QFileSystemWatcher> watcher_;
    std::vector<std::function<void(Change)>> listeners_;
    QString path_;
    OpenOptions options_;
    Facts facts_;
    Status status_;
    std::vector<std::string> own_troubles_;
    Viewport viewport_;
    bool shows_whole_ = true;  // until the person looks elsewhere: a growing trace stays whole
    ViewHistory history_;
    TrackList tracks_;
    Filter filter_;
    std::optional<MessageNumber> message_;
    std::optional<std::size_t> finding_;
    std::optional<Range> range_;
    std::optional<Picoseconds> cursors_[2];
    std::vector<Bookmark> bookmarks_;
    const Theme* theme_ = nullptr;
    double clock_megahertz_ = 322.265625;  // of the FPGA's side of the link
    std::unique_ptr<Document> document_;
};

}  // namespace eciscope::view
