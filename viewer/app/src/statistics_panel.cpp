#include "statistics_panel.hpp"

#include "cursor_distance.hpp"
#include "details_html.hpp"

namespace eciscope::view {

StatisticsPanel::StatisticsPanel(Session& session, QWidget* parent) : QTextBrowser(parent), session_(session) {
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(QStringLiteral("Statistics of the selected range"));
    document()->setDocumentMargin(10);
    delay_.setSingleShot(true);
    delay_.setInterval(120);
    connect(&delay_, &QTimer::timeout, this, [this] { update_now(); });
    session.listen([this](Change change) {
        if (change == Change::opened || change == Change::chosen || change == Change::theme ||
            change == Change::cursors) {
            delay_.start();
        }
    });
}

void StatisticsPanel::update_now() {
    const auto& range = session_.range();
    QString html = cursors_html(session_);
    if (session_.document() != nullptr && range) {
        html += statistics_html(session_, session_.document()->statistics(range->from, range->to));
    } else {
        html += QStringLiteral("<span style='color:%1'>Drag over the tracks to select a range of time.</span>")
                    .arg(session_.theme().faint.name());
    }
    setHtml(html);
}

}  // namespace eciscope::view
