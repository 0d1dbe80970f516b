#include "bookmarks_panel.hpp"

#include <QHeaderView>
#include <QKeyEvent>
#include <algorithm>

#include "text.hpp"

namespace eciscope::view {

BookmarksPanel::BookmarksPanel(Session& session, QWidget* parent) : QTreeWidget(parent), session_(session) {
    setHeaderLabels({QStringLiteral("Time, s"), QStringLiteral("Note")});
    setRootIsDecorated(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(QStringLiteral("Bookmarks"));
    setToolTip(QStringLiteral("B adds one at the pointer; Enter goes to it, F2 edits its note, Delete removes it"));
    setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
    header()->resizeSection(0, 190);
    connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        const auto at = static_cast<std::size_t>(indexOfTopLevelItem(item));
        if (at < session_.bookmarks().size()) {
            session_.reveal(session_.bookmarks()[at].time);
        }
    });
    connect(this, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) {
        const auto at = static_cast<std::size_t>(indexOfTopLevelItem(item));
        if (filling_ || at >= session_.bookmarks().size()) {
            return;
        }
        std::vector<Bookmark> bookmarks = session_.bookmarks();
        bookmarks[at].note = item->text(1).toStdString();
        session_.set_bookmarks(std::move(bookmarks));
    });
    session.listen([this](Change change) {
        if (change == Change::opened || change == Change::bookmarks) {
            // Not at once: the change may come from the editor of a note, which is still open.
            QMetaObject::invokeMethod(
                this, [this] { fill(); }, Qt::QueuedConnection);
        }
    });
}

void BookmarksPanel::fill() {
    filling_ = true;
    const int current = indexOfTopLevelItem(currentItem());
    clear();
    for (const Bookmark& bookmark : session_.bookmarks()) {
        auto* item =
            new QTreeWidgetItem(this, {seconds_text(session_.facts().base, bookmark.time), to_qt(bookmark.note)});
        item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
    setCurrentItem(topLevelItem(std::min(current, topLevelItemCount() - 1)));
    filling_ = false;
}

void BookmarksPanel::add(Picoseconds time) {
    std::vector<Bookmark> bookmarks = session_.bookmarks();
    bookmarks.push_back({time, {}});
    session_.set_bookmarks(std::move(bookmarks));
    const auto& kept = session_.bookmarks();
    const auto place =
        std::find_if(kept.begin(), kept.end(), [time](const Bookmark& b) { return b.time == time && b.note.empty(); });
    fill();
    if (place != kept.end() && isVisible()) {
        QTreeWidgetItem* item = topLevelItem(static_cast<int>(place - kept.begin()));
        setCurrentItem(item);
        editItem(item, 1);
    }
}

void BookmarksPanel::keyPressEvent(QKeyEvent* event) {
    const auto at = static_cast<std::size_t>(indexOfTopLevelItem(currentItem()));
    if (event->key() == Qt::Key_Delete && at < session_.bookmarks().size()) {
        std::vector<Bookmark> bookmarks = session_.bookmarks();
        bookmarks.erase(bookmarks.begin() + static_cast<std::ptrdiff_t>(at));
        session_.set_bookmarks(std::move(bookmarks));
        return;
    }
    QTreeWidget::keyPressEvent(event);
}

}  // namespace eciscope::view
