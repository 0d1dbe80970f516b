#include "export_picture.hpp"

#include <QFileInfo>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>

#include "minimap.hpp"
#include "paint_frame.hpp"
#include "paint_tracks.hpp"
#include "text.hpp"

namespace eciscope::view {

namespace {

constexpr double dots_per_metre = 96 / 0.0254;

tl::unexpected<ewf::Error> refusal(const QString& path, const QString& why) {
    return tl::unexpected<ewf::Error>(
        ewf::Error{ewf::ErrorCode::io, (path + QStringLiteral(": ") + why).toStdString(), 0});
}

void paint_corner(Surface& surface, const QRect& area, const Session& session) {
    const Look& look = surface.look;
    QPainter& painter = surface.painter;
    painter.fillRect(area, look.theme->panel);
    painter.setFont(look.bold);
    painter.setPen(look.theme->text);
    const QRect text = area.adjusted(look.px(14), look.px(8), -look.px(8), -look.px(8));
    painter.drawText(
        text, Qt::AlignLeft | Qt::AlignTop,
        QFontMetrics(look.bold).elidedText(QFileInfo(session.path()).fileName(), Qt::ElideMiddle, text.width()));
    painter.setFont(look.small);
    painter.setPen(look.theme->faint);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom,
                     to_qt(time_text(session.viewport().span, 3)) + QStringLiteral(" in view"));
}

/// What is in view, in as many columns as this picture has.
Viewport viewport_of(const Session& session, int columns) {
    Viewport viewport = session.viewport();
    viewport.columns = std::max(1, columns);
    return showing(viewport, viewport.start, viewport.end(), session.facts().limits);
}

void paint_view(Surface& surface, const QSize& size, Session& session) {
    const Look& look = surface.look;
    const int left = look.px(label_width);
    const int map = look.px(minimap_height);
    const int top = map + look.px(ruler_height);
    const QRect canvas(left, top, size.width() - left, size.height() - top);
    const Placement placement = place_rows(session.tracks().rows(), look, canvas.height(), 0);
    const Viewport viewport = viewport_of(session, canvas.width());
    std::vector<TrackId> ids;
    for (const PlacedRow& placed : placement.rows) {
        if (placed.row.kind == Row::Kind::track) {
            ids.push_back(placed.row.track.id);
        }
    }
    Picture picture = session.document()->picture(viewport, ids, session.filter());
    picture.ticks = ruler(viewport, look.px(least_label_distance));

    QPainter& painter = surface.painter;
    painter.fillRect(QRect(QPoint(0, 0), size), look.theme->background);
    painter.fillRect(0, top, left, size.height() - top, look.theme->panel);
    painter.fillRect(left, map, canvas.width(), top - map, look.theme->panel);
    painter.setClipRect(canvas);
    paint_rows(surface, canvas, placement, picture, {session.message(), session.finding()});
    paint_overlay(surface, canvas, session, viewport);
    painter.setClipRect(QRect(0, top, left, size.height() - top));
    paint_labels(surface, QRect(0, top, left, size.height() - top), placement, picture, session.facts(), nullptr);
    painter.setClipRect(QRect(left, 0, canvas.width(), top));
    paint_ruler(surface, QRect(left, map, canvas.width(), top - map), session, picture);
    paint_minimap(surface, QRect(left, 0, canvas.width(), map), overview(session, std::max(1, canvas.width())),
                  viewport);
    painter.setClipping(false);
    paint_corner(surface, QRect(0, 0, left, top), session);
    painter.fillRect(0, top - 1, left, 1, look.theme->grid_major);
    painter.fillRect(left - 1, 0, 1, top, look.theme->grid_major);
}

ewf::Expected<void> write_png(Session& session, const QString& path, const QSize& size, double scale) {
    QImage image = view_image(session, size, scale);
    image.setDotsPerMeterX(static_cast<int>(dots_per_metre * scale));
    image.setDotsPerMeterY(static_cast<int>(dots_per_metre * scale));
    QSaveFile file(path);  // the file is whole or not there
    if (!file.open(QIODevice::WriteOnly) || !image.save(&file, "PNG") || !file.commit()) {
        return refusal(path, file.errorString());
    }
    return {};
}

ewf::Expected<void> write_svg(Session& session, const QString& path, const QSize& size) {
    const Look look = make_look(session.theme(), 1);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return refusal(path, file.errorString());
    }
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setSize(size);
    generator.setResolution(96);  // CSS's
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(QFileInfo(session.path()).fileName());
    QPainter painter;
    if (!painter.begin(&generator)) {
        return refusal(path, QStringLiteral("cannot be painted"));
    }
    Surface surface{painter, nullptr, look};
    paint_view(surface, size, session);
    painter.end();
    if (!file.commit()) {
        return refusal(path, file.errorString());
    }
    return {};
}

}  // namespace

QImage view_image(Session& session, const QSize& size, double scale) {
    const Look look = make_look(session.theme(), scale);
    QImage image(look.px(size.width()), look.px(size.height()), QImage::Format_RGB32);
    QPainter painter(&image);
    Surface surface{painter, &image, look};
    paint_view(surface, image.size(), session);
    return image;
}

ewf::Expected<void> export_view(Session& session, const QString& path, const QSize& size, double scale) {
    if (session.document() == nullptr) {
        return refusal(path, QStringLiteral("there is nothing to save"));
    }
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QStringLiteral("png")) {
        return write_png(session, path, size, scale);
    }
    if (suffix == QStringLiteral("svg")) {
        return write_svg(session, path, size);
    }
    return refusal(path, QStringLiteral("a picture's name ends in .png or .svg"));
}

}  // namespace eciscope::view
