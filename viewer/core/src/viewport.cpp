#include "eciscope/view/viewport.hpp"

#include <algorithm>
#include <limits>

namespace eciscope::view {

namespace {

__extension__ using Wide = __int128;

constexpr Picoseconds least_time = std::numeric_limits<Picoseconds>::min();
constexpr Picoseconds most_time = std::numeric_limits<Picoseconds>::max();

Picoseconds clipped(Wide time) {
    return static_cast<Picoseconds>(std::clamp<Wide>(time, least_time, most_time));
}

Wide floor_divided(Wide a, Wide b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// The longest span that is shown of a trace: all of it, and a twentieth to either side.
Wide longest_span(const Limits& limits, int columns) {
    const Wide length = std::max<Wide>(1, Wide{limits.last} - limits.first);
    return std::min<Wide>(std::max<Wide>(length + length / 10 + 2, columns), most_time / 2);
}

/// A viewport of a span, moved so that it shows some of the trace.
Viewport within(Wide start, Wide span, int columns, const Limits& limits) {
    span = std::clamp<Wide>(span, columns, longest_span(limits, columns));
    // Half of the picture may lie beside the trace, so that its ends can be brought to the middle.
    const Wide first = Wide{limits.first} - span / 2;
    const Wide last = Wide{limits.last} + span / 2 + 1 - span;
    start = std::clamp<Wide>(start, first, std::max(first, last));
    start = std::clamp<Wide>(start, least_time, Wide{most_time} - span);
    return {clipped(start), clipped(span), columns};
}

}  // namespace

Picoseconds Viewport::edge(int column) const {
    return clipped(start + floor_divided(Wide{span} * column, std::max(1, columns)));
}

int Viewport::column_of(Picoseconds time) const {
    // The last column whose edge is not behind `time`: edge(c) <= time holds as long as span * c < (distance + 1) *
    // columns.
    const Wide wanted = (Wide{time} - start + 1) * std::max(1, columns) - 1;
    const Wide column = floor_divided(wanted, std::max<Picoseconds>(1, span));
    constexpr Wide most_column = std::numeric_limits<int>::max() / 2;
    return static_cast<int>(std::clamp<Wide>(column, -most_column, most_column));
}

Viewport whole(const Limits& limits, int columns) {
    columns = std::max(1, columns);
    const Wide length = std::max<Wide>(1, Wide{limits.last} - limits.first + 1);
    const Wide margin = length / 50;
    const Wide span = std::max<Wide>(length + 2 * margin, columns);
    return within(Wide{limits.first} - margin, span, columns, limits);
}

Viewport zoomed(const Viewport& viewport, int fixed, int numerator, int denominator, const Limits& limits) {
    const int columns = std::max(1, viewport.columns);
    numerator = std::max(1, numerator);
    denominator = std::max(1, denominator);
    Wide span = Wide{viewport.span} * numerator / denominator;
    if (numerator > denominator) {
        span = std::max<Wide>(span, Wide{viewport.span} + 1);  // small spans grow too
    }
    span = std::clamp<Wide>(span, columns, longest_span(limits, columns));
    const Wide kept = viewport.edge(fixed);
    return within(kept - floor_divided(span * fixed, columns), span, columns, limits);
}

Viewport panned(const Viewport& viewport, int columns, const Limits& limits) {
    const int all = std::max(1, viewport.columns);
    const Wide by = floor_divided(Wide{viewport.span} * columns, all);
    return within(viewport.start + by, viewport.span, all, limits);
}

Viewport showing(const Viewport& viewport, Picoseconds from, Picoseconds to, const Limits& limits) {
    if (to < from) {
        std::swap(from, to);
    }
    return within(from, Wide{to} - from, std::max(1, viewport.columns), limits);
}

}  // namespace eciscope::view
