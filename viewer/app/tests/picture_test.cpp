// The painted window against what the core says, in pixels of the screen, at whatever scale it runs.
#include <QImage>
#include <QSvgRenderer>

#include "export_picture.hpp"
#include "paint_tracks.hpp"
#include "window_fixture.hpp"

namespace eciscope::view {
namespace {

/// Of the canvas alone, as it is on the screen.
QImage grabbed(Canvas& canvas) {
    return canvas.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

/// Whether a pixel of the column has a colour that neither background nor grid has.
bool painted(const QImage& image, const Theme& theme, int x, const QRect& area) {
    for (int y = area.top(); y <= area.bottom(); ++y) {
        const QColor colour = image.pixelColor(x, y);
        if (colour != theme.background && colour != theme.grid && colour != theme.grid_major) {
            return true;
        }
    }
    return false;
}

class PictureTest : public WindowTest {
 protected:
    /// Every column of every circuit that holds a message is painted, and no other.
    void compare() {
        canvas().setFocus();
        const QImage image = grabbed(canvas());
        const Theme& theme = session().theme();
        int compared = 0;
        for (const PlacedRow& placed : canvas().placement().rows) {
            const bool circuit = placed.row.kind == Row::Kind::track && placed.row.track.id.kind == TrackKind::circuit;
            const bool whole_row =
                placed.top >= canvas().placement().pinned_bottom && placed.top + placed.height < image.height();
            if (!circuit || !whole_row) {
                continue;
            }
            const Shown row = shown(placed.row.track.id);
            compare_row(image, theme, row, placed.row.track.name);
            ++compared;
        }
        EXPECT_GT(compared, 0);
    }

    static void compare_row(const QImage& image, const Theme& theme, const Shown& row, const std::string& name) {
        ASSERT_NE(row.picture, nullptr);
        std::vector<bool> boxed(row.picture->columns.size());
        for (const Box& box : row.picture->boxes) {
            for (int x = std::max(0, box.from); x <= std::min(box.to, image.width() - 1); ++x) {
                boxed[static_cast<std::size_t>(x)] = true;
            }
        }
        // The widget's frame of focus covers a pixel at either side.
        for (int x = 1; x + 1 < image.width(); ++x) {
            const auto at = static_cast<std::size_t>(x);
            const bool holds = row.picture->columns[at].count != 0 || boxed[at];
            ASSERT_EQ(painted(image, theme, x, row.area), holds) << name << ", column " << x;
        }
    }
};

TEST_F(PictureTest, SizeIsThatOfTheWidgetTimesTheScale) {
    open(boot_capture);
    const double scale = window_->devicePixelRatioF();
    const QImage image = grabbed(canvas());
    EXPECT_EQ(image.width(), std::lround(canvas().width() * scale));
    EXPECT_EQ(image.height(), std::lround(canvas().height() * scale));
    EXPECT_EQ(session().viewport().columns, image.width());
    if (const QByteArray wanted = qgetenv("QT_SCALE_FACTOR"); !wanted.isEmpty()) {
        EXPECT_DOUBLE_EQ(scale, wanted.toDouble());
    }
}

TEST_F(PictureTest, WholeTrace) {
    open(boot_capture);
    compare();
}

TEST_F(PictureTest, EveryZoomDownToAMessage) {
    open(boot_capture);
    session().go_to_message(session().facts().messages / 2);
    for (int zoom = 0; zoom < 30; ++zoom) {
        session().zoom(session().viewport().columns / 2, 3, 5);
        session().choose_message(std::nullopt);  // its outline would be painted too
        window_->settle();
        compare();
        if (HasFatalFailure()) {
            FAIL() << "at zoom " << zoom;
        }
    }
}

TEST_F(PictureTest, NoQuarterIsLeftOut) {
    open(boot_capture);
    const QImage image = grabbed(canvas());
    const QColor blank = session().theme().background;
    const int half_width = image.width() / 2;
    const int half_height = image.height() / 2;
    for (const QRect& quarter :
         {QRect(0, 0, half_width, half_height), QRect(half_width, 0, half_width, half_height),
          QRect(0, half_height, half_width, half_height), QRect(half_width, half_height, half_width, half_height)}) {
        int different = 0;
        for (int y = quarter.top(); y <= quarter.bottom(); y += 3) {
            for (int x = quarter.left(); x <= quarter.right(); x += 3) {
                different += image.pixelColor(x, y) != blank ? 1 : 0;
            }
        }
        EXPECT_GT(different, 100) << quarter.x() << "," << quarter.y();
    }
}

TEST_F(PictureTest, AClickMeansTheColumnThatIsPaintedThere) {
    open(boot_capture);
    for (const int logical : {10, 101, 333, 600}) {
        EXPECT_EQ(canvas().to_device(logical), std::lround(logical * window_->devicePixelRatioF()));
    }
}

TEST_F(PictureTest, AViolationIsColouredWholeAndNear) {
    open(violation_capture);
    const QColor red = session().theme().of(Worst::violation);
    const std::vector<Finding> findings = session().document()->findings();
    const auto finding =
        std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return f.worst == Worst::violation; });
    ASSERT_NE(finding, findings.end());
    for (int zoom = 0; zoom < 20; ++zoom) {
        window_->settle();
        const QImage image = grabbed(canvas());
        const int column = session().viewport().column_of(finding->time);
        bool coloured = false;
        for (int y = 0; y < image.height(); ++y) {
            coloured = coloured || image.pixelColor(column, y) == red;
        }
        EXPECT_TRUE(coloured) << "zoom " << zoom;
        session().zoom(column, 1, 2);
    }
}

TEST_F(PictureTest, ExportedPicturesHaveTheSizeAskedFor) {
    open(boot_capture);
    const QString png = folder_.filePath(QStringLiteral("view.png"));
    ASSERT_TRUE(export_view(session(), png, QSize(800, 500), 1.25));
    const QImage image(png);
    EXPECT_EQ(image.size(), QSize(1000, 625));
    const QString svg = folder_.filePath(QStringLiteral("view.svg"));
    ASSERT_TRUE(export_view(session(), svg, QSize(800, 500), 1));
    QSvgRenderer renderer(svg);
    EXPECT_TRUE(renderer.isValid());
    EXPECT_EQ(renderer.viewBox(), QRect(0, 0, 800, 500));
    EXPECT_FALSE(export_view(session(), folder_.filePath(QStringLiteral("view.gif")), QSize(800, 500), 1));
    EXPECT_FALSE(export_view(session(), QStringLiteral("/nowhere/view.png"), QSize(800, 500), 1));
}

}  // namespace
}  // namespace eciscope::view
