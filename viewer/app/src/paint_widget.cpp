#include "paint_widget.hpp"

#include <QFocusEvent>
#include <QPainter>

namespace eciscope::view {

PaintWidget::PaintWidget(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void PaintWidget::renew() {
    stale_ = true;
    update();
}

QSize PaintWidget::device_size() const {
    return {to_device(width()), to_device(height())};
}

int PaintWidget::to_device(double logical) const {
    return static_cast<int>(std::lround(logical * devicePixelRatioF()));
}

Look PaintWidget::look() const {
    return make_look(session_.theme(), devicePixelRatioF());
}

void PaintWidget::focusInEvent(QFocusEvent* event) {
    focus_by_key_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    update();
}

void PaintWidget::focusOutEvent(QFocusEvent*) {
    update();
}

void PaintWidget::paintEvent(QPaintEvent*) {
    const QSize size = device_size();
    if (image_.size() != size) {
        image_ = QImage(size, QImage::Format_RGB32);
        stale_ = true;
    }
    if (stale_) {
        stale_ = false;
        render(image_);
    }
    QPainter painter(this);
    // Back to device pixels, and onto whole ones: at a scale of 1.25 the widget may begin between two.
    painter.scale(1 / devicePixelRatioF(), 1 / devicePixelRatioF());
    const QPointF origin = painter.deviceTransform().map(QPointF(0, 0));
    painter.translate(std::round(origin.x()) - origin.x(), std::round(origin.y()) - origin.y());
    painter.drawImage(0, 0, image_);
    paint_over(painter);
}

}  // namespace eciscope::view
