// Files that are no captures are told apart, so that the message can say what to do.

#include "eciscope/capture/identify.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "builder.hpp"

namespace eciscope::capture::test {
namespace {

using namespace std::string_literals;

struct IdentifyCase {
    std::string name;
    std::string head;
    FileKind kind;
};

std::ostream& operator<<(std::ostream& out, const IdentifyCase& one) {
    return out << one.name;
}

class Identify : public testing::TestWithParam<IdentifyCase> {};

TEST_P(Identify, looks_like) {
    const std::string& head = GetParam().head;
    const auto kind = identify(Bytes(reinterpret_cast<const std::uint8_t*>(head.data()), head.size()), head.size());
    EXPECT_EQ(info_of(kind).name, info_of(GetParam().kind).name);
    EXPECT_FALSE(info_of(kind).advice.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Files, Identify,
    testing::Values(
        IdentifyCase{"pcap_little_ns", "\x4d\x3c\xb2\xa1"s, FileKind::pcap},
        IdentifyCase{"pcap_big_us", "\xa1\xb2\xc3\xd4"s, FileKind::pcap},
        IdentifyCase{"pcapng", "\x0a\x0d\x0d\x0a"s, FileKind::pcapng},
        IdentifyCase{"table_of_blocks", "window,sample,link,from,word1"s, FileKind::edge_csv},
        IdentifyCase{"table_of_blocks_with_bom", "\xef\xbb\xbfwindow,sample,link,from,word1"s, FileKind::edge_csv},
        IdentifyCase{"table_of_messages", "run,slice,sample"s, FileKind::sys_csv},
        IdentifyCase{"other_table", "a,b,c\n1,2,3\n"s, FileKind::csv},
        IdentifyCase{"records_without_a_file", "ECIB\x01"s, FileKind::bare_records},
        IdentifyCase{"ewf",
                     "\x89"
                     "EWF\r\n\x1a\n...."s,
                     FileKind::ewf},
        IdentifyCase{"ndjson", "{\"type\":\"message\"}\n{\"type\":\"end\"}\n"s, FileKind::ndjson},
        IdentifyCase{"json_document", "{\n  \"a\": 1\n}\n"s, FileKind::json},
        IdentifyCase{"json_array", "  [1,2]"s, FileKind::json},
        IdentifyCase{"xz",
                     "\xfd"
                     "7zXZ\0more"s,
                     FileKind::xz},
        IdentifyCase{"gzip", "\x1f\x8b\x08"s, FileKind::gzip},
        IdentifyCase{"zstd", "\x28\xb5\x2f\xfd\x00"s, FileKind::zstd},
        IdentifyCase{"zip", "PK\x03\x04"s, FileKind::zip},
        IdentifyCase{"program",
                     "\x7f"
                     "ELF\x02"s,
                     FileKind::elf},
        IdentifyCase{"pdf", "%PDF-1.7"s, FileKind::pdf}, IdentifyCase{"picture", "\x89PNG\r\n\x1a\n"s, FileKind::png},
        IdentifyCase{"vcd", "$date today $end"s, FileKind::vcd}, IdentifyCase{"text", "hello world\n"s, FileKind::text},
        IdentifyCase{"utf8_text",
                     "gr\xc3\xbc\xc3\x9f"
                     "e\n"s,
                     FileKind::text},
        IdentifyCase{"empty", ""s, FileKind::empty}, IdentifyCase{"zeros", std::string(4096, '\0'), FileKind::zeros},
        IdentifyCase{"noise", "\x01\x02\x03\x04\x05"s, FileKind::unknown}),
    [](const testing::TestParamInfo<IdentifyCase>& one) { return one.param.name; });

TEST(IdentifyDump, blocks_with_like_control_words) {
    Buffer dump;
    for (int i = 0; i < 16; ++i) {
        put_be(dump, static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15, 8);
        dump.resize(static_cast<std::size_t>(i) * 64 + 56);
        put_be(dump, 0xe000001000abcdef + static_cast<std::uint64_t>(i), 8);
    }
    EXPECT_EQ(identify(dump, dump.size()), FileKind::raw_blocks);
    EXPECT_EQ(identify(dump, dump.size() + 1), FileKind::unknown) << "not a whole number of blocks";
}

TEST(IdentifyMessage, says_what_it_is_and_what_to_do) {
    EXPECT_EQ(no_capture_message(FileKind::elf),
              "this is no capture: it looks like a program or library (ELF). Give the capture, not the program.");
}

}  // namespace
}  // namespace eciscope::capture::test
