// What people read: goldens written by hand.
#include <gmock/gmock.h>

#include "export_tools.hpp"

namespace eciscope {
namespace {

using test::add_message;
using test::head_of;
using ::testing::HasSubstr;
using ::testing::Not;

TraceBatch example() {
    TraceBatch trace;
    add_message(trace, head_of(7), {0x2803f00041989800});
    MessageHead head = head_of(5, 1);
    head.first += 100'000;
    head.last += 108'680;
    head.stream.link = 1;
    std::vector<std::uint64_t> words{0x5003c00041989800};
    words.resize(17);
    add_message(trace, head, words);
    head = head_of(0);
    head.first = head.last = 5'000'000 + picoseconds_per_second;
    add_message(trace, head, {0x19d0c0000000067e, 0x12});
    Event event;
    event.kind = EventKind::lost;
    event.count = 3;
    event.block = 17;
    event.time = head.last + 1;
    event.before = 3;
    trace.events.push_back(event);
    head.first = head.last = head.last + 2;
    head.vc = 13;
    add_message(trace, head, {0x0000000000000001});
    head.vc = 4;
    words[0] = 0x4803c00000000080;
    for (std::size_t i = 1; i < words.size(); ++i) {
        words[i] = i;
    }
    add_message(trace, head, words);
    return trace;
}

std::string text_of(const TraceBatch& trace, const ewf::TextOptions& options) {
    ewf::TextState state;
    state.base = {1'700'000'000};
    std::string out;
    append_text(trace, options, state, out);
    return out;
}

TEST(Text, OneLineAMessage) {
    EXPECT_EQ(text_of(example(), {}),
              "      #              seconds  dir link vc class op       home address       fields, data\n"
              "      0   +0.000'000'000'000  0→1  0    7 MREQ  RLDX        1 0x0041941000  rreq_id=0 dmask=f ns\n"
              "      1   +0.000'000'108'680  1→0  1    5 MRSP  PEMD        1 0x0041941000  rreq_id=0 dmask=f      "
              "16× 0000000000000000\n"
              "      2   +1.000'000'000'000  0→1  0    0 IREQ  IOBSTA        0x00000000338 ppvid=29 flid=0 el=1 ns 8B  "
              "0000000000000012\n"
              "     --   +1.000'000'000'001  0→1  0  ══ LOST: 3 blocks missing from block 17\n"
              "      3   +1.000'000'000'002  0→1  0   13 MDLD  RESERVED                    header 0000000000000001\n"
              "      4   +1.000'000'000'002  0→1  0    4 MRSP  PSHA        0 0x0000000080  rreq_id=0 dmask=f      "
              "0000000000000001 0000000000000002 …+14\n");
}

TEST(Text, AbsoluteTimesInAscii) {
    const std::string text = text_of(example(), {.time = ewf::TextTime::absolute, .ascii = true, .data_words = 1});
    EXPECT_THAT(text, HasSubstr("\n      1 1700000000.000'005'108'680  1->0  1    5 MRSP "));
    EXPECT_THAT(text, HasSubstr("16x 0000000000000000\n"));
    EXPECT_THAT(text, HasSubstr("0000000000000001 ...+15\n"));
    EXPECT_THAT(text, HasSubstr("0->1  0  == LOST"));
    EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST(Text, TimesSinceTheLineBefore) {
    const std::string text =
        text_of(example(), {.time = ewf::TextTime::delta, .show_index = false, .headings = false, .data_words = 0});
    EXPECT_TRUE(text.starts_with("  +0.000'000'000'000  0→1  0    7 MREQ  RLDX"));
    EXPECT_THAT(text, HasSubstr("\n  +0.999'999'891'320  0→1  0    0 IREQ"));
    EXPECT_THAT(text, HasSubstr("\n  +0.000'000'000'001  0→1  0  ══ LOST"));
    EXPECT_THAT(text, Not(HasSubstr("×")));
}

TEST(Text, ColoursOnlyWhereAskedAndAlwaysEnded) {
    EXPECT_THAT(text_of(example(), {}), Not(HasSubstr("\x1b")));
    const std::string text = text_of(example(), {.colour = true});
    EXPECT_THAT(text, HasSubstr("\x1b[1;31mLOST: 3 blocks missing from block 17\x1b[0m\n"));
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\x1b') {
            at = text.find('m', at);
        } else {
            plain += text[at];
        }
    }
    EXPECT_EQ(plain, text_of(example(), {}));
}

TEST(Text, BatchesMakeNoDifference) {
    const TraceBatch trace = test::consistent_trace(1, 300);
    ewf::MemorySink sink;
    ewf::TextWriter writer(sink, {}, test::unix_header());
    for (const TraceBatch& batch : test::cut(trace, 7)) {
        EXPECT_TRUE(writer.batch(batch));
    }
    EXPECT_TRUE(writer.finish());
    EXPECT_EQ(test::text_of(sink), text_of(trace, {}));
}

TEST(Text, WhateverEwfHolds) {
    const std::string text = text_of(test::extreme_trace(), {.time = ewf::TextTime::absolute});
    EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 256 + 257);
    EXPECT_THAT(text, HasSubstr("without words"));
}

}  // namespace
}  // namespace eciscope
