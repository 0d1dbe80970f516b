#include "trouble_bar.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QStringList>
#include <QToolButton>

#include "look.hpp"
#include "text.hpp"

namespace eciscope::view {

namespace {

constexpr qsizetype most_shown = 4;  // sentences; the rest is counted and stands in the tool tip

}  // namespace

TroubleBar::TroubleBar(Session& session, QWidget* parent)
    : QFrame(parent), session_(session), label_(new QLabel(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 8, 6);
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("Dismiss"));
    close->setAutoRaise(true);
    layout->addWidget(label_, 1);
    layout->addWidget(close, 0, Qt::AlignTop);
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::PlainText);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label_->setAccessibleName(QStringLiteral("Troubles"));
    setAutoFillBackground(true);
    hide();
    connect(close, &QToolButton::clicked, this, [this] {
        dismissed_ = label_->toolTip();
        outside_.clear();
        hide();
    });
    session.listen([this](Change change) {
        if (change == Change::opened) {
            outside_.clear();
            dismissed_.clear();
        }
        if (change == Change::opened || change == Change::content || change == Change::theme) {
            follow();
        }
    });
}

QString TroubleBar::text() const {
    return isHidden() ? QString() : label_->text();
}

void TroubleBar::show_sentence(const QString& sentence) {
    outside_ = sentence;
    follow();
}

void TroubleBar::follow() {
    QStringList sentences;
    if (!outside_.isEmpty()) {
        sentences << outside_;
    }
    for (const std::string& trouble : session_.troubles()) {
        sentences << to_qt(trouble);
    }
    const QString all = sentences.join(QLatin1Char('\n'));
    if (sentences.size() > most_shown) {
        const qsizetype more = sentences.size() - most_shown;
        sentences = sentences.mid(0, most_shown);
        sentences << QStringLiteral("… and %1 more").arg(more);
    }
    label_->setText(sentences.join(QLatin1Char('\n')));
    label_->setToolTip(all);
    setVisible(!all.isEmpty() && all != dismissed_);
    QPalette colours = palette();
    const QColor loss = session_.theme().of(Worst::loss);
    const QColor back = mixed(session_.theme().panel, loss, 0.25);
    colours.setColor(QPalette::Window, back);
    colours.setColor(QPalette::WindowText, session_.theme().text);
    setPalette(colours);
}

}  // namespace eciscope::view
