#include "ruler_widget.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>

#include "paint_frame.hpp"

namespace eciscope::view {

RulerWidget::RulerWidget(Session& session, Canvas& canvas, QWidget* parent)
    : PaintWidget(session, parent), canvas_(canvas) {
    setFixedHeight(ruler_height);
    setAccessibleName(QStringLiteral("Time ruler"));
    session.listen([this](Change) { renew(); });
}

void RulerWidget::render(QImage& image) {
    canvas_.update_picture();
    const Look sizes = look();
    image.fill(sizes.theme->panel);
    QPainter painter(&image);
    Surface surface{painter, &image, sizes};
    paint_ruler(surface, image.rect(), session(), canvas_.picture());
}

void RulerWidget::mousePressEvent(QMouseEvent* event) {
    last_column_ = to_device(event->position().x());
    dragging_ = true;
    cursor_ = -1;
    for (const int which : {1, 0}) {
        const auto time = session().cursor(which);
        const int flag = time ? session().viewport().column_of(*time) : -1;
        if (time && last_column_ >= flag - look().px(2) && last_column_ <= flag + look().px(14)) {
            cursor_ = which;
        }
    }
}

void RulerWidget::mouseMoveEvent(QMouseEvent* event) {
    if (!dragging_) {
        return;
    }
    const int column = to_device(event->position().x());
    if (cursor_ >= 0) {
        session().set_cursor(cursor_,
                             session().viewport().edge(std::clamp(column, 0, session().viewport().columns - 1)));
    } else {
        session().pan(last_column_ - column);
    }
    last_column_ = column;
}

void RulerWidget::mouseReleaseEvent(QMouseEvent*) {
    dragging_ = false;
}

void RulerWidget::mouseDoubleClickEvent(QMouseEvent*) {
    session().show_whole();
}

void RulerWidget::wheelEvent(QWheelEvent* event) {
    const int factor = event->angleDelta().y() > 0 ? 4 : 5;
    session().zoom(to_device(event->position().x()), factor, 9 - factor);
    event->accept();
}

}  // namespace eciscope::view
