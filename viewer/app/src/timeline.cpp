#include "timeline.hpp"

#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>

#include "canvas.hpp"
#include "minimap.hpp"
#include "paint_frame.hpp"
#include "ruler_widget.hpp"
#include "text.hpp"
#include "track_labels.hpp"

namespace eciscope::view {

Timeline::Timeline(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      canvas_(new Canvas(session, this)),
      ruler_(new RulerWidget(session, *canvas_, this)),
      minimap_(new Minimap(session, this)),
      labels_(new TrackLabels(session, *canvas_, this)),
      scroll_bar_(new QScrollBar(Qt::Vertical, this)),
      span_(new QLabel(this)),
      cursors_(new QLabel(this)) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->addWidget(span_, 0, 0);
    grid->addWidget(minimap_, 0, 1);
    grid->addWidget(cursors_, 1, 0);
    grid->addWidget(ruler_, 1, 1);
    grid->addWidget(labels_, 2, 0);
    grid->addWidget(canvas_, 2, 1);
    grid->addWidget(scroll_bar_, 2, 2);
    grid->setRowStretch(2, 1);
    grid->setColumnStretch(1, 1);
    for (QLabel* label : {span_, cursors_}) {
        label->setFixedWidth(label_width);
        label->setMargin(6);
    }
    span_->setAccessibleName(QStringLiteral("Span in view"));
    cursors_->setAccessibleName(QStringLiteral("Distance of the cursors"));

    // Not at once: the picture changes while it is painted, and the scroll bar may move what is painted.
    canvas_->picture_changed = [this] {
        QMetaObject::invokeMethod(
            this, [this] { update_scroll_bar(); }, Qt::QueuedConnection);
    };
    const auto scroll = [this](int by) { scroll_bar_->setValue(scroll_bar_->value() + by); };
    canvas_->scrolled = scroll;
    labels_->scrolled = scroll;
    const auto menu = [this](const TrackId& id, const QPoint& at) { show_track_menu(id, at); };
    canvas_->menu_asked = menu;
    labels_->menu_asked = menu;
    connect(scroll_bar_, &QScrollBar::valueChanged, this, [this](int value) {
        canvas_->set_scroll(canvas_->to_device(value));
        labels_->renew();
    });
    setTabOrder(labels_, canvas_);

    session.listen([this](Change) {
        const bool open = session_.document() != nullptr;
        span_->setText(open ? to_qt(time_text(session_.viewport().span, 3)) + QStringLiteral(" in view") : QString());
        const auto a = session_.cursor(0);
        const auto b = session_.cursor(1);
        cursors_->setText(a && b ? QStringLiteral("B − A = ") + to_qt(time_text(*b - *a)) : QString());
        cursors_->setToolTip(a && b ? distance_text(session_, *b - *a) : QString());
    });
}

void Timeline::update_scroll_bar() {
    const double scale = canvas_->devicePixelRatioF();
    const int content = static_cast<int>(canvas_->placement().content_height / scale);
    scroll_bar_->setRange(0, std::max(0, content - canvas_->height()));
    scroll_bar_->setPageStep(canvas_->height());
    scroll_bar_->setSingleStep(28);
    scroll_bar_->setVisible(scroll_bar_->maximum() > 0);
}

std::optional<TrackId> Timeline::current_track() const {
    return labels_->hasFocus() ? labels_->current() : canvas_->pointed_track();
}

void Timeline::show_track_menu(const TrackId& id, const QPoint& at) {
    QMenu menu(this);
    const bool pinned = session_.tracks().is_pinned(id);
    const auto then = [this](auto change) {
        return [this, change] {
            change(session_.tracks());
            session_.tracks_changed();
        };
    };
    menu.addAction(pinned ? QStringLiteral("Unpin") : QStringLiteral("Pin at the top"), this,
                   then([id, pinned](TrackList& tracks) { tracks.set_pinned(id, !pinned); }));
    menu.addAction(QStringLiteral("Move up"), this, then([id](TrackList& tracks) { tracks.move(id, -1); }));
    menu.addAction(QStringLiteral("Move down"), this, then([id](TrackList& tracks) { tracks.move(id, 1); }));
    menu.addAction(id.kind == TrackKind::line ? QStringLiteral("Remove this line") : QStringLiteral("Hide"), this,
                   then([id](TrackList& tracks) { tracks.remove(id); }));
    menu.addSeparator();
    menu.addAction(QStringLiteral("Show all hidden tracks"), this, then([](TrackList& tracks) { tracks.show_all(); }));
    menu.addAction(QStringLiteral("Fold all groups"), this, then([](TrackList& tracks) { tracks.fold_all(true); }));
    menu.addAction(QStringLiteral("Unfold all groups"), this, then([](TrackList& tracks) { tracks.fold_all(false); }));
    menu.exec(at);
}

}  // namespace eciscope::view
