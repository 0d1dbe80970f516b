// A widget whose picture is made in device pixels, so that a column of it is a pixel of the screen at any scale.
#pragma once

#include <QImage>
#include <QWidget>

#include "look.hpp"
#include "session.hpp"

namespace eciscope::view {

class PaintWidget : public QWidget {
 public:
    PaintWidget(Session& session, QWidget* parent);

    /// The next paint makes the picture anew.
    void renew();
    [[nodiscard]] QSize device_size() const;
    /// Logical to device pixels, as the mouse needs it.
    [[nodiscard]] int to_device(double logical) const;

 protected:
    void paintEvent(QPaintEvent* event) override;
    /// Makes the whole picture; what moves over it is painted by `paint_over`.
    virtual void render(QImage& image) = 0;
    virtual void paint_over(QPainter&) {}
    [[nodiscard]] Session& session() const { return session_; }
    [[nodiscard]] Look look() const;
    /// Whether the focus came by key: a frame shows where it is then.
    [[nodiscard]] bool shows_focus() const { return hasFocus() && focus_by_key_; }
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

 private:
    Session& session_;
    QImage image_;
    bool stale_ = true;
    bool focus_by_key_ = false;
};

}  // namespace eciscope::view
