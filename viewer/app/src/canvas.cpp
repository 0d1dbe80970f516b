#include "canvas.hpp"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>

#include "hit.hpp"
#include "paint_frame.hpp"
#include "text.hpp"

namespace eciscope::view {

namespace {

constexpr int wheel_notch = 120;  // Qt's unit
constexpr int drag_begins = 4;    // device pixels: less is a click

}  // namespace

Canvas::Canvas(Session& session, QWidget* parent) : PaintWidget(session, parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(QStringLiteral("Tracks"));
    setAccessibleDescription(
        QStringLiteral("Messages over time. W and S zoom, A and D move, question mark lists all keys."));
    setMinimumSize(200, 100);
    session.listen([this](Change change) {
        const bool only_over = change == Change::cursors || change == Change::bookmarks;
        picture_stale_ = picture_stale_ || !only_over;
        if (only_over) {
            update();
        } else {
            renew();
        }
    });
}

void Canvas::set_scroll(int device_pixels) {
    if (device_pixels != scroll_) {
        scroll_ = device_pixels;
        picture_stale_ = true;
        renew();
    }
}

void Canvas::update_picture() {
    if (!picture_stale_) {
        return;
    }
    picture_stale_ = false;
    placement_ = place_rows(session().tracks().rows(), look(), device_size().height(), scroll_);
    if (Document* document = session().document()) {
        std::vector<TrackId> ids;
        for (const PlacedRow& placed : placement_.rows) {
            if (placed.row.kind == Row::Kind::track) {
                ids.push_back(placed.row.track.id);
            }
        }
        picture_ = document->picture(session().viewport(), ids, session().filter());
        picture_.ticks = ruler(session().viewport(), look().px(least_label_distance));
    } else {
        picture_ = {};
    }
    if (picture_changed) {
        picture_changed();
    }
}

void Canvas::render(QImage& image) {
    update_picture();
    const Look sizes = look();
    image.fill(sizes.theme->background);
    QPainter painter(&image);
    Surface surface{painter, &image, sizes};
    if (session().document() == nullptr) {
        painter.setFont(sizes.font);
        painter.setPen(sizes.theme->faint);
        painter.drawText(image.rect(), Qt::AlignCenter,
                         QStringLiteral("Drop a capture or a stored trace here, or open one with Ctrl+O"));
        return;
    }
    paint_rows(surface, image.rect(), placement_, picture_, {session().message(), session().finding()});
}

void Canvas::paint_over(QPainter& painter) {
    const Look sizes = look();
    Surface surface{painter, nullptr, sizes};
    const QRect area(QPoint(0, 0), device_size());
    if (session().document() != nullptr) {
        paint_overlay(surface, area, session(), session().viewport());
    }
    if (shows_focus()) {
        painter.setPen(QPen(sizes.theme->of(Worst::messages), sizes.px(1)));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area.adjusted(0, 0, -1, -1));
    }
}

void Canvas::resizeEvent(QResizeEvent*) {
    picture_stale_ = true;
    session().set_columns(device_size().width());
    renew();
}

QPoint Canvas::device_point(const QPointF& logical) const {
    return {to_device(logical.x()), to_device(logical.y())};
}

int Canvas::pointed_column() const {
    return pointer_ ? std::clamp(pointer_->x(), 0, session().viewport().columns - 1) : session().viewport().columns / 2;
}

Picoseconds Canvas::pointed_time() const {
    return session().viewport().edge(pointed_column());
}

std::optional<TrackId> Canvas::pointed_track() const {
    const PlacedRow* row = pointer_ ? placement_.at(pointer_->y()) : nullptr;
    return row != nullptr && row->row.kind == Row::Kind::track ? std::optional(row->row.track.id) : std::nullopt;
}

void Canvas::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    const int amount = delta.y() != 0 ? delta.y() : delta.x();
    pointer_ = device_point(event->position());
    if (event->modifiers() & Qt::ControlModifier) {
        if (scrolled) {
            scrolled(-amount * 60 / wheel_notch);
        }
    } else if ((event->modifiers() & Qt::ShiftModifier) || delta.y() == 0) {
        session().pan(-amount * session().viewport().columns / (10 * wheel_notch));
    } else {
        // A notch is a factor of 1.25; finer wheels and touch pads give parts of it.
        const int part = std::clamp(std::abs(amount), 1, 4 * wheel_notch);
        const int near = 4 * wheel_notch;
        const int far = near + part;
        session().zoom(pointed_column(), amount > 0 ? near : far, amount > 0 ? far : near);
    }
    event->accept();
}

void Canvas::mousePressEvent(QMouseEvent* event) {
    press_ = device_point(event->position());
    last_column_ = press_.x();
    const bool pans = event->button() == Qt::MiddleButton ||
                      (event->button() == Qt::LeftButton && (event->modifiers() & Qt::ShiftModifier));
    if (pans) {
        drag_ = Drag::pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        drag_ = Drag::press;
    }
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = device_point(event->position());
    pointer_ = at;
    if (drag_ == Drag::press && std::abs(at.x() - press_.x()) >= drag_begins) {
        drag_ = Drag::range;
    }
    if (drag_ == Drag::pan) {
        session().pan(last_column_ - at.x());
        last_column_ = at.x();
    } else if (drag_ == Drag::range) {
        const int from = std::clamp(std::min(press_.x(), at.x()), 0, session().viewport().columns);
        const int to = std::clamp(std::max(press_.x(), at.x()), 0, session().viewport().columns);
        session().choose_range(Range{session().viewport().edge(from), session().viewport().edge(to)});
    }
    if (pointed) {
        pointed(pointed_time());
    }
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
    const Drag ended = std::exchange(drag_, Drag::none);
    unsetCursor();
    if (ended == Drag::press) {
        click(device_point(event->position()));
    }
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    session().zoom(to_device(event->position().x()), 1, 4);
}

void Canvas::leaveEvent(QEvent*) {
    pointer_.reset();
    if (pointed) {
        pointed(std::nullopt);
    }
}

const TrackPicture* Canvas::track_at(const PlacedRow& row) const {
    std::size_t number = 0;
    for (const PlacedRow& placed : placement_.rows) {
        if (&placed == &row) {
            return number < picture_.tracks.size() ? &picture_.tracks[number] : nullptr;
        }
        number += placed.row.kind == Row::Kind::track ? 1 : 0;
    }
    return nullptr;
}

void Canvas::click(const QPoint& device) {
    const PlacedRow* row = placement_.at(device.y());
    if (row == nullptr || session().document() == nullptr) {
        session().choose_range(std::nullopt);
        return;
    }
    if (row->row.kind == Row::Kind::header) {
        session().tracks().toggle_group(row->row.group);
        session().tracks_changed();
        return;
    }
    const TrackPicture* track = track_at(*row);
    if (track == nullptr) {
        return;
    }
    session().choose_range(std::nullopt);
    const QRect area(0, row->top, device_size().width(), row->height - 1);
    if (const auto finding = finding_hit(look(), *track, device)) {
        session().go_to_finding(*finding);
    } else if (const Box* box = box_hit(look(), area, *track, device)) {
        session().choose_message(box->number);
    } else if (const auto message = message_near(session(), track->id, *track, device.x(), look().px(4))) {
        session().choose_message(message);
    }
}

QString Canvas::describe(const QPoint& device) const {
    const PlacedRow* row = placement_.at(device.y());
    const TrackPicture* track = row != nullptr && row->row.kind == Row::Kind::track ? track_at(*row) : nullptr;
    if (track == nullptr) {
        return {};
    }
    const QRect area(0, row->top, device_size().width(), row->height - 1);
    return hit_text(session(), look(), area, row->row.track, *track, device);
}

void Canvas::contextMenuEvent(QContextMenuEvent* event) {
    const auto track = pointed_track();
    if (track && menu_asked) {
        menu_asked(*track, event->globalPos());
    }
}

bool Canvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), describe(device_point(help->pos())), this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace eciscope::view
