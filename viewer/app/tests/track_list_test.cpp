#include "track_list.hpp"

#include <gtest/gtest.h>

namespace eciscope::view {
namespace {

TrackInfo circuit(std::uint8_t link, std::uint8_t vc, std::uint64_t messages = 1) {
    TrackInfo track;
    track.id.kind = TrackKind::circuit;
    track.id.stream = {link, 0};
    track.id.vc = vc;
    track.name = "VC " + std::to_string(vc);
    track.group = "link " + std::to_string(link);
    track.messages = messages;
    return track;
}

TrackList three_and_one() {
    TrackList list;
    list.set_tracks({circuit(0, 2), circuit(0, 6), circuit(0, 8), circuit(1, 2)});
    return list;
}

std::vector<std::string> names(const TrackList& list) {
    std::vector<std::string> names;
    for (const Row& row : list.rows()) {
        names.push_back(row.kind == Row::Kind::header ? "[" + row.group + "]" : row.track.name);
    }
    return names;
}

using Names = std::vector<std::string>;

TEST(TrackList, GroupsTracks) {
    EXPECT_EQ(names(three_and_one()), (Names{"[link 0]", "VC 2", "VC 6", "VC 8", "[link 1]", "VC 2"}));
}

TEST(TrackList, PinnedTracksStandAtTheTop) {
    TrackList list = three_and_one();
    list.set_pinned(circuit(0, 8).id, true);
    EXPECT_EQ(names(list), (Names{"VC 8", "[link 0]", "VC 2", "VC 6", "[link 1]", "VC 2"}));
    list.set_pinned(circuit(0, 8).id, false);
    EXPECT_EQ(names(list), names(three_and_one()));
}

TEST(TrackList, TracksMoveWithinTheirGroup) {
    TrackList list = three_and_one();
    list.move(circuit(0, 2).id, 1);
    EXPECT_EQ(names(list), (Names{"[link 0]", "VC 6", "VC 2", "VC 8", "[link 1]", "VC 2"}));
    list.move(circuit(0, 2).id, 9);
    EXPECT_EQ(names(list), (Names{"[link 0]", "VC 6", "VC 8", "VC 2", "[link 1]", "VC 2"}));
    list.move(circuit(0, 2).id, -9);
    EXPECT_EQ(names(list), names(three_and_one()));
}

TEST(TrackList, FoldedGroupsKeepTheirHeader) {
    TrackList list = three_and_one();
    list.toggle_group("link 0");
    EXPECT_EQ(names(list), (Names{"[link 0]", "[link 1]", "VC 2"}));
    list.toggle_group("link 0");
    EXPECT_EQ(names(list), names(three_and_one()));
}

TEST(TrackList, HiddenAndEmptyTracksCanBeShown) {
    TrackList list;
    list.set_tracks({circuit(0, 2), circuit(0, 6, 0)});
    EXPECT_EQ(names(list), (Names{"[link 0]", "VC 2"}));
    list.set_show_empty(true);
    EXPECT_EQ(names(list), (Names{"[link 0]", "VC 2", "VC 6"}));
    list.remove(circuit(0, 2).id);
    EXPECT_EQ(list.hidden_count(), 1U);
    EXPECT_EQ(names(list), (Names{"[link 0]", "VC 6"}));
    list.show_all();
    EXPECT_EQ(list.hidden_count(), 0U);
}

TEST(TrackList, ChoicesOutliveNewTracks) {
    TrackList list = three_and_one();
    list.set_pinned(circuit(0, 6).id, true);
    list.set_tracks({circuit(0, 2, 7), circuit(0, 6, 7), circuit(0, 8, 7), circuit(1, 2, 7), circuit(1, 9, 7)});
    EXPECT_EQ(names(list), (Names{"VC 6", "[link 0]", "VC 2", "VC 8", "[link 1]", "VC 2", "VC 9"}));
    EXPECT_EQ(list.rows().front().track.messages, 7U);
}

TEST(TrackList, ALineIsPinnedOnceAndForgottenWhenRemoved) {
    TrackList list = three_and_one();
    list.add_line({1, 0x80});
    list.add_line({1, 0x80});
    EXPECT_EQ(names(list).front(), "0x80@1");
    EXPECT_EQ(names(list).size(), names(three_and_one()).size() + 1);
    list.remove(list.rows().front().track.id);
    EXPECT_EQ(names(list), names(three_and_one()));
}

}  // namespace
}  // namespace eciscope::view
