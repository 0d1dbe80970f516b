// What JSON says, compared with readings made by hand from the facts page and by other programs.
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <eciscope/spec/eci.hpp>
#include <fstream>
#include <limits>
#include <random>

#include "export/message_layout.hpp"
#include "export_tools.hpp"

namespace eciscope {
namespace {

using test::add_message;
using test::head_of;
using test::json_of;
using test::object_of;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Json, TheExampleOfTheFactsPage) {
    // RLDX, request 0, all sub-lines, non-secure, line 0x833130 aliased: byte address 0x41941000 of the other node.
    EXPECT_EQ(object_of(7, {0x2803f00041989800}),
              R"({"type":"message","index":0,"time":"1700000000.000005000000","time_last":"1700000000.000005000000",)"
              R"("from":0,"link":0,"vc":7,"class":"MREQ","op":"RLDX","home":1,"address":"0x41941000",)"
              R"("aliased_cli":"0x833130","fields":{"rreq_id":0,"dmask":15,"ns":1,"unknown_44":1,"fillo":0},)"
              R"("words":["2803f00041989800"],"block":"0","block_last":"0","slot":0})");
}

struct Example {
    std::uint8_t vc;
    std::uint64_t header;
    const char* reading;  ///< class, operation and what follows up to the words
};

class FactsPage : public ::testing::TestWithParam<Example> {};

TEST_P(FactsPage, ReadsAsWritten) {
    std::vector<std::uint64_t> words{GetParam().header};
    words.resize(ewf::detail::words_of_header(GetParam().vc, GetParam().header));
    EXPECT_THAT(object_of(GetParam().vc, words), HasSubstr(GetParam().reading));
}

INSTANTIATE_TEST_SUITE_P(
    Section91, FactsPage,
    ::testing::Values(Example{7, 0x0003e00000000000,
                              R"("class":"MREQ","op":"RLDD","home":1,"address":"0x0","aliased_cli":"0x0",)"
                              R"("fields":{"rreq_id":0,"dmask":15,"ns":1,"fillo":0})"},
                      Example{6, 0x0003e00000000080, R"("op":"RLDD","home":1,"address":"0x80","aliased_cli":"0x1")"},
                      Example{7, 0x0007f00000000100,
                              R"("op":"RLDD","home":1,"address":"0x100","aliased_cli":"0x2",)"
                              R"("fields":{"rreq_id":1,"dmask":15,"ns":1,"unknown_44":1,"fillo":0})"},
                      Example{5, 0x4803c00000000000,
                              R"("class":"MRSP","op":"PSHA","home":0,"address":"0x0","aliased_cli":"0x0",)"
                              R"("fields":{"nxm":0,"rreq_id":0,"dmask":15,"dirty":0,"fillo":0})"},
                      Example{6, 0x2847f00000008680,
                              R"("op":"RLDX","home":1,"address":"0x8680","aliased_cli":"0x10d")"},
                      Example{11, 0x5000000000008000, R"("op":"PEMD","home":0,)"},
                      Example{9, 0x7003e40000000000,
                              R"("class":"MFWD","op":"SINV_H","home":0,"address":"0x0","aliased_cli":"0x0",)"
                              R"("fields":{"hreq_id":0,"dmask":15,"ns":1,"rnode":1})"},
                      Example{10, 0x2004200000000080,
                              R"("op":"HAKD","home":1,"address":"0x80","aliased_cli":"0x1",)"
                              R"("fields":{"hreq_id":1,"dmask":0,"ns":1})"},
                      Example{11, 0x1004200000000100,
                              R"("op":"VICS","home":1,"address":"0x100","aliased_cli":"0x2",)"
                              R"("fields":{"unknown_54":1,"dmask":0,"ns":1})"},
                      Example{11, 0x3020200000008400, R"("op":"HAKI","home":1,)"},
                      Example{0, 0x0180c00000001c3e,
                              R"("class":"IREQ","op":"IOBLD","fields":{"ppvid":24,"flid":0,"el":1,"ns":1,)"
                              R"("be":0,"did":0,"offset":451,"szoff":14})"},
                      Example{0, 0x19d0c0000000067e, R"("class":"IREQ","op":"IOBSTA","fields":{"ppvid":29,)"},
                      Example{1, 0x0180000000000000, R"("class":"IRSP","op":"IOBRSP","fields":{"ppvid":24,)"},
                      Example{1, 0x09d0000000000000, R"("class":"IRSP","op":"IOBACK","fields":{"ppvid":29,)"}));

TEST(Json, WhatHasNoNameIsStillSaid) {
    EXPECT_THAT(object_of(7, {0x6000000000000001}),
                HasSubstr(R"("class":"MREQ","op":"RESERVED","fields":{"opcode":12,"unknown_58":"0x1"},)"));
    EXPECT_THAT(object_of(14, {0xffffffffffffffff}),
                HasSubstr(R"("class":"UNASSIGNED","op":"UNASSIGNED","fields":{"unknown_63":"0xffffffffffffffff"},)"));
    EXPECT_THAT(object_of(12, {0x0000000000000017, 1}), HasSubstr(R"("class":"MXC","op":"SGI","fields":{)"));
    EXPECT_THAT(object_of(12, {0x10, 1}), HasSubstr(R"("op":"UNDOCUMENTED","fields":{"unknown_63":"0x10"})"));
    EXPECT_THAT(object_of(13, {0x87ffffffffffffff}),
                HasSubstr(R"("class":"MDLD","op":"LNKD","fields":{"payload":"0xffffffffffffff","unused_2":7})"));
    EXPECT_THAT(object_of(7, {0x6000000000000000}), Not(HasSubstr("home")));
}

/// Operation, line and fields, once as the specification decodes them and once from the table.
std::string by_specification(std::uint8_t vc, std::uint64_t header) {
    const eci::message message = eci::decode(vc, header);
    const auto line = eci::line_of(message);
    std::string op;
    std::string fields;
    eci::for_each_field(message, [&](const auto& info, const auto& value) {
        if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>) {
            op = name(value);
        } else if (info.name != "aliased_cli") {
            fields += " " + std::string(info.name) + "=" + std::to_string(value);
        }
    });
    return op + (line ? " line " + std::to_string(*line) : "") + fields;
}

std::string by_table(std::uint8_t vc, std::uint64_t header) {
    const ewf::detail::MessageLayout& layout = ewf::detail::layout_of(vc, header);
    const bool named = layout.op != "RESERVED" && layout.op != "UNDOCUMENTED" && layout.op != "UNASSIGNED";
    std::string out(named ? layout.op : std::string_view());
    out += layout.line ? " line " + std::to_string(layout.line->of(header)) : "";
    for (const ewf::detail::LayoutField& field : layout.fields) {
        out += " " + std::string(field.name) + "=" + std::to_string(field.of(header));
    }
    return out;
}

/// The tables that the writers use against the specification's own decoding, for headers that nobody thought of.
TEST(Json, TablesAgreeWithTheSpecification) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20'000; ++i) {
        const auto vc = static_cast<std::uint8_t>(random() % 16);
        std::uint64_t header = random();
        if (vc == 12 && i % 2 == 0) {
            header = (header & ~std::uint64_t{255}) | (i % 4 == 0 ? 0x17 : 0x60);
        }
        ASSERT_EQ(by_specification(vc, header), by_table(vc, header)) << int{vc} << " " << std::hex << header;
    }
}

TEST(Json, NothingDependsOnBatchesOrBase) {
    const TraceBatch trace = test::consistent_trace(7, 500);
    const std::string whole = json_of(trace);
    for (const std::size_t size : {1U, 2U, 77U, 500U}) {
        EXPECT_EQ(json_of(trace, ewf::JsonForm::lines, test::unix_header(), size), whole);
    }
    TraceBatch moved = trace;
    const Picoseconds shift = 100 * picoseconds_per_second;
    for (MessageHead& message : moved.messages) {
        message.first += shift;
        message.last += shift;
    }
    for (Event& event : moved.events) {
        event.time += shift;
    }
    ewf::ExportHeader header = test::unix_header();
    header.base.unix_seconds -= 100;
    EXPECT_EQ(json_of(moved, ewf::JsonForm::lines, header), whole);
}

TEST(Json, TimesBeforeTheEpoch) {
    TraceBatch trace;
    MessageHead head = head_of(7);
    head.first = -1;
    head.last = -picoseconds_per_second;
    add_message(trace, head, {0});
    ewf::ExportHeader header;
    header.base = {0};
    EXPECT_THAT(json_of(trace, ewf::JsonForm::lines, header),
                HasSubstr(R"("time":"-0.000000000001","time_last":"-1.000000000000")"));
}

TEST(Json, EventsSayWhatTheirKindMeans) {
    TraceBatch trace;
    Event event;
    event.time = 5'000'000;
    event.stream = {1, 0};
    event.block = (std::uint64_t{1} << 60) + 1;
    event.kind = EventKind::lost;
    event.count = Event::unknown_count;
    trace.events.push_back(event);
    event.count = 3;
    trace.events.push_back(event);
    event = {};
    event.time = 5'000'000;
    event.kind = EventKind::link_up;
    event.detail = 1;
    trace.events.push_back(event);
    event.kind = EventKind::handshake;
    event.detail = 0xc010000000abcdef;
    trace.events.push_back(event);
    event.kind = EventKind::discarded;
    event.detail = 0;
    event.vc = 4;
    event.count = 17;
    trace.events.push_back(event);
    const std::string at = R"("time":"1700000000.000005000000",)";
    EXPECT_THAT(
        json_of(trace),
        HasSubstr(R"({"type":"lost",)" + at + R"("from":0,"link":1,"block":"1152921504606846977","count":null})" +
                  "\n" + R"({"type":"lost",)" + at + R"("from":0,"link":1,"block":"1152921504606846977","count":"3"})" +
                  "\n" + R"({"type":"link_up",)" + at + R"("from":0,"link":0,"block":"0","from_power_on":true})" +
                  "\n" + R"({"type":"handshake",)" + at +
                  R"("from":0,"link":0,"block":"0","control":"c010000000abcdef"})" + "\n" + R"({"type":"discarded",)" +
                  at + R"("from":0,"link":0,"vc":4,"block":"0","count":"17"})" + "\n" +
                  R"({"type":"end","messages":0,"events":5,"words":0})"));
}

TEST(Json, NamesAreEscaped) {
    ewf::ExportHeader header = test::unix_header();
    header.metadata.nodes = {{0, "a\"b\\c\n\x01\x7f\xc3\xa9\xf0\x9f\x98\x80"}, {1, "\xff\xc0\xaf\xed\xa0\x80z"}};
    const test::JsonRead read = test::read_json(json_of({}, ewf::JsonForm::lines, header));
    EXPECT_EQ(read.report(), "");
    EXPECT_EQ(read.metadata.nodes[0].name, header.metadata.nodes[0].name);
    EXPECT_EQ(read.metadata.nodes[1].name, "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDz");  // no UTF-8: cannot be JSON
}

class FullDisk final : public ewf::ByteSink {
 public:
    ewf::Expected<void> write(std::span<const std::uint8_t> /*bytes*/) override {
        return tl::unexpected(ewf::Error{ewf::ErrorCode::io, "No space left on device", 0});
    }
};

TEST(Json, AFullDiskIsAnError) {
    FullDisk disk;
    ewf::NdjsonWriter writer(disk, ewf::JsonForm::lines, test::unix_header());
    EXPECT_FALSE(writer.batch(test::consistent_trace(1, 2000)));
    EXPECT_FALSE(writer.batch(test::consistent_trace(1, 1)));
    auto finished = writer.finish();
    ASSERT_FALSE(finished);
    EXPECT_EQ(finished.error().message, "No space left on device");
}

TEST(Json, WhatNoTraceCanHoldIsAnError) {
    ewf::MemorySink sink;
    TraceBatch trace;
    add_message(trace, head_of(16), {0});
    EXPECT_FALSE(ewf::NdjsonWriter(sink).batch(trace));
    trace.messages[0] = head_of(7);
    trace.messages[0].word_count = 2;
    EXPECT_FALSE(ewf::NdjsonWriter(sink).batch(trace));
    ewf::ExportHeader header;
    header.base = {std::numeric_limits<std::int64_t>::max()};
    ewf::NdjsonWriter far(sink, ewf::JsonForm::lines, header);
    EXPECT_EQ(far.finish().error().code, ewf::ErrorCode::invalid_trace);
}

/// Other programs' readings of a real trace: jq, and Python with the schema, both against the ground truth.
class OtherReaders : public ::testing::Test {
 protected:
    static std::string file(const std::string& name, const std::string& content) {
        std::string path = ::testing::TempDir() + "eciscope_export_" + name;
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    static std::string output_of(const std::string& command) {
        std::string out;
        FILE* pipe = popen((command + " 2>&1").c_str(), "r");
        std::array<char, 4096> bytes;
        while (const std::size_t count = fread(bytes.data(), 1, bytes.size(), pipe)) {
            out.append(bytes.data(), count);
        }
        return pclose(pipe) == 0 ? out : "failed: " + out;
    }
    static std::string check(const std::string& how, const std::string& path) {
        return output_of(std::string(ECISCOPE_PYTHON) + " " + ECISCOPE_SOURCE_DIR + "/ewf/tests/check_export.py " +
                         how + " " + path + " " + ECISCOPE_TEST_DATA + "/small.truth.csv " + ECISCOPE_SOURCE_DIR);
    }
    TraceBatch small_ = test::read_truth(ECISCOPE_TEST_DATA "/small.truth.csv");
};

TEST_F(OtherReaders, JqReadsLines) {
    const std::string path = file("jq.ndjson", json_of(small_));
    const std::string found =
        output_of(R"jq(jq -r 'select(.type=="message")|"\(.from),\(.link),\(.vc),\(.words|join(" "))"' )jq" + path);
    std::ifstream in(ECISCOPE_TEST_DATA "/small.truth.csv");
    std::string expected;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        expected += line.substr(line.find(',', line.find(',') + 1) + 1) + "\n";
    }
    EXPECT_EQ(found, expected);
}

TEST_F(OtherReaders, PythonReadsLinesAndTheSchemaHolds) {
    EXPECT_EQ(check("ndjson", file("python.ndjson", json_of(small_))), "2000 messages agree\n");
}

TEST_F(OtherReaders, PythonReadsTheArray) {
    EXPECT_EQ(check("json", file("python.json", json_of(small_, ewf::JsonForm::array))), "2000 messages agree\n");
}

TEST_F(OtherReaders, TheSchemaHoldsForEveryEventAndEveryOperation) {
    TraceBatch trace = test::consistent_trace(3, 2000);
    for (unsigned vc = 0; vc < 15; ++vc) {
        for (std::uint64_t opcode = 0; opcode < 32; ++opcode) {
            MessageHead head = head_of(static_cast<std::uint8_t>(vc));
            head.last = trace.messages.back().last;
            add_message(trace, head, {opcode << 59 | 0x07ffffffffffff17});
        }
    }
    EXPECT_EQ(check("schema", file("all.ndjson", json_of(trace))), "2480 messages fit the schema\n");
}

TEST_F(OtherReaders, PythonReadsProtobuf) {
    ewf::MemorySink sink;
    ewf::ProtobufWriter writer(sink, test::unix_header());
    EXPECT_TRUE(writer.batch(small_));
    EXPECT_TRUE(writer.finish());
    EXPECT_EQ(check("protobuf", file("python.pb", test::text_of(sink))), "2000 messages agree\n");
}

}  // namespace
}  // namespace eciscope
