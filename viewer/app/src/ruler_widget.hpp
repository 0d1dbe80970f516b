// The ruler above the tracks: times, cursors, bookmarks. Dragging it moves the view, dragging a cursor's flag that.
#pragma once

#include "canvas.hpp"
#include "paint_widget.hpp"

namespace eciscope::view {

class RulerWidget : public PaintWidget {
 public:
    RulerWidget(Session& session, Canvas& canvas, QWidget* parent);

 protected:
    void render(QImage& image) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

 private:
    Canvas& canvas_;
    bool dragging_ = false;
    int cursor_ = -1;  // that is dragged
    int last_column_ = 0;
};

}  // namespace eciscope::view
