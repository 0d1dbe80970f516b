// Files that are no captures are told apart, so that the message can say what to do.

#include "eciscope/capture/identify.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "builder.hpp"

namespace eciscope::capture::test {
namespace {

using namespace std::string_literals;

struct Case {
    std::string name;
    std::string head;
    FileKind kind;
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
    return out << one.name;
}

class Identify : public testing::TestWithParam<Case> {};

TEST_P(Identify, looks_like) {
    const std::string& head = GetParam().head;
    const auto kind = identify(Bytes(reinterpret_cast<const std::uint8_t*>(head.data()), head.size()), head.size());
    EXPECT_EQ(info_of(kind).name, info_of(GetParam().kind).name);
    EXPECT_FALSE(info_of(kind).advice.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Files, Identify,
    testing::Values(Case{"pcap_little_ns", "\x4d\x3c\xb2\xa1"s, FileKind::pcap},
                    Case{"pcap_big_us", "\xa1\xb2\xc3\xd4"s, FileKind::pcap},
                    Case{"pcapng", "\x0a\x0d\x0d\x0a"s, FileKind::pcapng},
                    Case{"table_of_blocks", "window,sample,link,from,word1"s, FileKind::edge_csv},
                    Case{"table_of_blocks_with_bom", "\xef\xbb\xbfwindow,sample,link,from,word1"s, FileKind::edge_csv},
                    Case{"table_of_messages", "run,slice,sample"s, FileKind::sys_csv},
                    Case{"other_table", "a,b,c\n1,2,3\n"s, FileKind::csv},
                    Case{"records_without_a_file", "ECIB\x01"s, FileKind::bare_records},
                    Case{"ewf",
                         "\x89"
                         "EWF\r\n\x1a\n...."s,
                         FileKind::ewf},
                    Case{"ndjson", "{\"type\":\"message\"}\n{\"type\":\"end\"}\n"s, FileKind::ndjson},
                    Case{"json_document", "{\n  \"a\": 1\n}\n"s, FileKind::json},
                    Case{"json_array", "  [1,2]"s, FileKind::json},
                    Case{"xz",
                         "\xfd"
                         "7zXZ\0more"s,
                         FileKind::xz},
                    Case{"gzip", "\x1f\x8b\x08"s, FileKind::gzip},
                    Case{"zstd", "\x28\xb5\x2f\xfd\x00"s, FileKind::zstd}, Case{"zip", "PK\x03\x04"s, FileKind::zip},
                    Case{"program",
                         "\x7f"
                         "ELF\x02"s,
                         FileKind::elf},
                    Case{"pdf", "%PDF-1.7"s, FileKind::pdf}, Case{"picture", "\x89PNG\r\n\x1a\n"s, FileKind::png},
                    Case{"vcd", "$date today $end"s, FileKind::vcd}, Case{"text", "hello world\n"s, FileKind::text},
                    Case{"utf8_text",
                         "gr\xc3\xbc\xc3\x9f"
                         "e\n"s,
                         FileKind::text},
                    Case{"empty", ""s, FileKind::empty}, Case{"zeros", std::string(4096, '\0'), FileKind::zeros},
                    Case{"noise", "\x01\x02\x03\x04\x05"s, FileKind::unknown}),
    [](const testing::TestParamInfo<Case>& one) { return one.param.name; });

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
