// What the tests of the exports share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/ewf/ndjson_reader.hpp"
#include "eciscope/ewf/ndjson_writer.hpp"
#include "eciscope/ewf/protobuf_writer.hpp"
#include "eciscope/ewf/text_writer.hpp"
#include "trace_tools.hpp"

namespace eciscope::test {

inline std::string text_of(const ewf::MemorySink& sink) {
    return {sink.bytes().begin(), sink.bytes().end()};
}

inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {static_cast<const std::uint8_t*>(static_cast<const void*>(text.data())), text.size()};
}

inline ewf::ExportHeader unix_header() {
    ewf::ExportHeader header;
    header.base = {1'700'000'000};
    header.metadata.clock = ewf::Clock::unix_time;
    return header;
}

/// A made-up trace whose headers ask for the words that they have: all four sub-lines.
inline TraceBatch consistent_trace(std::uint32_t seed, std::size_t messages) {
    TraceBatch trace = made_up_trace(seed, messages);
    for (const MessageHead& message : trace.messages) {
        trace.words[message.word_offset] |= 0x0003c00000000000;
    }
    return trace;
}

/// The trace as JSON, handed over in batches of `batch` messages.
inline std::string json_of(const TraceBatch& trace, ewf::JsonForm form = ewf::JsonForm::lines,
                           const ewf::ExportHeader& header = unix_header(), std::size_t batch = 1000) {
    ewf::MemorySink sink;
    ewf::NdjsonWriter writer(sink, form, header);
    for (const TraceBatch& each : cut(trace, batch)) {
        EXPECT_TRUE(writer.batch(each));
    }
    EXPECT_TRUE(writer.finish());
    return text_of(sink);
}

/// All that reading a JSON text gives.
struct JsonRead {
    TraceBatch trace;
    std::vector<TraceBatch> batches;
    Diagnostics diagnostics;
    ewf::NdjsonAccounts accounts;
    TimeBase base;
    ewf::Metadata metadata;
    std::optional<ewf::Provenance> provenance;

    [[nodiscard]] std::uint64_t count(DiagnosticKind kind) const { return diagnostics.count_of(kind); }
    /// Names and places of all diagnostics that were kept, one a line: `kind line offset detail`.
    [[nodiscard]] std::string report() const {
        std::string out;
        for (const Diagnostic& each : diagnostics.kept()) {
            out += std::string(info_of(each.kind).name) + " " + std::to_string(each.where.record) + " " +
                   std::to_string(each.where.offset) + (each.detail.empty() ? "" : " " + each.detail) + "\n";
        }
        return out;
    }
};

inline JsonRead read_json(std::string_view text, std::size_t step = 1 << 16,
                          const ewf::NdjsonReaderOptions& options = {}) {
    JsonRead result;
    TrickleStream stream(bytes_of(text), step);
    ewf::NdjsonReader reader(stream, result.diagnostics, "test.ndjson", options);
    TraceBatch batch;
    auto more = reader.next(batch);
    for (; more && *more; more = reader.next(batch)) {
        append(result.trace, batch);
        result.batches.push_back(batch);
    }
    EXPECT_TRUE(more);
    result.accounts = reader.accounts();
    result.base = reader.time_base();
    result.metadata = reader.metadata();
    result.provenance = reader.provenance();
    EXPECT_TRUE(result.accounts.sums_agree());
    EXPECT_EQ(result.accounts.messages, result.trace.messages.size());
    EXPECT_EQ(result.accounts.events, result.trace.events.size());
    return result;
}

/// A message of one word, link 0, at 5 us.
inline MessageHead head_of(std::uint8_t vc, std::uint8_t from = 0) {
    MessageHead head;
    head.first = head.last = 5'000'000;
    head.vc = vc;
    head.stream = {0, from};
    return head;
}

/// A single message as the JSON object that the writer makes of it.
inline std::string object_of(std::uint8_t vc, std::vector<std::uint64_t> words, std::uint8_t from = 0) {
    TraceBatch trace;
    add_message(trace, head_of(vc, from), std::move(words));
    const std::string all = json_of(trace);
    const std::size_t start = all.find('\n') + 1;
    return all.substr(start, all.find('\n', start) - start);
}

}  // namespace eciscope::test
