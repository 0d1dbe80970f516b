#include "look.hpp"

#include <QGuiApplication>

namespace eciscope::view {

namespace {

constexpr double most_pinned = 0.7;  // of the height; with more, all rows scroll

double logical_height(const Row& row) {
    if (row.kind == Row::Kind::header) {
        return 24;
    }
    switch (row.track.id.kind) {
        case TrackKind::findings:
            return 28;
        case TrackKind::line:
            return 106;
        case TrackKind::utilisation:
        case TrackKind::credits:
        case TrackKind::latency:
            return 38;
        case TrackKind::circuit:
            break;
    }
    return 28;
}

}  // namespace

Look make_look(const Theme& theme, double scale) {
    Look look;
    look.theme = &theme;
    look.scale = scale;
    look.font = QGuiApplication::font();
    look.font.setPixelSize(look.px(12));
    look.bold = look.font;
    look.bold.setBold(true);
    look.small = look.font;
    look.small.setPixelSize(look.px(10.5));
    return look;
}

int row_height(const Look& look, const Row& row) {
    return look.px(logical_height(row));
}

const PlacedRow* Placement::at(int y) const {
    for (const PlacedRow& row : rows) {
        const bool hidden_here = !row.row.pinned && y < pinned_bottom;
        if (!hidden_here && y >= row.top && y < row.top + row.height) {
            return &row;
        }
    }
    return nullptr;
}

Placement place_rows(const std::vector<Row>& rows, const Look& look, int height, int scroll) {
    Placement placement;
    int pinned = 0;
    for (const Row& row : rows) {
        pinned += row.pinned ? row_height(look, row) : 0;
    }
    const bool sticky = pinned <= static_cast<int>(height * most_pinned);
    placement.pinned_bottom = sticky ? pinned : 0;
    int y = 0;
    for (const Row& row : rows) {
        const int tall = row_height(look, row);
        const int top = sticky && row.pinned ? y : y - scroll;
        y += tall;
        const bool seen =
            row.pinned ? top < height && top + tall > 0 : top < height && top + tall > placement.pinned_bottom;
        if (seen) {
            placement.rows.push_back({row, top, tall});
        }
    }
    placement.content_height = y;
    return placement;
}

QColor text_on(const QColor& background) {
    const double light = 0.299 * background.red() + 0.587 * background.green() + 0.114 * background.blue();
    return light > 140 ? QColor(0x10, 0x13, 0x18) : QColor(0xff, 0xff, 0xff);
}

QColor mixed(const QColor& a, const QColor& b, double part_of_b) {
    const auto mix = [part_of_b](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * part_of_b)); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

}  // namespace eciscope::view
