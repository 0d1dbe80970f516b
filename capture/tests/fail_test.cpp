// Awkward captures, one oddity each, with the diagnostics and the partial output that are expected of them.

#include <gtest/gtest.h>

#include "collect.hpp"

namespace eciscope::capture::test {
namespace {

using Counts = std::map<std::string, std::uint64_t>;
using Story = std::vector<std::string>;

struct Case {
    std::string name;
    Buffer capture;
    Counts diagnostics;
    Story story;
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
    return out << one.name;
}

RecordBuilder record(std::uint32_t sequence, int blocks = 2) {
    RecordBuilder made;
    made.sequence = sequence;
    made.blocks = blocks;
    made.time_ns = epoch_ns + sequence * 1000ULL;
    return made;
}

CaptureBuilder capture() {
    return CaptureBuilder{}.begin();
}

/// The odd record between two sound ones.
Case between(std::string name, const RecordBuilder& odd, Counts diagnostics, Story middle) {
    Story story = {"0.0:0/0", "0.0:0/1"};
    story.insert(story.end(), middle.begin(), middle.end());
    story.insert(story.end(), {"0.0:2/0", "0.0:2/1"});
    return {std::move(name), capture().record(record(0)).record(odd).record(record(2)).out, std::move(diagnostics),
            std::move(story)};
}

RecordBuilder with(void (*change)(RecordBuilder&)) {
    RecordBuilder odd = record(1);
    change(odd);
    return odd;
}

std::vector<Case> odd_records() {
    const Story sound = {"0.0:1/0", "0.0:1/1"};
    const Story gap = {"0.0:lost ?"};
    return {
        between("nothing_odd", record(1), {}, sound),
        between("wrong_magic", with([](auto& r) { r.magic = "ECIA"; }),
                {{"record_magic_wrong", 1}, {"records_missing", 1}}, gap),
        between("foreign_version", with([](auto& r) { r.version = 2; }),
                {{"record_version_foreign", 1}, {"records_missing", 1}}, gap),
        between("undefined_link", with([](auto& r) { r.link = 2; }),
                {{"record_link_undefined", 1}, {"records_missing", 1}}, gap),
        between("undefined_flags", with([](auto& r) { r.extra_flags = 0x80; }), {{"record_flags_undefined", 1}}, sound),
        between("no_blocks", with([](auto& r) { r.blocks = 0; }), {{"record_count_out_of_range", 1}}, {}),
        between("count_zero_but_blocks_follow", with([](auto& r) { r.declared = 0; }),
                {{"record_count_out_of_range", 1}}, gap),
        between("count_too_large", with([](auto& r) { r.declared = 121; }), {{"record_count_out_of_range", 1}}, gap),
        between("count_larger_than_what_is_there", with([](auto& r) { r.declared = 5; }), {{"record_cut_short", 1}},
                {"0.0:1/0", "0.0:1/1", "0.0:lost 3"}),
        between("cut_within_the_second_block", with([](auto& r) { r.cut = 1; }), {{"record_cut_short", 1}},
                {"0.0:1/0", "0.0:lost 1"}),
        between("cut_within_the_header", with([](auto& r) { r.cut = 144 + 1; }),
                {{"record_header_cut_short", 1}, {"records_missing", 1}}, gap),
        between("few_trailing_bytes", with([](auto& r) {
                    r.trailing = {1, 2, 3, 4};
                }),
                {{"record_trailing_bytes", 1}}, sound),
        between("trailing_bytes_that_may_be_a_block", with([](auto& r) { r.declared = 1; }),
                {{"record_trailing_bytes", 1}}, {"0.0:1/0", "0.0:lost ?"}),
        between("loss_named", with([](auto& r) { r.lost = 7; }), {{"blocks_lost", 1}},
                {"0.0:lost 7", "0.0:1/0", "0.0:1/1"}),
        between("loss_of_unknown_size", with([](auto& r) { r.lost = 0xFFFFFFFF; }), {{"blocks_lost", 1}},
                {"0.0:lost ?", "0.0:1/0", "0.0:1/1"}),
        between("loss_flag_without_count", with([](auto& r) { r.flip_lost_flag = 1; }),
                {{"record_loss_contradictory", 1}, {"blocks_lost", 1}}, {"0.0:lost ?", "0.0:1/0", "0.0:1/1"}),
        between("loss_count_without_flag", with([](auto& r) {
                    r.lost = 3;
                    r.flip_lost_flag = 1;
                }),
                {{"record_loss_contradictory", 1}, {"blocks_lost", 1}}, {"0.0:lost ?", "0.0:1/0", "0.0:1/1"}),
        between("undefined_entry_flags", with([](auto& r) { r.entry_flags = 0x10; }), {{"entry_flags_undefined", 2}},
                sound),
        between("reserved_bytes_set", with([](auto& r) { r.reserved = 1; }), {{"entry_reserved_not_zero", 2}}, sound),
        between("blocks_go_back_in_time", with([](auto& r) { r.times_backwards = true; }),
                {{"entry_time_backwards", 1}}, sound),
        between("time_beyond_all_bounds", with([](auto& r) { r.time_ns = ~std::uint64_t{0}; }),
                {{"time_out_of_range", 1}, {"records_missing", 1}}, gap),
        between("time_years_ahead", with([](auto& r) { r.time_ns += 400ULL * 86'400'000'000'000; }),
                {{"time_out_of_range", 1}, {"records_missing", 1}}, gap),
    };
}

/// Three records of which the middle one's packet is tampered with after `tamper` bytes.
Buffer tampered(bool pcapng, std::size_t field, std::uint8_t value) {
    CaptureBuilder builder{.pcapng = pcapng, .out = {}};
    builder.begin().record(record(0));
    const std::size_t start = builder.out.size();
    builder.record(record(1)).record(record(2));
    builder.out[start + field] = value;
    return builder.out;
}

std::vector<Case> odd_files() {
    const Story all = {"0.0:0/0", "0.0:0/1", "0.0:1/0", "0.0:1/1", "0.0:2/0", "0.0:2/1"};
    const Story around = {"0.0:0/0", "0.0:0/1", "0.0:lost ?", "0.0:2/0", "0.0:2/1"};
    Buffer cut = capture().record(record(0)).record(record(1)).out;
    cut.resize(cut.size() - 100);
    Buffer cut_header = capture().record(record(0)).out;
    cut_header.resize(cut_header.size() + 9, 1);
    CaptureBuilder other{.link_type = 113, .out = {}};
    CaptureBuilder snapped;
    Buffer short_packet = record(1).bytes();
    short_packet.resize(24 + 72 + 40);
    return {
        {"no_packets", capture().out, {}, {}},
        {"ends_within_a_packet",
         cut,
         {{"capture_cut_short", 1}, {"record_cut_short", 1}},
         {"0.0:0/0", "0.0:0/1", "0.0:lost 2"}},
        {"ends_within_a_packet_header", cut_header, {{"capture_cut_short", 1}}, {"0.0:0/0", "0.0:0/1"}},
        {"file_header_cut", Buffer{0x4d, 0x3c, 0xb2, 0xa1, 2, 0}, {{"capture_header_damaged", 1}}, {}},
        {"foreign_link_type", other.begin().record(record(0)).out, {{"capture_link_type_foreign", 1}}, {}},
        {"snapshot_length",
         snapped.begin().record(record(0)).packet(short_packet, 24 + 144).record(record(2)).out,
         {{"packet_cut_by_snaplen", 1}, {"record_cut_short", 1}},
         {"0.0:0/0", "0.0:0/1", "0.0:1/0", "0.0:lost 1", "0.0:2/0", "0.0:2/1"}},
        {"snapshot_length_of_the_file_damaged",
         [] {
             Buffer bytes = CaptureBuilder{.snaplen = 40, .out = {}}.begin().record(record(0)).out;
             return bytes;
         }(),
         {},
         {"0.0:0/0", "0.0:0/1"}},
        {"packet_length_far_too_large", tampered(false, 11, 0x7f), {{"capture_framing_damaged", 1}}, all},
        {"packet_length_swallows_the_next", tampered(false, 9, 0x01), {{"capture_framing_damaged", 1}}, all},
        {"packet_length_too_small", tampered(false, 8, 0x20), {{"capture_framing_damaged", 1}}, all},
        {"pcapng_block_length_damaged", tampered(true, 4, 0x21), {{"capture_framing_damaged", 1}}, all},
        {"pcapng_packet_length_damaged", tampered(true, 22, 0x21), {{"capture_framing_damaged", 1}}, all},
        {"junk_between_packets",
         capture().record(record(0)).record(record(1)).junk(Buffer(1000, 0xee)).record(record(2)).out,
         {{"capture_framing_damaged", 1}},
         all},
        {"zeros_to_the_end",
         capture().record(record(0)).junk(Buffer(5000, 0)).out,
         {{"capture_framing_damaged", 1}},
         {"0.0:0/0", "0.0:0/1"}},
        {"packet_that_is_no_record",
         capture().record(record(0)).packet(Buffer(200, 0x55)).record(record(2)).out,
         {{"record_magic_wrong", 1}, {"records_missing", 1}},
         around},
    };
}

class Fail : public testing::TestWithParam<Case> {};

TEST_P(Fail, is_survived_and_named) {
    for (const std::size_t read_size : {std::size_t{1}, std::size_t{7}, std::size_t{64}, Input::default_read_size}) {
        const Outcome outcome = run({GetParam().capture}, {.read_size = read_size, .format = {}, .raw = {}});
        EXPECT_EQ(outcome.open_error, "");
        EXPECT_EQ(outcome.story(), GetParam().story);
        EXPECT_EQ(outcome.diagnostics, GetParam().diagnostics);
        EXPECT_TRUE(outcome.accounts.sums_agree());
        EXPECT_EQ(outcome.accounts.bytes_read, GetParam().capture.size());
        EXPECT_TRUE(outcome.finished);
    }
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Records, Fail, testing::ValuesIn(odd_records()), name_of);
INSTANTIATE_TEST_SUITE_P(Files, Fail, testing::ValuesIn(odd_files()), name_of);

TEST(FailWhere, diagnostics_say_where) {
    const Buffer bytes = capture().record(record(0)).record(with([](auto& r) { r.version = 9; })).out;
    const Outcome outcome = run({bytes});
    ASSERT_EQ(outcome.kept.size(), 1U);
    EXPECT_EQ(outcome.kept[0].where.source, 0U);
    EXPECT_EQ(outcome.kept[0].where.offset, 24U + 16 + 24 + 2 * 72);
    EXPECT_EQ(outcome.kept[0].where.record, 1U);
    EXPECT_EQ(outcome.kept[0].detail, "version 9");
}

TEST(FailFlags, what_the_interposer_saw_is_passed_on) {
    const Outcome outcome = run({capture()
                                     .record(with([](auto& r) { r.entry_flags = 1; }))
                                     .record([] {
                                         RecordBuilder lane = record(2);
                                         lane.entry_flags = 2;
                                         return lane;
                                     }())
                                     .out});
    ASSERT_EQ(outcome.items.size(), 4U);
    EXPECT_TRUE(outcome.items[0].crc_flagged && !outcome.items[0].lane_flagged);
    EXPECT_TRUE(!outcome.items[2].crc_flagged && outcome.items[2].lane_flagged);
    EXPECT_EQ(outcome.accounts.crc_flagged, 2U);
    EXPECT_EQ(outcome.accounts.lane_flagged, 2U);
}

TEST(FailOpen, no_capture_at_all) {
    EXPECT_EQ(run({Buffer{}}).open_error.substr(0, 51), "this is no capture: it looks like an empty file. No");
    EXPECT_NE(run({Buffer{'%', 'P', 'D', 'F', '-'}}).open_error.find("a PDF document"), std::string::npos);
    EXPECT_EQ(run({SourceSpec{.path = "/nowhere", .name = {}, .format = {}, .raw = {}, .memory = {}}}).open_error,
              "No such file or directory");
}

}  // namespace
}  // namespace eciscope::capture::test
