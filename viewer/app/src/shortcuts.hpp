// What can be done, with which keys: one table for menus, keys and the page under `?`.
#pragma once

#include <QString>
#include <span>

namespace eciscope::view {

enum class Command : std::uint8_t {
    open,
    reload,
    export_picture,
    export_messages,
    quit,
    zoom_in,
    zoom_out,
    left,
    right,
    begin,
    end,
    whole,
    frame,
    undo,
    redo,
    cursor_a,
    cursor_b,
    clear,
    bookmark,
    filter,
    find,
    next,
    previous,
    next_violation,
    previous_violation,
    next_finding,
    previous_finding,
    partner,
    pin,
    pin_line,
    empty_tracks,
    fold,
    unfold,
    show_hidden,
    theme,
    clock,
    help,
};

struct Shortcut {
    Command command{};
    const char* menu;  ///< where it stands
    const char* text;
    const char* keys;        ///< separated by two spaces; empty: in the menu alone
    bool separated = false;  ///< a line above it
};

[[nodiscard]] std::span<const Shortcut> shortcuts();

/// The page under `?`.
[[nodiscard]] QString shortcuts_html();

}  // namespace eciscope::view
