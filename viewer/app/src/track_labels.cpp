#include "track_labels.hpp"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>

#include "paint_frame.hpp"

namespace eciscope::view {

TrackLabels::TrackLabels(Session& session, Canvas& canvas, QWidget* parent)
    : PaintWidget(session, parent), canvas_(canvas) {
    setFocusPolicy(Qt::StrongFocus);
    setFixedWidth(label_width);
    setAccessibleName(QStringLiteral("Names of the tracks"));
    setAccessibleDescription(
        QStringLiteral("Up and Down choose a track, P pins it, Alt with Up or Down moves it, Delete hides it."));
    setToolTip(QStringLiteral("P pins the track, Alt+Up and Alt+Down or dragging move it, Delete hides it"));
    session.listen([this](Change change) {
        if (change != Change::cursors && change != Change::bookmarks && change != Change::chosen) {
            renew();
        }
    });
}

void TrackLabels::render(QImage& image) {
    canvas_.update_picture();
    const Look sizes = look();
    image.fill(sizes.theme->panel);
    QPainter painter(&image);
    Surface surface{painter, &image, sizes};
    paint_labels(surface, image.rect(), canvas_.placement(), canvas_.picture(), session().facts(),
                 hasFocus() && current_ ? &*current_ : nullptr);
}

void TrackLabels::paint_over(QPainter& painter) {
    if (shows_focus()) {
        const Look sizes = look();
        painter.setPen(QPen(sizes.theme->of(Worst::messages), sizes.px(1)));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRect(QPoint(0, 0), device_size()).adjusted(0, 0, -1, -1));
    }
}

void TrackLabels::wheelEvent(QWheelEvent* event) {
    if (scrolled) {
        scrolled(-event->angleDelta().y() / 2);
    }
    event->accept();
}

void TrackLabels::mousePressEvent(QMouseEvent* event) {
    const PlacedRow* placed = canvas_.placement().at(to_device(event->position().y()));
    if (placed == nullptr || event->button() != Qt::LeftButton) {
        return;
    }
    if (placed->row.kind == Row::Kind::header) {
        session().tracks().toggle_group(placed->row.group);
        session().tracks_changed();
        return;
    }
    current_ = placed->row.track.id;
    dragged_ = current_;
    renew();
}

void TrackLabels::mouseMoveEvent(QMouseEvent* event) {
    const PlacedRow* placed = canvas_.placement().at(to_device(event->position().y()));
    if (!dragged_ || placed == nullptr || placed->row.kind == Row::Kind::header || placed->row.track.id == *dragged_) {
        return;
    }
    // Track by track, so that the last place can be reached too.
    const std::vector<Row> rows = track_rows();
    const auto place = [&rows](const TrackId& id) {
        return std::find_if(rows.begin(), rows.end(), [&id](const Row& row) { return row.track.id == id; });
    };
    const auto from = place(*dragged_);
    const auto to = place(placed->row.track.id);
    if (from == rows.end() || to == rows.end() || from->pinned != to->pinned || from->group != to->group) {
        return;
    }
    session().tracks().move(*dragged_, static_cast<int>(to - from));
    session().tracks_changed();
}

void TrackLabels::mouseReleaseEvent(QMouseEvent*) {
    dragged_.reset();
}

std::vector<Row> TrackLabels::track_rows() const {
    std::vector<Row> rows = session().tracks().rows();
    std::erase_if(rows, [](const Row& row) { return row.kind == Row::Kind::header; });
    return rows;
}

void TrackLabels::step(int by) {
    const std::vector<Row> rows = track_rows();
    if (rows.empty()) {
        return;
    }
    const int last = static_cast<int>(rows.size()) - 1;
    int at = by > 0 ? -1 : last + 1;
    for (int n = 0; n <= last; ++n) {
        at = current_ && rows[static_cast<std::size_t>(n)].track.id == *current_ ? n : at;
    }
    current_ = rows[static_cast<std::size_t>(std::clamp(at + by, 0, last))].track.id;
    renew();
}

bool TrackLabels::change_current(int key, Qt::KeyboardModifiers modifiers) {
    if (!current_) {
        return false;
    }
    TrackList& tracks = session().tracks();
    if (key == Qt::Key_Delete) {
        tracks.remove(*current_);
        current_.reset();
    } else if ((key == Qt::Key_Up || key == Qt::Key_Down) && (modifiers & Qt::AltModifier)) {
        tracks.move(*current_, key == Qt::Key_Up ? -1 : 1);
    } else if (key == Qt::Key_Space) {
        const std::vector<Row> rows = tracks.rows();
        const auto row = std::find_if(rows.begin(), rows.end(), [this](const Row& r) {
            return r.kind == Row::Kind::track && r.track.id == *current_;
        });
        if (row != rows.end() && !row->pinned) {
            tracks.toggle_group(row->group);
        }
    } else {
        return false;
    }
    session().tracks_changed();
    return true;
}

void TrackLabels::keyPressEvent(QKeyEvent* event) {
    if (change_current(event->key(), event->modifiers())) {
        return;
    }
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        step(event->key() == Qt::Key_Up ? -1 : 1);
        return;
    }
    QWidget::keyPressEvent(event);
}

void TrackLabels::contextMenuEvent(QContextMenuEvent* event) {
    const PlacedRow* placed = canvas_.placement().at(to_device(event->pos().y()));
    const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
    std::optional<TrackId> track = keyboard ? current_ : std::nullopt;
    if (!keyboard && placed != nullptr && placed->row.kind == Row::Kind::track) {
        track = placed->row.track.id;
    }
    if (track && menu_asked) {
        menu_asked(*track, event->globalPos());
    }
}

void TrackLabels::focusInEvent(QFocusEvent* event) {
    PaintWidget::focusInEvent(event);
    if (!current_) {
        step(1);
    }
    renew();
}

void TrackLabels::focusOutEvent(QFocusEvent*) {
    renew();
}

}  // namespace eciscope::view
