// Paints what stands around and over the tracks: labels, ruler, minimap, selection, cursors, bookmarks.
#pragma once

#include <QString>

#include "paint_columns.hpp"
#include "session.hpp"

namespace eciscope::view {

/// Names of rows with their full scale. `current` has the keyboard's focus.
void paint_labels(Surface& surface, const QRect& area, const Placement& placement, const Picture& picture,
                  const Facts& facts, const TrackId* current);

void paint_ruler(Surface& surface, const QRect& area, const Session& session, const Picture& picture);

/// The whole trace's findings and messages, and which part of it is in view.
void paint_minimap(Surface& surface, const QRect& area, const Picture& picture, const Viewport& seen);

/// Selected range, cursors and bookmarks, over the tracks.
void paint_overlay(Surface& surface, const QRect& area, const Session& session, const Viewport& viewport);

/// "1.234 µs = 398 cycles of 322.266 MHz".
[[nodiscard]] QString distance_text(const Session& session, Picoseconds distance);

}  // namespace eciscope::view
