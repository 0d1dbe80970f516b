// What people do with the window, done with mouse and keys.
#include <QLineEdit>
#include <QTableView>
#include <QTextBrowser>
#include <QWheelEvent>

#include "bookmarks_panel.hpp"
#include "details_panel.hpp"
#include "findings_panel.hpp"
#include "message_table.hpp"
#include "query_bar.hpp"
#include "statistics_panel.hpp"
#include "track_labels.hpp"
#include "window_fixture.hpp"

namespace eciscope::view {
namespace {

using testing::Test;

void wheel(QWidget& widget, const QPoint& at, int amount, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, amount}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

TEST_F(WindowTest, OpensACaptureAndShowsAllOfIt) {
    open(boot_capture);
    EXPECT_EQ(session().status().phase, Phase::ready);
    EXPECT_GT(session().facts().messages, 1000U);
    EXPECT_EQ(session().viewport(), whole(session().facts().limits, session().viewport().columns));
    EXPECT_EQ(session().viewport().columns, canvas().device_size().width());
    EXPECT_FALSE(canvas().picture().tracks.empty());
    EXPECT_EQ(window_->trouble(), QString());
}

TEST_F(WindowTest, SaysWhyAFileCannotBeOpened) {
    make_window();
    window_->open(folder_.filePath(QStringLiteral("missing.ewf")));
    EXPECT_NE(window_->trouble(), QString());
    EXPECT_EQ(session().document(), nullptr);
}

TEST_F(WindowTest, WheelZoomsAtThePointer) {
    open(boot_capture);
    const QPoint at(canvas().width() / 4, 60);
    const Picoseconds pointed = session().viewport().edge(canvas().to_device(at.x()));
    const Picoseconds before = session().viewport().span;
    for (int n = 0; n < 5; ++n) {
        wheel(canvas(), at, 120);
    }
    EXPECT_LT(session().viewport().span, before / 2);
    EXPECT_NEAR(session().viewport().column_of(pointed), canvas().to_device(at.x()), 1);
    press(Qt::Key_Z, Qt::ControlModifier);  // the five were one gesture
    EXPECT_EQ(session().viewport().span, before);
    press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_LT(session().viewport().span, before / 2);
}

TEST_F(WindowTest, KeysMoveTheView) {
    open(boot_capture);
    const Viewport all = session().viewport();
    press(Qt::Key_W);
    press(Qt::Key_W);
    EXPECT_LT(session().viewport().span, all.span);
    const Viewport zoomed_in = session().viewport();
    press(Qt::Key_D);
    EXPECT_GT(session().viewport().start, zoomed_in.start);
    press(Qt::Key_A);
    EXPECT_NEAR(static_cast<double>(session().viewport().start), static_cast<double>(zoomed_in.start),
                static_cast<double>(zoomed_in.span) / 100);
    press(Qt::Key_End);
    EXPECT_GE(session().viewport().end(), session().facts().limits.last);
    press(Qt::Key_Home);
    EXPECT_LE(session().viewport().start, session().facts().limits.first);
    press(Qt::Key_0);
    EXPECT_EQ(session().viewport(), all);
}

TEST_F(WindowTest, PinsTracksAndLines) {
    open(boot_capture);
    const auto circuit = busiest(TrackKind::circuit);
    ASSERT_TRUE(circuit);
    window_->timeline().labels().setFocus();
    const Shown place = shown(circuit->id);
    ASSERT_NE(place.picture, nullptr);
    QTest::mouseClick(&window_->timeline().labels(), Qt::LeftButton, {}, QPoint(40, place.area.center().y()));
    QTest::keyClick(&window_->timeline().labels(), Qt::Key_P);
    window_->settle();
    EXPECT_TRUE(session().tracks().is_pinned(circuit->id));

    QTest::keyClick(&canvas(), Qt::Key_L);
    QTest::keyClicks(&window_->query_bar().pin_edit(), QStringLiteral("0x80@1"));
    QTest::keyClick(&window_->query_bar().pin_edit(), Qt::Key_Return);
    window_->settle();
    TrackId line;
    line.kind = TrackKind::line;
    line.line = {1, 0x80};
    EXPECT_TRUE(session().tracks().is_pinned(line));
    EXPECT_NE(shown(line).picture, nullptr);
}

TEST_F(WindowTest, SearchGoesToTheNextAndThePreviousMatch) {
    open(boot_capture);
    QLineEdit& edit = window_->query_bar().search_edit();
    edit.setText(QStringLiteral("op:RLDX"));
    QTest::keyClick(&edit, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([this] { return session().message().has_value(); }));
    const MessageNumber first = *session().message();
    EXPECT_EQ(session().document()->rows(first, 1).front().op, "RLDX");
    press(Qt::Key_N);
    ASSERT_TRUE(QTest::qWaitFor([this, first] { return session().message() != first; }));
    EXPECT_GT(*session().message(), first);
    press(Qt::Key_N, Qt::ShiftModifier);
    EXPECT_TRUE(QTest::qWaitFor([this, first] { return session().message() == first; }));
}

TEST_F(WindowTest, AFilterThatIsNoneIsToldAndChangesNothing) {
    open(boot_capture);
    QLineEdit& edit = window_->query_bar().filter_edit();
    edit.setText(QStringLiteral("vc:6"));
    QTest::keyClick(&edit, Qt::Key_Return);
    EXPECT_EQ(session().filter().vcs, std::vector<std::uint8_t>{6});
    edit.setText(QStringLiteral("vc:nonsense"));
    QTest::keyClick(&edit, Qt::Key_Return);
    EXPECT_EQ(session().filter().vcs, std::vector<std::uint8_t>{6});
    edit.clear();
    EXPECT_TRUE(session().filter().takes_all());
}

TEST_F(WindowTest, DraggingSelectsARangeAndShowsItsStatistics) {
    open(boot_capture);
    const QPoint from(canvas().width() / 4, 80);
    const QPoint to(canvas().width() / 2, 80);
    QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
    QTest::mouseMove(&canvas(), (from + to) / 2);
    QTest::mouseMove(&canvas(), to);
    QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, to);
    ASSERT_TRUE(session().range());
    EXPECT_EQ(session().range()->from, session().viewport().edge(canvas().to_device(from.x())));
    EXPECT_EQ(session().range()->to, session().viewport().edge(canvas().to_device(to.x())));
    window_->statistics().update_now();
    EXPECT_TRUE(window_->statistics().toPlainText().contains(QStringLiteral("messages")));
    press(Qt::Key_F);
    EXPECT_EQ(session().viewport().start, session().range()->from);
    press(Qt::Key_Escape);
    EXPECT_FALSE(session().range());
}

TEST_F(WindowTest, AClickChoosesAMessageAndTheAnswerIsAKeyAway) {
    open(boot_capture);
    const auto circuit = busiest(TrackKind::circuit);
    ASSERT_TRUE(circuit);
    const Shown place = shown(circuit->id);
    ASSERT_NE(place.picture, nullptr);
    const auto& columns = place.picture->columns;
    const auto column =
        std::find_if(columns.begin(), columns.end(), [](const Column& c) { return c.count != 0; }) - columns.begin();
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, QPoint(static_cast<int>(column), place.area.center().y()));
    ASSERT_TRUE(session().message());
    const auto details = session().document()->details(*session().message());
    ASSERT_TRUE(details);
    EXPECT_EQ(details->row.head.vc, circuit->id.vc);
    EXPECT_TRUE(window_->details().toPlainText().contains(to_qt(details->row.op)));
    const auto partner = details->answer ? details->answer : details->request;
    if (partner) {
        press(Qt::Key_R);
        EXPECT_EQ(session().message(), partner);
    }
}

TEST_F(WindowTest, JumpsFromAViolationToItsMessages) {
    open(violation_capture);
    ASSERT_GT(session().document()->finding_count(), 0U);
    press(Qt::Key_Home);
    press(Qt::Key_V);
    ASSERT_TRUE(session().finding());
    const auto finding = session().finding_number(*session().finding());
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->worst, Worst::violation);
    EXPECT_GE(finding->time, session().viewport().start);
    EXPECT_LT(finding->time, session().viewport().end());
    EXPECT_EQ(session().message(), finding->message);
    EXPECT_TRUE(window_->details().toPlainText().contains(to_qt(finding->id)));
}

TEST_F(WindowTest, TheTableIsInStepWithTheTimeline) {
    open(boot_capture);
    MessageTable& table = window_->messages();
    table.table().setFocus();
    session().go_to_message(1234);
    window_->settle();
    const MessageModel& model = table.model();
    EXPECT_LE(model.first(), 1234U);
    EXPECT_GT(model.first() + model.messages().size(), 1234U);
    QTest::keyClick(&table.table(), Qt::Key_Down);
    EXPECT_EQ(session().message(), MessageNumber{1235});
    QTest::keyClick(&table.table(), Qt::Key_End);
    EXPECT_EQ(session().message(), session().facts().messages - 1);
    EXPECT_EQ(model.first() + model.messages().size(), session().facts().messages);
}

TEST_F(WindowTest, BookmarksAreKeptBesideTheFile) {
    open(boot_capture);
    window_->bookmarks().add(session().facts().limits.first + 5000);
    auto bookmarks = session().bookmarks();
    ASSERT_EQ(bookmarks.size(), 1U);
    bookmarks.front().note = "here it begins";
    session().set_bookmarks(bookmarks);
    ASSERT_TRUE(session().reopen());
    EXPECT_EQ(session().bookmarks(), bookmarks);
}

TEST_F(WindowTest, ClosesWhileItLoads) {
    make_window();
    window_->open(copy(boot_capture));
    QApplication::processEvents();
    window_->close();
    window_.reset();  // waits for nobody, and nothing comes back
    QTest::qWait(50);
}

TEST_F(WindowTest, OpensAnotherWhileItLoads) {
    make_window();
    window_->open(copy(boot_capture));
    open(violation_capture);
    EXPECT_LT(session().facts().messages, 1000U);
}

TEST_F(WindowTest, AFileCutWhileItIsOpenIsASentence) {
    open(boot_capture);
    const QString path = session().path() + QStringLiteral(".ewf");  // the stored trace that it was decoded to
    window_->open(path);
    ASSERT_NE(session().document(), nullptr);
    session().document()->wait();
    session().refresh();
    window_->settle();
    EXPECT_EQ(window_->trouble(), QString());
    ASSERT_TRUE(QFile::resize(path, QFileInfo(path).size() / 3));
    window_->session().tracks_changed();
    for (int n = 0; n < 12; ++n) {
        press(Qt::Key_W);
    }
    session().choose_message(session().facts().messages - 1);
    press(Qt::Key_End);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !window_->trouble().isEmpty(); }));
}

TEST_F(WindowTest, TheKeysAreListed) {
    make_window();
    QTest::keyClick(&canvas(), Qt::Key_Question);
    const auto* dialog = window_->findChild<QWidget*>(QStringLiteral("keys"));
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(dialog->findChild<QTextBrowser*>()->toPlainText().contains(QStringLiteral("Next violation")));
}

TEST_F(WindowTest, EveryPartCanBeReachedByKeyAndHasAName) {
    make_window();
    for (const QWidget* widget : window_->findChildren<QWidget*>()) {
        const bool reachable = widget->focusPolicy() & Qt::TabFocus && widget->parentWidget() != nullptr;
        const bool ours =
            reachable && !widget->objectName().startsWith(QStringLiteral("qt_")) &&
            (qobject_cast<const QLineEdit*>(widget) != nullptr || dynamic_cast<const PaintWidget*>(widget) != nullptr ||
             qobject_cast<const QAbstractScrollArea*>(widget) != nullptr);
        if (ours) {
            EXPECT_FALSE(widget->accessibleName().isEmpty()) << widget->metaObject()->className();
        }
    }
}

}  // namespace
}  // namespace eciscope::view
