#include "findings_panel.hpp"

#include <QHeaderView>

namespace eciscope::view {

FindingsPanel::FindingsPanel(Session& session, QWidget* parent)
    : QTreeView(parent), session_(session), model_(new FindingsModel(session)) {
    model_->setParent(this);
    setModel(model_);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(QStringLiteral("Findings"));
    header()->resizeSection(0, 230);
    header()->resizeSection(1, 190);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!following_ && index.isValid()) {
            session_.go_to_finding(static_cast<std::size_t>(index.row()));
        }
    });
    session.listen([this](Change change) { follow(change); });
}

void FindingsPanel::follow(Change change) {
    const std::size_t count = session_.document() == nullptr ? 0 : session_.document()->finding_count();
    const bool grown = change == Change::content && count != shown_;
    following_ = true;
    if (change == Change::opened || change == Change::theme || grown) {
        shown_ = count;
        model_->refresh();
    }
    if (change == Change::chosen && session_.finding()) {
        const QModelIndex index = model_->index(static_cast<int>(*session_.finding()), 0);
        setCurrentIndex(index);
        scrollTo(index);
    }
    following_ = false;
}

void FindingsPanel::step(bool forward, Worst worst) {
    Document* document = session_.document();
    if (document == nullptr) {
        return;
    }
    const Picoseconds middle = session_.viewport().start + session_.viewport().span / 2;
    const std::size_t count = document->finding_count();
    std::size_t at = session_.finding().value_or(document->finding_at(middle) + (forward ? ~std::size_t{0} : 0));
    for (;;) {
        at += forward ? 1 : ~std::size_t{0};
        if (at >= count) {  // also behind 0
            return;
        }
        const auto found = session_.finding_number(at);
        if (found && found->worst >= worst) {
            session_.go_to_finding(at);
            return;
        }
    }
}

}  // namespace eciscope::view
