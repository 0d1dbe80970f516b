// A document from opening to export: what the window asks, and what happens to files meanwhile.

#include "eciscope/view/document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

#include "made_up_traffic.hpp"
#include "test_trace.hpp"

namespace eciscope::view {

namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class DocumentOfTraffic : public TraceFile {
 protected:
    static constexpr std::uint64_t messages = 60'000;
    void SetUp() override {
        TraceFile::SetUp();
        ASSERT_TRUE(write_made_up_traffic(path_, messages));
    }
};

TEST_F(DocumentOfTraffic, tells_what_it_holds) {
    const auto document = opened(path_);
    const Facts facts = document->facts();
    EXPECT_EQ(facts.source, "EWF");
    EXPECT_GE(facts.messages, messages);
    std::uint64_t of_circuits = 0;
    std::uint64_t of_streams = 0;
    for (const TrackInfo& info : document->tracks()) {
        of_circuits += info.id.kind == TrackKind::circuit ? info.messages : 0;
        of_streams += info.id.kind == TrackKind::utilisation ? info.messages : 0;
        EXPECT_EQ(info.missing.has_value(), info.id.kind == TrackKind::credits);
    }
    EXPECT_EQ(of_circuits, facts.messages);
    EXPECT_EQ(of_streams, facts.messages);
    const Statistics all = document->statistics(facts.limits.first, facts.limits.last + 1);
    EXPECT_EQ(all.messages, facts.messages);
    EXPECT_TRUE(all.exact);
}

TEST_F(DocumentOfTraffic, is_opened_from_its_index_the_second_time) {
    const auto first = opened(path_);
    EXPECT_FALSE(first->status().index_from_file);
    const auto second = opened(path_);
    EXPECT_TRUE(second->status().index_from_file);
    EXPECT_EQ(second->finding_count(), first->finding_count());
    EXPECT_EQ(second->findings().back().text, first->findings().back().text);
}

TEST_F(DocumentOfTraffic, an_index_without_a_check_is_checked_later) {
    (void)opened(path_, {.check = false});
    const auto checked = opened(path_);
    EXPECT_TRUE(checked->status().index_from_file);
    const auto findings = checked->findings();
    EXPECT_EQ(
        std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.worst == Worst::violation; }),
        1);
    EXPECT_EQ(opened(path_)->finding_count(), checked->finding_count());
}

TEST_F(DocumentOfTraffic, a_changed_trace_gets_a_new_index) {
    (void)opened(path_);
    ASSERT_TRUE(write_made_up_traffic(path_, messages / 2, 5));
    const auto document = opened(path_);
    EXPECT_FALSE(document->status().index_from_file);
    EXPECT_LT(document->facts().messages, messages);
}

TEST_F(DocumentOfTraffic, a_damaged_index_is_made_anew) {
    (void)opened(path_);
    const std::string index = path_ + ".eciview";
    const auto bytes = std::filesystem::file_size(index);
    for (const std::uint64_t at : {std::uint64_t{3}, std::uint64_t{100}, bytes / 2, bytes - 3}) {
        {
            std::fstream file(index, std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(static_cast<std::streamoff>(at));
            file.put('\x5a');
        }
        EXPECT_FALSE(opened(path_)->status().index_from_file) << at;
    }
    std::filesystem::resize_file(index, bytes / 3);
    EXPECT_FALSE(opened(path_)->status().index_from_file);
    EXPECT_TRUE(opened(path_)->status().index_from_file);
}

TEST_F(DocumentOfTraffic, an_index_that_is_not_kept_leaves_no_file) {
    (void)opened(path_, {.keep_index = false});
    EXPECT_FALSE(std::filesystem::exists(path_ + ".eciview"));
}

TEST_F(DocumentOfTraffic, a_request_and_its_answer_know_each_other) {
    const auto document = opened(path_, {.check = false});
    const auto request = document->find(*parse_filter("op:RLDD"), 1000, true, {});
    ASSERT_TRUE(request);
    const auto details = document->details(*request);
    ASSERT_TRUE(details && details->answer);
    const auto answer = document->details(*details->answer);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->row.op, "PSHA");
    EXPECT_EQ(answer->request, *request);
    EXPECT_EQ(answer->latency, answer->row.head.first - details->row.head.first);
    EXPECT_EQ(answer->words.size(), 17U);
    EXPECT_EQ(answer->row.line->aliased_cli, details->row.line->aliased_cli);
    EXPECT_THAT(answer->fragments, HasSubstr("blocks"));
    ASSERT_FALSE(answer->fields.empty());
    EXPECT_FALSE(answer->fields[0].meaning.empty());
}

TEST_F(DocumentOfTraffic, searching_finds_the_same_either_way) {
    const auto document = opened(path_, {.check = false});
    const auto rows = document->rows(0, messages);
    std::ostringstream line;
    line << "line:0x" << std::hex << *rows[messages / 2].address;
    for (const std::string& text :
         {std::string("op:PSHA vc:5 link:1 node:1"), std::string("mreq"), line.str(), line.str().substr(5)}) {
        const auto filter = parse_filter(text);
        std::vector<MessageNumber> forward;
        for (auto at = document->find(*filter, 0, true, {}); at && forward.size() < 50;
             at = document->find(*filter, *at, true, {})) {
            forward.push_back(*at);
        }
        std::vector<MessageNumber> back;
        for (auto at = forward.empty() ? std::nullopt : document->find(*filter, forward.back() + 1, false, {});
             at && *at != 0 && back.size() < forward.size(); at = document->find(*filter, *at, false, {})) {
            back.push_back(*at);
        }
        std::reverse(back.begin(), back.end());
        EXPECT_EQ(forward, back) << text;
        EXPECT_FALSE(forward.empty()) << text;
    }
    EXPECT_FALSE(document->find(*parse_filter("op:NONE"), 0, true, {}));
    EXPECT_FALSE(document->find(*parse_filter("op:NONE"), messages - 1, false, {}));
}

TEST_F(DocumentOfTraffic, messages_in_any_part_are_those_in_order) {
    const auto document = opened(path_, {.check = false});
    const auto all = document->rows(0, messages);
    ASSERT_THAT(all, SizeIs(messages));
    const auto part = document->rows(16'380, 10);  // over the border of a chunk
    ASSERT_THAT(part, SizeIs(10));
    for (std::size_t i = 0; i < part.size(); ++i) {
        EXPECT_EQ(part[i].number, 16'380 + i);
        EXPECT_EQ(part[i].header, all[16'380 + i].header);
    }
    EXPECT_EQ(document->message_at(all[777].head.last + 1), document->message_at(all[778].head.last));
    EXPECT_THAT(document->rows(document->facts().messages, 5), IsEmpty());
}

TEST_F(DocumentOfTraffic, a_lines_history_is_all_its_messages) {
    const auto document = opened(path_, {.check = false});
    const auto row = document->rows(30'000, 1).at(0);
    const auto history = document->line_history(*row.line, 1000);
    EXPECT_THAT(history, SizeIs(testing::Ge(3U)));
    std::vector<MessageNumber> numbers;
    for (const MessageRow& message : history) {
        EXPECT_EQ(message.address, row.address);
        numbers.push_back(message.number);
    }
    EXPECT_THAT(numbers, Contains(30'000U));
    EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
}

TEST_F(DocumentOfTraffic, exports_what_is_selected) {
    const auto document = opened(path_, {.check = false});
    const Limits limits = document->facts().limits;
    const Picoseconds to = limits.first + (limits.last - limits.first) / 3;
    const Statistics part = document->statistics(limits.first, to);
    const std::string csv = (folder_ / "part.csv").string();
    const auto count = document->export_messages(csv, Document::Format::csv, limits.first, to, {});
    ASSERT_TRUE(count) << count.error().message;
    EXPECT_EQ(*count, part.messages);
    std::ifstream file(csv);
    EXPECT_EQ(std::count(std::istreambuf_iterator<char>(file), {}, '\n'),
              static_cast<std::ptrdiff_t>(part.messages) + 1);
    const std::string json = (folder_ / "part.ndjson").string();
    const auto grants =
        document->export_messages(json, Document::Format::ndjson, limits.first, to, *parse_filter("op:PSHA"));
    ASSERT_TRUE(grants);
    EXPECT_EQ(*grants, part.latencies.at(0).count);
    EXPECT_FALSE(document->export_messages((folder_ / "none" / "x.csv").string(), Document::Format::csv, 0, 1, {}));
}

TEST_F(DocumentOfTraffic, a_file_cut_while_it_is_open_is_a_sentence) {
    const auto document = opened(path_, {.check = false});
    std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 4);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::vector<TrackId> tracks;
    for (const TrackInfo& info : document->tracks()) {
        tracks.push_back(info.id);
    }
    const Limits limits = document->facts().limits;
    Viewport viewport = whole(limits, 800);
    for (int i = 0; i < 100; ++i) {
        viewport = zoomed(viewport, 799, 3, 4, limits);
        EXPECT_EQ(document->picture(viewport, tracks, {}).tracks.size(), tracks.size());
    }
    EXPECT_FALSE(document->details(messages - 1));
    EXPECT_THAT(document->rows(messages - 10, 10), IsEmpty());
    EXPECT_THAT(document->status().troubles, Contains(HasSubstr("shorter")));
    EXPECT_THAT(document->status().troubles, Contains(HasSubstr("cannot be read")));
}

TEST_F(DocumentOfTraffic, an_index_cut_while_it_is_in_use_is_a_sentence) {
    const auto document = opened(path_);
    std::filesystem::resize_file(path_ + ".eciview", 100);
    for (const TrackInfo& info : document->tracks()) {
        EXPECT_TRUE(document->picture(whole(document->facts().limits, 500), {&info.id, 1}, {}).coarse ||
                    info.id.kind == TrackKind::findings || info.id.kind == TrackKind::credits);
    }
    EXPECT_THAT(document->findings(), IsEmpty());
    EXPECT_THAT(document->status().troubles, Contains(HasSubstr("index was cut")));
}

TEST_F(DocumentOfTraffic, can_be_closed_at_any_time) {
    for (int i = 0; i < 12; ++i) {
        OpenOptions options;
        std::atomic<int> changes = 0;
        options.keep_index = false;
        options.changed = [&changes] { ++changes; };
        auto document = Document::open(path_, options);
        ASSERT_TRUE(document);
        std::this_thread::sleep_for(std::chrono::milliseconds(i * 3));
        const TrackId id = track(TrackKind::circuit, {0, 0}, 6);
        (void)(*document)->picture(whole((*document)->facts().limits, 500), {&id, 1}, {});
        if (i % 2 == 0) {
            (*document)->cancel();
            (*document)->wait();
        }
    }
}

TEST_F(DocumentOfTraffic, before_it_is_indexed_there_is_a_coarse_picture) {
    OpenOptions options;
    options.index = false;
    const auto document = opened(path_, options);
    const auto tracks = document->tracks();
    EXPECT_THAT(tracks, SizeIs(testing::Gt(10U)));
    for (const TrackInfo& info : tracks) {
        const Picture picture = document->picture(whole(document->facts().limits, 300), {&info.id, 1}, {});
        if (info.id.kind == TrackKind::circuit) {
            EXPECT_TRUE(picture.coarse);
            EXPECT_GT(picture.tracks[0].columns[150].count, 0U);
        }
    }
}

class OddFiles : public TraceFile {};

TEST_F(OddFiles, what_is_no_trace_is_an_error) {
    EXPECT_FALSE(Document::open((folder_ / "none").string(), {}));
    std::ofstream(path_) << "hello";
    EXPECT_FALSE(Document::open(path_, {}));
    EXPECT_FALSE(Document::open(folder_.string(), {}));
}

TEST_F(OddFiles, an_empty_trace_is_a_document) {
    write({});
    const auto document = opened(path_);
    EXPECT_EQ(document->facts().messages, 0U);
    for (const TrackInfo& info : document->tracks()) {
        (void)document->picture(whole(document->facts().limits, 100), {&info.id, 1}, {});
    }
    EXPECT_THAT(document->rows(0, 10), IsEmpty());
    EXPECT_FALSE(document->details(0));
    EXPECT_FALSE(document->find({}, 0, true, {}));
}

TEST_F(OddFiles, a_capture_is_decoded_beside_it_once) {
    const std::string capture = (folder_ / "capture.pcap").string();
    std::filesystem::copy_file(ECISCOPE_SOURCE_DIR "/conformance/tests/data/cases/grant-without-request.pcap", capture);
    const auto document = opened(capture);
    EXPECT_EQ(document->facts().source, "capture");
    EXPECT_GT(document->facts().messages, 0U);
    const auto findings = document->findings();
    EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.id == "coherence.grant-without-request" && finding.line && !finding.details.empty();
    }));
    const auto written = std::filesystem::last_write_time(capture + ".ewf");
    EXPECT_TRUE(opened(capture)->status().index_from_file);
    EXPECT_EQ(std::filesystem::last_write_time(capture + ".ewf"), written);
}

TEST_F(OddFiles, a_table_of_messages_opens_with_the_five_replies_that_are_owed) {
    const std::string table = (folder_ / "hang.csv").string();
    std::filesystem::copy_file(ECISCOPE_SOURCE_DIR "/demo/hang.csv", table);
    const auto document = opened(table);
    EXPECT_EQ(document->facts().messages, 260U);
    const auto findings = document->findings();
    EXPECT_EQ(std::count_if(findings.begin(), findings.end(),
                            [](const Finding& finding) { return finding.id == "end.owed-grant"; }),
              5);
}

TEST_F(OddFiles, a_file_of_that_name_is_not_overwritten) {
    const std::string capture = (folder_ / "capture.pcap").string();
    std::filesystem::copy_file(ECISCOPE_SOURCE_DIR "/conformance/tests/data/cases/grant-without-request.pcap", capture);
    std::ofstream(capture + ".ewf") << "mine";
    EXPECT_GT(opened(capture)->facts().messages, 0U);
    EXPECT_EQ(std::filesystem::file_size(capture + ".ewf"), 4U);
    EXPECT_FALSE(std::filesystem::is_empty(folder_ / "cache" / "eciscope"));
}

}  // namespace

}  // namespace eciscope::view
