#include "message_table.hpp"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QTableView>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <limits>

#include "text.hpp"

namespace eciscope::view {

namespace {

constexpr int rows_per_notch = 3;
constexpr int wheel_notch = 120;
/// What a scroll bar can count; beyond it, its steps stand for more than a message.
constexpr MessageNumber most_steps = static_cast<MessageNumber>(std::numeric_limits<int>::max());
constexpr std::array<int, MessageModel::section_count> widths = {86, 190, 104, 92, 78, 54, 96, 120};

MessageNumber steps(MessageNumber messages) {
    return std::min(messages, most_steps);
}

}  // namespace

MessageTable::MessageTable(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      model_(new MessageModel(session)),
      table_(new QTableView(this)),
      scroll_bar_(new QScrollBar(Qt::Vertical, this)) {
    model_->setParent(this);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(table_);
    layout->addWidget(scroll_bar_);
    table_->setModel(model_);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setWordWrap(false);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->setAccessibleName(QStringLiteral("Messages"));
    table_->setFrameShape(QFrame::NoFrame);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(20);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (std::size_t n = 0; n < widths.size(); ++n) {
        table_->setColumnWidth(static_cast<int>(n), widths[n]);
    }
    table_->installEventFilter(this);
    table_->viewport()->installEventFilter(this);
    connect(scroll_bar_, &QScrollBar::valueChanged, this, [this](int value) {
        const MessageNumber all = last_first();
        const MessageNumber most = std::max<MessageNumber>(1, steps(all));
        show_from(all <= most_steps ? static_cast<MessageNumber>(value)
                                    : all / most * static_cast<MessageNumber>(value));
    });
    connect(table_, &QTableView::customContextMenuRequested, this, [this](const QPoint& at) { show_menu(at); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!following_ && index.isValid()) {
            following_ = true;
            session_.go_to_message(model_->messages()[static_cast<std::size_t>(index.row())].number);
            following_ = false;
        }
    });
    still_.setSingleShot(true);
    still_.setInterval(100);
    connect(&still_, &QTimer::timeout, this, [this] { follow_view(); });
    session.listen([this](Change change) { follow(change); });
}

int MessageTable::screenful() const {
    return std::max(1, table_->viewport()->height() / table_->verticalHeader()->defaultSectionSize());
}

MessageNumber MessageTable::last_first() const {
    const MessageNumber all = session_.facts().messages;
    return all - std::min(all, static_cast<MessageNumber>(screenful()));
}

void MessageTable::show_from(MessageNumber first) {
    if (!isVisible()) {
        return;
    }
    first = std::min(first, last_first());
    const bool was = std::exchange(following_, true);
    scroll_bar_->setRange(0, static_cast<int>(steps(last_first())));
    scroll_bar_->setPageStep(screenful());
    if (last_first() <= most_steps) {
        scroll_bar_->setValue(static_cast<int>(first));
    }
    model_->show(first, screenful());
    mark_chosen();
    following_ = was;
}

void MessageTable::reveal(MessageNumber message) {
    const auto rows = static_cast<MessageNumber>(screenful());
    const MessageNumber first = model_->first();
    if (message < first || message >= first + rows) {
        show_from(message - std::min(message, rows / 2));
    } else {
        mark_chosen();
    }
}

void MessageTable::mark_chosen() {
    const auto chosen = session_.message();
    const bool seen = chosen && *chosen >= model_->first() && *chosen < model_->first() + model_->messages().size();
    const bool was = std::exchange(following_, true);
    if (seen) {
        const int row = static_cast<int>(*chosen - model_->first());
        table_->setCurrentIndex(model_->index(row, std::max(0, table_->currentIndex().column())));
    } else {
        table_->selectionModel()->clear();
    }
    following_ = was;
}

void MessageTable::follow(Change change) {
    if (!isVisible()) {
        return;
    }
    const bool was = std::exchange(following_, true);
    if (change == Change::opened || change == Change::content || change == Change::theme) {
        model_->reload();
        show_from(change == Change::opened ? 0 : model_->first());
    } else if (change == Change::chosen && session_.message()) {
        reveal(*session_.message());
    } else if (change == Change::view && !was) {
        still_.start();
    }
    following_ = was;
}

void MessageTable::follow_view() {
    if (!isVisible() || session_.document() == nullptr) {
        return;
    }
    // What is in view begins the table, unless the chosen message is in view itself.
    const auto chosen = session_.message();
    const MessageNumber first = session_.document()->message_at(session_.viewport().start);
    const MessageNumber end = session_.document()->message_at(session_.viewport().end());
    if (!chosen || *chosen < first || *chosen >= end) {
        show_from(first);
    }
}

void MessageTable::resizeEvent(QResizeEvent*) {
    show_from(model_->first());
}

void MessageTable::showEvent(QShowEvent*) {
    show_from(model_->first());
    if (session_.message()) {
        reveal(*session_.message());
    }
}

bool MessageTable::key_pressed(int key, Qt::KeyboardModifiers modifiers) {
    const MessageNumber all = session_.facts().messages;
    if (all == 0) {
        return false;
    }
    const auto page = static_cast<MessageNumber>(screenful());
    const MessageNumber at = session_.message().value_or(model_->first());
    MessageNumber target = at;
    switch (key) {
        case Qt::Key_Up:
            target = at - std::min<MessageNumber>(at, 1);
            break;
        case Qt::Key_Down:
            target = at + 1;
            break;
        case Qt::Key_PageUp:
            target = at - std::min(at, page);
            break;
        case Qt::Key_PageDown:
            target = at + page;
            break;
        case Qt::Key_Home:
            target = 0;
            break;
        case Qt::Key_End:
            target = all - 1;
            break;
        default:
            return false;
    }
    if (modifiers & (Qt::AltModifier | Qt::ShiftModifier)) {
        return false;
    }
    session_.go_to_message(std::min(target, all - 1));
    return true;
}

bool MessageTable::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Wheel) {
        const int notches = static_cast<QWheelEvent*>(event)->angleDelta().y();
        scroll_bar_->setValue(scroll_bar_->value() - notches * rows_per_notch / wheel_notch);
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {  // these keys are the table's, not the view's
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool ours = key == Qt::Key_Home || key == Qt::Key_End;
        event->setAccepted(ours);
        return ours;
    }
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        return key_pressed(key->key(), key->modifiers());
    }
    if (event->type() == QEvent::Resize && watched == table_->viewport()) {
        QMetaObject::invokeMethod(
            this, [this] { show_from(model_->first()); }, Qt::QueuedConnection);
    }
    return QWidget::eventFilter(watched, event);
}

void MessageTable::show_menu(const QPoint& at) {
    const QModelIndex index = table_->indexAt(at);
    if (!index.isValid()) {
        return;
    }
    const MessageRow row = model_->messages()[static_cast<std::size_t>(index.row())];
    QMenu menu(this);
    if (row.line) {
        menu.addAction(QStringLiteral("Pin line ") + line_text(*row.line), this,
                       [this, row] { session_.pin_line(*row.line); });
    }
    menu.addAction(QStringLiteral("Set cursor A here"), this, [this, row] { session_.set_cursor(0, row.head.last); });
    menu.addAction(QStringLiteral("Set cursor B here"), this, [this, row] { session_.set_cursor(1, row.head.last); });
    menu.exec(table_->viewport()->mapToGlobal(at));
}

}  // namespace eciscope::view
