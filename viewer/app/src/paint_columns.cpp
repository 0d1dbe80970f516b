#include "paint_columns.hpp"

#include <QPainter>
#include <algorithm>

namespace eciscope::view {

namespace {

constexpr int full_level = 65535;

/// A column ready to be painted: from `top` to the bottom in `colour`, and above it from `peak` in `light`.
struct Bar {
    int top = 0;
    int peak = 0;
    QRgb colour = 0;
    QRgb light = 0;

    friend bool operator==(const Bar&, const Bar&) = default;
};

int height_of(std::uint16_t level, int full) {
    return (level * full + full_level - 1) / full_level;
}

std::vector<Bar> bars_of(const QRect& area, const std::vector<Column>& columns, const QColor& colour,
                         const Look& look) {
    const int inset = std::min(look.px(3), area.height() / 4);
    const int full = area.height() - inset;
    const int bottom = area.top() + area.height();
    const int least = std::min(full, look.px(2));
    const QRgb light = mixed(colour, look.theme->background, 0.6).rgb();
    std::vector<Bar> bars;
    bars.reserve(columns.size());
    for (const Column& column : columns) {
        Bar bar{bottom, bottom, colour.rgb(), light};
        const bool plain = column.worst <= Worst::messages;
        if (!plain) {
            bar.colour = look.theme->of(column.worst).rgb();
        }
        if (column.count != 0 || !plain) {
            const int height = column.worst == Worst::violation ? full : std::max(least, height_of(column.level, full));
            bar.top = bottom - height;
            bar.peak = std::min(bar.top, bottom - height_of(column.peak, full));
        }
        bars.push_back(bar);
    }
    return bars;
}

/// Row by row, as the memory lies.
void fill_pixels(QImage& image, const QRect& area, const std::vector<Bar>& bars) {
    const int from = std::max(area.top(), 0);
    const int to = std::min(area.top() + area.height(), image.height());
    const int width = std::min({static_cast<int>(bars.size()), area.width(), image.width() - area.left()});
    for (int y = from; y < to; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y)) + area.left();
        for (int x = 0; x < width; ++x) {
            const Bar& bar = bars[static_cast<std::size_t>(x)];
            const QRgb above = y >= bar.peak ? bar.light : line[x];
            line[x] = y >= bar.top ? bar.colour : above;
        }
    }
}

void fill_rectangles(QPainter& painter, const QRect& area, const std::vector<Bar>& bars) {
    const int bottom = area.top() + area.height();
    const std::size_t count = std::min(bars.size(), static_cast<std::size_t>(area.width()));
    for (std::size_t from = 0; from < count;) {
        std::size_t to = from + 1;
        while (to < count && bars[to] == bars[from]) {
            ++to;
        }
        const Bar& bar = bars[from];
        const int x = area.left() + static_cast<int>(from);
        const int width = static_cast<int>(to - from);
        if (bar.peak < bar.top) {
            painter.fillRect(x, bar.peak, width, bar.top - bar.peak, QColor::fromRgb(bar.light));
        }
        if (bar.top < bottom) {
            painter.fillRect(x, bar.top, width, bottom - bar.top, QColor::fromRgb(bar.colour));
        }
        from = to;
    }
}

void paint_bars(Surface& surface, const QRect& area, const std::vector<Bar>& bars) {
    if (surface.pixels != nullptr) {
        fill_pixels(*surface.pixels, area, bars);
    } else {
        fill_rectangles(surface.painter, area, bars);
    }
}

}  // namespace

void paint_columns(Surface& surface, const QRect& area, const std::vector<Column>& columns, const QColor& colour) {
    paint_bars(surface, area, bars_of(area, columns, colour, surface.look));
}

void paint_uncovered(Surface& surface, const QRect& area, const TrackPicture& track, const QColor& colour) {
    std::vector<Column> columns = track.columns;
    const int count = static_cast<int>(columns.size());
    for (const Box& box : track.boxes) {
        for (int x = std::max(0, box.from); x <= std::min(box.to, count - 1); ++x) {
            columns[static_cast<std::size_t>(x)] = {};
        }
    }
    paint_bars(surface, area, bars_of(area, columns, colour, surface.look));
}

}  // namespace eciscope::view
