// The ways of a record through Ethernet.

#include "eciscope/capture/packet.hpp"

#include <gtest/gtest.h>

#include "collect.hpp"

namespace eciscope::capture::test {
namespace {

Buffer ethernet(const std::vector<Buffer>& frames) {
    CaptureBuilder capture{.link_type = 1, .out = {}};
    capture.begin();
    for (const Buffer& frame : frames) {
        capture.packet(frame);
    }
    return capture.out;
}

const RecordBuilder sample{.blocks = 2, .magic = "ECIB", .trailing = {}};
const std::vector<std::string> both_blocks = {"0.0:0/0", "0.0:0/1"};

struct PacketCase {
    std::string name;
    FrameBuilder frame;
};

std::ostream& operator<<(std::ostream& out, const PacketCase& one) {
    return out << one.name;
}

class WaysThroughEthernet : public testing::TestWithParam<PacketCase> {};

TEST_P(WaysThroughEthernet, both_blocks_arrive) {
    const Outcome outcome = run({ethernet({GetParam().frame.around(sample.bytes())})});
    EXPECT_EQ(outcome.story(), both_blocks);
    EXPECT_TRUE(outcome.diagnostics.empty());
    EXPECT_TRUE(outcome.accounts.sums_agree());
    EXPECT_EQ(outcome.accounts.bytes_damaged, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Frames, WaysThroughEthernet,
    testing::Values(PacketCase{"ipv4", {}}, PacketCase{"vlan", {.vlan_tags = 1}},
                    PacketCase{"vlan_in_vlan", {.vlan_tags = 2}}, PacketCase{"options", {.option_words = 3}},
                    PacketCase{"ipv6", {.ipv6 = true}},
                    PacketCase{"ipv6_extensions_in_vlan", {.vlan_tags = 1, .ipv6 = true, .option_words = 2}},
                    PacketCase{"checksum_trailer", {.padding = 4}}, PacketCase{"udp_length_zero", {.udp_length = 0}}),
    [](const testing::TestParamInfo<PacketCase>& one) { return one.param.name; });

TEST(Ethernet, other_traffic_is_a_note) {
    const FrameBuilder ours;
    const Outcome outcome =
        run({ethernet({FrameBuilder{.port = 53}.around({1, 2, 3}), FrameBuilder{.protocol = 6}.around({1, 2}),
                       Buffer{1, 2, 3}, Buffer(60, 0xff), ours.around(sample.bytes()), Buffer{}})});
    EXPECT_EQ(outcome.story(), both_blocks);
    EXPECT_EQ(outcome.diagnostics, (std::map<std::string, std::uint64_t>{{"foreign_traffic", 5}}));
    EXPECT_EQ(outcome.accounts.packets_foreign, 5U);
    EXPECT_EQ(outcome.accounts.bytes_foreign, (42U + 3) + (42 + 2) + 3 + 60);
    EXPECT_TRUE(outcome.accounts.sums_agree());
}

TEST(Ethernet, first_fragment_gives_its_whole_blocks) {
    Buffer payload = sample.bytes();
    payload.resize(24 + 72 + 8);
    Buffer frame = FrameBuilder{.udp_length = 8 + 24 + 144, .fragment = 0x2000}.around(payload);
    const Buffer later = FrameBuilder{.fragment = 0x000d}.around(Buffer(64, 0));
    const Outcome outcome = run({ethernet({frame, later})});
    EXPECT_EQ(outcome.story(), (std::vector<std::string>{"0.0:0/0", "0.0:lost 1"}));
    EXPECT_EQ(outcome.diagnostics, (std::map<std::string, std::uint64_t>{
                                       {"datagram_fragmented", 2}, {"record_cut_short", 1}, {"foreign_traffic", 1}}));
    EXPECT_TRUE(outcome.accounts.sums_agree());
}

TEST(Ethernet, impossible_udp_length) {
    const Outcome outcome = run({ethernet({FrameBuilder{.udp_length = 5}.around(sample.bytes())})});
    EXPECT_EQ(outcome.story(), both_blocks);
    EXPECT_EQ(outcome.diagnostics, (std::map<std::string, std::uint64_t>{{"datagram_malformed", 1}}));
}

TEST(Ethernet, every_cut_of_a_frame_is_survived) {
    const Buffer frame = FrameBuilder{.vlan_tags = 2, .ipv6 = true, .option_words = 2}.around(sample.bytes());
    for (std::size_t size = 0; size < frame.size(); ++size) {
        CaptureBuilder capture{.link_type = 1, .out = {}};
        const Buffer cut(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size));
        const Outcome outcome = run({capture.begin().packet(cut, static_cast<std::uint32_t>(frame.size())).out});
        EXPECT_TRUE(outcome.accounts.sums_agree()) << size;
        EXPECT_EQ(outcome.count(BlockItemKind::block), size + 72 < frame.size() ? 0U : 1U) << size;
    }
}

}  // namespace
}  // namespace eciscope::capture::test
