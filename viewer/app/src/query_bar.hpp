// Filter, search and the lines to pin: three fields for what a person types.
#pragma once

#include <QWidget>
#include <functional>

#include "search_worker.hpp"
#include "session.hpp"

class QLabel;
class QLineEdit;
class QToolButton;

namespace eciscope::view {

class QueryBar : public QWidget {
 public:
    QueryBar(Session& session, QWidget* parent);

    void focus_filter();
    void focus_search();
    void focus_pin();
    void search(bool forward);
    void cancel_search();

    [[nodiscard]] QLineEdit& filter_edit() { return *filter_; }
    [[nodiscard]] QLineEdit& search_edit() { return *search_; }
    [[nodiscard]] QLineEdit& pin_edit() { return *pin_; }
    /// A sentence for the status line.
    std::function<void(const QString&)> said;

 private:
    QLineEdit* add_edit(const QString& name, const QString& hint, int width);
    QToolButton* add_button(const QString& text, const QString& tip);
    void complain(QLineEdit* edit, const QString& sentence);
    void apply_filter();
    void apply_pin();
    void finish(const SearchOutcome& outcome, bool forward);

    Session& session_;
    QLineEdit* filter_;
    QLineEdit* search_;
    QToolButton* back_;
    QToolButton* next_;
    QToolButton* stop_;
    QLineEdit* pin_;
    SearchWorker worker_;
};

}  // namespace eciscope::view
