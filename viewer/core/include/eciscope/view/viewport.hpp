// Which picoseconds a picture shows, and in which pixel column each of them stands. Integer arithmetic throughout.
#pragma once

#include "eciscope/decoder/time.hpp"

namespace eciscope::view {

/// Column c shows [edge(c), edge(c + 1)).
struct Viewport {
    Picoseconds start = 0;
    Picoseconds span = 1;  ///< at least one picosecond a column
    int columns = 1;       ///< device pixels

    /// start + floor(span * column / columns), without overflow.
    [[nodiscard]] Picoseconds edge(int column) const;
    /// The column that shows `time`; below 0 or from `columns` on where the picture does not show it.
    [[nodiscard]] int column_of(Picoseconds time) const;
    [[nodiscard]] Picoseconds end() const { return start + span; }

    friend bool operator==(const Viewport&, const Viewport&) = default;
};

/// What a viewport may show: some margin around the trace, and no less than a picosecond a column.
struct Limits {
    Picoseconds first = 0;
    Picoseconds last = 0;
};

[[nodiscard]] Viewport whole(const Limits& limits, int columns);
/// Times by `numerator / denominator` of the present span; what column `fixed` shows stays where it is.
[[nodiscard]] Viewport zoomed(const Viewport& viewport, int fixed, int numerator, int denominator,
                              const Limits& limits);
[[nodiscard]] Viewport panned(const Viewport& viewport, int columns, const Limits& limits);
[[nodiscard]] Viewport showing(const Viewport& viewport, Picoseconds from, Picoseconds to, const Limits& limits);

}  // namespace eciscope::view
