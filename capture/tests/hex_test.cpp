// Blocks as hexadecimal text, in all the ways in which people have it.

#include "eciscope/capture/hex.hpp"

#include <gtest/gtest.h>

#include <string>

#include "../src/hex_line.hpp"
#include "collect.hpp"

namespace eciscope::capture::test {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

/// A block of which every byte is told from the others; `seed` tells blocks apart.
Buffer block(unsigned seed) {
    Buffer bytes;
    for (unsigned i = 0; i < 64; ++i) {
        bytes.push_back(static_cast<std::uint8_t>(seed * 64 + i));
    }
    return bytes;
}

std::string text_of(const Buffer& bytes, std::size_t group, const std::string& between = " ") {
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        text += i != 0 && i % group == 0 ? between : "";
        text += digits[bytes[i] >> 4U];
        text += digits[bytes[i] & 15U];
    }
    return text;
}

/// As xxd writes it: offset, groups of two bytes, two blanks, text.
std::string xxd(const Buffer& bytes, std::size_t from = 0) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 16) {
        std::string offset(8, '0');
        for (std::size_t i = 0; i < 8; ++i) {
            offset[7 - i] = digits[(from + at) >> (4 * i) & 15U];
        }
        const Buffer line(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                          bytes.begin() + static_cast<std::ptrdiff_t>(at + 16));
        text += offset + ": " + text_of(line, 2) + "  deadbeef. 0x1F  L1\n";
    }
    return text;
}

Outcome read(const std::string& text, bool said = true, std::size_t read_size = 64) {
    const Buffer bytes(text.begin(), text.end());
    SourceSpec spec;
    spec.format = FileKind::hex;
    spec.read_size = read_size;
    spec.memory = Bytes(bytes);
    spec.stream_said = said;
    spec.raw.stream = {1, 0};
    Outcome outcome = run({spec});
    EXPECT_TRUE(outcome.accounts.sums_agree()) << text.substr(0, 60);
    EXPECT_EQ(outcome.accounts.bytes_read, text.size());
    return outcome;
}

void expect_blocks(const Outcome& outcome, const std::vector<unsigned>& seeds) {
    ASSERT_EQ(outcome.count(BlockItemKind::block), seeds.size());
    std::size_t next = 0;
    for (const Item& item : outcome.items) {
        if (item.kind == BlockItemKind::block) {
            EXPECT_EQ(item.bytes, block(seeds[next++]));
            EXPECT_TRUE(item.crc_present);
        }
    }
}

TEST(Hex, a_block_a_line) {
    const Outcome outcome = read(text_of(block(0), 64) + "\n" + text_of(block(1), 8) + "\r\n" +
                                 text_of(block(2), 1, ",") + "\n" + text_of(block(3), 8, " 0x"));
    expect_blocks(outcome, {0, 1, 2, 3});
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(outcome.items[i].time, static_cast<Picoseconds>(i) * 4340);
        EXPECT_EQ(outcome.items[i].stream, (Stream{1, 0}).index());
    }
    EXPECT_TRUE(outcome.diagnostics.empty());
}

TEST(Hex, a_block_in_several_lines_and_several_blocks_in_one) {
    Buffer both = block(2);
    append(both, block(3));
    expect_blocks(
        read(text_of(block(0), 8, "\n") + "\n\n" + text_of(block(1), 16, "\n") + "\n" + text_of(both, 64) + "\n"),
        {0, 1, 2, 3});
}

TEST(Hex, what_xxd_writes) {
    const Outcome outcome = read(xxd(block(0)) + xxd(block(1), 64));
    expect_blocks(outcome, {0, 1});
    EXPECT_TRUE(outcome.diagnostics.empty());
}

TEST(Hex, what_hexdump_writes) {
    std::string text;
    for (std::size_t at = 0; at < 64; at += 16) {
        const Buffer bytes = block(0);
        const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
        text += "000000" + std::string(1, digits[at / 16]) + "0  " + text_of(Buffer(begin, begin + 8), 1) + "  " +
                text_of(Buffer(begin + 8, begin + 16), 1) + "  |0x12 #abcdef....|\n";
    }
    const Outcome outcome = read(text + "00000040\n");
    expect_blocks(outcome, {0});
    EXPECT_TRUE(outcome.diagnostics.empty());
}

TEST(Hex, settings_say_stream_and_time) {
    const Outcome outcome = read("# from the bench\nL0 cpu\n@1.5us " + text_of(block(0), 64) + "   # first\n" +
                                     "fpga @1us " + text_of(block(1), 64) + "\nlink=1 from=0 time=2us " +
                                     text_of(block(2), 64) + "\n" + text_of(block(3), 64),
                                 false);
    expect_blocks(outcome, {1, 0, 2, 3});
    EXPECT_EQ(outcome.items[0].stream, (Stream{0, 1}).index());
    EXPECT_EQ(outcome.items[1].stream, (Stream{0, 0}).index());
    EXPECT_EQ(outcome.items[1].time - outcome.items[0].time, 500'000);
    EXPECT_EQ(outcome.items[2].stream, (Stream{1, 0}).index());
    EXPECT_EQ(outcome.items[3].time - outcome.items[2].time, 4340) << "a time is of one block";
    EXPECT_TRUE(outcome.diagnostics.empty());
}

TEST(Hex, a_block_of_no_stream_is_none) {
    const Outcome outcome = read(text_of(block(0), 64) + "\nL1 fpga\n" + text_of(block(1), 64) + "\n", false);
    expect_blocks(outcome, {1});
    EXPECT_EQ(outcome.diagnostics, (std::map<std::string, std::uint64_t>{{"hex_stream_unknown", 1}}));
}

TEST(Hex, a_bad_line_costs_its_block_only) {
    const std::string bad = xxd(block(1), 64);
    const Outcome dump = read(xxd(block(0)) + bad.substr(0, bad.size() / 4) + "00000050: zz\n" +
                              bad.substr(bad.size() / 2) + xxd(block(2), 128));
    expect_blocks(dump, {0, 2});
    EXPECT_EQ(dump.diagnostics, (std::map<std::string, std::uint64_t>{{"hex_line_malformed", 1}}));
    expect_blocks(read(text_of(block(0), 64) + "\nnot hex\n" + text_of(block(1), 64) + "\n"), {0, 1});
    expect_blocks(
        read(text_of(block(0), 8, "\n") + "\nabc\n" + text_of(block(1), 8, "\n") + "\n\n" + text_of(block(2), 8, "\n")),
        {0, 2});
}

TEST(Hex, repeated_lines_that_were_left_out_are_damage) {
    const std::string dump = xxd(block(0));
    const Outcome outcome = read(dump.substr(0, dump.size() / 4) + "*\n" + xxd(block(1), 64));
    expect_blocks(outcome, {1});
    EXPECT_EQ(outcome.diagnostics.at("hex_line_malformed"), 1U);
}

TEST(Hex, a_block_that_is_not_whole_is_none) {
    const Outcome outcome = read(text_of(block(0), 64).substr(0, 126) + "\n\n" + text_of(block(1), 64) + "\n00 11");
    expect_blocks(outcome, {1});
    EXPECT_EQ(outcome.diagnostics, (std::map<std::string, std::uint64_t>{{"hex_partial_block", 2}}));
}

TEST(Hex, three_hundred_blocks_of_two_streams) {
    std::string text;
    for (unsigned i = 0; i < 300; ++i) {
        text += std::string(i % 3 == 0 ? "L0 fpga " : "L0 cpu ") + text_of(block(i), 64) + "\n";
    }
    const Outcome outcome = read(text, false, 7);
    EXPECT_EQ(outcome.count(BlockItemKind::block), 300U);
    EXPECT_TRUE(is_in_order(outcome.items));
    EXPECT_TRUE(outcome.diagnostics.empty());
}

TEST(Hex, is_known_by_its_content) {
    const auto looks = [](const std::string& text) {
        return identify(Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
    };
    EXPECT_EQ(looks("# a comment\n\n" + text_of(block(0), 64) + "\n"), FileKind::hex);
    EXPECT_EQ(looks("L0 cpu\n" + text_of(block(0), 8) + "\n"), FileKind::hex);
    EXPECT_EQ(looks(xxd(block(0))), FileKind::hex);
    EXPECT_EQ(looks("dead beef\n"), FileKind::text);
    EXPECT_EQ(looks("# only a comment\n"), FileKind::text);
}

TEST(Hex, times_are_exact) {
    const auto time = [](std::string_view text) { return parse_hex_time(text); };
    EXPECT_EQ(time("12.5ns"), (HexTime{12, 500}));
    EXPECT_EQ(time("0.000000000001s"), (HexTime{0, 1}));
    EXPECT_EQ(time("1234567ps"), (HexTime{1234, 567}));
    EXPECT_EQ(time("1.10ps"), std::nullopt);
    EXPECT_EQ(time("1.0ps"), (HexTime{0, 1}));
    EXPECT_EQ(time("1700000000.123456789012s"), (HexTime{1'700'000'000'123'456'789, 12})) << "Unix time";
    for (const char* wrong : {"", "ns", "1", "-1ns", "1.ns", ".5ns", "1e3ns", "99999999999s", "1 ns"}) {
        EXPECT_EQ(time(wrong), std::nullopt) << wrong;
    }
}

}  // namespace
}  // namespace eciscope::capture::test
