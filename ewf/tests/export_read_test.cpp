// JSON back to a trace: exact round trips, and every kind of damage named.
#include <algorithm>
#include <random>

#include "eciscope/ewf/reader.hpp"
#include "eciscope/ewf/writer.hpp"
#include "export_tools.hpp"

namespace eciscope {
namespace {

using ewf::JsonForm;
using test::add_message;
using test::head_of;
using test::json_of;
using test::read_json;
using Kind = DiagnosticKind;

/// EWF of what was read, with the metadata that was read.
std::vector<std::uint8_t> ewf_of(const std::vector<TraceBatch>& batches, TimeBase base, const ewf::Metadata& metadata) {
    ewf::MemorySink sink;
    ewf::Writer writer(sink, base);
    for (const TraceBatch& batch : batches) {
        EXPECT_TRUE(writer.batch(batch));
    }
    EXPECT_TRUE(writer.finish(metadata));
    return sink.bytes();
}

void expect_exact(const TraceBatch& trace, const ewf::ExportHeader& header) {
    const std::vector<std::uint8_t> direct = ewf_of({trace}, header.base, header.metadata);
    for (const JsonForm form : {JsonForm::lines, JsonForm::array}) {
        const std::string text = json_of(trace, form, header);
        const test::JsonRead read = read_json(text);
        EXPECT_EQ(read.count(Kind::json_cut_short), 0U) << read.report();
        EXPECT_EQ(read.diagnostics.count_of(Severity::damage), 0U) << read.report();
        EXPECT_TRUE(ewf_of(read.batches, read.base, read.metadata) == direct);
        ewf::ExportHeader again{read.base, read.metadata, read.provenance, 0};
        EXPECT_TRUE(json_of(read.trace, form, again) == text);
    }
}

TEST(JsonRoundTrip, RealTrace) {
    expect_exact(test::read_truth(ECISCOPE_TEST_DATA "/small.truth.csv"), test::unix_header());
}

TEST(JsonRoundTrip, EveryKindOfEvent) {
    ewf::ExportHeader header = test::unix_header();
    header.metadata.nodes = {{0, "left \"one\""}, {1, "right"}, {7, "\u00e9"}};
    header.metadata.links = {};
    header.metadata.clock = ewf::Clock::interposer;
    expect_exact(test::consistent_trace(11, 10'000), header);
}

TEST(JsonRoundTrip, EveryValueAtTheEndsOfItsRange) {
    expect_exact(test::extreme_trace(), test::unix_header());
    ewf::ExportHeader early;
    early.base = {-3};
    expect_exact(test::extreme_trace(), early);
}

TEST(JsonRoundTrip, EmptyTrace) {
    expect_exact({}, test::unix_header());
}

TEST(JsonRoundTrip, EventsAlone) {
    TraceBatch trace = test::consistent_trace(5, 300);
    trace.messages.clear();
    trace.words.clear();
    for (Event& event : trace.events) {
        event.before = 0;
    }
    expect_exact(trace, test::unix_header());
}

TEST(JsonRoundTrip, ProvenanceComesBack) {
    ewf::ExportHeader header = test::unix_header();
    header.provenance = ewf::Provenance{"eciscope", "1.2.3", {{"a.pcap", ~std::uint64_t{0}, "sha256:00"}, {}}};
    const test::JsonRead read = read_json(json_of({}, JsonForm::lines, header));
    EXPECT_EQ(read.report(), "");
    EXPECT_EQ(read.provenance, header.provenance);
}

TEST(JsonRoundTrip, PartOfATraceKeepsItsNumbers) {
    ewf::ExportHeader header = test::unix_header();
    header.first_index = 5000;
    const std::string text = json_of(test::consistent_trace(2, 50), JsonForm::lines, header);
    Diagnostics diagnostics;
    test::TrickleStream stream(test::bytes_of(text), 4096);
    ewf::NdjsonReader reader(stream, diagnostics, "part", {.batch_messages = 20, .read_bytes = 4096});
    TraceBatch batch;
    for (const std::uint64_t first : {5000U, 5020U, 5040U}) {
        ASSERT_TRUE(*reader.next(batch));
        EXPECT_EQ(reader.first_message(), first);
    }
    EXPECT_FALSE(*reader.next(batch) && !batch.messages.empty());
    EXPECT_TRUE(diagnostics.kept().empty());
}

TEST(JsonRead, NothingDependsOnTheSizeOfReads) {
    const TraceBatch trace = test::consistent_trace(4, 60);
    for (const JsonForm form : {JsonForm::lines, JsonForm::array}) {
        const std::string text = json_of(trace, form);
        for (const std::size_t size : {1U, 7U, 63U, 64U, 65U, 4096U}) {
            const test::JsonRead read = read_json(text, size, {.batch_messages = 16, .read_bytes = size});
            EXPECT_EQ(read.report(), "") << size;
            EXPECT_EQ(test::difference(trace, read.trace), "") << size;
        }
    }
}

TEST(JsonRead, LayoutOfTheTextDoesNotMatter) {
    const TraceBatch trace = test::consistent_trace(4, 20);
    const std::string array = json_of(trace, JsonForm::array);
    std::string one_line = array;
    std::erase(one_line, '\n');
    std::string spread;
    for (const char c : array) {
        spread += c == ',' || c == '{' || c == '}' ? std::string("\r\n  ") + c + "\t" : std::string(1, c);
    }
    std::string carriage_returns = "\xef\xbb\xbf\n";
    for (const char c : json_of(trace)) {
        carriage_returns += c == '\n' ? std::string("\r\n\r\n") : std::string(1, c);
    }
    for (const std::string& text : {one_line, spread, carriage_returns, "\n \t" + array + "\n\n"}) {
        for (const std::size_t size : {1U, 4096U}) {
            const test::JsonRead read = read_json(text, size);
            EXPECT_EQ(read.report(), "");
            EXPECT_EQ(test::difference(trace, read.trace), "");
        }
    }
}

TEST(JsonRead, ArraysOfNoneOneAndMany) {
    EXPECT_EQ(read_json("[]").report(), "json_cut_short 1 2\n");
    EXPECT_EQ(read_json("").report(), "json_cut_short 1 0\n");
    EXPECT_EQ(read_json(" [ ] ").accounts.objects, 0U);
    const std::string end = R"({"type":"end","messages":0,"events":0,"words":0})";
    EXPECT_EQ(read_json("[" + end + "]").report(), "json_header_missing 1 1\n");
    std::string many = "[";
    for (int i = 0; i < 100'000; ++i) {
        many += R"({"type":"retry","time":"0.000000000000","from":0,"link":0,"block":"1"},)"
                "\n";
    }
    const test::JsonRead read = read_json(many + R"({"type":"end","messages":0,"events":100000}])");
    EXPECT_EQ(read.report(), "json_header_missing 1 1\n");
    EXPECT_EQ(read.trace.events.size(), 100'000U);
}

/// Cut at every byte: everything before the cut comes out, and the cut is said.
TEST(JsonRead, CutAtEveryByte) {
    const TraceBatch trace = test::consistent_trace(9, 12);
    for (const JsonForm form : {JsonForm::lines, JsonForm::array}) {
        const std::string text = json_of(trace, form);
        const std::size_t whole = text.rfind('}') + 1;
        for (std::size_t size = 0; size < text.size(); ++size) {
            const std::string_view part = std::string_view(text).substr(0, size);
            const test::JsonRead read = read_json(part);
            // A message is there once its closing brace is.
            std::size_t messages = 0;
            for (std::size_t at = part.find("\"slot\":"); at != std::string_view::npos;
                 at = part.find("\"slot\":", at + 1)) {
                messages += part.find('}', at) != std::string_view::npos ? 1U : 0U;
            }
            ASSERT_EQ(read.trace.messages.size(), messages) << size;
            ASSERT_EQ(read.count(Kind::json_cut_short), size < whole ? 1U : 0U) << size;
            for (std::size_t i = 0; i < messages; ++i) {
                ASSERT_TRUE(
                    std::ranges::equal(read.trace.words_of(read.trace.messages[i]), trace.words_of(trace.messages[i])));
            }
        }
    }
}

/// Whatever the bytes, there is a trace that can be written.
TEST(JsonRead, RandomDamage) {
    const std::string whole = json_of(test::consistent_trace(4, 6), JsonForm::lines);
    for (std::uint32_t seed = 0; seed < 10'000; ++seed) {
        std::mt19937 random(seed);
        std::string text = whole;
        for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
            text[random() % text.size()] = static_cast<char>(random());
        }
        const test::JsonRead read = read_json(text);
        ASSERT_FALSE(ewf_of(read.batches, read.base, read.metadata).empty()) << seed;
    }
}

TEST(JsonRead, ArrayWithoutItsBracketIsSaid) {
    const std::string text = json_of({}, JsonForm::array);
    EXPECT_EQ(read_json(text.substr(0, text.rfind(']'))).count(Kind::json_array_malformed), 1U);
}

/// A trace of three messages whose middle one was changed.
class Changed : public ::testing::Test {
 protected:
    Changed() {
        TraceBatch trace;
        add_message(trace, head_of(7), {0x0003e00000000000});
        add_message(trace, head_of(7), {0x2803f00041989800});
        add_message(trace, head_of(6), {0x0003e00000000080});
        text_ = json_of(trace);
        offset_ = text_.find("{\"type\":\"message\",\"index\":1");
    }
    /// Replaces `from` in the middle message.
    test::JsonRead with(std::string_view from, std::string_view to) {
        std::string text = text_;
        const std::size_t at = text.find(from, offset_);
        EXPECT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        return read_json(text);
    }
    /// The middle message was passed over and said to be `kind`; the others came out.
    void expect_rejected(const test::JsonRead& read, Kind kind) const {
        EXPECT_EQ(read.trace.messages.size(), 2U);
        EXPECT_EQ(read.accounts.rejected, 1U);
        EXPECT_EQ(read.count(kind), 1U) << read.report();
        EXPECT_EQ(read.diagnostics.kept().front().where.record, 3U);
        EXPECT_EQ(read.diagnostics.kept().front().where.offset, offset_);
        EXPECT_EQ(read.count(Kind::json_counts_disagree), 1U);
        EXPECT_EQ(read.diagnostics.kept().size(), 2U) << read.report();
    }
    /// The middle message came out as its words say, with one warning about `path`.
    void expect_kept(const test::JsonRead& read, Kind kind, const std::string& path) const {
        EXPECT_EQ(read.trace.messages.size(), 3U);
        EXPECT_EQ(read.trace.words[1], 0x2803f00041989800U);
        ASSERT_EQ(read.diagnostics.kept().size(), 1U) << read.report();
        EXPECT_EQ(read.diagnostics.kept()[0].kind, kind);
        EXPECT_EQ(read.diagnostics.kept()[0].detail, path);
    }
    std::string text_;
    std::size_t offset_ = 0;
};

TEST_F(Changed, NoJson) {
    expect_rejected(with("\"vc\"", "vc"), Kind::json_object_malformed);
    expect_rejected(with("},\"words\"", ",\"words\""), Kind::json_object_malformed);
    expect_rejected(with("{\"type\":\"message\"", "[\"type\""), Kind::json_object_malformed);
    expect_rejected(with("\"vc\":7", "\"vc\":0x7"), Kind::json_object_malformed);
    expect_rejected(with("MREQ", "MR\xffQ"), Kind::json_object_malformed);
    expect_rejected(with("\"slot\":0}", "\"slot\":0}{}"), Kind::json_object_malformed);
}

TEST_F(Changed, KeysMissing) {
    for (const char* key : {"\"type\":\"message\",", "\"time\":\"1700000000.000005000000\",", "\"from\":0,",
                            "\"link\":0,", "\"vc\":7,", "\"words\":[\"2803f00041989800\"],"}) {
        expect_rejected(with(key, ""), Kind::json_key_missing);
    }
    expect_kept(with("\"time_last\":\"1700000000.000005000000\",", ""), Kind::json_key_assumed, "time_last");
    expect_kept(with("\"block\":\"0\",", ""), Kind::json_key_assumed, "block");
    for (const char* derived : {"\"index\":1,", "\"class\":\"MREQ\",", "\"home\":1,", "\"op\":\"RLDX\","}) {
        const test::JsonRead read = with(derived, "");
        EXPECT_EQ(read.report(), "") << derived;
        EXPECT_EQ(read.trace.messages.size(), 3U);
    }
}

TEST_F(Changed, ValuesUnusable) {
    const std::pair<const char*, const char*> changes[] = {
        {"\"vc\":7", "\"vc\":\"7\""},
        {"\"vc\":7", "\"vc\":16"},
        {"\"vc\":7", "\"vc\":-1"},
        {"\"vc\":7", "\"vc\":7.0"},
        {"\"from\":0", "\"from\":2"},
        {"\"link\":0", "\"link\":null"},
        {"\"block\":\"0\"", "\"block\":0"},
        {"\"block\":\"0\"", "\"block\":\"18446744073709551616\""},
        {"\"block\":\"0\"", "\"block\":\"00\""},
        {"\"slot\":0", "\"slot\":256"},
        {"1700000000.000005000000", "1700000000.00000500000"},
        {"1700000000.000005000000", "1700000000,000005000000"},
        {"1700000000.000005000000", "1.7e9"},
        {"1700000000.000005000000", ".000005000000"},
        {"\"index\":1", "\"index\":18446744073709551615"},
        {"[\"2803f00041989800\"]", "\"2803f00041989800\""},
        {"\"type\":\"message\"", "\"type\":3"},
    };
    for (const auto& [from, to] : changes) {
        SCOPED_TRACE(to);
        expect_rejected(with(from, to), Kind::json_value_unusable);
    }
    expect_rejected(with("1700000000.000005000000", "1800000000.000005000000"), Kind::time_out_of_range);
    expect_rejected(with("1700000000.000005000000", "-1.000000000000"), Kind::time_out_of_range);
    expect_rejected(with("1700000000.000005000000", "9223372036854775807.000000000000"), Kind::time_out_of_range);
}

TEST_F(Changed, WordsMalformed) {
    for (const char* word : {"2803f0004198980", "2803f000419898000", "2803f0004198980g", "0x03f00041989800", ""}) {
        expect_rejected(with("2803f00041989800", word), Kind::json_word_malformed);
    }
    expect_rejected(with("\"2803f00041989800\"", "2803"), Kind::json_word_malformed);
    EXPECT_EQ(with("2803f00041989800", "2803F00041989800").report(), "");  // upper case is the same number
}

TEST_F(Changed, KeysDuplicate) {
    expect_rejected(with("\"vc\":7", "\"vc\":7,\"vc\":7"), Kind::json_key_duplicate);
    expect_rejected(with("\"type\":\"message\"", "\"type\":\"message\",\"type\":\"end\""), Kind::json_key_duplicate);
    EXPECT_EQ(with("\"vc\":7", "\"vc\":7,\"mine\":1,\"mine\":{}").report(), "");  // keys of others are not read
}

TEST_F(Changed, ContradictionsAreSaidAndTheWordsCount) {
    const std::array<const char*, 3> changes[] = {
        {"\"class\":\"MREQ\"", "\"class\":\"MRSP\"", "class"},
        {"\"op\":\"RLDX\"", "\"op\":\"RLDD\"", "op"},
        {"\"op\":\"RLDX\"", "\"op\":5", "op"},
        {"\"home\":1", "\"home\":0", "home"},
        {"0x41941000", "0x41941080", "address"},
        {"0x833130", "0x833131", "aliased_cli"},
        {"\"dmask\":15", "\"dmask\":14", "fields.dmask"},
        {"\"dmask\":15", "\"dmask\":\"15\"", "fields.dmask"},
        {"\"rreq_id\"", "\"hreq_id\"", "fields.hreq_id"},
        {"\"fillo\":0", "\"unused_58\":1", "fields.unused_58"},
    };
    for (const auto& [from, to, path] : changes) {
        SCOPED_TRACE(to);
        expect_kept(with(from, to), Kind::json_contradiction, path);
    }
    EXPECT_EQ(with("\"fillo\":0", "\"unused_4\":0").report(), "");  // silent fields may be said
}

TEST_F(Changed, WrongLengthIsSaidAndKept) {
    const test::JsonRead read = with("\"2803f00041989800\"", "\"2803f00041989800\",\"0000000000000000\"");
    EXPECT_EQ(read.trace.messages[1].word_count, 2U);
    EXPECT_EQ(read.count(Kind::json_length_contradictory), 1U);
    EXPECT_EQ(read.count(Kind::json_counts_disagree), 1U);
}

TEST_F(Changed, NumbersJump) {
    const test::JsonRead read = with("\"index\":1", "\"index\":7");
    EXPECT_EQ(read.trace.messages.size(), 3U);
    EXPECT_EQ(read.count(Kind::json_index_jumps), 2U);  // there and back
}

TEST_F(Changed, OrderIsSaid) {
    EXPECT_EQ(
        with("\"time_last\":\"1700000000.000005", "\"time_last\":\"1700000000.000007").count(Kind::json_order_wrong),
        1U);
}

TEST_F(Changed, UnknownTypesAreCounted) {
    const test::JsonRead read = with("\"type\":\"message\"", "\"type\":\"comment\"");
    EXPECT_EQ(read.accounts.unknown, 1U);
    EXPECT_EQ(read.count(Kind::json_type_unknown), 1U);
    EXPECT_EQ(read.trace.messages.size(), 2U);
}

TEST_F(Changed, TooLongIsPassedOver) {
    const std::string filling(ewf::NdjsonReader::max_object_bytes, 'x');
    const test::JsonRead read = with("\"vc\":7", "\"mine\":\"" + filling + "\"");
    expect_rejected(read, Kind::json_object_too_long);
    std::string array = "[" + text_;
    array.replace(array.find("\"index\":1"), 9, "\"mine\":\"" + filling + "\"");
    EXPECT_EQ(read_json(array).count(Kind::json_object_too_long), 1U);
    EXPECT_EQ(read_json(array).trace.messages.size(), 2U);
}

TEST_F(Changed, CountsAndPlacesOfHeaders) {
    EXPECT_EQ(with("\"messages\":3", "\"messages\":4").count(Kind::json_counts_disagree), 1U);
    EXPECT_EQ(with("\"words\":3", "\"words\":2").count(Kind::json_counts_disagree), 1U);
    EXPECT_EQ(read_json(text_ + text_).count(Kind::json_object_misplaced), 5U);
    const std::string headless = text_.substr(text_.find('\n') + 1);
    const test::JsonRead read = read_json(headless);
    EXPECT_EQ(read.report(), "json_header_missing 1 0\n");
    EXPECT_EQ(read.base.unix_seconds, 1'700'000'000);
    EXPECT_EQ(read.trace.messages[0].first, 5'000'000);
}

TEST_F(Changed, HeadersThatSayTooMuch) {
    const auto header = [&](std::string_view from, std::string_view to) {
        std::string text = text_;
        text.replace(text.find(from), from.size(), to);
        return read_json(text);
    };
    EXPECT_EQ(header("\"version\":1", "\"version\":2").count(Kind::json_version_foreign), 1U);
    EXPECT_EQ(header("\"1700000000\"", "\"9223372036854775807\"").count(Kind::json_value_unusable), 1U);
    EXPECT_EQ(header("\"1700000000\"", "\"4611686018427387904\"").count(Kind::time_out_of_range), 3U);
    EXPECT_EQ(header("\"id\":0", "\"id\":256").count(Kind::json_value_unusable), 1U);
    EXPECT_EQ(header("eciscope-trace", "other").count(Kind::json_value_unusable), 1U);
}

/// Damage within an array costs what it touches.
TEST_F(Changed, ArraysGoOnBehindDamage) {
    TraceBatch trace = test::consistent_trace(3, 10);
    trace.events.clear();
    const std::string array = json_of(trace, JsonForm::array);
    const auto change = [&](std::string_view from, std::string_view to) {
        std::string text = array;
        text.replace(text.find(from, text.find("\"index\":4")), from.size(), to);
        return read_json(text);
    };
    EXPECT_EQ(change("\"fields\":{", "\"fields\":{{").trace.messages.size(), 9U);
    EXPECT_EQ(change("\"vc\"", "\"vc").trace.messages.size(), 9U);
    EXPECT_EQ(change("\"words\":[", "\"words\":").trace.messages.size(), 9U);
    EXPECT_EQ(change("},\n", "}\n").trace.messages.size(), 10U);
    EXPECT_EQ(change("},\n", "}\n").count(Kind::json_array_malformed), 1U);
    EXPECT_EQ(change("},\n", "},,\n").count(Kind::json_array_malformed), 1U);
    EXPECT_EQ(change("},\n", "},17,\n").count(Kind::json_array_malformed), 1U);
    EXPECT_EQ(change("},\n", "}][,\n").count(Kind::json_array_malformed), 1U);
    EXPECT_EQ(change("\n]\n", ",\n]\n").count(Kind::json_array_malformed), 1U);
}

TEST(JsonRead, MemoryOfDiagnosticsIsBounded) {
    std::string text;
    for (int i = 0; i < 10'000; ++i) {
        text += "{}\n";
    }
    const test::JsonRead read = read_json(text);
    EXPECT_EQ(read.count(Kind::json_key_missing), 10'000U);
    EXPECT_EQ(read.accounts.rejected, 10'000U);
    EXPECT_LE(read.diagnostics.kept().size(), 2 * Diagnostics::kept_per_kind);
}

TEST(JsonRead, WhatLooksLikeATrace) {
    const auto looks = [](std::string_view text) { return ewf::looks_like_json_trace(test::bytes_of(text)); };
    EXPECT_TRUE(looks(json_of({})));
    EXPECT_TRUE(looks(json_of({}, JsonForm::array)));
    EXPECT_TRUE(looks("\xef\xbb\xbf\n [ { \"type\""));
    EXPECT_TRUE(looks("[]"));
    EXPECT_FALSE(looks("{\"a\":1}"));
    EXPECT_FALSE(looks("[1,2]"));
    EXPECT_FALSE(looks(""));
    EXPECT_FALSE(looks("ECIB"));
}

}  // namespace
}  // namespace eciscope
