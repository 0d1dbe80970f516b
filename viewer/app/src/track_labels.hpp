// The names of the tracks at the left. Drag moves a track, a click on a group folds it; all of it works with keys.
#pragma once

#include <functional>
#include <optional>

#include "canvas.hpp"
#include "paint_widget.hpp"

namespace eciscope::view {

class TrackLabels : public PaintWidget {
 public:
    TrackLabels(Session& session, Canvas& canvas, QWidget* parent);

    [[nodiscard]] const std::optional<TrackId>& current() const { return current_; }

    std::function<void(int)> scrolled;  ///< logical pixels
    std::function<void(const TrackId&, const QPoint&)> menu_asked;

 protected:
    void render(QImage& image) override;
    void paint_over(QPainter& painter) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

 private:
    void step(int by);
    bool change_current(int key, Qt::KeyboardModifiers modifiers);
    [[nodiscard]] std::vector<Row> track_rows() const;

    Canvas& canvas_;
    std::optional<TrackId> current_;
    std::optional<TrackId> dragged_;
};

}  // namespace eciscope::view
