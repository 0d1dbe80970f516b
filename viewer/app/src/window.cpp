#include "window.hpp"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QToolBar>
#include <QVBoxLayout>

#include "bookmarks_panel.hpp"
#include "canvas.hpp"
#include "details_panel.hpp"
#include "findings_panel.hpp"
#include "message_table.hpp"
#include "query_bar.hpp"
#include "statistics_panel.hpp"
#include "status_line.hpp"
#include "text.hpp"
#include "timeline.hpp"
#include "trouble_bar.hpp"

namespace eciscope::view {

namespace {

constexpr int most_recent = 12;

QString recent_key() {
    return QStringLiteral("recent");
}

QDockWidget* dock(QMainWindow* window, const QString& title, const QString& name, QWidget* content) {
    auto* made = new QDockWidget(title, window);
    made->setObjectName(name);  // under which its place is remembered
    made->setWidget(content);
    // The tab is title enough; panels are shown and hidden in the menu.
    made->setTitleBarWidget(new QWidget(made));
    made->setFeatures(QDockWidget::DockWidgetClosable);
    return made;
}

}  // namespace

Window::Window(bool remember) : remember_(remember) {
    setWindowTitle(QStringLiteral("eciscope"));
    setAcceptDrops(true);
    resize(1500, 940);
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    troubles_ = new TroubleBar(session_, centre);
    timeline_ = new Timeline(session_, centre);
    column->addWidget(troubles_);
    column->addWidget(timeline_, 1);
    setCentralWidget(centre);

    query_ = new QueryBar(session_, this);
    query_->said = [this](const QString& sentence) { say(sentence); };
    auto* bar = addToolBar(QStringLiteral("Filter and search"));
    bar->setObjectName(QStringLiteral("queries"));
    bar->setMovable(false);
    bar->addWidget(query_);
    status_ = new StatusLine(session_, this);
    setStatusBar(status_);
    timeline_->canvas().pointed = [this](std::optional<Picoseconds> time) { status_->show_pointed(time); };

    add_docks();
    add_menus();
    session_.listen([this](Change change) { follow(change); });
    if (remember_) {
        restore();
    } else {
        set_theme(light_theme());
    }
    timeline_->canvas().setFocus();
}

Window::~Window() {
    // Its widgets listen to the session, which therefore ends first to speak and last to exist.
    query_->cancel_search();
    session_.close();
}

void Window::add_docks() {
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    details_ = new DetailsPanel(session_, this);
    statistics_ = new StatisticsPanel(session_, this);
    messages_ = new MessageTable(session_, this);
    findings_ = new FindingsPanel(session_, this);
    bookmarks_ = new BookmarksPanel(session_, this);
    auto* details = dock(this, QStringLiteral("Details"), QStringLiteral("details"), details_);
    auto* statistics = dock(this, QStringLiteral("Selection"), QStringLiteral("statistics"), statistics_);
    auto* messages = dock(this, QStringLiteral("Messages"), QStringLiteral("messages"), messages_);
    auto* findings = dock(this, QStringLiteral("Findings"), QStringLiteral("findings"), findings_);
    auto* bookmarks = dock(this, QStringLiteral("Bookmarks"), QStringLiteral("bookmarks"), bookmarks_);
    addDockWidget(Qt::RightDockWidgetArea, details);
    addDockWidget(Qt::RightDockWidgetArea, statistics);
    tabifyDockWidget(details, statistics);
    addDockWidget(Qt::BottomDockWidgetArea, messages);
    addDockWidget(Qt::BottomDockWidgetArea, findings);
    addDockWidget(Qt::BottomDockWidgetArea, bookmarks);
    tabifyDockWidget(messages, findings);
    tabifyDockWidget(findings, bookmarks);
    details->raise();
    messages->raise();
    resizeDocks({details}, {370}, Qt::Horizontal);
    resizeDocks({messages}, {230}, Qt::Vertical);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
}

void Window::restore() {
    QSettings settings;
    const bool dark = settings.value(QStringLiteral("dark"), theme_of(ThemeChoice::automatic).dark).toBool();
    set_theme(dark ? dark_theme() : light_theme());
    session_.set_clock_megahertz(settings.value(QStringLiteral("clock"), session_.clock_megahertz()).toDouble());
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("docks")).toByteArray());
    fill_recent();
}

void Window::closeEvent(QCloseEvent* event) {
    if (remember_) {
        QSettings settings;
        settings.setValue(QStringLiteral("geometry"), saveGeometry());
        settings.setValue(QStringLiteral("docks"), saveState());
        settings.setValue(QStringLiteral("dark"), session_.theme().dark);
        settings.setValue(QStringLiteral("clock"), session_.clock_megahertz());
    }
    query_->cancel_search();
    event->accept();
}

void Window::set_theme(const Theme& theme) {
    apply_theme(theme);
    session_.set_theme(theme);
}

void Window::use_theme(bool dark) {
    set_theme(dark ? dark_theme() : light_theme());
}

QString Window::trouble() const {
    return troubles_->text();
}

void Window::settle() {
    if (session_.range()) {
        statistics_->update_now();
    }
    for (int n = 0; n < 4; ++n) {  // a change may bring others: a scroll bar appears, a table is laid out anew
        QApplication::processEvents();
    }
}

void Window::open(const QString& path) {
    const auto opened = session_.open(path, options_);
    if (!opened) {
        troubles_->show_sentence(path + QStringLiteral(" cannot be opened: ") + to_qt(opened.error().message));
        return;
    }
    remember_file(QFileInfo(path).absoluteFilePath());
}

void Window::remember_file(const QString& path) {
    if (!remember_) {
        return;
    }
    QSettings settings;
    QStringList files = settings.value(recent_key()).toStringList();
    files.removeAll(path);
    files.prepend(path);
    settings.setValue(recent_key(), files.mid(0, most_recent));
    fill_recent();
}

void Window::fill_recent() {
    recent_->clear();
    for (const QString& path : QSettings().value(recent_key()).toStringList()) {
        recent_->addAction(path, this, [this, path] { open(path); });
    }
    recent_->setEnabled(!recent_->isEmpty());
}

void Window::follow(Change change) {
    if (change == Change::opened) {
        const QString name = QFileInfo(session_.path()).fileName();
        setWindowTitle(name.isEmpty() ? QStringLiteral("eciscope") : name + QStringLiteral(" – eciscope"));
        session_.tracks().set_show_empty(show_empty_);
    }
    if (change == Change::chosen && session_.range()) {
        findChild<QDockWidget*>(QStringLiteral("statistics"))->raise();
    } else if (change == Change::chosen) {
        findChild<QDockWidget*>(QStringLiteral("details"))->raise();
    }
}

void Window::say(const QString& sentence) {
    status_->showMessage(sentence, 6000);
}

void Window::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) {
        event->acceptProposedAction();
    }
}

void Window::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.first().isLocalFile()) {
        open(urls.first().toLocalFile());
    }
}

}  // namespace eciscope::view
