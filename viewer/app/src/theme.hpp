// The colours of the window. Meanings have the colours of Okabe and Ito, which people with any kind of colour vision
// tell apart; shapes and hatches say the same again.
#pragma once

#include <QColor>
#include <string>

#include "eciscope/view/picture.hpp"
#include "eciscope/view/track.hpp"

class QApplication;

namespace eciscope::view {

enum class ThemeChoice : std::uint8_t { automatic, light, dark };

struct Theme {
    bool dark = false;
    QColor background;
    QColor panel;   ///< behind labels, ruler and minimap
    QColor header;  ///< of a group of tracks
    QColor text;
    QColor faint;  ///< text of second rank
    QColor grid;
    QColor grid_major;
    QColor separator;
    QColor selection;  ///< translucent
    QColor accent;     ///< focus, the selected message
    QColor cursor_a;
    QColor cursor_b;
    QColor bookmark;
    QColor unknown;  ///< hatching

    /// Of findings; `messages` has the colour of its track instead.
    [[nodiscard]] QColor of(Worst worst) const;
    [[nodiscard]] QColor of_track(const TrackInfo& track) const;
    /// Of one possible state: "M", "E", "O", "S", "I".
    [[nodiscard]] QColor of_state(char state) const;
};

[[nodiscard]] const Theme& light_theme();
[[nodiscard]] const Theme& dark_theme();
/// What the person chose, or what the desktop has.
[[nodiscard]] const Theme& theme_of(ThemeChoice choice);
/// The rest of the window in the same colours.
void apply_theme(const Theme& theme);

}  // namespace eciscope::view
