// A logic analyser's own tables. The rows are those of the public trace data, or made in their form.

#include <gtest/gtest.h>

#include <string>

#include "collect.hpp"
#include "eciscope/capture/ila_csv.hpp"

#include "collected.hpp"

namespace eciscope::capture::test {
namespace {

std::string heading(const std::string& domain) {
    const std::string path = ",i_app/dcs_odd/i_trace_" + domain + "/";
    return "Sample in Buffer,Sample in Window,TRIGGER" + path + "traceOut_event_data[63:0]" + path +
           "traceOut_event_size[4:0]" + path + "traceOut_event_vc[4:0]" + path + "traceOut_src[2:0]" + path +
           "traceOut_ts[63:0]" + path + "dump_1" + path + "sampleLost\n" +
           "Radix - UNSIGNED,UNSIGNED,UNSIGNED,HEX,HEX,HEX,HEX,HEX,HEX,HEX\n";
}

struct Table {
    Collected trace;
    Diagnostics diagnostics;

    explicit Table(const std::string& text, std::size_t read_size = 16) {
        Input input = Input::of_memory({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, read_size);
        read_ila_messages(input, diagnostics.add_source("table"), trace, diagnostics);
    }
    [[nodiscard]] std::vector<std::uint64_t> words() const { return trace.all.words; }
    [[nodiscard]] std::uint64_t count(DiagnosticKind kind) const { return diagnostics.count_of(kind); }
};

const std::string before =
    "31,31,0,0000000000000000,00,00,0,0000000000000000,0,0\n"
    "32,32,1,0000000000000000,00,00,0,0000000000000000,1,0\n";

TEST(AnalyserMessages, the_read_out_begins_at_the_second_row_with_dump) {
    const Table table(heading("sys") + "30,30,0,3020200000008400,01,0b,1,0000000000000001,0,0\n" + before +
                      "33,33,0,3020200000008400,01,0b,1,0000000000000021,1,0\n"
                      "34,34,0,4803c00000000000,11,05,4,0000000000000042,1,0\n"
                      "35,35,0,0000000000000000,00,00,0,0000000000000000,1,0\n");
    ASSERT_EQ(table.words(), (std::vector<std::uint64_t>{0x3020200000008400, 0x4803c00000000000}));
    EXPECT_EQ(table.trace.all.messages[0].last, 102'400) << "33 cycles of 102,400/33 ps, from cycle 0";
    EXPECT_EQ(table.trace.all.messages[1].last, 2 * 102'400);
    EXPECT_EQ(table.trace.all.messages[0].vc, 11);
    EXPECT_EQ(table.trace.all.messages[0].stream.from, 0);
    EXPECT_EQ(table.trace.all.messages[1].stream.from, 1);
    EXPECT_EQ(table.count(DiagnosticKind::csv_line_malformed), 0U);
    EXPECT_EQ(table.count(DiagnosticKind::ila_clock_assumed), 0U);
}

TEST(AnalyserMessages, a_ring_is_put_in_order) {
    const Table table(heading("sys") + before +
                      "33,33,0,0007e00000000000,01,07,0,0000000000000100,1,0\n"
                      "34,34,0,0003e00000000080,01,06,0,0000000000000080,1,0\n");
    EXPECT_EQ(table.words(), (std::vector<std::uint64_t>{0x0003e00000000080, 0x0007e00000000000}));
}

TEST(AnalyserMessages, the_application_has_its_own_clock) {
    const Table table(heading("app") + before + "33,33,0,0007e00000000000,01,07,0,0000000000000064,1,0\n");
    ASSERT_EQ(table.trace.all.messages.size(), 1U);
    EXPECT_EQ(table.trace.all.messages[0].last, 100 * 5000);
    std::string unnamed = heading("app");
    for (std::size_t at = unnamed.find("i_trace_app"); at != std::string::npos; at = unnamed.find("i_trace_app")) {
        unnamed.replace(at, 11, "buffer");
    }
    EXPECT_EQ(Table(unnamed + before).count(DiagnosticKind::ila_clock_assumed), 1U);
}

TEST(AnalyserMessages, columns_and_radices_may_differ) {
    const Table table(
        "x/traceOut_ts[63:0],\"x/traceOut_event_vc[4:0]\",TRIGGER,x/traceOut_event_data[63:0],x/traceOut_src[2:0]\r\n"
        "Radix - UNSIGNED,BINARY,UNSIGNED,HEX,UNSIGNED\r\n"
        "33,00111,0,0007e00000000000,0\r\n",
        3);
    ASSERT_EQ(table.words(), (std::vector<std::uint64_t>{0x0007e00000000000})) << "without dump every row counts";
    EXPECT_EQ(table.trace.all.messages[0].vc, 7);
    EXPECT_EQ(table.trace.all.messages[0].last, 102'400);
}

TEST(AnalyserMessages, what_is_no_row_is_passed_over_and_counted) {
    const Table table(heading("sys") + before +
                      "33,33,0,0007e00000000000,01,10,0,0000000000000100,1,0\n" +  // circuit 16
                      "34,34,0,0007e00000000000,01,07,7,0000000000000100,1,0\n" +  // no such source
                      "35,35,0,zz,01,07,0,0000000000000100,1,0\n36,36\n" + std::string(9000, 'a') + "\n" +
                      "37,37,0,0007e00000000000,01,07,0,0000000000000100,1,0");
    EXPECT_EQ(table.words().size(), 1U);
    EXPECT_EQ(table.count(DiagnosticKind::csv_line_malformed), 5U);
}

TEST(AnalyserMessages, losses_and_a_missing_read_out_are_named) {
    const Table lossy(heading("sys") + before +
                      "33,33,0,0007e00000000000,01,07,0,0000000000000100,1,1\n"
                      "34,34,0,0007e00000000000,01,07,0,0000000000000200,1,1\n");
    EXPECT_EQ(lossy.count(DiagnosticKind::trace_samples_lost), 1U);
    ASSERT_EQ(lossy.trace.all.events.size(), 2U);
    EXPECT_EQ(lossy.trace.all.events[0].kind, EventKind::lost);
    const Table none(heading("sys") + "33,33,0,0007e00000000000,01,07,0,0000000000000100,0,0\n");
    EXPECT_EQ(none.count(DiagnosticKind::ila_not_dumped), 1U);
    EXPECT_TRUE(none.words().empty());
    EXPECT_EQ(Table("a,b,c\n1,2,3\n").count(DiagnosticKind::csv_line_malformed), 1U) << "no such columns";
    EXPECT_TRUE(Table("").words().empty());
}

// Blocks.

std::string block_heading() {
    std::string text = "Sample in Buffer,Sample in Window,TRIGGER";
    for (const char* link : {"link1", "link2"}) {
        const std::string path = std::string(",i_platform/i_transport/") + link + "_eci[";
        text += path + "link_state][5:0]";
        for (const char* side : {"rx", "tx"}) {
            text += path + side + (side[0] == 'r' ? "_block_valid]" : "_block_ready]");
            text += path + side + "_block_header][39:0]";
            for (int word = 1; word <= 7; ++word) {
                text += path + side + "_block_word" + std::to_string(word) + "][63:0]";
            }
            text += side[0] == 'r' ? path + "rx_block_crc_match]" : "";
        }
    }
    return text + "\n";
}

std::string side(int valid, const std::string& header, const std::string& word, const std::string& crc = "") {
    std::string text = "," + std::to_string(valid) + "," + header;
    for (int i = 0; i < 7; ++i) {
        text += "," + word;
    }
    return text + (crc.empty() ? "" : "," + crc);
}

std::string block_row(int buffer, int window, const std::string& link1, const std::string& link2) {
    return std::to_string(buffer) + "," + std::to_string(window) + ",0,\"RUN\"" + link1 + ",\"RUN\"" + link2 + "\n";
}

const std::string zero(16, '0');
const std::string idle_tx = side(0, "e000047000", zero);
const std::string idle = side(0, "0000000000", zero, "0") + idle_tx;

Outcome blocks(const std::string& rows, std::size_t read_size = 64) {
    const std::string text = block_heading() + rows;
    return run({Buffer(text.begin(), text.end())}, {.read_size = read_size, .format = {}, .raw = {}});
}

TEST(AnalyserBlocks, valid_samples_are_blocks_of_their_stream) {
    const std::string word = "0b00ffffde01d838";
    const Outcome outcome =
        blocks(block_row(0, 0, side(1, "800ffffccf", word, "1") + idle_tx, idle) +
               block_row(1, 1, idle, side(0, "1234567890", word, "0") + side(1, "e000091000", zero)));
    ASSERT_EQ(outcome.count(BlockItemKind::block), 2U);
    const Item& first = outcome.items.at(0);
    EXPECT_EQ(first.stream, (Stream{0, 0}).index());
    EXPECT_EQ(first.bytes[0], 0x0b);
    EXPECT_EQ(first.bytes[56], 0x80) << "the upper bits of the control word";
    EXPECT_EQ(first.bytes[60], 0xcf);
    EXPECT_EQ(first.bytes[61], 0) << "its CRC was not captured";
    EXPECT_FALSE(first.crc_present);
    EXPECT_EQ(outcome.items.at(1).stream, (Stream{1, 1}).index());
    EXPECT_EQ(outcome.items.at(1).time, 3103);
    EXPECT_EQ(outcome.diagnostics, (std::map<std::string, std::uint64_t>{{"crc_not_captured", 1}}));
    EXPECT_TRUE(outcome.accounts.sums_agree());
}

TEST(AnalyserBlocks, windows_stand_apart) {
    const std::string block = side(1, "e000001000", zero, "1") + idle_tx;
    const Outcome outcome = blocks(block_row(0, 0, block, idle) + block_row(1, 1, block, idle) +
                                   block_row(2, 0, block, idle) + block_row(3, 1, block, idle));
    EXPECT_EQ(outcome.count(BlockItemKind::block), 4U);
    EXPECT_EQ(outcome.count(BlockItemKind::restarted), stream_count);
    EXPECT_EQ(outcome.items.back().time, 10'000'000 + 3103);
    EXPECT_TRUE(outcome.accounts.sums_agree());
}

TEST(AnalyserBlocks, a_crc_that_did_not_match_is_flagged) {
    const Outcome outcome = blocks(block_row(0, 0, side(1, "800ffffccf", zero, "0") + idle_tx, idle));
    ASSERT_EQ(outcome.items.size(), 1U);
    EXPECT_TRUE(outcome.items[0].crc_flagged);
}

TEST(AnalyserBlocks, lines_that_are_none_are_passed_over) {
    const std::string good = block_row(0, 0, side(1, "800ffffccf", zero, "1") + idle_tx, idle);
    const Outcome outcome =
        blocks(good + "hello\n" + block_row(1, 1, side(1, "1800ffffccf", zero, "1") + idle_tx, idle) + "\n" +
                   std::string(40'000, 'x') + "\n" + good.substr(0, good.size() / 2),
               7);
    EXPECT_EQ(outcome.count(BlockItemKind::block), 1U);
    EXPECT_EQ(outcome.diagnostics.at("csv_line_malformed"), 4U);
    EXPECT_TRUE(outcome.accounts.sums_agree());
}

TEST(AnalyserBlocks, both_kinds_are_known_by_their_heading) {
    const std::string text = block_heading();
    EXPECT_EQ(identify(Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size())), FileKind::ila_blocks);
    const std::string messages = heading("sys");
    EXPECT_EQ(identify(Bytes(reinterpret_cast<const std::uint8_t*>(messages.data()), messages.size())),
              FileKind::ila_csv);
    const std::string events = "Sample in Buffer,Sample in Window,TRIGGER,dcs_trace.event.req\n";
    EXPECT_EQ(identify(Bytes(reinterpret_cast<const std::uint8_t*>(events.data()), events.size())), FileKind::csv);
}

}  // namespace
}  // namespace eciscope::capture::test
