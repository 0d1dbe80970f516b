// The window: timeline, panels, menus.
#pragma once

#include <QMainWindow>

#include "session.hpp"
#include "shortcuts.hpp"

class QMenu;

namespace eciscope::view {

class BookmarksPanel;
class DetailsPanel;
class FindingsPanel;
class MessageTable;
class QueryBar;
class StatisticsPanel;
class StatusLine;
class Timeline;
class TroubleBar;

class Window : public QMainWindow {
 public:
    /// `remember`: geometry, recent files and theme are read and kept. Tests and benchmarks begin afresh.
    explicit Window(bool remember);
    ~Window() override;

    /// A file that cannot be opened is a sentence in the window.
    void open(const QString& path);
    void run(Command command);
    void use_theme(bool dark);
    void say(const QString& sentence);
    [[nodiscard]] QString trouble() const;
    /// Does at once what the window puts off for a moment, for a picture of it.
    void settle();

    [[nodiscard]] Session& session() { return session_; }
    [[nodiscard]] Timeline& timeline() { return *timeline_; }
    [[nodiscard]] QueryBar& query_bar() { return *query_; }
    [[nodiscard]] MessageTable& messages() { return *messages_; }
    [[nodiscard]] FindingsPanel& findings() { return *findings_; }
    [[nodiscard]] DetailsPanel& details() { return *details_; }
    [[nodiscard]] StatisticsPanel& statistics() { return *statistics_; }
    [[nodiscard]] BookmarksPanel& bookmarks() { return *bookmarks_; }
    [[nodiscard]] TroubleBar& troubles() { return *troubles_; }
    void set_open_options(const OpenOptions& options) { options_ = options; }

 protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

 private:
    void add_docks();
    void add_menus();
    void restore();
    void remember_file(const QString& path);
    void fill_recent();
    void follow(Change change);
    void run_view(Command command);
    void run_tracks(Command command);
    void run_go(Command command);
    void frame_chosen();
    void go_to_partner();
    void choose_file();
    void ask_clock();
    void save_picture();
    void save_messages();
    void set_theme(const Theme& theme);

    Session session_;
    OpenOptions options_;
    bool remember_;
    bool show_empty_ = false;
    TroubleBar* troubles_ = nullptr;
    Timeline* timeline_ = nullptr;
    QueryBar* query_ = nullptr;
    StatusLine* status_ = nullptr;
    DetailsPanel* details_ = nullptr;
    StatisticsPanel* statistics_ = nullptr;
    MessageTable* messages_ = nullptr;
    FindingsPanel* findings_ = nullptr;
    BookmarksPanel* bookmarks_ = nullptr;
    QMenu* recent_ = nullptr;
};

}  // namespace eciscope::view
