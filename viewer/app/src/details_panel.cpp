#include "details_panel.hpp"

#include <QUrl>

#include "details_html.hpp"
#include "text.hpp"

namespace eciscope::view {

DetailsPanel::DetailsPanel(Session& session, QWidget* parent) : QTextBrowser(parent), session_(session) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(QStringLiteral("Details"));
    document()->setDocumentMargin(10);
    document()->setDefaultStyleSheet(QStringLiteral("a { text-decoration: none; }"));
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) { follow(link); });
    session.listen([this](Change change) {
        if (change == Change::opened || change == Change::chosen || change == Change::theme) {
            setHtml(details_html(session_));
        }
    });
}

void DetailsPanel::follow(const QUrl& link) {
    const QString target = link.toString();
    if (target.startsWith(QStringLiteral("message:"))) {
        session_.go_to_message(target.mid(8).toULongLong());
    } else if (target.startsWith(QStringLiteral("pin:"))) {
        if (const auto line = parse_line(target.mid(4))) {
            session_.pin_line(*line);
        }
    }
}

}  // namespace eciscope::view
