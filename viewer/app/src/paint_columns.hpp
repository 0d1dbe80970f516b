// Paints the pixel columns of a track: into pixels directly, since that is what a frame's time goes into, or as
// rectangles for a vector picture.
#pragma once

#include <QImage>
#include <QRect>
#include <vector>

#include "look.hpp"

class QPainter;

namespace eciscope::view {

/// Where to paint. `pixels`, if there is one, is what the painter paints on, 32 bits a pixel.
struct Surface {
    QPainter& painter;
    QImage* pixels = nullptr;
    const Look& look;
};

/// `colour` is that of plain messages. A column that holds anything is at least a pixel high; a violation's is full.
void paint_columns(Surface& surface, const QRect& area, const std::vector<Column>& columns, const QColor& colour);

/// Only those columns that no box covers.
void paint_uncovered(Surface& surface, const QRect& area, const TrackPicture& track, const QColor& colour);

}  // namespace eciscope::view
