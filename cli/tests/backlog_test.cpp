// What the decoder of a live capture reads behind its back: files that grow, follow each other and are deleted.

#include "live/backlog.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace eciscope::cli {
namespace {

constexpr std::size_t header = 24;

class Files : public ::testing::Test {
 protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("eciscope-backlog-" + std::to_string(getpid()));
        std::filesystem::create_directory(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void put(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::app | std::ios::binary) << text;
    }
    /// A file with a header of 24 times its name's first letter.
    std::string file(Backlog& backlog, const std::string& name, const std::string& text, std::uint64_t frames) const {
        put(name, std::string(header, name[0]) + text);
        backlog.begin(path(name));
        backlog.written(header + text.size(), frames);
        return path(name);
    }
    static std::string pull(Backlog& backlog, std::size_t most) {
        std::vector<std::uint8_t> bytes(most);
        return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(backlog.pull(bytes))};
    }
    static std::string pull_all(Backlog& backlog) {
        std::string all;
        for (std::string part = pull(backlog, 7); !part.empty(); part = pull(backlog, 7)) {
            all += part;
        }
        return all;
    }

 private:
    std::filesystem::path folder_;
};

TEST_F(Files, follow_each_other_with_one_header) {
    Backlog backlog;
    file(backlog, "a", "one", 1);
    file(backlog, "b", "two", 1);
    file(backlog, "c", "", 0);
    backlog.finish();
    EXPECT_EQ(backlog.bytes_behind(), 3 * header + 6);
    EXPECT_EQ(pull_all(backlog), std::string(header, 'a') + "onetwo");
    EXPECT_EQ(backlog.bytes_behind(), 0U);
    EXPECT_EQ(backlog.frames_missed(), 0U);
    EXPECT_EQ(pull(backlog, 1), "") << "the end stays the end";
}

TEST_F(Files, are_read_as_far_as_they_are_said_to_be_written) {
    Backlog backlog;
    file(backlog, "a", "one", 1);
    put("a", "half a fra");
    EXPECT_EQ(pull(backlog, 100), std::string(header, 'a') + "one");
    std::thread writer([&] { backlog.written(header + 13, 2); });
    EXPECT_EQ(pull(backlog, 100), "half a fra") << "waits for it";
    writer.join();
    backlog.finish();
    EXPECT_EQ(pull(backlog, 100), "");
}

TEST_F(Files, that_go_before_they_are_read_are_counted) {
    Backlog backlog;
    const std::string a = file(backlog, "a", "one", 1);
    EXPECT_EQ(pull(backlog, header), std::string(header, 'a'));
    const std::string b = file(backlog, "b", "two", 5);
    file(backlog, "c", "three", 7);
    backlog.removing(a);  // open: what it holds is still read
    std::filesystem::remove(a);
    backlog.removing(b);
    std::filesystem::remove(b);
    backlog.finish();
    EXPECT_EQ(pull_all(backlog), "onethree");
    EXPECT_EQ(backlog.frames_missed(), 5U);
}

TEST_F(Files, that_somebody_else_took_away_are_counted) {
    Backlog backlog;
    const std::string a = file(backlog, "a", "one", 1);
    std::filesystem::remove(a);
    file(backlog, "b", "two", 1);
    backlog.finish();
    EXPECT_EQ(pull_all(backlog), std::string(header, 'b') + "two") << "the first that is read has the header";
    EXPECT_EQ(backlog.frames_missed(), 1U);
}

TEST_F(Files, may_be_none) {
    Backlog backlog;
    backlog.finish();
    EXPECT_EQ(pull(backlog, 10), "");
}

}  // namespace
}  // namespace eciscope::cli
