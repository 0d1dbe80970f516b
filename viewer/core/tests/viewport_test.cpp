// Which picoseconds stand in which pixel column.

#include "eciscope/view/viewport.hpp"

#include <gtest/gtest.h>

#include <random>

namespace eciscope::view {

namespace {

constexpr Limits trace{0, 1'000'000'000'000};

TEST(Viewport, a_time_lies_between_the_edges_of_its_column) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 20'000; ++i) {
        Viewport viewport;
        viewport.columns = 1 + static_cast<int>(random() % 4000);
        viewport.span = viewport.columns + static_cast<Picoseconds>(random() >> (20 + random() % 44));
        viewport.start = static_cast<Picoseconds>(random() >> 3U) - (Picoseconds{1} << 60);
        const Picoseconds time =
            viewport.start + static_cast<Picoseconds>(random() % static_cast<std::uint64_t>(viewport.span));
        const int column = viewport.column_of(time);
        ASSERT_GE(column, 0);
        ASSERT_LT(column, viewport.columns);
        ASSERT_LE(viewport.edge(column), time);
        ASSERT_GT(viewport.edge(column + 1), time);
    }
}

TEST(Viewport, columns_cover_the_span_without_gap_or_overlap) {
    const Viewport viewport{-17, 1003, 100};
    EXPECT_EQ(viewport.edge(0), viewport.start);
    EXPECT_EQ(viewport.edge(100), viewport.end());
    EXPECT_EQ(viewport.column_of(viewport.start - 1), -1);
    EXPECT_EQ(viewport.column_of(viewport.end()), 100);
}

TEST(Viewport, the_longest_times_do_not_overflow) {
    const Viewport viewport{Picoseconds{-1} << 61, Picoseconds{1} << 62, 3840};
    EXPECT_EQ(viewport.edge(3840), viewport.end());
    EXPECT_EQ(viewport.column_of(0), 1920);
    EXPECT_LT(viewport.column_of(std::numeric_limits<Picoseconds>::min()), 0);
    EXPECT_GE(viewport.column_of(std::numeric_limits<Picoseconds>::max()), 3840);
}

TEST(Viewport, the_whole_trace_has_a_margin) {
    const Viewport viewport = whole(trace, 1000);
    EXPECT_LT(viewport.start, trace.first);
    EXPECT_GT(viewport.end(), trace.last);
    EXPECT_LT(viewport.span, trace.last + trace.last / 10);
}

TEST(Viewport, a_trace_of_one_moment_still_has_a_viewport) {
    const Viewport viewport = whole({5, 5}, 1920);
    EXPECT_GE(viewport.span, 1920);
    EXPECT_GE(viewport.column_of(5), 0);
    EXPECT_LT(viewport.column_of(5), 1920);
}

TEST(Viewport, zooming_keeps_what_the_fixed_column_shows) {
    Viewport viewport = whole(trace, 1920);
    for (int i = 0; i < 200; ++i) {
        const Picoseconds fixed = viewport.edge(700);
        viewport = zoomed(viewport, 700, 4, 5, trace);
        EXPECT_EQ(viewport.column_of(fixed), 700);
    }
    EXPECT_EQ(viewport.span, 1920);  // a picosecond a column, and no less
    for (int i = 0; i < 200; ++i) {
        viewport = zoomed(viewport, 700, 5, 4, trace);
    }
    EXPECT_GE(viewport.span, trace.last);
    EXPECT_LE(viewport.span, trace.last + trace.last / 5);
}

TEST(Viewport, panning_there_and_back_ends_where_it_began) {
    const Viewport viewport{1'000'000, 192'000, 1920};
    EXPECT_EQ(panned(panned(viewport, 300, trace), -300, trace), viewport);
    EXPECT_EQ(panned(viewport, 1, trace).start, viewport.start + 100);
}

TEST(Viewport, some_of_the_trace_stays_in_view) {
    Viewport viewport{0, 1'000'000, 1000};
    for (int i = 0; i < 100; ++i) {
        viewport = panned(viewport, -900, trace);
    }
    EXPECT_GT(viewport.end(), trace.first);
}

TEST(Viewport, a_range_is_shown_whichever_end_comes_first) {
    const Viewport viewport = whole(trace, 1000);
    EXPECT_EQ(showing(viewport, 2000, 9000, trace), (Viewport{2000, 7000, 1000}));
    EXPECT_EQ(showing(viewport, 9000, 2000, trace), showing(viewport, 2000, 9000, trace));
}

}  // namespace

}  // namespace eciscope::view
