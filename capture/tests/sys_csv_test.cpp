// The table of messages at the directory's boundary.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "eciscope/capture/sys_csv.hpp"

#include "collected.hpp"

namespace eciscope::capture::test {
namespace {

constexpr std::string_view heading = "run,slice,sample,window,ts_cycles,vc,src,size,header\n";

struct Table {
    Collected trace;
    Diagnostics diagnostics;

    explicit Table(const std::string& rows) {
        const std::string text = std::string(heading) + rows;
        Input input = Input::of_memory({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, 16);
        read_sys_csv(input, diagnostics.add_source("table"), trace, diagnostics);
    }
};

TEST(SysTable, time_counts_from_the_first_cycle_of_a_run) {
    const Table table(
        "a,odd,1,1,1000,7,0,1,0007e00000000000\n"
        "a,odd,2,2,1033,5,4,17,4807c00000000000\n");
    ASSERT_EQ(table.trace.all.messages.size(), 2U);
    const MessageHead& request = table.trace.all.messages[0];
    const MessageHead& grant = table.trace.all.messages[1];
    EXPECT_EQ(request.last, 0);
    EXPECT_EQ(grant.last, 102'400);  // 33 cycles of 102,400/33 ps
    EXPECT_EQ(request.stream.from, 0);
    EXPECT_EQ(grant.stream.from, 1);
    EXPECT_EQ(table.trace.all.words[0], 0x0007e00000000000U);
    EXPECT_EQ(table.diagnostics.count_of(DiagnosticKind::csv_line_malformed), 0U);
}

TEST(SysTable, slices_of_a_run_are_merged_by_time) {
    const Table table(
        "a,even,1,1,500,6,0,1,0003e00000000080\n"
        "a,odd,1,1,400,7,0,1,0007e00000000000\n");
    ASSERT_EQ(table.trace.all.messages.size(), 2U);
    EXPECT_EQ(table.trace.all.messages[0].vc, 7);
}

TEST(SysTable, runs_stand_apart) {
    const Table table(
        "a,odd,1,1,5000,7,0,1,0007e00000000000\n"
        "b,odd,1,1,10,7,0,1,0007e00000000000\n");
    EXPECT_EQ(table.trace.runs, (std::vector<std::size_t>{1, 1}));
    ASSERT_EQ(table.trace.all.events.size(), stream_count);
    EXPECT_EQ(table.trace.all.events[0].kind, EventKind::restarted);
    EXPECT_GT(table.trace.all.messages[1].last, table.trace.all.messages[0].last);
}

TEST(SysTable, what_is_no_row_is_passed_over_and_counted) {
    const Table table(
        "a,odd,1,1,1000,16,0,1,0007e00000000000\n"  // no such circuit
        "a,odd,1,1,1000,7,9,1,0007e00000000000\n"   // no such source
        "a,odd,1,1,1000,7,0,1,7e0\n"                // not 16 digits
        "a,odd,1,1,x,7,0,1,0007e00000000000\n"      // no number
        "a,odd\n" +
        std::string(5000, 'a') +
        "\n"
        "a,odd,1,1,1000,7,0,1,0007e00000000000");  // no line end
    EXPECT_EQ(table.trace.all.messages.size(), 1U);
    EXPECT_EQ(table.diagnostics.count_of(DiagnosticKind::csv_line_malformed), 6U);
}

TEST(SysTable, a_run_of_absurd_length_is_bounded) {
    const Table table(
        "a,odd,1,1,0,7,0,1,0007e00000000000\n"
        "a,odd,1,1,18446744073709551615,7,0,1,0007e00000000000\n");
    ASSERT_EQ(table.trace.all.messages.size(), 2U);
    EXPECT_GT(table.trace.all.messages[1].last, 0);
}

}  // namespace
}  // namespace eciscope::capture::test
