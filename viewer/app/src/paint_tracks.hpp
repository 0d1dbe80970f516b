// Paints tracks: from a Picture to colours.
#pragma once

#include <optional>

#include "look.hpp"
#include "paint_columns.hpp"

namespace eciscope::view {

struct Chosen {
    std::optional<std::uint64_t> message;
    std::optional<std::size_t> finding;
};

/// Where a box of a track that fills `area` is painted; also what a click on it hits.
[[nodiscard]] QRect box_area(const Look& look, const QRect& area, const TrackPicture& track, const Box& box);

void paint_track(Surface& surface, const QRect& area, const TrackInfo& info, const TrackPicture& track,
                 const Chosen& chosen);

/// A track of a cache line: both nodes' states, and between them its messages with arrows. In paint_line.cpp.
void paint_line_track(Surface& surface, const QRect& area, const TrackInfo& info, const TrackPicture& track,
                      const Chosen& chosen);
void paint_boxes(Surface& surface, const QRect& area, const TrackInfo& info, const TrackPicture& track,
                 const Chosen& chosen);

/// All rows, headers as bands, with the ruler's lines behind them. `origin` is where the first column and the first
/// row's top stand.
void paint_rows(Surface& surface, const QRect& area, const Placement& placement, const Picture& picture,
                const Chosen& chosen);

/// Of a finding: a shape and a colour for each kind.
void paint_mark(QPainter& painter, const Look& look, Worst worst, const QPointF& centre, double size);

void hatch(QPainter& painter, const QRect& area, const QColor& colour, int distance);

}  // namespace eciscope::view
