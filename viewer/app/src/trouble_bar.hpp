// What went wrong with the file, as sentences above the timeline.
#pragma once

#include <QFrame>

#include "session.hpp"

class QLabel;

namespace eciscope::view {

class TroubleBar : public QFrame {
 public:
    TroubleBar(Session& session, QWidget* parent);

    [[nodiscard]] QString text() const;
    /// For what has no document: a file that could not be opened.
    void show_sentence(const QString& sentence);

 private:
    void follow();

    Session& session_;
    QLabel* label_;
    QString outside_;
    QString dismissed_;
};

}  // namespace eciscope::view
