// A pinned cache line: both nodes' states, its messages, and arrows from request to answer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "made_up_traffic.hpp"
#include "test_trace.hpp"

namespace eciscope::view {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class PinnedLine : public TraceFile {
 protected:
    /// Few exchanges on one address, which is one line of each home.
    std::unique_ptr<Document> traffic_on_one_address(std::size_t messages, bool from_power_on = true) {
        MadeUpTraffic traffic(3, 1);
        std::vector<TraceBatch> batches(1);
        traffic.next(batches[0], messages);
        if (!from_power_on) {
            batches[0].events.clear();
        }
        write(batches);
        return opened(path_);
    }

    static TrackId pinned(const MessageRow& row) {
        TrackId id = track(TrackKind::line);
        id.line = *row.line;
        return id;
    }

    static void expect_whole(const TrackPicture& picture, int width) {
        for (std::uint8_t node = 0; node < node_count; ++node) {
            int next = 0;
            for (const StateSpan& span : picture.states) {
                if (span.node == node) {
                    EXPECT_EQ(span.from, next);
                    EXPECT_GT(span.to, span.from);
                    next = span.to;
                }
            }
            EXPECT_EQ(next, width);
        }
    }

    static std::vector<std::string> states_of(const TrackPicture& picture, std::uint8_t node) {
        std::vector<std::string> states;
        for (const StateSpan& span : picture.states) {
            if (span.node == node) {
                states.push_back(span.state + (span.transient ? "*" : "") + (span.unknown ? " unknown" : ""));
            }
        }
        return states;
    }
};

TEST_F(PinnedLine, is_fetched_shared_and_dropped) {
    const auto document = traffic_on_one_address(3);
    const auto rows = document->rows(0, 3);
    ASSERT_THAT(rows, SizeIs(3));
    const TrackId id = pinned(rows[0]);
    const Picture picture = document->picture(whole(document->facts().limits, 1000), {&id, 1}, {});
    const TrackPicture& line = picture.tracks[0];
    const std::uint8_t remote = rows[0].head.stream.from;
    EXPECT_EQ(id.line.home, 1 - remote);
    EXPECT_THAT(states_of(line, remote), ElementsAre("I", "IS*", "S", "I"));
    EXPECT_THAT(states_of(line, id.line.home), ElementsAre("E", "E|S", "S", "E"));
    expect_whole(line, 1000);
    EXPECT_THAT(line.boxes, SizeIs(3));
    ASSERT_THAT(line.arrows, SizeIs(1));
    EXPECT_EQ(line.arrows[0].request, 0U);
    EXPECT_EQ(line.arrows[0].answer, 1U);
    EXPECT_EQ(line.arrows[0].from, picture.viewport.column_of(rows[0].head.last));
    EXPECT_EQ(line.arrows[0].to, picture.viewport.column_of(rows[1].head.first));
    // A state begins in the column of the message that shows it.
    EXPECT_EQ(line.states[1].from, picture.viewport.column_of(rows[0].head.last));
}

TEST_F(PinnedLine, joined_midway_is_unknown_until_messages_tell) {
    const auto document = traffic_on_one_address(3, false);
    const TrackId id = pinned(document->rows(0, 1).at(0));
    const Picture picture = document->picture(whole(document->facts().limits, 1000), {&id, 1}, {});
    EXPECT_EQ(states_of(picture.tracks[0], 0).front(), "? unknown");
    EXPECT_EQ(states_of(picture.tracks[0], 1).front(), "? unknown");
}

TEST_F(PinnedLine, from_afar_counts_stay_exact_and_states_whole) {
    const auto document = traffic_on_one_address(9000);
    const auto rows = document->rows(0, 1);
    const TrackId id = pinned(rows.at(0));
    const auto history = document->line_history(id.line, 100'000);
    for (const int width : {1, 33, 1920}) {
        const TrackPicture line = document->picture(whole(document->facts().limits, width), {&id, 1}, {}).tracks[0];
        const std::uint64_t count = std::accumulate(line.columns.begin(), line.columns.end(), std::uint64_t{0},
                                                    [](std::uint64_t sum, const Column& c) { return sum + c.count; });
        EXPECT_EQ(count, history.size());
        expect_whole(line, width);
    }
}

TEST_F(PinnedLine, that_no_message_names_is_at_rest) {
    const auto document = traffic_on_one_address(3);
    TrackId id = track(TrackKind::line);
    id.line = {0, 0x12345};
    const TrackPicture line = document->picture(whole(document->facts().limits, 100), {&id, 1}, {}).tracks[0];
    EXPECT_THAT(line.boxes, IsEmpty());
    EXPECT_THAT(states_of(line, 1), ElementsAre("I"));
    expect_whole(line, 100);
}

}  // namespace

}  // namespace eciscope::view
