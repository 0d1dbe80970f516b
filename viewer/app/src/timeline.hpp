// Minimap, ruler, labels and tracks with their scroll bar, put together.
#pragma once

#include <QWidget>
#include <functional>

#include "session.hpp"

class QLabel;
class QScrollBar;

namespace eciscope::view {

class Canvas;
class Minimap;
class RulerWidget;
class TrackLabels;

class Timeline : public QWidget {
 public:
    Timeline(Session& session, QWidget* parent);

    [[nodiscard]] Canvas& canvas() { return *canvas_; }
    [[nodiscard]] TrackLabels& labels() { return *labels_; }
    /// Of the track under the pointer or with the keyboard's focus.
    [[nodiscard]] std::optional<TrackId> current_track() const;

 private:
    void update_scroll_bar();
    void show_track_menu(const TrackId& id, const QPoint& at);

    Session& session_;
    Canvas* canvas_;
    RulerWidget* ruler_;
    Minimap* minimap_;
    TrackLabels* labels_;
    QScrollBar* scroll_bar_;
    QLabel* span_;
    QLabel* cursors_;
};

}  // namespace eciscope::view
