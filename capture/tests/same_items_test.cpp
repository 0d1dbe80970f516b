// The same blocks come out however the bytes come in.

#include <gtest/gtest.h>

#include "collect.hpp"

namespace eciscope::capture::test {
namespace {

Buffer repacked(const std::vector<Buffer>& packets, CaptureBuilder capture, std::size_t from = 0,
                std::size_t to = ~std::size_t{0}) {
    capture.begin();
    for (std::size_t i = from; i < std::min(to, packets.size()); ++i) {
        capture.packet(packets[i]);
    }
    return capture.out;
}

class ReadSizes : public testing::TestWithParam<std::size_t> {};

TEST_P(ReadSizes, give_the_same_items) {
    for (const char* name : {"small.pcap", "udp.pcap", "edge_blocks.csv"}) {
        const Buffer capture = data_file(name);
        const Outcome outcome = run({capture}, {.read_size = GetParam(), .format = {}, .raw = {}});
        EXPECT_EQ(outcome.items, run({capture}).items) << name;
        EXPECT_TRUE(outcome.accounts.sums_agree());
        EXPECT_EQ(outcome.accounts.bytes_read, capture.size());
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ReadSizes, testing::Values(1, 7, 63, 64, 65, 4096));

TEST(Formats, twins_of_one_capture) {
    const Buffer original = data_file("small.pcap");
    const Outcome expected = run({original});
    EXPECT_EQ(expected.accounts.blocks_delivered, 4518U) << "78 records, counted independently";
    EXPECT_TRUE(is_in_order(expected.items));
    const std::vector<Buffer> packets = packets_of(original);
    for (const bool pcapng : {false, true}) {
        for (const bool big_endian : {false, true}) {
            for (const bool microseconds : {false, true}) {
                const CaptureBuilder capture{
                    .pcapng = pcapng, .big_endian = big_endian, .microseconds = microseconds, .out = {}};
                const Outcome outcome = run({repacked(packets, capture)});
                EXPECT_EQ(outcome.items, expected.items);
                EXPECT_TRUE(outcome.diagnostics.empty());
                EXPECT_TRUE(outcome.accounts.sums_agree());
            }
        }
    }
}

TEST(Formats, frames_of_every_kind_around_one_capture) {
    const Buffer original = data_file("small.pcap");
    const std::vector<Buffer> packets = packets_of(original);
    CaptureBuilder capture{.link_type = 1, .out = {}};
    capture.begin();
    for (std::size_t i = 0; i < packets.size(); ++i) {
        const FrameBuilder frame{
            .vlan_tags = static_cast<int>(i % 3), .ipv6 = i % 2 == 1, .option_words = static_cast<int>(i % 4)};
        capture.packet(frame.around(packets[i]));
    }
    EXPECT_EQ(run({capture.out}).items, run({original}).items);
}

TEST(Cuts, a_capture_in_two_files_gives_the_same_items) {
    for (const char* name : {"small.pcap", "udp.pcap"}) {
        const Buffer original = data_file(name);
        const std::vector<Buffer> packets = packets_of(original);
        const Outcome whole = run({original});
        const std::uint32_t link_type = std::string(name) == "udp.pcap" ? 1 : 147;
        for (std::size_t at = 0; at <= packets.size(); at += 5) {
            const CaptureBuilder first_half{.link_type = link_type, .out = {}};
            const CaptureBuilder second_half{.pcapng = true, .link_type = link_type, .out = {}};
            const Outcome outcome = run({repacked(packets, first_half, 0, at), repacked(packets, second_half, at)});
            ASSERT_EQ(outcome.items, whole.items) << name << " cut before packet " << at;
            EXPECT_TRUE(outcome.diagnostics.empty());
        }
    }
}

TEST(Progress, is_told_with_the_total) {
    const Buffer original = data_file("small.pcap");
    const std::vector<Buffer> packets = packets_of(original);
    CaptureBuilder large;
    large.begin();
    for (int i = 0; i < 10; ++i) {
        for (const Buffer& packet : packets) {
            large.packet(packet);
        }
    }
    SourceSpec spec;
    spec.memory = Bytes(large.out);
    auto reader = CaptureReader::open({spec});
    ASSERT_TRUE(reader);
    std::vector<std::uint64_t> told;
    reader->on_progress([&](const eciscope::capture::Progress& now) {
        told.push_back(now.bytes_read);
        EXPECT_EQ(now.bytes_total, large.out.size());
    });
    struct Nothing : BlockSink {
        bool blocks(std::span<const BlockItem>) override { return true; }
    } sink;
    Diagnostics diagnostics;
    EXPECT_TRUE(reader->run(sink, diagnostics));
    EXPECT_EQ(told.size(), 3U) << "3.2 MB";
}

}  // namespace
}  // namespace eciscope::capture::test
