// The whole trace in a strip, with the part that is in view. A click or drag moves the view there.
#pragma once

#include "paint_widget.hpp"

namespace eciscope::view {

class Minimap : public PaintWidget {
 public:
    Minimap(Session& session, QWidget* parent);

 protected:
    void render(QImage& image) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

 private:
    void move_to(double logical_x);

    Picture picture_;
    bool picture_stale_ = true;
};

/// What the minimap shows: the worst and how much, of everything.
[[nodiscard]] Picture overview(Session& session, int columns);

}  // namespace eciscope::view
