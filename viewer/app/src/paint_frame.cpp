#include "paint_frame.hpp"

#include <QLocale>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>

#include "paint_tracks.hpp"
#include "text.hpp"

namespace eciscope::view {

namespace {

struct LabelText {
    QString left;
    QString right;
};

void paint_text_line(Surface& surface, const QRect& area, const LabelText& text, bool strong) {
    const Look& look = surface.look;
    QPainter& painter = surface.painter;
    const QFontMetrics small(look.small);
    const int right_width = text.right.isEmpty() ? 0 : small.horizontalAdvance(text.right) + look.px(10);
    painter.setFont(look.small);
    painter.setPen(look.theme->faint);
    painter.drawText(area, Qt::AlignVCenter | Qt::AlignRight, text.right);
    const QFont& font = strong ? look.bold : look.font;
    const QString left = QFontMetrics(font).elidedText(text.left, Qt::ElideRight, area.width() - right_width);
    painter.setFont(font);
    painter.setPen(look.theme->text);
    painter.drawText(area, Qt::AlignVCenter | Qt::AlignLeft, left);
}

/// What stands beside a line's track: its number, and each node's name beside its band of states.
void paint_line_label(Surface& surface, const QRect& area, const TrackInfo& track, const Facts& facts) {
    const Look& look = surface.look;
    const auto node_name = [&facts](std::size_t node) {
        const auto& nodes = facts.metadata.nodes;
        return node < nodes.size() ? to_qt(nodes[node].name) : QStringLiteral("node %1").arg(node);
    };
    surface.painter.setFont(look.small);
    surface.painter.setPen(look.theme->faint);
    const int inset = look.px(6);
    surface.painter.drawText(area.adjusted(0, inset, 0, 0), Qt::AlignTop | Qt::AlignRight, node_name(0));
    surface.painter.drawText(area.adjusted(0, 0, 0, -inset), Qt::AlignBottom | Qt::AlignRight, node_name(1));
    paint_text_line(surface, area, {QStringLiteral("line ") + to_qt(track.name), {}}, true);
}

void paint_header_label(Surface& surface, const QRect& area, const Row& row) {
    const Look& look = surface.look;
    QPainter& painter = surface.painter;
    painter.fillRect(area, look.theme->header);
    const double size = look.px(4);
    const QPointF centre(area.left() + look.px(13), area.center().y() + 0.5);
    QPolygonF triangle({{-size * 0.6, -size}, {size * 0.8, 0}, {-size * 0.6, size}});
    if (!row.folded) {
        triangle = QPolygonF({{-size, -size * 0.6}, {size, -size * 0.6}, {0, size * 0.8}});
    }
    triangle.translate(centre);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.theme->faint);
    painter.drawPolygon(triangle);
    painter.restore();
    paint_text_line(surface, area.adjusted(look.px(24), 0, -look.px(8), 0), {to_qt(row.group), {}}, true);
}

/// A track that is pinned out of its group says which it came from.
QString track_name(const Row& row) {
    const bool homeless = row.pinned && row.track.id.kind != TrackKind::findings;
    return to_qt(homeless ? row.track.name + " · " + row.track.group : row.track.name);
}

/// What the full height stands for.
QString full_scale_text(const TrackPicture& track) {
    const bool empty =
        std::none_of(track.columns.begin(), track.columns.end(), [](const Column& c) { return c.count != 0; });
    return empty || track.full_scale.empty() || !track.boxes.empty() ? QString()
                                                                     : QStringLiteral("↥ ") + to_qt(track.full_scale);
}

void paint_label(Surface& surface, const QRect& area, const Row& row, const QString& full_scale, const Facts& facts) {
    const Look& look = surface.look;
    if (row.kind == Row::Kind::header) {
        paint_header_label(surface, area, row);
        return;
    }
    const QRect text = area.adjusted(look.px(row.pinned ? 14 : 24), 0, -look.px(8), 0);
    if (row.pinned) {  // a strip, as a sign of being pinned
        surface.painter.fillRect(area.left(), area.top() + look.px(5), look.px(3), area.height() - look.px(10),
                                 look.theme->of_track(row.track));
    }
    if (row.track.id.kind == TrackKind::line) {
        paint_line_label(surface, text, row.track, facts);
        return;
    }
    paint_text_line(surface, text, {track_name(row), full_scale}, row.pinned);
}

void paint_flag(Surface& surface, const QRect& area, int column, const QColor& colour, const QString& letter) {
    const Look& look = surface.look;
    const int width = look.px(14);
    const QRect flag(area.left() + column, area.bottom() - look.px(14) + 1, width, look.px(14));
    surface.painter.fillRect(flag, colour);
    surface.painter.setFont(look.bold);
    surface.painter.setPen(text_on(colour));
    surface.painter.drawText(flag, Qt::AlignCenter, letter);
}

void paint_bookmark(Surface& surface, const QRect& area, int column) {
    const double size = surface.look.px(5);
    const QPointF tip(area.left() + column + 0.5, area.bottom() + 1);
    surface.painter.setPen(Qt::NoPen);
    surface.painter.setBrush(surface.look.theme->bookmark);
    surface.painter.drawPolygon(
        QPolygonF({tip, {tip.x() - size, tip.y() - 2 * size}, {tip.x() + size, tip.y() - 2 * size}}));
}

bool in_view(const Viewport& viewport, int column) {
    return column >= 0 && column < viewport.columns;
}

void paint_range(Surface& surface, const QRect& area, const Viewport& viewport, const Range& range) {
    const int from = std::clamp(viewport.column_of(range.from), 0, viewport.columns);
    const int to = std::clamp(viewport.column_of(range.to), -1, viewport.columns - 1);
    if (from > to) {
        return;
    }
    surface.painter.fillRect(area.left() + from, area.top(), to - from + 1, area.height(),
                             surface.look.theme->selection);
}

}  // namespace

void paint_labels(Surface& surface, const QRect& area, const Placement& placement, const Picture& picture,
                  const Facts& facts, const TrackId* current) {
    QPainter& painter = surface.painter;
    const Theme& theme = *surface.look.theme;
    for (const bool pinned : {false, true}) {
        if (pinned && placement.pinned_bottom > 0) {
            painter.fillRect(area.left(), area.top(), area.width(), placement.pinned_bottom, theme.panel);
        }
        std::size_t number = 0;
        for (const PlacedRow& placed : placement.rows) {
            const bool header = placed.row.kind == Row::Kind::header;
            const std::size_t track = number;
            number += header ? 0 : 1;
            if (placed.row.pinned != pinned) {
                continue;
            }
            const QRect row(area.left(), area.top() + placed.top, area.width(), placed.height - 1);
            if (current != nullptr && !header && placed.row.track.id == *current) {
                painter.fillRect(row, theme.selection);
            }
            painter.fillRect(row.left(), row.top() + row.height(), row.width(), 1, theme.separator);
            const QString scale =
                !header && track < picture.tracks.size() ? full_scale_text(picture.tracks[track]) : QString();
            paint_label(surface, row, placed.row, scale, facts);
        }
    }
    painter.fillRect(area.right(), area.top(), 1, area.height(), theme.grid_major);
}

void paint_ruler(Surface& surface, const QRect& area, const Session& session, const Picture& picture) {
    const Look& look = surface.look;
    QPainter& painter = surface.painter;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(look.small);
    const QFontMetrics metrics(look.small);
    for (const Tick& tick : picture.ticks) {
        if (!in_view(picture.viewport, tick.column)) {
            continue;
        }
        const int x = area.left() + tick.column;
        const int tall = tick.major ? look.px(9) : look.px(5);
        painter.fillRect(x, area.bottom() - tall + 1, look.px(1), tall,
                         tick.major ? look.theme->faint : look.theme->grid_major);
        const QString label = to_qt(tick.label);
        const int left = x + look.px(4);
        if (tick.major && left + metrics.horizontalAdvance(label) <= area.right()) {
            painter.setPen(look.theme->text);
            painter.drawText(left, area.top() + look.px(4) + metrics.ascent(), label);
        }
    }
    if (session.range()) {
        paint_range(surface, area, picture.viewport, *session.range());
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Bookmark& bookmark : session.bookmarks()) {
        const int column = picture.viewport.column_of(bookmark.time);
        if (in_view(picture.viewport, column)) {
            paint_bookmark(surface, area, column);
        }
    }
    painter.restore();
    for (const int which : {0, 1}) {
        const auto time = session.cursor(which);
        const int column = time ? picture.viewport.column_of(*time) : -1;
        if (time && in_view(picture.viewport, column)) {
            paint_flag(surface, area, column, which == 0 ? look.theme->cursor_a : look.theme->cursor_b,
                       which == 0 ? QStringLiteral("A") : QStringLiteral("B"));
        }
    }
    painter.fillRect(area.left(), area.bottom(), area.width(), 1, look.theme->grid_major);
}

void paint_minimap(Surface& surface, const QRect& area, const Picture& picture, const Viewport& seen) {
    const Look& look = surface.look;
    const int margin = look.px(3);
    if (!picture.tracks.empty()) {
        const QRect bars = area.adjusted(0, margin, 0, -margin);
        paint_columns(surface, bars, picture.tracks.front().columns, look.theme->of(Worst::messages));
    }
    const Viewport& all = picture.viewport;
    const int from = std::clamp(all.column_of(std::max(seen.start, all.start)), 0, all.columns - 1);
    const int to = std::clamp(all.column_of(std::min(seen.end() - 1, all.end() - 1)), from, all.columns - 1);
    QColor shade = look.theme->panel;
    shade.setAlpha(190);
    surface.painter.fillRect(area.left(), area.top(), from, area.height(), shade);
    surface.painter.fillRect(area.left() + to + 1, area.top(), all.columns - to - 1, area.height(), shade);
    surface.painter.setPen(QPen(look.theme->faint, look.px(1)));
    surface.painter.setBrush(Qt::NoBrush);
    const int least = look.px(4);  // so that it is found again when it is a dot
    const int width = std::max(to - from + 1, least);
    surface.painter.drawRect(QRect(area.left() + from - (width > to - from + 1 ? least / 2 : 0), area.top() + 1,
                                   width - 1, area.height() - 3));
}

void paint_overlay(Surface& surface, const QRect& area, const Session& session, const Viewport& viewport) {
    const Look& look = surface.look;
    if (session.range()) {
        paint_range(surface, area, viewport, *session.range());
    }
    for (const Bookmark& bookmark : session.bookmarks()) {
        const int column = viewport.column_of(bookmark.time);
        if (in_view(viewport, column)) {
            surface.painter.fillRect(area.left() + column, area.top(), 1, area.height(), look.theme->bookmark);
        }
    }
    for (const int which : {0, 1}) {
        const auto time = session.cursor(which);
        const int column = time ? viewport.column_of(*time) : -1;
        if (time && in_view(viewport, column)) {
            surface.painter.fillRect(area.left() + column, area.top(), look.px(1), area.height(),
                                     which == 0 ? look.theme->cursor_a : look.theme->cursor_b);
        }
    }
}

QString distance_text(const Session& session, Picoseconds distance) {
    const double cycles = static_cast<double>(distance) * session.clock_megahertz() / 1e6;
    return QStringLiteral("%1 = %2 cycles of %3 MHz")
        .arg(to_qt(time_text(distance)), QLocale::c().toString(cycles, 'f', 1),
             QLocale::c().toString(session.clock_megahertz(), 'g', 9));
}

}  // namespace eciscope::view
