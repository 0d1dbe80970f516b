// Filters as a person types them, and notes at places.

#include "eciscope/view/filter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <eciscope/spec/eci.hpp>
#include <filesystem>
#include <fstream>

#include "eciscope/view/bookmarks.hpp"

namespace eciscope::view {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Filter, words_of_every_kind) {
    const auto filter = parse_filter(" op:rldx,RLDD  vc:6 node:0 link:1,0 grant ");
    ASSERT_TRUE(filter);
    EXPECT_THAT(filter->ops, ElementsAre("RLDX", "RLDD"));
    EXPECT_THAT(filter->vcs, ElementsAre(6));
    EXPECT_THAT(filter->nodes, ElementsAre(0));
    EXPECT_THAT(filter->links, ElementsAre(1, 0));
    EXPECT_THAT(filter->texts, ElementsAre("grant"));
    EXPECT_FALSE(filter->takes_all());
}

TEST(Filter, nothing_takes_everything) {
    EXPECT_TRUE(parse_filter("")->takes_all());
    EXPECT_TRUE(parse_filter(" \t ")->takes_all());
}

TEST(Filter, a_line_is_its_address_and_its_home) {
    const auto filter = parse_filter("line:0x12340080@1");
    ASSERT_TRUE(filter);
    ASSERT_EQ(filter->lines.size(), 1U);
    EXPECT_EQ(filter->lines[0].home, 1);
    EXPECT_EQ(eci::line_address(filter->lines[0].aliased_cli), 0x12340080U);
    EXPECT_EQ(parse_filter("line:0x80")->lines.size(), 2U);  // of either home
}

TEST(Filter, what_is_wrong_is_said) {
    for (const char* text :
         {"vc:", "vc:16", "vc:x", "node:2", "link:-1", "line:0x80@2", "line:zz", "op:A,,B", "line:0xfffffffffffff"}) {
        const auto filter = parse_filter(text);
        ASSERT_FALSE(filter) << text;
        EXPECT_FALSE(filter.error().message.empty());
    }
}

TEST(Filter, a_colon_in_other_words_is_text) {
    EXPECT_THAT(parse_filter("a:b")->texts, ElementsAre("a:b"));
}

class BookmarksFile : public testing::Test {
 protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("bookmarks." + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        path_ = bookmarks_path((folder_ / "boot.pcap").string());
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    void write(const std::string& text) { std::ofstream(path_) << text; }

    std::filesystem::path folder_;
    std::string path_;
};

TEST_F(BookmarksFile, what_is_saved_is_loaded) {
    const std::vector<Bookmark> bookmarks{{-5, "before \"zero\""}, {1'000'000'000'000, "ü\nsecond line"}};
    ASSERT_TRUE(save_bookmarks(path_, bookmarks));
    ASSERT_TRUE(save_bookmarks(path_, bookmarks));
    EXPECT_EQ(*load_bookmarks(path_), bookmarks);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);  // nothing temporary stays
}

TEST_F(BookmarksFile, without_a_file_there_are_none) {
    EXPECT_THAT(*load_bookmarks(path_), IsEmpty());
}

TEST_F(BookmarksFile, damage_is_an_error) {
    for (const char* text :
         {"", "[]", "{", "{\"bookmarks\": 3}", "{\"bookmarks\": [{\"time_ps\": \"x\", \"note\": \"\"}]}",
          "{\"bookmarks\": [{\"time_ps\": 1.5, \"note\": \"\"}]}", "{\"bookmarks\": [7]}"}) {
        write(text);
        EXPECT_FALSE(load_bookmarks(path_)) << text;
    }
}

TEST_F(BookmarksFile, a_note_that_is_no_utf8_is_saved_nevertheless) {
    ASSERT_TRUE(save_bookmarks(path_, {{1, "\xff\xfe"}}));
    EXPECT_TRUE(load_bookmarks(path_));
}

TEST_F(BookmarksFile, a_folder_that_is_not_there_is_an_error) {
    EXPECT_FALSE(save_bookmarks((folder_ / "none" / "x.json").string(), {}));
}

}  // namespace

}  // namespace eciscope::view
