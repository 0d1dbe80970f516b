#include "minimap.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>

#include "paint_frame.hpp"

namespace eciscope::view {

namespace {

/// Adds a track's columns to those of the overview.
void add(std::vector<Column>& sum, const std::vector<Column>& track, bool is_message) {
    for (std::size_t n = 0; n < std::min(sum.size(), track.size()); ++n) {
        if (is_message) {
            const std::uint64_t count = std::uint64_t{sum[n].count} + track[n].count;
            sum[n].count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, ~std::uint32_t{0}));
        }
        sum[n].worst = std::max(sum[n].worst, track[n].worst);
    }
}

}  // namespace

Picture overview(Session& session, int columns) {
    Document* document = session.document();
    Picture picture;
    picture.viewport = whole(session.facts().limits, columns);
    if (document == nullptr) {
        return picture;
    }
    std::vector<TrackId> ids;
    for (const TrackInfo& track : document->tracks()) {
        const bool shown = track.id.kind == TrackKind::findings || track.id.kind == TrackKind::circuit;
        if (shown && (track.messages != 0 || track.id.kind == TrackKind::findings)) {
            ids.push_back(track.id);
        }
    }
    picture = document->picture(picture.viewport, ids, session.filter());
    std::vector<Column> sum(static_cast<std::size_t>(columns));
    for (const TrackPicture& track : picture.tracks) {
        add(sum, track.columns, track.id.kind == TrackKind::circuit);
    }
    std::uint64_t most = 1;
    for (const Column& column : sum) {
        most = std::max<std::uint64_t>(most, column.count);
    }
    for (Column& column : sum) {
        column.level = static_cast<std::uint16_t>((column.count * std::uint64_t{65535} + most - 1) / most);
        column.peak = column.level;
        if (column.worst == Worst::note) {  // notes are too common to colour the whole
            column.worst = Worst::messages;
        }
    }
    picture.tracks.resize(1);
    picture.tracks.front().columns = std::move(sum);
    picture.tracks.front().marks.clear();
    return picture;
}

Minimap::Minimap(Session& session, QWidget* parent) : PaintWidget(session, parent) {
    setFixedHeight(minimap_height);
    setAccessibleName(QStringLiteral("Whole trace"));
    setToolTip(QStringLiteral("The whole trace; click or drag to move there"));
    session.listen([this](Change change) {
        picture_stale_ =
            picture_stale_ || change == Change::opened || change == Change::content || change == Change::filter;
        renew();
    });
}

void Minimap::render(QImage& image) {
    if (picture_stale_) {
        picture_stale_ = false;
        picture_ = overview(session(), image.width());
    }
    const Look sizes = look();
    image.fill(sizes.theme->background);
    QPainter painter(&image);
    Surface surface{painter, &image, sizes};
    if (session().document() != nullptr) {
        paint_minimap(surface, image.rect(), picture_, session().viewport());
    }
    painter.fillRect(0, image.height() - 1, image.width(), 1, sizes.theme->grid_major);
}

void Minimap::resizeEvent(QResizeEvent*) {
    picture_stale_ = true;
    renew();
}

void Minimap::move_to(double logical_x) {
    const int column = std::clamp(to_device(logical_x), 0, std::max(0, picture_.viewport.columns - 1));
    Viewport target = session().viewport();
    target.start = picture_.viewport.edge(column) - target.span / 2;
    session().show(showing(target, target.start, target.end(), session().facts().limits), true);
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    move_to(event->position().x());
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
        move_to(event->position().x());
    }
}

void Minimap::wheelEvent(QWheelEvent* event) {
    const int factor = event->angleDelta().y() > 0 ? 4 : 5;
    session().zoom(session().viewport().columns / 2, factor, 9 - factor);
    event->accept();
}

}  // namespace eciscope::view
