#include "session.hpp"

#include <QFileSystemWatcher>
#include <QTimer>
#include <algorithm>

#include "text.hpp"

namespace eciscope::view {

namespace {

/// Of time around a finding that is jumped to from far away: some messages before and after it are told apart.
constexpr Picoseconds near_span = 4'000 * picoseconds_per_nanosecond;

constexpr int file_settles_ms = 300;

}  // namespace

Session::Session() : theme_(&light_theme()) {
    viewport_.span = 1000;
    viewport_.columns = 1000;
}

Session::~Session() = default;

void Session::tell(Change change) {
    for (const auto& listener : listeners_) {
        listener(change);
    }
}

ewf::Expected<void> Session::open(const QString& path, OpenOptions options) {
    options_ = options;
    options.changed = [this] {
        if (!refresh_asked_.exchange(true)) {
            QMetaObject::invokeMethod(
                &receiver_, [this] { refresh(); }, Qt::QueuedConnection);
        }
    };
    auto opened = Document::open(path.toStdString(), std::move(options));
    if (!opened) {
        return tl::unexpected<ewf::Error>(opened.error());
    }
    close();
    document_ = std::move(*opened);
    path_ = path;
    watcher_ = std::make_unique<QFileSystemWatcher>(QStringList{path});
    QObject::connect(watcher_.get(), &QFileSystemWatcher::fileChanged, &receiver_, [this] { file_changed(); });
    load_bookmarks_of(path);
    facts_ = document_->facts();
    tell(Change::opened);
    refresh();
    return {};
}

ewf::Expected<void> Session::reopen() {
    const Viewport before = viewport_;
    const bool was_whole = shows_whole_;
    auto result = open(QString(path_), options_);
    if (result && !was_whole) {
        show(before);
        history_.clear();
    }
    return result;
}

void Session::close() {
    document_.reset();
    watcher_.reset();
    path_.clear();
    facts_ = {};
    status_ = {};
    own_troubles_.clear();
    shows_whole_ = true;
    history_.clear();
    tracks_ = {};
    message_.reset();
    finding_.reset();
    range_.reset();
    cursors_[0].reset();
    cursors_[1].reset();
    bookmarks_.clear();
    tell(Change::opened);
}

void Session::refresh() {
    refresh_asked_ = false;
    if (!document_) {
        return;
    }
    facts_ = document_->facts();
    status_ = document_->status();
    tracks_.set_tracks(document_->tracks());
    if (shows_whole_) {
        viewport_ = whole(facts_.limits, viewport_.columns);
    }
    tell(Change::content);
}

void Session::file_changed() {
    // The document looks at its file a few times a second at most: by then it does again, and says what it saw.
    QTimer::singleShot(file_settles_ms, &receiver_, [this] { refresh(); });
}

std::vector<std::string> Session::troubles() const {
    std::vector<std::string> all = own_troubles_;
    all.insert(all.end(), status_.troubles.begin(), status_.troubles.end());
    return all;
}

void Session::add_trouble(const std::string& sentence) {
    if (std::find(own_troubles_.begin(), own_troubles_.end(), sentence) == own_troubles_.end()) {
        own_troubles_.push_back(sentence);
        tell(Change::content);
    }
}

void Session::set_columns(int columns) {
    if (columns < 1 || columns == viewport_.columns) {
        return;
    }
    viewport_.columns = columns;
    if (document_) {
        viewport_ = shows_whole_ ? whole(facts_.limits, columns)
                                 : showing(viewport_, viewport_.start, viewport_.end(), facts_.limits);
    }
    tell(Change::view);
}

void Session::show(const Viewport& viewport, bool continues) {
    if (!document_ || viewport == viewport_) {
        return;
    }
    history_.changed_from(viewport_, continues, ViewHistory::Clock::now());
    viewport_ = viewport;
    shows_whole_ = viewport_ == whole(facts_.limits, viewport_.columns);
    tell(Change::view);
}

void Session::reveal(Picoseconds time) {
    // Not at the very edge: what is around it matters.
    const Picoseconds margin = viewport_.span / 8;
    if (time >= viewport_.start + margin && time < viewport_.end() - margin) {
        return;
    }
    Viewport target = viewport_;
    target.start = time - viewport_.span / 2;
    show(showing(target, target.start, target.end(), facts_.limits));
}

void Session::zoom(int column, int numerator, int denominator) {
    show(zoomed(viewport_, column, numerator, denominator, facts_.limits), true);
}

void Session::pan(int columns) {
    show(panned(viewport_, columns, facts_.limits), true);
}

void Session::undo() {
    if (const auto target = history_.undo(viewport_)) {
        viewport_ = showing(viewport_, target->start, target->end(), facts_.limits);
        shows_whole_ = viewport_ == whole(facts_.limits, viewport_.columns);
        tell(Change::view);
    }
}

void Session::redo() {
    if (const auto target = history_.redo(viewport_)) {
        viewport_ = showing(viewport_, target->start, target->end(), facts_.limits);
        shows_whole_ = viewport_ == whole(facts_.limits, viewport_.columns);
        tell(Change::view);
    }
}

void Session::pin_line(const ewf::Line& line) {
    tracks_.add_line(line);
    tell(Change::tracks);
}

ewf::Expected<void> Session::set_filter(const QString& text) {
    auto parsed = parse_filter(text.toStdString());
    if (!parsed) {
        return tl::unexpected<ewf::Error>(parsed.error());
    }
    filter_ = std::move(*parsed);
    tell(Change::filter);
    return {};
}

void Session::choose_message(std::optional<MessageNumber> message) {
    if (message == message_ && !finding_) {
        return;
    }
    message_ = message;
    finding_.reset();
    tell(Change::chosen);
}

void Session::go_to_message(MessageNumber message) {
    if (!document_) {
        return;
    }
    const auto rows = document_->rows(message, 1);
    if (rows.empty()) {
        return;
    }
    reveal(rows.front().head.last);
    choose_message(message);
}

void Session::go_to_finding(std::size_t finding) {
    const auto target = finding_number(finding);
    if (!target) {
        return;
    }
    if (viewport_.span > 4 * near_span) {
        show_range(target->time - near_span / 2, target->time + near_span / 2);
    } else {
        reveal(target->time);
    }
    message_ = target->message;
    finding_ = finding;
    tell(Change::chosen);
}

std::optional<Finding> Session::finding_number(std::size_t number) const {
    if (!document_) {
        return std::nullopt;
    }
    auto found = document_->findings(number, 1);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

void Session::choose_range(std::optional<Range> range) {
    if (range == range_) {
        return;
    }
    range_ = range;
    tell(Change::chosen);
}

void Session::set_cursor(int which, std::optional<Picoseconds> time) {
    cursors_[which] = time;
    tell(Change::cursors);
}

void Session::load_bookmarks_of(const QString& path) {
    auto loaded = load_bookmarks(bookmarks_path(path.toStdString()));
    if (loaded) {
        bookmarks_ = std::move(*loaded);
    } else {
        own_troubles_.push_back("The bookmarks cannot be read: " + loaded.error().message);
    }
}

void Session::set_bookmarks(std::vector<Bookmark> bookmarks) {
    std::stable_sort(bookmarks.begin(), bookmarks.end(),
                     [](const Bookmark& a, const Bookmark& b) { return a.time < b.time; });
    bookmarks_ = std::move(bookmarks);
    tell(Change::bookmarks);
    if (auto saved = save_bookmarks(bookmarks_path(path_.toStdString()), bookmarks_); !saved) {
        add_trouble("The bookmarks cannot be kept: " + saved.error().message);
    }
}

void Session::set_theme(const Theme& theme) {
    theme_ = &theme;
    tell(Change::theme);
}

void Session::set_clock_megahertz(double value) {
    clock_megahertz_ = value;
    tell(Change::cursors);
}

}  // namespace eciscope::view
