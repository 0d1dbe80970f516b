// Violations, losses and the like as a list; a click jumps there.
#pragma once

#include <QTreeView>

#include "findings_model.hpp"

namespace eciscope::view {

class FindingsPanel : public QTreeView {
 public:
    FindingsPanel(Session& session, QWidget* parent);

    /// The next (or previous) finding of at least `worst` from the chosen one, or from the middle of the view.
    void step(bool forward, Worst worst);

 private:
    void follow(Change change);

    Session& session_;
    FindingsModel* model_;
    bool following_ = false;
    std::size_t shown_ = 0;
};

}  // namespace eciscope::view
