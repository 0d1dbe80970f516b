// Counts, rates and latencies of the selected range.
#pragma once

#include <QTextBrowser>
#include <QTimer>

#include "session.hpp"

namespace eciscope::view {

class StatisticsPanel : public QTextBrowser {
 public:
    StatisticsPanel(Session& session, QWidget* parent);

    void update_now();

 private:
    Session& session_;
    QTimer delay_;  // counting takes longer than a step of a drag
};

}  // namespace eciscope::view
