// What the window does when it is told to.
#include <QAction>
#include <QDockWidget>
#include <QFileDialog>
#include <QInputDialog>
#include <QMenuBar>
#include <algorithm>
#include <map>

#include "bookmarks_panel.hpp"
#include "canvas.hpp"
#include "details_panel.hpp"
#include "export_picture.hpp"
#include "findings_panel.hpp"
#include "help_dialog.hpp"
#include "query_bar.hpp"
#include "text.hpp"
#include "timeline.hpp"
#include "trouble_bar.hpp"
#include "window.hpp"

namespace eciscope::view {

namespace {

constexpr int part_of_view = 8;  // that a key moves

}  // namespace

void Window::add_menus() {
    std::map<std::string, QMenu*> menus;
    for (const Shortcut& shortcut : shortcuts()) {
        QMenu*& menu = menus[shortcut.menu];
        if (menu == nullptr) {
            menu = menuBar()->addMenu(QStringLiteral("&") + QString::fromUtf8(shortcut.menu));
        }
        if (shortcut.separated) {
            menu->addSeparator();
        }
        const Command command = shortcut.command;
        QAction* action = menu->addAction(QString::fromUtf8(shortcut.text), this, [this, command] { run(command); });
        QList<QKeySequence> keys;
        for (const QString& key : QString::fromUtf8(shortcut.keys).split(QStringLiteral("  "), Qt::SkipEmptyParts)) {
            keys << QKeySequence(key);
        }
        action->setShortcuts(keys);
        if (command == Command::open) {
            recent_ = menu->addMenu(QStringLiteral("Open recent"));
            recent_->setEnabled(false);
        }
    }
    QMenu* panels = menus["View"]->addMenu(QStringLiteral("Panels"));
    for (const QDockWidget* panel : findChildren<QDockWidget*>()) {
        panels->addAction(panel->toggleViewAction());
    }
}

void Window::run(Command command) {
    switch (command) {
        case Command::open:
            choose_file();
            break;
        case Command::reload:
            if (const auto opened = session_.document() != nullptr ? session_.reopen() : ewf::Expected<void>();
                !opened) {
                troubles_->show_sentence(to_qt(opened.error().message));
            }
            break;
        case Command::export_picture:
            save_picture();
            break;
        case Command::export_messages:
            save_messages();
            break;
        case Command::quit:
            close();
            break;
        case Command::theme:
            set_theme(session_.theme().dark ? light_theme() : dark_theme());
            break;
        case Command::clock:
            ask_clock();
            break;
        case Command::help:
            show_help(this);
            break;
        default:
            run_view(command);
            break;
    }
}

void Window::run_view(Command command) {
    const int columns = session_.viewport().columns;
    const int at = timeline_->canvas().pointed_column();
    switch (command) {
        case Command::zoom_in:
            session_.zoom(at, 4, 5);
            break;
        case Command::zoom_out:
            session_.zoom(at, 5, 4);
            break;
        case Command::left:
            session_.pan(-columns / part_of_view);
            break;
        case Command::right:
            session_.pan(columns / part_of_view);
            break;
        case Command::begin:
            session_.show_from(session_.facts().limits.first);
            break;
        case Command::end:
            session_.show_from(session_.facts().limits.last - session_.viewport().span + 1);
            break;
        case Command::frame:
            frame_chosen();
            break;
        case Command::whole:
            session_.show_whole();
            break;
        case Command::undo:
            session_.undo();
            break;
        case Command::redo:
            session_.redo();
            break;
        default:
            run_tracks(command);
            break;
    }
}

void Window::run_tracks(Command command) {
    TrackList& tracks = session_.tracks();
    switch (command) {
        case Command::pin:
            if (const auto track = timeline_->current_track()) {
                tracks.set_pinned(*track, !tracks.is_pinned(*track));
            }
            break;
        case Command::pin_line:
            query_->focus_pin();
            return;
        case Command::fold:
            tracks.fold_all(true);
            break;
        case Command::unfold:
            tracks.fold_all(false);
            break;
        case Command::show_hidden:
            tracks.show_all();
            break;
        case Command::empty_tracks:
            show_empty_ = !show_empty_;
            tracks.set_show_empty(show_empty_);
            break;
        default:
            run_go(command);
            return;
    }
    session_.tracks_changed();
}

void Window::run_go(Command command) {
    switch (command) {
        case Command::filter:
            query_->focus_filter();
            break;
        case Command::find:
            query_->focus_search();
            break;
        case Command::next:
            query_->search(true);
            break;
        case Command::previous:
            query_->search(false);
            break;
        case Command::next_violation:
            findings_->step(true, Worst::violation);
            break;
        case Command::previous_violation:
            findings_->step(false, Worst::violation);
            break;
        case Command::next_finding:
            findings_->step(true, Worst::note);
            break;
        case Command::previous_finding:
            findings_->step(false, Worst::note);
            break;
        case Command::partner:
            go_to_partner();
            break;
        case Command::cursor_a:
            session_.set_cursor(0, timeline_->canvas().pointed_time());
            break;
        case Command::cursor_b:
            session_.set_cursor(1, timeline_->canvas().pointed_time());
            break;
        case Command::bookmark:
            if (session_.document() != nullptr) {
                bookmarks_->add(timeline_->canvas().pointed_time());
            }
            break;
        case Command::clear:
            session_.choose_range(std::nullopt);
            session_.choose_message(std::nullopt);
            session_.set_cursor(0, std::nullopt);
            session_.set_cursor(1, std::nullopt);
            timeline_->canvas().setFocus();
            break;
        default:
            break;
    }
}

void Window::frame_chosen() {
    if (session_.range()) {
        session_.show_range(session_.range()->from, session_.range()->to);
        return;
    }
    const auto rows = session_.document() != nullptr && session_.message()
                          ? session_.document()->rows(*session_.message(), 1)
                          : std::vector<MessageRow>();
    if (!rows.empty()) {  // with as much on either side
        const Picoseconds length = std::max<Picoseconds>(rows.front().head.last - rows.front().head.first, 20'000);
        session_.show_range(rows.front().head.first - length, rows.front().head.last + length);
    }
}

void Window::go_to_partner() {
    if (session_.document() == nullptr || !session_.message()) {
        return;
    }
    const auto details = session_.document()->details(*session_.message());
    if (details && (details->answer || details->request)) {
        session_.go_to_message(details->answer ? *details->answer : *details->request);
    } else {
        say(QStringLiteral("Neither a request nor an answer of this message is known"));
    }
}

void Window::choose_file() {
    const QString path =
        QFileDialog::getOpenFileName(this, QStringLiteral("Open a trace"), {},
                                     QStringLiteral("Traces (*.ewf *.pcap *.pcapng *.csv *.ndjson);;All files (*)"));
    if (!path.isEmpty()) {
        open(path);
    }
}

void Window::ask_clock() {
    bool fine = false;
    const double value =
        QInputDialog::getDouble(this, QStringLiteral("Clock"),
                                QStringLiteral("Distances are also given in cycles of this clock, in MHz.\n"
                                               "322.265625 is that of the FPGA's side of the link."),
                                session_.clock_megahertz(), 0.001, 100'000, 6, &fine);
    if (fine) {
        session_.set_clock_megahertz(value);
    }
}

void Window::save_picture() {
    const QString path = QFileDialog::getSaveFileName(this, QStringLiteral("Save the view"), QStringLiteral("view.png"),
                                                      QStringLiteral("Pictures (*.png *.svg)"));
    if (path.isEmpty()) {
        return;
    }
    const QSize size(timeline_->width(), timeline_->height());
    const auto saved = export_view(session_, path, size, devicePixelRatioF());
    say(saved ? path + QStringLiteral(" is written") : to_qt(saved.error().message));
}

void Window::save_messages() {
    if (session_.document() == nullptr) {
        return;
    }
    const QString path =
        QFileDialog::getSaveFileName(this, QStringLiteral("Save messages"), QStringLiteral("messages.csv"),
                                     QStringLiteral("Tables (*.csv);;JSON, one a line (*.ndjson)"));
    if (path.isEmpty()) {
        return;
    }
    const Range range = session_.range().value_or(Range{session_.viewport().start, session_.viewport().end()});
    const bool json = path.endsWith(QStringLiteral(".ndjson")) || path.endsWith(QStringLiteral(".json"));
    const auto format = json ? Document::Format::ndjson : Document::Format::csv;
    const auto saved =
        session_.document()->export_messages(path.toStdString(), format, range.from, range.to, session_.filter());
    say(saved ? QStringLiteral("%1 messages are written to %2").arg(grouped(*saved), path)
              : to_qt(saved.error().message));
}

}  // namespace eciscope::view
