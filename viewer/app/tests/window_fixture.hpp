// A window on a copy of a capture of the tree, as a person has it.
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "canvas.hpp"
#include "text.hpp"
#include "timeline.hpp"
#include "window.hpp"

namespace eciscope::view {

inline const QString boot_capture = QStringLiteral(ECISCOPE_SOURCE_DIR "/demo/boot.pcap");
inline const QString violation_capture =
    QStringLiteral(ECISCOPE_SOURCE_DIR "/conformance/tests/data/cases/grant-without-request.pcap");

class WindowTest : public testing::Test {
 protected:
    /// A copy, so that what the viewer keeps beside it goes with it.
    QString copy(const QString& path) {
        QString target = folder_.filePath(QFileInfo(path).fileName());
        EXPECT_TRUE(QFile::copy(path, target)) << path.toStdString();
        QFile::setPermissions(target, QFile::ReadOwner | QFile::WriteOwner);
        return target;
    }

    void make_window() {
        window_ = std::make_unique<Window>(false);
        window_->resize(1200, 800);
        window_->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(window_.get()));
    }

    /// Until all is known of it.
    void open(const QString& path) {
        if (!window_) {
            make_window();
        }
        window_->open(copy(path));
        ASSERT_NE(session().document(), nullptr) << window_->trouble().toStdString();
        session().document()->wait();
        session().refresh();
        window_->settle();
    }

    Session& session() { return window_->session(); }
    Canvas& canvas() { return window_->timeline().canvas(); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(&canvas(), key, modifiers);
        window_->settle();
    }

    /// The track of that kind with most messages.
    std::optional<TrackInfo> busiest(TrackKind kind) {
        std::optional<TrackInfo> best;
        for (const TrackInfo& track : session().document()->tracks()) {
            const bool better = track.id.kind == kind && (!best || track.messages > best->messages);
            best = better ? std::optional(track) : best;
        }
        return best;
    }

    /// The picture of a track as it is painted now, with where it stands.
    struct Shown {
        const TrackPicture* picture = nullptr;
        QRect area;
    };
    Shown shown(const TrackId& id) {
        std::size_t number = 0;
        for (const PlacedRow& placed : canvas().placement().rows) {
            if (placed.row.kind == Row::Kind::track && placed.row.track.id == id) {
                return {&canvas().picture().tracks[number],
                        QRect(0, placed.top, canvas().device_size().width(), placed.height - 1)};
            }
            number += placed.row.kind == Row::Kind::track ? 1 : 0;
        }
        return {};
    }

    QTemporaryDir folder_;
    std::unique_ptr<Window> window_;
};

}  // namespace eciscope::view
