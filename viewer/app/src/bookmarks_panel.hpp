// Places with notes. A note is edited where it stands; a double click on the time goes there.
#pragma once

#include <QTreeWidget>

#include "session.hpp"

namespace eciscope::view {

class BookmarksPanel : public QTreeWidget {
 public:
    BookmarksPanel(Session& session, QWidget* parent);

    /// Adds one and lets the person type its note.
    void add(Picoseconds time);

 protected:
    void keyPressEvent(QKeyEvent* event) override;

 private:
    void fill();

    Session& session_;
    bool filling_ = false;
};

}  // namespace eciscope::view
