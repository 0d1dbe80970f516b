#include "query_bar.hpp"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

#include "text.hpp"

namespace eciscope::view {

namespace {

constexpr const char* syntax =
    "Words that must all hold: op:RLDX,RLDD  vc:6  line:0x80@1  node:0  link:1, or any text that the message contains";

}  // namespace

QueryBar::QueryBar(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 5, 8, 5);
    row->setSpacing(5);
    filter_ = add_edit(QStringLiteral("Filter"), QStringLiteral("/   show only, e.g.  op:RLDX vc:6 node:0"), 360);
    row->addSpacing(10);
    search_ = add_edit(QStringLiteral("Search"), QStringLiteral("Ctrl+F   find a message"), 260);
    back_ = add_button(QStringLiteral("Previous"), QStringLiteral("Previous match (Shift+N)"));
    next_ = add_button(QStringLiteral("Next"), QStringLiteral("Next match (N)"));
    stop_ = add_button(QStringLiteral("Stop"), QStringLiteral("Stop searching"));
    row->addSpacing(10);
    pin_ = add_edit(QStringLiteral("Pin line"), QStringLiteral("L   pin a line, e.g.  0x80@1"), 230);
    row->addStretch(100);
    stop_->hide();
    filter_->setToolTip(QString::fromLatin1(syntax));
    search_->setToolTip(QString::fromLatin1(syntax));
    pin_->setToolTip(QStringLiteral("A cache line: its aliased number, and behind @ its home node"));
    connect(filter_, &QLineEdit::returnPressed, this, [this] { apply_filter(); });
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty()) {  // the clear button
            apply_filter();
        }
    });
    connect(search_, &QLineEdit::returnPressed, this, [this] { search(true); });
    connect(pin_, &QLineEdit::returnPressed, this, [this] { apply_pin(); });
    connect(back_, &QToolButton::clicked, this, [this] { search(false); });
    connect(next_, &QToolButton::clicked, this, [this] { search(true); });
    connect(stop_, &QToolButton::clicked, this, [this] { cancel_search(); });
    session.listen([this](Change change) {
        if (change == Change::opened) {
            cancel_search();
        }
    });
}

QLineEdit* QueryBar::add_edit(const QString& name, const QString& hint, int width) {
    auto* edit = new QLineEdit(this);
    edit->setPlaceholderText(hint);
    edit->setAccessibleName(name);
    edit->setClearButtonEnabled(true);
    edit->setMinimumWidth(width / 2);
    edit->setMaximumWidth(width);
    static_cast<QHBoxLayout*>(layout())->addWidget(edit, width);
    return edit;
}

QToolButton* QueryBar::add_button(const QString& text, const QString& tip) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(tip);
    layout()->addWidget(button);
    return button;
}

void QueryBar::focus_filter() {
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
}

void QueryBar::focus_search() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

void QueryBar::focus_pin() {
    pin_->setFocus(Qt::ShortcutFocusReason);
    pin_->selectAll();
}

void QueryBar::complain(QLineEdit* edit, const QString& sentence) {
    QPalette colours = palette();
    if (!sentence.isEmpty()) {
        colours.setColor(QPalette::Text, session_.theme().of(Worst::violation));
    }
    edit->setPalette(colours);
    if (said) {
        said(sentence);
    }
}

void QueryBar::apply_filter() {
    const auto result = session_.set_filter(filter_->text());
    complain(filter_, result ? QString() : to_qt(result.error().message));
}

void QueryBar::apply_pin() {
    const auto line = parse_line(pin_->text());
    complain(pin_, line ? QString() : to_qt(line.error().message));
    if (line) {
        session_.pin_line(*line);
        pin_->clear();
    }
}

void QueryBar::search(bool forward) {
    const auto wanted = parse_filter(search_->text().toStdString());
    complain(search_, wanted ? QString() : to_qt(wanted.error().message));
    Document* document = session_.document();
    if (!wanted || document == nullptr) {
        return;
    }
    if (session_.status().phase == Phase::decoding) {
        said(QStringLiteral("Searching has to wait until the capture is decoded"));
        return;
    }
    SearchRequest request;
    request.path = session_.facts().path;
    request.filter = *wanted;
    request.from = session_.message().value_or(document->message_at(session_.viewport().start));
    request.forward = forward;
    stop_->show();
    said(QStringLiteral("Searching …"));
    worker_.start(std::move(request), [this, forward](const SearchOutcome& outcome) { finish(outcome, forward); });
}

void QueryBar::cancel_search() {
    worker_.cancel();
    if (!stop_->isHidden() && said) {
        said(QStringLiteral("Search stopped"));
    }
    stop_->hide();
}

void QueryBar::finish(const SearchOutcome& outcome, bool forward) {
    stop_->hide();
    if (outcome.found) {
        said(QStringLiteral("Message %1").arg(grouped(*outcome.found)));
        session_.go_to_message(*outcome.found);
    } else if (!outcome.error.empty()) {
        said(to_qt(outcome.error));
    } else {
        said(forward ? QStringLiteral("No match from here to the end")
                     : QStringLiteral("No match from here to the beginning"));
    }
}

}  // namespace eciscope::view
