// All messages as a table, in step with the timeline. The scroll bar counts messages, the table holds a screenful.
#pragma once

#include <QTimer>
#include <QWidget>

#include "message_model.hpp"

class QScrollBar;
class QTableView;

namespace eciscope::view {

class MessageTable : public QWidget {
 public:
    MessageTable(Session& session, QWidget* parent);

    [[nodiscard]] MessageModel& model() { return *model_; }
    [[nodiscard]] QTableView& table() { return *table_; }
    /// Scrolls so that `message` is seen.
    void reveal(MessageNumber message);

 protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

 private:
    [[nodiscard]] int screenful() const;
    [[nodiscard]] MessageNumber last_first() const;
    void show_from(MessageNumber first);
    void follow(Change change);
    void follow_view();
    void mark_chosen();
    bool key_pressed(int key, Qt::KeyboardModifiers modifiers);
    void show_menu(const QPoint& at);

    Session& session_;
    MessageModel* model_;
    QTableView* table_;
    QScrollBar* scroll_bar_;
    QTimer still_;            // the view has come to rest: only then its messages are read
    bool following_ = false;  // a change of ours comes back
};

}  // namespace eciscope::view
