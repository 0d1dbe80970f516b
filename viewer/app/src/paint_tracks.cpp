#include "paint_tracks.hpp"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>

#include "text.hpp"

namespace eciscope::view {

namespace {

/// Where boxes of a line's track lie: between the bands of the two nodes.
QRect box_region(const Look& look, const QRect& area, const TrackPicture& track) {
    if (track.id.kind != TrackKind::line) {
        return area.adjusted(0, look.px(3), 0, -look.px(3));
    }
    return area.adjusted(0, look.px(27), 0, -look.px(26));
}

void paint_header(Surface& surface, const QRect& area) {
    surface.painter.fillRect(area, surface.look.theme->header);
}

void paint_grid(Surface& surface, const QRect& area, const Picture& picture) {
    const Theme& theme = *surface.look.theme;
    for (const Tick& tick : picture.ticks) {
        if (tick.column >= 0 && tick.column < area.width()) {
            surface.painter.fillRect(area.left() + tick.column, area.top(), 1, area.height(),
                                     tick.major ? theme.grid_major : theme.grid);
        }
    }
}

void paint_missing(Surface& surface, const QRect& area, const std::string& reason) {
    surface.painter.setPen(surface.look.theme->faint);
    surface.painter.setFont(surface.look.small);
    surface.painter.drawText(area.adjusted(surface.look.px(8), 0, -surface.look.px(8), 0),
                             Qt::AlignVCenter | Qt::AlignLeft, to_qt(reason));
}

void paint_marks(Surface& surface, const QRect& area, const TrackPicture& track, const Chosen& chosen) {
    const int size = surface.look.px(11);
    std::vector<Mark> marks = track.marks;
    // The worst on top.
    std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.worst < b.worst; });
    for (const Mark& mark : marks) {
        const QPointF centre(area.left() + mark.column + 0.5, area.center().y() + 0.5);
        paint_mark(surface.painter, surface.look, mark.worst, centre, size);
        if (chosen.finding == mark.finding) {
            surface.painter.setPen(QPen(surface.look.theme->accent, surface.look.px(1.5)));
            surface.painter.setBrush(Qt::NoBrush);
            surface.painter.drawEllipse(centre, size * 0.95, size * 0.95);
        }
    }
}

}  // namespace

void hatch(QPainter& painter, const QRect& area, const QColor& colour, int distance) {
    painter.setPen(QPen(colour, 1));
    const int height = area.height() - 1;
    const int right = area.left() + area.width() - 1;
    // Lines stand still when the area is cut off by the edge of the picture.
    int start = area.left() - height;
    start -= ((start % distance) + distance) % distance;
    for (int x = start; x <= right; x += distance) {
        const int from = std::max(x, area.left());
        const int to = std::min(x + height, right);
        if (from <= to) {
            painter.drawLine(from, area.top() + height - (from - x), to, area.top() + height - (to - x));
        }
    }
}

void paint_mark(QPainter& painter, const Look& look, Worst worst, const QPointF& centre, double size) {
    const double half = size / 2;
    const QColor colour = look.theme->of(worst);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(look.theme->background, std::max(1, look.px(1))));
    painter.setBrush(colour);
    const double x = centre.x();
    const double y = centre.y();
    switch (worst) {
        case Worst::violation:
            painter.drawPolygon(QPolygonF({{x, y - half}, {x + half, y}, {x, y + half}, {x - half, y}}));
            break;
        case Worst::damage:
            painter.setPen(QPen(colour, look.px(2.5)));
            painter.drawLine(QPointF(x - half * 0.7, y - half * 0.7), QPointF(x + half * 0.7, y + half * 0.7));
            painter.drawLine(QPointF(x - half * 0.7, y + half * 0.7), QPointF(x + half * 0.7, y - half * 0.7));
            break;
        case Worst::loss:
            painter.drawRect(QRectF(x - half * 0.75, y - half * 0.75, size * 0.75, size * 0.75));
            break;
        case Worst::retry:
            painter.drawPolygon(
                QPolygonF({{x + half * 0.7, y - half * 0.8}, {x + half * 0.7, y + half * 0.8}, {x - half * 0.8, y}}));
            break;
        default:
            painter.drawEllipse(centre, half * 0.65, half * 0.65);
            break;
    }
    painter.restore();
}

QRect box_area(const Look& look, const QRect& area, const TrackPicture& track, const Box& box) {
    const QRect region = box_region(look, area, track);
    const int lanes = std::max(1, track.lanes);
    const int gap = region.height() / lanes > look.px(8) ? look.px(2) : 0;
    const int top = region.top() + region.height() * box.lane / lanes;
    const int bottom = region.top() + region.height() * (box.lane + 1) / lanes;
    return {area.left() + box.from, top, box.to - box.from + 1, std::max(1, bottom - top - gap)};
}

void paint_boxes(Surface& surface, const QRect& area, const TrackInfo& info, const TrackPicture& track,
                 const Chosen& chosen) {
    QPainter& painter = surface.painter;
    const Look& look = surface.look;
    const QColor plain = look.theme->of_track(info);
    const QFontMetrics metrics(look.small);
    painter.setFont(look.small);
    const Box* selected = nullptr;
    for (const Box& box : track.boxes) {
        QRect place = box_area(look, area, track, box);
        place = place.intersected(QRect(area.left(), place.top(), area.width(), place.height()));
        const QColor colour = box.worst > Worst::messages ? look.theme->of(box.worst) : plain;
        painter.fillRect(place, colour);
        if (place.width() >= look.px(3)) {  // where the header is
            painter.fillRect(place.left(), place.top(), look.px(1), place.height(),
                             mixed(colour, look.theme->text, 0.45));
        }
        const QString label = to_qt(box.label);
        const bool room = place.height() >= metrics.ascent() && place.width() > look.px(20) &&
                          metrics.horizontalAdvance(label) + look.px(8) <= place.width();
        if (room) {
            painter.setPen(text_on(colour));
            painter.drawText(place.adjusted(look.px(5), 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, label);
        }
        selected = chosen.message == box.number ? &box : selected;
    }
    if (selected != nullptr) {
        const int grow = look.px(2);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(look.theme->accent, look.px(2)));
        painter.drawRect(box_area(look, area, track, *selected).adjusted(-grow, -grow, grow - 1, grow - 1));
    }
}

void paint_track(Surface& surface, const QRect& area, const TrackInfo& info, const TrackPicture& track,
                 const Chosen& chosen) {
    if (info.missing) {
        paint_missing(surface, area, *info.missing);
        return;
    }
    if (info.id.kind == TrackKind::line) {
        paint_line_track(surface, area, info, track, chosen);
        return;
    }
    const QColor colour = surface.look.theme->of_track(info);
    if (track.boxes.empty()) {
        paint_columns(surface, area, track.columns, colour);
    } else {
        paint_uncovered(surface, area, track, colour);
        paint_boxes(surface, area, info, track, chosen);
    }
    paint_marks(surface, area, track, chosen);
}

void paint_rows(Surface& surface, const QRect& area, const Placement& placement, const Picture& picture,
                const Chosen& chosen) {
    QPainter& painter = surface.painter;
    const Theme& theme = *surface.look.theme;
    // Rows that scroll first: pinned ones then cover what has scrolled under them.
    for (const bool pinned : {false, true}) {
        if (pinned && placement.pinned_bottom > 0) {
            painter.fillRect(area.left(), area.top(), area.width(), placement.pinned_bottom, theme.background);
        }
        const QRect part(area.left(), area.top(), area.width(),
                         pinned && placement.pinned_bottom > 0 ? placement.pinned_bottom : area.height());
        paint_grid(surface, part, picture);
        std::size_t number = 0;
        for (const PlacedRow& placed : placement.rows) {
            const bool header = placed.row.kind == Row::Kind::header;
            const std::size_t track = number;
            number += header ? 0 : 1;
            if (placed.row.pinned != pinned) {
                continue;
            }
            const QRect row(area.left(), area.top() + placed.top, area.width(), placed.height - 1);
            painter.fillRect(row.left(), row.top() + row.height(), row.width(), 1, theme.separator);
            if (header) {
                paint_header(surface, row);
            } else if (track < picture.tracks.size()) {
                paint_track(surface, row, placed.row.track, picture.tracks[track], chosen);
            }
        }
        if (pinned && placement.pinned_bottom > 0) {
            painter.fillRect(area.left(), area.top() + placement.pinned_bottom - 1, area.width(), surface.look.px(1),
                             theme.grid_major);
        }
    }
}

}  // namespace eciscope::view
