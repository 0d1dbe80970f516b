// Sources of bytes: the same bytes whatever the portions, with a memory of what has passed.

#include "eciscope/capture/input.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <thread>

#include "collect.hpp"

namespace eciscope::capture::test {
namespace {

Buffer count_up(std::size_t size) {
    Buffer bytes(size);
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<std::uint8_t>(i * 131 >> 3);
    }
    return bytes;
}

class Portions : public testing::TestWithParam<std::size_t> {};

TEST_P(Portions, all_bytes_once) {
    const Buffer bytes = count_up(300'000);
    Input input = Input::of_memory(bytes, GetParam());
    Buffer out;
    std::array<std::uint8_t, 1000> part{};
    while (const std::size_t count = input.read(part)) {
        out.insert(out.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count));
    }
    EXPECT_EQ(out, bytes);
    EXPECT_EQ(input.position(), bytes.size());
    EXPECT_EQ(input.taken(), bytes.size());
}

TEST_P(Portions, steps_back_as_far_as_it_remembers) {
    const Buffer bytes = count_up(300'000);
    Input input = Input::of_memory(bytes, GetParam());
    EXPECT_EQ(input.skip(250'000), 250'000U);
    ASSERT_TRUE(input.seek(250'000 - Input::history));
    const Bytes there = input.peek(Input::longest_peek);
    ASSERT_EQ(there.size(), Input::longest_peek);
    EXPECT_TRUE(std::equal(there.begin(), there.end(), bytes.end() - 50'000 - std::ptrdiff_t{Input::history}));
    EXPECT_FALSE(input.seek(300'001));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Portions, testing::Values(1, 7, 63, 64, 65, 4096, Input::default_read_size));

/// A file with these bytes, for as long as this lives.
class TemporaryFile {
 public:
    explicit TemporaryFile(const Buffer& bytes) {
        const int file = ::mkstemp(name_.data());
        EXPECT_EQ(::write(file, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
        ::close(file);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() { ::unlink(name_.c_str()); }
    [[nodiscard]] const std::string& name() const { return name_; }

 private:
    std::string name_ = testing::TempDir() + "eciscope-XXXXXX";
};

TEST(InputAhead, gives_the_same_bytes_and_steps_back) {
    const Buffer bytes = count_up(1'000'000);
    const TemporaryFile file(bytes);
    Input input = *Input::open(file.name(), std::size_t{64} << 10);
    input.read_ahead();
    Buffer out;
    std::array<std::uint8_t, 30'000> part{};
    while (const std::size_t count = input.read(part)) {
        out.insert(out.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count));
        if (out.size() < Input::history) {
            continue;
        }
        ASSERT_TRUE(input.seek(out.size() - Input::history));
        const Bytes back = input.peek(1000);
        ASSERT_TRUE(std::equal(back.begin(), back.end(), out.end() - std::ptrdiff_t{Input::history}));
        ASSERT_TRUE(input.seek(out.size()));
        (void)input.peek(Input::longest_peek);
    }
    EXPECT_EQ(out, bytes);
    EXPECT_EQ(input.taken(), bytes.size());
}

TEST(InputAhead, may_be_left_in_the_middle_or_unused) {
    const TemporaryFile file(count_up(1'000'000));
    Input unused = *Input::open(file.name());
    unused.read_ahead();
    Input left = *Input::open(file.name(), std::size_t{64} << 10);
    left.read_ahead();
    EXPECT_EQ(left.skip(100'000), 100'000U);
    Input moved = std::move(left);
    EXPECT_EQ(moved.skip(100'000), 100'000U);
    EXPECT_EQ(moved.position(), 200'000U);
}

TEST(InputFile, missing_or_no_file) {
    EXPECT_EQ(Input::open("/nowhere/at/all").error(), "No such file or directory");
    EXPECT_EQ(Input::open("/").error(), "Is a directory");
}

TEST(InputPipe, a_capture_comes_through_a_pipe_in_dribbles) {
    const Buffer capture = data_file("small.pcap");
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    std::thread writer([&] {
        for (std::size_t at = 0; at < capture.size(); at += 1500) {
            const std::size_t count = std::min<std::size_t>(1500, capture.size() - at);
            ASSERT_EQ(::write(ends[1], capture.data() + at, count), static_cast<ssize_t>(count));
        }
        ::close(ends[1]);
    });
    SourceSpec spec;
    spec.path = "/dev/fd/" + std::to_string(ends[0]);
    const Outcome piped = run({spec});
    writer.join();
    ::close(ends[0]);
    EXPECT_EQ(piped.items, run({capture}).items);
    EXPECT_TRUE(piped.accounts.sums_agree());
}

TEST(InputFile, shrinks_while_it_is_read) {
    const std::string path = testing::TempDir() + "eciscope_shrinking.pcap";
    const Buffer capture = data_file("small.pcap");
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(capture.data()), static_cast<std::streamsize>(capture.size()));
    auto input = Input::open(path, 4096);
    ASSERT_TRUE(input);
    EXPECT_EQ(input->skip(100'000), 100'000U);
    ASSERT_EQ(::truncate(path.c_str(), 50'000), 0);
    EXPECT_LT(input->skip(1'000'000), 10'000U);
    EXPECT_TRUE(input->error().empty());
    ::unlink(path.c_str());
}

}  // namespace
}  // namespace eciscope::capture::test
