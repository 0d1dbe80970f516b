#include "shortcuts.hpp"

#include <array>

namespace eciscope::view {

namespace {

constexpr std::array table = {
    Shortcut{Command::open, "File", "Open …", "Ctrl+O"},
    Shortcut{Command::reload, "File", "Open anew", "F5"},
    Shortcut{Command::export_picture, "File", "Save the view as PNG or SVG …", "Ctrl+E"},
    Shortcut{Command::export_messages, "File", "Save messages of the selection as CSV or NDJSON …", "Ctrl+Shift+E"},
    Shortcut{Command::quit, "File", "Quit", "Ctrl+Q", true},
    Shortcut{Command::zoom_in, "View", "Zoom in", "W  +"},
    Shortcut{Command::zoom_out, "View", "Zoom out", "S  -"},
    Shortcut{Command::left, "View", "Move to earlier", "A  Left"},
    Shortcut{Command::right, "View", "Move to later", "D  Right"},
    Shortcut{Command::begin, "View", "To the beginning", "Home"},
    Shortcut{Command::end, "View", "To the end", "End"},
    Shortcut{Command::whole, "View", "The whole trace", "0"},
    Shortcut{Command::frame, "View", "Frame the selection", "F"},
    Shortcut{Command::undo, "View", "Undo the last change of view", "Ctrl+Z"},
    Shortcut{Command::redo, "View", "Redo it", "Ctrl+Shift+Z  Ctrl+Y"},
    Shortcut{Command::theme, "View", "Dark or light", "Ctrl+T", true},
    Shortcut{Command::clock, "View", "Clock for cycles …", ""},
    Shortcut{Command::pin, "Tracks", "Pin or unpin the track", "P"},
    Shortcut{Command::pin_line, "Tracks", "Pin a cache line", "L"},
    Shortcut{Command::fold, "Tracks", "Fold all groups", "Shift+F"},
    Shortcut{Command::unfold, "Tracks", "Unfold all groups", "Shift+U"},
    Shortcut{Command::show_hidden, "Tracks", "Show hidden tracks", "Shift+H"},
    Shortcut{Command::empty_tracks, "Tracks", "Show tracks that hold nothing", "Shift+E"},
    Shortcut{Command::filter, "Go", "Show only some messages", "/"},
    Shortcut{Command::find, "Go", "Find a message", "Ctrl+F"},
    Shortcut{Command::next, "Go", "Next match", "N  F3"},
    Shortcut{Command::previous, "Go", "Previous match", "Shift+N  Shift+F3"},
    Shortcut{Command::next_violation, "Go", "Next violation", "V", true},
    Shortcut{Command::previous_violation, "Go", "Previous violation", "Shift+V"},
    Shortcut{Command::next_finding, "Go", "Next finding of any kind", "."},
    Shortcut{Command::previous_finding, "Go", "Previous finding of any kind", ","},
    Shortcut{Command::partner, "Go", "From request to answer, or back", "R"},
    Shortcut{Command::cursor_a, "Go", "Cursor A at the pointer", "[", true},
    Shortcut{Command::cursor_b, "Go", "Cursor B at the pointer", "]"},
    Shortcut{Command::bookmark, "Go", "Bookmark at the pointer", "B"},
    Shortcut{Command::clear, "Go", "Clear selection and cursors", "Esc"},
    Shortcut{Command::help, "Help", "Keys", "?  F1"},
};

}  // namespace

std::span<const Shortcut> shortcuts() {
    return table;
}

QString shortcuts_html() {
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='3'>");
    QString menu;
    for (const Shortcut& shortcut : table) {
        if (*shortcut.keys == '\0') {
            continue;
        }
        if (menu != QString::fromUtf8(shortcut.menu)) {
            menu = QString::fromUtf8(shortcut.menu);
            html += QStringLiteral("<tr><td colspan='2'><h4 style='margin:8px 0 0 0'>%1</h4></td></tr>").arg(menu);
        }
        QString keys = QString::fromUtf8(shortcut.keys).toHtmlEscaped();
        keys.replace(QStringLiteral("  "), QStringLiteral("</b> or <b>"));
        html += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(keys, QString::fromUtf8(shortcut.text).toHtmlEscaped());
    }
    return html + QStringLiteral(
                      "</table><h4 style='margin:8px 0 0 0'>Mouse</h4>"
                      "<p style='margin:2px'>Wheel zooms at the pointer, with Shift moves, with Ctrl scrolls the "
                      "tracks. Dragging selects a "
                      "range; with Shift or the middle button, or on the ruler, it moves the view. A click chooses a "
                      "message or finding, a "
                      "double click zooms in. Dragging a name moves its track.</p>"
                      "<h4 style='margin:8px 0 0 0'>Names of the tracks, once Tab has gone there</h4>"
                      "<p style='margin:2px'><b>Up</b> and <b>Down</b> choose, <b>Alt+Up</b> and <b>Alt+Down</b> move "
                      "the track, "
                      "<b>P</b> pins, <b>Delete</b> hides, <b>Space</b> folds its group.</p>");
}

}  // namespace eciscope::view
