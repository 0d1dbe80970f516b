// Every pixel column that holds a message is painted, and no other, at thirty zooms: compared with counting one by one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "made_up_traffic.hpp"
#include "test_trace.hpp"

namespace eciscope::view {

namespace {

constexpr int columns = 640;
constexpr int zooms = 30;

struct Counted {
    TraceBatch all;

    explicit Counted(const std::vector<TraceBatch>& batches) {
        for (const TraceBatch& batch : batches) {
            all.messages.insert(all.messages.end(), batch.messages.begin(), batch.messages.end());
        }
    }

    [[nodiscard]] std::vector<std::uint32_t> columns_of(const TrackId& id, const Viewport& viewport) const {
        std::vector<std::uint32_t> counts(static_cast<std::size_t>(viewport.columns));
        for (const MessageHead& head : all.messages) {
            const bool is_of_it = head.stream == id.stream && (id.kind == TrackKind::utilisation || head.vc == id.vc);
            for (int column = viewport.column_of(head.last); is_of_it && column >= 0 && column < viewport.columns;) {
                ++counts[static_cast<std::size_t>(column)];
                break;
            }
        }
        return counts;
    }
};

/// From the whole trace to a picosecond a column, about a time.
std::vector<Viewport> viewports(const Limits& limits, Picoseconds about) {
    std::vector<Viewport> all{whole(limits, columns)};
    const double step = std::pow(static_cast<double>(all.front().span) / columns, 1.0 / (zooms - 1));
    double span = static_cast<double>(all.front().span);
    while (all.size() < zooms) {
        span /= step;
        const auto length = std::max<Picoseconds>(columns, static_cast<Picoseconds>(span));
        const auto before = static_cast<Picoseconds>(length * static_cast<Picoseconds>(all.size()) / zooms);
        all.push_back({about - before, length, columns});
    }
    return all;
}

/// Bursts, pauses longer than 32 bits of picoseconds, equal times, every stream.
std::vector<TraceBatch> random_trace(std::uint64_t seed, std::size_t messages) {
    std::mt19937_64 random(seed);
    std::vector<TraceBatch> batches(1);
    Picoseconds now = 1'000'000;
    for (std::size_t i = 0; i < messages; ++i) {
        const auto dice = random() % 1000;
        now += static_cast<Picoseconds>(dice == 0   ? random() % 50'000'000'000
                                        : dice < 50 ? random() % 100'000
                                                    : random() % 3);
        MessageHead head;
        head.stream = Stream::of_index(random() % stream_count);
        head.vc = static_cast<std::uint8_t>(2 + random() % 3 * 4);
        head.last = now;
        head.first = now - static_cast<Picoseconds>(random() % 3 * 4340);
        head.word_count = static_cast<std::uint8_t>(1 + random() % 17);
        head.word_offset = static_cast<std::uint32_t>(batches.back().words.size());
        batches.back().words.insert(batches.back().words.end(), head.word_count, 0);
        batches.back().words[head.word_offset] = random() % 8 << 59U | random() % 32 << 50U | random() % 512 << 7U;
        batches.back().messages.push_back(head);
    }
    return batches;
}

class Exactness : public TraceFile {};

TEST_F(Exactness, columns_are_painted_where_messages_are_and_nowhere_else) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const auto trace = random_trace(seed, seed == 3 ? 500 : 60'000);
        write(trace);
        const Counted counted(trace);
        OpenOptions options;
        options.check = false;
        const auto document = opened(path_, options);
        std::vector<TrackId> tracks;
        for (const TrackInfo& info : document->tracks()) {
            if (info.id.kind == TrackKind::circuit || info.id.kind == TrackKind::utilisation) {
                tracks.push_back(info.id);
            }
        }
        ASSERT_EQ(tracks.size(), 16U);
        const MessageHead& middle = counted.all.messages[counted.all.messages.size() * 2 / 5];
        for (const Viewport& viewport : viewports(document->facts().limits, middle.last)) {
            const Picture picture = document->picture(viewport, tracks, {});
            EXPECT_FALSE(picture.coarse);
            for (const TrackPicture& track : picture.tracks) {
                std::vector<std::uint32_t> counts;
                for (const Column& column : track.columns) {
                    counts.push_back(column.count);
                    ASSERT_EQ(column.level != 0, column.count != 0);
                    ASSERT_EQ(column.worst == Worst::nothing, column.count == 0);
                }
                ASSERT_EQ(counts, counted.columns_of(track.id, viewport))
                    << "seed " << seed << " span " << viewport.span;
            }
        }
    }
}

TEST_F(Exactness, filters_by_operation_stay_exact_from_afar) {
    const auto trace = random_trace(9, 30'000);
    write(trace);
    const auto document = opened(path_, {.check = false});
    const TrackId id = track(TrackKind::circuit, {0, 0}, 6);
    const auto all_rows = document->rows(0, 30'000);
    const auto filter = parse_filter("op:RLDX");
    const Viewport viewport = whole(document->facts().limits, columns);
    std::vector<std::uint32_t> expected(columns);
    for (const MessageRow& row : all_rows) {
        if (row.op == "RLDX" && row.head.stream == id.stream && row.head.vc == id.vc) {
            ++expected[static_cast<std::size_t>(viewport.column_of(row.head.last))];
        }
    }
    std::vector<std::uint32_t> found;
    const Picture picture = document->picture(viewport, {&id, 1}, *filter);
    for (const Column& column : picture.tracks[0].columns) {
        found.push_back(column.count);
    }
    EXPECT_EQ(found, expected);
    EXPECT_GT(*std::max_element(found.begin(), found.end()), 0U);
}

TEST_F(Exactness, one_violation_among_many_messages_is_seen_at_every_zoom) {
    constexpr std::uint64_t messages = 200'000;
    ASSERT_TRUE(write_made_up_traffic(path_, messages));
    const auto document = opened(path_);
    std::vector<Finding> violations;
    for (const Finding& finding : document->findings()) {
        if (finding.worst == Worst::violation) {
            violations.push_back(finding);
        }
    }
    ASSERT_EQ(violations.size(), 1U);
    const auto row = document->rows(*violations[0].message, 1);
    ASSERT_EQ(row.size(), 1U);
    EXPECT_EQ(row[0].head.last, violations[0].time);
    const std::vector<TrackId> tracks{track(TrackKind::findings),
                                      track(TrackKind::circuit, row[0].head.stream, row[0].head.vc)};
    for (const Viewport& viewport : viewports(document->facts().limits, violations[0].time)) {
        const Picture picture = document->picture(viewport, tracks, {});
        const int there = viewport.column_of(violations[0].time);
        for (const TrackPicture& of_track : picture.tracks) {
            for (int column = 0; column < columns; ++column) {
                const bool is_violation = of_track.columns[static_cast<std::size_t>(column)].worst == Worst::violation;
                ASSERT_EQ(is_violation, column == there) << "span " << viewport.span;
            }
        }
    }
}

TEST_F(Exactness, a_single_message_is_a_box_with_its_name) {
    write(random_trace(4, 1));
    const auto document = opened(path_, {.check = false});
    const MessageRow row = document->rows(0, 1).at(0);
    const TrackId id = track(TrackKind::circuit, row.head.stream, row.head.vc);
    const Picture picture = document->picture(whole(document->facts().limits, columns), {&id, 1}, {});
    ASSERT_EQ(picture.tracks[0].boxes.size(), 1U);
    const Box& box = picture.tracks[0].boxes[0];
    EXPECT_EQ(box.number, 0U);
    EXPECT_TRUE(box.label.starts_with(row.op)) << box.label;
    EXPECT_EQ(box.to, picture.viewport.column_of(row.head.last));
}

TEST_F(Exactness, a_latency_spike_survives_every_zoom) {
    ASSERT_TRUE(write_made_up_traffic(path_, 50'000));
    const auto document = opened(path_, {.check = false});
    ASSERT_EQ(document->request_kinds(), std::vector<std::string>{"RLDD"});
    const Statistics all = document->statistics(document->facts().limits.first, document->facts().limits.last + 1);
    ASSERT_EQ(all.latencies.size(), 1U);
    const TrackId id = track(TrackKind::latency);
    for (const int width : {1, 7, 640, 1920}) {
        const TrackPicture picture = document->picture(whole(document->facts().limits, width), {&id, 1}, {}).tracks[0];
        EXPECT_EQ(picture.full_scale, time_text(all.latencies[0].most));
        const auto peak = std::max_element(picture.columns.begin(), picture.columns.end(),
                                           [](const Column& a, const Column& b) { return a.peak < b.peak; });
        EXPECT_EQ(peak->peak, 65535);
    }
}

}  // namespace

}  // namespace eciscope::view
