// Sizes and fonts in device pixels, so that a picture is as sharp on any screen and in a file.
#pragma once

#include <QFont>
#include <QRect>
#include <cmath>
#include <vector>

#include "theme.hpp"
#include "track_list.hpp"

namespace eciscope::view {

struct Look {
    const Theme* theme = nullptr;
    double scale = 1;
    QFont font;
    QFont bold;
    QFont small;

    [[nodiscard]] int px(double logical) const { return static_cast<int>(std::lround(logical * scale)); }
};

[[nodiscard]] Look make_look(const Theme& theme, double scale);

// Of the parts of the timeline, before scaling.
inline constexpr int label_width = 232;
inline constexpr int ruler_height = 34;
inline constexpr int minimap_height = 40;
inline constexpr int least_label_distance = 150;  ///< of the ruler's labels

[[nodiscard]] int row_height(const Look& look, const Row& row);

struct PlacedRow {
    Row row;
    int top = 0;
    int height = 0;
};

/// The rows that can be seen, pinned ones on top of those that scroll.
struct Placement {
    std::vector<PlacedRow> rows;
    int pinned_bottom = 0;
    int content_height = 0;  ///< of what scrolls

    [[nodiscard]] const PlacedRow* at(int y) const;
};

[[nodiscard]] Placement place_rows(const std::vector<Row>& rows, const Look& look, int height, int scroll);

/// Black or white, whichever is read better on `background`.
[[nodiscard]] QColor text_on(const QColor& background);
[[nodiscard]] QColor mixed(const QColor& a, const QColor& b, double part_of_b);

}  // namespace eciscope::view
