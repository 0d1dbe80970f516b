#include "theme.hpp"

#include <QApplication>
#include <QGuiApplication>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>
#include <array>

namespace eciscope::view {

namespace {

// The palette of Okabe and Ito.
constexpr QColor orange(0xe6, 0x9f, 0x00);
constexpr QColor sky(0x56, 0xb4, 0xe9);
constexpr QColor green(0x00, 0x9e, 0x73);
constexpr QColor yellow(0xf0, 0xe4, 0x42);
constexpr QColor blue(0x00, 0x72, 0xb2);
constexpr QColor vermillion(0xd5, 0x5e, 0x00);
constexpr QColor purple(0xcc, 0x79, 0xa7);

Theme make_light() {
    Theme theme;
    theme.background = QColor(0xff, 0xff, 0xff);
    theme.panel = QColor(0xf5, 0xf6, 0xf8);
    theme.header = QColor(0xe6, 0xe9, 0xee);
    theme.text = QColor(0x1c, 0x21, 0x28);
    theme.faint = QColor(0x6a, 0x72, 0x7d);
    theme.grid = QColor(0xf0, 0xf1, 0xf4);
    theme.grid_major = QColor(0xde, 0xe1, 0xe7);
    theme.separator = QColor(0xe4, 0xe7, 0xec);
    theme.selection = QColor(0x00, 0x72, 0xb2, 0x2c);
    theme.accent = QColor(0x1c, 0x21, 0x28);
    theme.cursor_a = blue;
    theme.cursor_b = purple;
    theme.bookmark = green;
    theme.unknown = QColor(0xa8, 0xae, 0xb8);
    return theme;
}

Theme make_dark() {
    Theme theme;
    theme.dark = true;
    theme.background = QColor(0x14, 0x17, 0x1c);
    theme.panel = QColor(0x1c, 0x20, 0x27);
    theme.header = QColor(0x29, 0x2f, 0x38);
    theme.text = QColor(0xe3, 0xe7, 0xec);
    theme.faint = QColor(0x8f, 0x99, 0xa6);
    theme.grid = QColor(0x1d, 0x21, 0x28);
    theme.grid_major = QColor(0x2b, 0x31, 0x3a);
    theme.separator = QColor(0x25, 0x2a, 0x32);
    theme.selection = QColor(0x56, 0xb4, 0xe9, 0x34);
    theme.accent = QColor(0xff, 0xff, 0xff);
    theme.cursor_a = sky;
    theme.cursor_b = purple;
    theme.bookmark = QColor(0x2f, 0xc8, 0x9b);
    theme.unknown = QColor(0x5c, 0x65, 0x72);
    return theme;
}

bool ends_with(const std::string& text, std::string_view end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

QColor Theme::of(Worst worst) const {
    switch (worst) {
        case Worst::violation:
            return vermillion;
        case Worst::damage:
            return purple;
        case Worst::loss:
            return orange;
        case Worst::retry:
            return dark ? yellow : QColor(0xc9, 0xb8, 0x00);
        case Worst::note:
            return faint;
        case Worst::messages:
            return dark ? sky : blue;
        case Worst::nothing:
            break;
    }
    return background;
}

QColor Theme::of_track(const TrackInfo& track) const {
    switch (track.id.kind) {
        case TrackKind::findings:
            return faint;
        case TrackKind::utilisation:
            return dark ? sky : blue;
        case TrackKind::credits:
            return green;
        case TrackKind::latency:
            return dark ? QColor(0x9c, 0xa8, 0xe8) : QColor(0x54, 0x5f, 0xae);
        case TrackKind::line:
            return dark ? sky : blue;
        case TrackKind::circuit:
            break;
    }
    // Requests, what the home asks of others, and answers are told apart; devices have the quiet colour.
    if (ends_with(track.name, "MREQ")) {
        return dark ? sky : blue;
    }
    if (ends_with(track.name, "MFWD")) {
        return dark ? QColor(0x9c, 0xa8, 0xe8) : QColor(0x54, 0x5f, 0xae);
    }
    if (ends_with(track.name, "MRSP")) {
        return dark ? QColor(0x2f, 0xc8, 0x9b) : green;
    }
    return dark ? QColor(0x8f, 0x99, 0xa6) : QColor(0x6f, 0x7b, 0x8b);
}

QColor Theme::of_state(char state) const {
    switch (state) {
        case 'M':
            return orange;
        case 'O':
            return yellow;
        case 'E':
            return dark ? QColor(0x2f, 0xc8, 0x9b) : QColor(0x3b, 0xb8, 0x93);
        case 'S':
            return sky;
        case 'I':
            return dark ? QColor(0x33, 0x3a, 0x45) : QColor(0xdd, 0xe1, 0xe7);
        default:
            return unknown;
    }
}

const Theme& light_theme() {
    static const Theme theme = make_light();
    return theme;
}

const Theme& dark_theme() {
    static const Theme theme = make_dark();
    return theme;
}

const Theme& theme_of(ThemeChoice choice) {
    // Asked once, before the application's palette is ours.
    static const bool desktop_is_dark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
    const bool dark = choice == ThemeChoice::dark || (choice == ThemeChoice::automatic && desktop_is_dark);
    return dark ? dark_theme() : light_theme();
}

void apply_theme(const Theme& theme) {
    // The only style that takes all colours from the palette.
    if (QApplication::style()->name() != QStringLiteral("fusion")) {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    }
    QPalette palette;
    palette.setColor(QPalette::Window, theme.panel);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.background);
    palette.setColor(QPalette::AlternateBase, theme.grid);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.faint);
    palette.setColor(QPalette::Button, theme.header);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::ToolTipBase, theme.header);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Highlight, theme.dark ? QColor(0x1f, 0x5f, 0x8b) : QColor(0x00, 0x72, 0xb2));
    palette.setColor(QPalette::HighlightedText, QColor(0xff, 0xff, 0xff));
    const QColor link = theme.dark ? sky : blue;
    palette.setColor(QPalette::Link, link);
    palette.setColor(QPalette::LinkVisited, link);
    palette.setColor(QPalette::Mid, theme.grid_major);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, theme.faint);
    }
    QApplication::setPalette(palette);
}

}  // namespace eciscope::view
