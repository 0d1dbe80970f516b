#include "status_line.hpp"

#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include "text.hpp"

namespace eciscope::view {

namespace {

constexpr int whole_progress = 1000;

QString phase_text(Phase phase) {
    switch (phase) {
        case Phase::decoding:
            return QStringLiteral("Decoding");
        case Phase::indexing:
            return QStringLiteral("Indexing");
        case Phase::checking:
            return QStringLiteral("Checking the protocol");
        case Phase::ready:
            return {};
        case Phase::cancelled:
            return QStringLiteral("Cancelled: what was found until then is shown");
        case Phase::failed:
            return QStringLiteral("Failed");
    }
    return {};
}

QString amount_text(const Status& status) {
    if (status.phase == Phase::decoding) {
        return QStringLiteral("%1 of %2 MiB").arg(status.done >> 20).arg(status.total >> 20);
    }
    return QStringLiteral("%1 of %2 messages").arg(grouped(status.done), grouped(status.total));
}

}  // namespace

StatusLine::StatusLine(Session& session, QWidget* parent)
    : QStatusBar(parent),
      session_(session),
      work_(new QLabel(this)),
      progress_(new QProgressBar(this)),
      cancel_(new QToolButton(this)),
      pointed_(new QLabel(this)),
      trace_(new QLabel(this)) {
    progress_->setRange(0, whole_progress);
    progress_->setFixedWidth(180);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(QStringLiteral("Progress"));
    cancel_->setText(QStringLiteral("Cancel"));
    cancel_->setAccessibleName(QStringLiteral("Cancel what is under way"));
    addWidget(work_);
    addWidget(progress_);
    addWidget(cancel_);
    addPermanentWidget(pointed_);
    addPermanentWidget(trace_);
    setContentsMargins(6, 0, 10, 0);
    setSizeGripEnabled(false);
    connect(cancel_, &QToolButton::clicked, this, [this] {
        if (Document* document = session_.document()) {
            document->cancel();
            session_.refresh();
        }
    });
    session.listen([this](Change change) {
        if (change == Change::opened || change == Change::content) {
            follow();
        }
    });
    follow();
}

void StatusLine::follow() {
    const Status& status = session_.status();
    const bool open = session_.document() != nullptr;
    const bool works = open && status.phase <= Phase::checking;
    progress_->setVisible(works);
    cancel_->setVisible(works);
    const QString phase = open ? phase_text(status.phase) : QString();
    work_->setText(works ? phase + QStringLiteral("  ") + amount_text(status) : phase);
    if (status.total > 0) {
        progress_->setValue(
            static_cast<int>(static_cast<double>(status.done) / static_cast<double>(status.total) * whole_progress));
    }
    const QString messages = QStringLiteral("%1 messages").arg(grouped(session_.facts().messages));
    const std::size_t findings = open ? session_.document()->finding_count() : 0;
    trace_->setText(open ? QStringLiteral("%1    %2 findings").arg(messages, grouped(findings)) : QString());
}

void StatusLine::show_pointed(std::optional<Picoseconds> time) {
    pointed_->setText(time && session_.document() != nullptr
                          ? moment_text(session_.facts(), *time) + QStringLiteral("   ")
                          : QString());
}

}  // namespace eciscope::view
