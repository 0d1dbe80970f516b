// What to draw, in pixel columns and rows of meaning: no colours, fonts or widgets. A pure function of document,
// viewport and tracks, so it is tested without a display.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eciscope/view/track.hpp"
#include "eciscope/view/viewport.hpp"

namespace eciscope::view {

/// Worse is greater.
enum class Worst : std::uint8_t { nothing, messages, note, retry, loss, damage, violation };

/// One pixel column of a track.
struct Column {
    std::uint32_t count = 0;  ///< messages, or findings; saturates
    std::uint16_t level = 0;  ///< height, 0 to 65535 of the track's full scale; at least 1 where count is not 0
    std::uint16_t peak = 0;   ///< of the column's extreme (latency, utilisation), same scale
    Worst worst = Worst::nothing;
};

/// A message drawn by itself: from the column of its header block to that of its last word, both included.
struct Box {
    std::uint64_t number = 0;  ///< of the message in the trace
    int from = 0;
    int to = 0;
    int lane = 0;  ///< boxes that would overlap get lanes below each other
    Worst worst = Worst::messages;
    std::string label;  ///< "RLDX id 3"; the painter leaves it out where there is no room
};

/// What is known of a node's copy of a pinned line over a stretch of time.
struct StateSpan {
    int from = 0;
    int to = 0;              ///< exclusive
    std::uint8_t node = 0;   ///< row
    std::string state;       ///< "M", "S", or "S|E" where several are possible; "…" where it changes within a column
    bool transient = false;  ///< a request is under way
    bool unknown = false;    ///< anything is possible: hatched
};

/// From a request to its answer.
struct Arrow {
    std::uint64_t request = 0;  ///< message numbers
    std::uint64_t answer = 0;
    int from = 0;  ///< columns; may lie outside of the picture
    int to = 0;
};

/// A finding drawn by itself.
struct Mark {
    int column = 0;
    Worst worst{};
    std::size_t finding = 0;  ///< number in Document::findings()
};

struct TrackPicture {
    TrackId id;
    std::vector<Column> columns;  ///< one a pixel column, always
    std::vector<Box> boxes;       ///< where messages are far enough apart to be told from each other
    std::vector<StateSpan> states;
    std::vector<Arrow> arrows;
    std::vector<Mark> marks;
    std::string full_scale;  ///< "100 %", "3.2 µs", "1,204 messages": what the full height stands for
    int lanes = 1;
};

struct Tick {
    int column = 0;
    bool major = false;
    std::string label;  ///< of major ticks
};

/// Time as a person reads it: "1.204 567 s", "12.5 ns", "350 ps"; exact where `digits` is left out.
[[nodiscard]] std::string time_text(Picoseconds time, std::optional<int> digits = std::nullopt);

/// Steps of 1, 2 or 5 times a power of ten, labels at least `least_columns` apart.
[[nodiscard]] std::vector<Tick> ruler(const Viewport& viewport, int least_columns);

struct Picture {
    Viewport viewport;
    std::vector<TrackPicture> tracks;
    std::vector<Tick> ticks;
    bool coarse = false;  ///< from the chunks' times alone, since the index does not reach here yet
};

}  // namespace eciscope::view
