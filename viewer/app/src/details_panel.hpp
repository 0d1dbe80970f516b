// Everything about the chosen message or finding.
#pragma once

#include <QTextBrowser>

#include "session.hpp"

namespace eciscope::view {

class DetailsPanel : public QTextBrowser {
 public:
    DetailsPanel(Session& session, QWidget* parent);

 private:
    void follow(const QUrl& link);

    Session& session_;
};

}  // namespace eciscope::view
