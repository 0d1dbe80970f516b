// The tracks: paints them, and turns wheel, mouse and pointer into views, selections and cursors.
#pragma once

#include <functional>
#include <optional>

#include "paint_tracks.hpp"
#include "paint_widget.hpp"

namespace eciscope::view {

class Canvas : public PaintWidget {
 public:
    Canvas(Session& session, QWidget* parent);

    void set_scroll(int device_pixels);
    [[nodiscard]] const Placement& placement() const { return placement_; }
    [[nodiscard]] const Picture& picture() const { return picture_; }
    /// Brings `picture` up to date; the labels' painter needs it too.
    void update_picture();
    /// Moment under the pointer, or in the middle where it is elsewhere.
    [[nodiscard]] Picoseconds pointed_time() const;
    [[nodiscard]] int pointed_column() const;
    [[nodiscard]] std::optional<TrackId> pointed_track() const;

    std::function<void()> picture_changed;
    std::function<void(int)> scrolled;                        ///< wheel with ctrl: logical pixels
    std::function<void(std::optional<Picoseconds>)> pointed;  ///< what the pointer is at; none: it left
    std::function<void(const TrackId&, const QPoint&)> menu_asked;

 protected:
    void render(QImage& image) override;
    void paint_over(QPainter& painter) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

 private:
    enum class Drag : std::uint8_t { none, press, range, pan };

    void click(const QPoint& device);
    [[nodiscard]] QString describe(const QPoint& device) const;
    [[nodiscard]] QPoint device_point(const QPointF& logical) const;
    [[nodiscard]] const TrackPicture* track_at(const PlacedRow& row) const;

    Placement placement_;
    Picture picture_;
    int scroll_ = 0;
    bool picture_stale_ = true;
    Drag drag_ = Drag::none;
    QPoint press_;
    int last_column_ = 0;
    std::optional<QPoint> pointer_;  // device pixels
};

}  // namespace eciscope::view
