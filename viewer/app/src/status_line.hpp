// The line at the bottom: what the document works at, with a button that stops it, and what the pointer is at.
#pragma once

#include <QStatusBar>
#include <optional>

#include "session.hpp"

class QLabel;
class QProgressBar;
class QToolButton;

namespace eciscope::view {

class StatusLine : public QStatusBar {
 public:
    StatusLine(Session& session, QWidget* parent);

    void show_pointed(std::optional<Picoseconds> time);

 private:
    void follow();

    Session& session_;
    QLabel* work_;
    QProgressBar* progress_;
    QToolButton* cancel_;
    QLabel* pointed_;
    QLabel* trace_;
};

}  // namespace eciscope::view
