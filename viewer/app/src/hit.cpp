#include "hit.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "text.hpp"

namespace eciscope::view {

namespace {

constexpr std::chrono::milliseconds click_patience{100};

std::optional<int> nearest_column(const TrackPicture& track, int column, int reach) {
    const int count = static_cast<int>(track.columns.size());
    for (int distance = 0; distance <= reach; ++distance) {
        for (const int at : {column - distance, column + distance}) {
            if (at >= 0 && at < count && track.columns[static_cast<std::size_t>(at)].count != 0) {
                return at;
            }
        }
    }
    return std::nullopt;
}

}  // namespace

const Box* box_hit(const Look& look, const QRect& area, const TrackPicture& track, const QPoint& point) {
    const int slack = look.px(3);
    for (const Box& box : track.boxes) {
        if (box_area(look, area, track, box).adjusted(-slack, -slack, slack, slack).contains(point)) {
            return &box;
        }
    }
    return nullptr;
}

std::optional<std::size_t> finding_hit(const Look& look, const TrackPicture& track, const QPoint& point) {
    const Mark* best = nullptr;
    for (const Mark& mark : track.marks) {
        const int distance = std::abs(mark.column - point.x());
        const bool nearer = best == nullptr || distance < std::abs(best->column - point.x());
        if (distance <= look.px(6) && nearer) {
            best = &mark;
        }
    }
    return best == nullptr ? std::nullopt : std::optional(best->finding);
}

Filter filter_of(const TrackId& id) {
    Filter filter;
    if (id.kind == TrackKind::line) {
        filter.lines.push_back(id.line);
    }
    if (id.kind == TrackKind::circuit) {
        filter.vcs.push_back(id.vc);
    }
    if (id.kind == TrackKind::circuit || id.kind == TrackKind::utilisation || id.kind == TrackKind::credits) {
        filter.nodes.push_back(id.stream.from);
        filter.links.push_back(id.stream.link);
    }
    return filter;
}

std::optional<MessageNumber> message_near(Session& session, const TrackId& id, const TrackPicture& track, int column,
                                          int reach) {
    const auto at = nearest_column(track, column, reach);
    Document* document = session.document();
    if (!at || document == nullptr) {
        return std::nullopt;
    }
    const MessageNumber first = document->message_at(session.viewport().edge(*at));
    const auto deadline = std::chrono::steady_clock::now() + click_patience;
    const auto go_on = [deadline] { return std::chrono::steady_clock::now() < deadline; };
    // `find` begins behind the message that it is given.
    if (first == 0) {
        const auto rows = document->rows(0, 1);
        return rows.empty() ? std::nullopt : std::optional<MessageNumber>(0);
    }
    return document->find(filter_of(id), first - 1, true, go_on);
}

QString hit_text(const Session& session, const Look& look, const QRect& area, const TrackInfo& info,
                 const TrackPicture& track, const QPoint& point) {
    if (const auto number = finding_hit(look, track, point)) {
        const auto finding = session.finding_number(*number);
        return finding ? to_qt(finding->id + ": " + finding->text) : QString();
    }
    if (const Box* box = box_hit(look, area, track, point)) {
        return QStringLiteral("%1, message %2").arg(to_qt(box->label), grouped(box->number));
    }
    for (const StateSpan& span : track.states) {
        const bool upper = point.y() < area.center().y();
        if (point.x() >= span.from && point.x() < span.to && (span.node == 0) == upper) {
            return span.unknown ? QStringLiteral("node %1: state not known").arg(span.node)
                                : QStringLiteral("node %1: %2%3")
                                      .arg(span.node)
                                      .arg(to_qt(span.state),
                                           span.transient ? QStringLiteral(", a request is under way") : QString());
        }
    }
    const auto at = nearest_column(track, point.x(), look.px(3));
    if (!at) {
        return {};
    }
    const std::uint32_t count = track.columns[static_cast<std::size_t>(*at)].count;
    return QStringLiteral("%1: %2 in %3")
        .arg(to_qt(info.name), grouped(count),
             to_qt(time_text(session.viewport().edge(*at + 1) - session.viewport().edge(*at))));
}

}  // namespace eciscope::view
