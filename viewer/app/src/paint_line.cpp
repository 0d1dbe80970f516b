// A pinned cache line: what each node may hold of it, its messages, and which answers which.
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "paint_tracks.hpp"
#include "text.hpp"

namespace eciscope::view {

namespace {

/// The single possibilities of "S|E".
std::vector<std::string_view> possibilities(std::string_view state) {
    std::vector<std::string_view> parts;
    while (!state.empty()) {
        const std::size_t end = std::min(state.find('|'), state.size());
        parts.push_back(state.substr(0, end));
        state.remove_prefix(std::min(end + 1, state.size()));
    }
    return parts;
}

QRect band(const Look& look, const QRect& area, std::uint8_t node) {
    const int height = look.px(20);
    const int margin = look.px(4);
    const int top = node == 0 ? area.top() + margin : area.bottom() - margin - height + 1;
    return {area.left(), top, area.width(), height};
}

void fill_state(QPainter& painter, const Look& look, const QRect& place, const StateSpan& span) {
    const auto states = possibilities(span.state);
    const int count = static_cast<int>(states.size());
    for (int n = 0; n < count; ++n) {
        const int from = place.height() * n / count;
        const int to = place.height() * (n + 1) / count;
        const std::string_view state = states[static_cast<std::size_t>(n)];
        QColor colour = look.theme->of_state(state.empty() ? '?' : state.front());
        if (span.transient) {
            colour = mixed(colour, look.theme->background, 0.55);
        }
        painter.fillRect(place.left(), place.top() + from, place.width(), to - from, colour);
    }
    if (span.transient) {  // a line at the bottom: it is on its way to another state
        const QColor colour =
            look.theme->of_state(states.empty() || states.back().empty() ? '?' : states.back().front());
        painter.fillRect(place.left(), place.bottom() - look.px(3) + 1, place.width(), look.px(3), colour);
    }
}

/// At the left of the span and again where it is long, so that no part of it is without a name.
void paint_state_label(QPainter& painter, const Look& look, const QRect& place, const StateSpan& span) {
    const QString label = span.unknown ? QStringLiteral("unknown") : to_qt(span.state);
    const int width = QFontMetrics(look.bold).horizontalAdvance(label) + look.px(8);
    if (label.isEmpty() || width + look.px(3) > place.width()) {
        return;
    }
    QColor ground = look.theme->of_state(span.state.empty() ? '?' : span.state.front());
    ground = span.transient ? mixed(ground, look.theme->background, 0.55) : ground;
    // Where there is no single colour to be read on.
    const bool plate = span.unknown || span.state.find('|') != std::string::npos;
    if (plate) {
        ground = look.theme->background;
    }
    painter.setFont(look.bold);
    for (int x = place.left() + look.px(2); x + width <= place.right() + 1; x += look.px(700)) {
        const QRect text(x, place.top() + look.px(3), width, place.height() - look.px(6));
        if (plate) {
            painter.fillRect(text, ground);
        }
        painter.setPen(span.unknown ? look.theme->faint : text_on(ground));
        painter.drawText(text, Qt::AlignCenter, label);
    }
}

void paint_state(QPainter& painter, const Look& look, const QRect& area, const StateSpan& span) {
    const QRect lane = band(look, area, span.node);
    const int from = std::max(span.from, 0);
    const int to = std::min(span.to, area.width());
    if (from >= to) {
        return;
    }
    const QRect place(area.left() + from, lane.top(), to - from, lane.height());
    if (span.unknown) {
        hatch(painter, place, look.theme->unknown, std::max(3, look.px(6)));
    } else {
        fill_state(painter, look, place, span);
    }
    if (place.width() >= look.px(3)) {
        painter.fillRect(place.left(), place.top(), 1, place.height(), look.theme->background);
    }
    paint_state_label(painter, look, place, span);
}

void paint_arrow(QPainter& painter, const Look& look, const QPointF& from, const QPointF& to) {
    painter.drawLine(from, to);
    const double length = std::hypot(to.x() - from.x(), to.y() - from.y());
    const double head = look.px(6);
    if (length < head * 1.5) {
        return;
    }
    const double dx = (to.x() - from.x()) / length;
    const double dy = (to.y() - from.y()) / length;
    const QPointF back(to.x() - dx * head, to.y() - dy * head);
    const double half = head * 0.45;
    painter.drawPolygon(
        QPolygonF({to, {back.x() - dy * half, back.y() + dx * half}, {back.x() + dy * half, back.y() - dx * half}}));
}

void paint_arrows(Surface& surface, const QRect& area, const TrackPicture& track) {
    const Look& look = surface.look;
    QPainter& painter = surface.painter;
    std::unordered_map<std::uint64_t, QRect> places;
    for (const Box& box : track.boxes) {
        places.emplace(box.number, box_area(look, area, track, box));
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area);
    painter.setPen(QPen(look.theme->faint, look.px(1.2)));
    painter.setBrush(look.theme->faint);
    const int middle = area.center().y();
    for (const Arrow& arrow : track.arrows) {
        const auto request = places.find(arrow.request);
        const auto answer = places.find(arrow.answer);
        QPointF from(area.left() + arrow.from, middle);
        QPointF to(area.left() + arrow.to, middle);
        if (request != places.end()) {
            from = QPointF(request->second.left() + request->second.width(), request->second.center().y());
        }
        if (answer != places.end()) {
            to = QPointF(answer->second.left(), answer->second.center().y());
        }
        paint_arrow(painter, look, from, to);
    }
    painter.restore();
}

/// What a message is stands beside it where it is too short to hold it: above the arrow that may begin there.
void paint_side_labels(Surface& surface, const QRect& area, const TrackPicture& track) {
    const Look& look = surface.look;
    const QFontMetrics metrics(look.small);
    surface.painter.setFont(look.small);
    surface.painter.setPen(look.theme->text);
    std::vector<const Box*> boxes;
    for (const Box& box : track.boxes) {
        boxes.push_back(&box);
    }
    std::sort(boxes.begin(), boxes.end(), [](const Box* a, const Box* b) { return a->from < b->from; });
    for (std::size_t n = 0; n < boxes.size(); ++n) {
        const QRect place = box_area(look, area, track, *boxes[n]);
        const QString label = to_qt(boxes[n]->label);
        const int width = metrics.horizontalAdvance(label) + look.px(8);
        const int room = (n + 1 < boxes.size() ? boxes[n + 1]->from : area.width()) - boxes[n]->to;
        const bool told_inside = place.width() >= width;
        if (!told_inside && width < room && place.height() >= 2 * metrics.ascent()) {
            surface.painter.drawText(place.left() + place.width() + look.px(3),
                                     place.top() + metrics.ascent() - look.px(1), label);
        }
    }
}

}  // namespace

void paint_line_track(Surface& surface, const QRect& area, const TrackInfo& info, const TrackPicture& track,
                      const Chosen& chosen) {
    for (const StateSpan& span : track.states) {
        paint_state(surface.painter, surface.look, area, span);
    }
    const QRect middle = area.adjusted(0, surface.look.px(26), 0, -surface.look.px(26));
    const QColor colour = surface.look.theme->of_track(info);
    if (track.boxes.empty()) {
        paint_columns(surface, middle, track.columns, colour);
        return;
    }
    paint_uncovered(surface, middle, track, colour);
    paint_arrows(surface, area, track);
    paint_side_labels(surface, area, track);
    paint_boxes(surface, area, info, track, chosen);
}

}  // namespace eciscope::view
