// Inputs that are no records: plain dumps, and the table that a logic analyser on a real machine recorded.

#include <gtest/gtest.h>

#include <sstream>

#include "collect.hpp"

namespace eciscope::capture::test {
namespace {

Buffer dump(std::size_t blocks) {
    Buffer bytes;
    for (std::size_t i = 0; i < blocks; ++i) {
        put_be(bytes, 0, 4);
        put_be(bytes, i, 4);
        bytes.resize((i + 1) * 64, 0xe0);
    }
    return bytes;
}

RunOptions as_dump(int link, int from) {
    RunOptions options{.format = FileKind::raw_blocks, .raw = {}};
    options.raw.stream = {static_cast<std::uint8_t>(link), static_cast<std::uint8_t>(from)};
    return options;
}

TEST(Dump, blocks_come_at_a_nominal_pace) {
    const Outcome outcome = run({dump(300)}, as_dump(1, 0));
    ASSERT_EQ(outcome.items.size(), 300U);
    for (std::size_t i = 0; i < outcome.items.size(); ++i) {
        EXPECT_EQ(outcome.items[i].time, static_cast<Picoseconds>(i) * 4340);
        EXPECT_EQ(outcome.items[i].stream, (Stream{1, 0}).index());
        EXPECT_TRUE(outcome.items[i].crc_present);
    }
    EXPECT_TRUE(outcome.diagnostics.empty());
    EXPECT_TRUE(outcome.accounts.sums_agree());
}

TEST(Dump, in_two_files) {
    const Buffer whole = dump(300);
    const Buffer first(whole.begin(), whole.begin() + 64 * 77);
    const Buffer second(whole.begin() + 64 * 77, whole.end());
    const Outcome cut = run({first, second}, as_dump(0, 0));
    EXPECT_EQ(cut.story(), run({whole}, as_dump(0, 0)).story());
    EXPECT_EQ(cut.items.back().time, 299 * 4340);
}

TEST(Dump, both_directions_side_by_side) {
    const Buffer bytes = dump(500);
    std::vector<SourceSpec> specs(2);
    for (std::uint8_t i = 0; i < 2; ++i) {
        specs[i].format = FileKind::raw_blocks;
        specs[i].raw.stream = {0, i};
        specs[i].memory = Bytes(bytes);
    }
    const Outcome outcome = run(specs);
    EXPECT_EQ(outcome.items.size(), 1000U);
    EXPECT_TRUE(is_in_order(outcome.items));
    EXPECT_TRUE(outcome.accounts.sums_agree());
}

TEST(Dump, ends_within_a_block) {
    Buffer bytes = dump(3);
    bytes.resize(bytes.size() - 1);
    const Outcome outcome = run({bytes}, as_dump(0, 0));
    EXPECT_EQ(outcome.items.size(), 2U);
    EXPECT_EQ(outcome.diagnostics, (std::map<std::string, std::uint64_t>{{"raw_partial_block", 1}}));
    EXPECT_EQ(outcome.accounts.bytes_damaged, 63U);
    EXPECT_TRUE(outcome.accounts.sums_agree());
}

TEST(Dump, is_never_read_without_being_told) {
    EXPECT_NE(run({dump(100)}).open_error.find("this is no capture"), std::string::npos);
}

/// Reads the table's cells without the code under test.
std::vector<std::vector<std::string>> rows_of(const Buffer& table) {
    std::istringstream in(std::string(table.begin(), table.end()));
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(in, line);) {
        std::istringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) {
            rows.back().push_back(cell);
        }
    }
    rows.erase(rows.begin());
    return rows;
}

TEST(RealTable, every_row_is_a_block_at_its_time) {
    const Buffer table = data_file("edge_blocks.csv");
    const Outcome outcome = run({table});
    const auto rows = rows_of(table);
    ASSERT_EQ(rows.size(), 162U);
    std::size_t found = 0;
    for (const auto& row : rows) {
        const Picoseconds time = std::stoll(row[0]) * 10'000'000 + std::stoll(row[1]) * 3103;
        const std::size_t stream = (std::stoul(row[2]) - 1) * 2 + (row[3] == "cpu" ? 0 : 1);
        Buffer bytes;
        for (std::size_t i = 4; i < 12; ++i) {
            put_be(bytes, std::stoull(row[i], nullptr, 16), 8);
        }
        found +=
            static_cast<std::size_t>(std::count_if(outcome.items.begin(), outcome.items.end(), [&](const Item& item) {
                return item.time == time && item.stream == stream && item.bytes == bytes && !item.crc_present;
            }));
    }
    EXPECT_EQ(found, rows.size());
    EXPECT_EQ(outcome.count(BlockItemKind::block), rows.size());
    EXPECT_EQ(outcome.count(BlockItemKind::restarted), 6U * 4) << "between the seven windows";
    EXPECT_EQ(outcome.diagnostics, (std::map<std::string, std::uint64_t>{{"crc_not_captured", 1}}));
    EXPECT_TRUE(outcome.accounts.sums_agree());
    EXPECT_EQ(outcome.base.unix_seconds, 0);
}

TEST(Table, lines_that_are_none_are_passed_over) {
    const std::string words =
        ",0000000000000000,0000000000000000,0000000000000000,0000000000000000,0000000000000000,"
        "0000000000000000,0000000000000000,e000001000000000";
    const std::string text = "window,sample,link,from,word1\r\n1,0,1,cpu" + words + "\r\n1,1,3,cpu" + words +
                             "\nhello\n" + "1,2,1,cpu,12\n" + std::string(5000, 'x') + "\n1,3,1,gpu" + words +
                             "\n\n1,4,2,fpga" + words;
    const Outcome outcome = run({Buffer(text.begin(), text.end())}, {.read_size = 7, .format = {}, .raw = {}});
    EXPECT_EQ(outcome.count(BlockItemKind::block), 2U);
    EXPECT_EQ(outcome.diagnostics.at("csv_line_malformed"), 5U);
    EXPECT_TRUE(outcome.accounts.sums_agree());
    EXPECT_EQ(outcome.accounts.bytes_read, text.size());
}

}  // namespace
}  // namespace eciscope::capture::test
