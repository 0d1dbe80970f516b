// Everything recorded on a real machine decodes, losslessly and without contradiction.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <tuple>

#include "csv.hpp"
#include "readers.hpp"

namespace eciscope::spec_test {
namespace {

TEST(Captures, EveryRecordedHeaderIsDocumentedAndConsistent) {
    const auto rows = read_csv("sys_messages.csv");
    ASSERT_EQ(rows.size(), 260U);
    for (const CsvRow& row : rows) {
        SCOPED_TRACE(row.at("run") + " sample " + row.at("sample"));
        const std::uint64_t word = from_hex(row.at("header"));
        const std::uint8_t vc = small(row.at("vc"));
        const unsigned source = small(row.at("src"));
        const eci::message message = eci::decode(vc, word);
        EXPECT_EQ(eci::encode(message), word);
        EXPECT_TRUE(eci::is_documented(message));
        EXPECT_TRUE(eci::line_of(message).has_value());
        EXPECT_TRUE(eci::vc_parity_fits(vc, message));
        EXPECT_EQ(eci::message_words(vc, word), small(row.at("size")));
        EXPECT_EQ(eci::carries_data(vc, word), source == 2 || source == 4);
        EXPECT_EQ(message.which, source == 0   ? eci::message::kind::Mreq
                                 : source == 5 ? eci::message::kind::Mfwd
                                               : eci::message::kind::Mrsp);
        // The FPGA is the home of all lines in these captures: what it sends, a home sends.
        EXPECT_EQ(eci::sent_by_home(message), source >= 3);
        const std::uint64_t line = *eci::line_of(message);
        EXPECT_EQ(eci::alias_index(eci::unalias_index(line)), line);
    }
}

// The line and transaction of a request or forward, and whatever answers it.
using Transaction = std::tuple<bool, std::uint64_t, std::uint64_t>;

std::optional<Transaction> transaction_of(const Read& message) {
    const bool of_home = message.fields.contains("hreq_id");
    if (!of_home && !message.fields.contains("rreq_id")) return std::nullopt;
    return Transaction{of_home, message.fields.at("aliased_cli"), message.fields.at(of_home ? "hreq_id" : "rreq_id")};
}

TEST(Captures, AnswersFindTheirRequests) {
    struct Stretch {
        unsigned rows = 0;
        std::map<Transaction, std::deque<std::string>> open;
    };
    std::map<std::string, Stretch> stretches;
    unsigned answered = 0;
    for (const CsvRow& row : read_csv("sys_messages.csv")) {
        SCOPED_TRACE(row.at("run") + " sample " + row.at("sample"));
        Stretch& stretch = stretches[row.at("run") + row.at("slice")];
        ++stretch.rows;
        const eci::message message = eci::decode(small(row.at("vc")), from_hex(row.at("header")));
        const Read read_message = read(message);
        const auto transaction = transaction_of(read_message);
        if (eci::reply_to(message) == eci::reply_rule::Reply_expected) {
            ASSERT_TRUE(transaction);
            stretch.open[*transaction].push_back(read_message.op);
        } else if (transaction) {
            auto& open = stretch.open[*transaction];
            // Requests from before the capture's start are not in it.
            if (open.empty()) {
                EXPECT_LE(stretch.rows, 10U);
                continue;
            }
            const bool upgrade = open.front() == "RC2D_S";
            if (read_message.op == "PSHA") {
                EXPECT_EQ(open.front(), "RLDD");
            }
            if (upgrade) {
                EXPECT_EQ(read_message.op, "PEMD");
            }
            open.pop_front();
            ++answered;
        }
    }
    EXPECT_EQ(answered, 101U);
}

TEST(Captures, RecordedBlocksHoldWholeDocumentedMessages) {
    struct Lane {
        unsigned words_left = 0;
    };
    std::map<std::string, Lane> lanes;  // by window, link, sender and channel
    std::map<std::string, unsigned> seen;
    const auto rows = read_csv("edge_blocks.csv");
    ASSERT_EQ(rows.size(), 162U);
    for (const CsvRow& row : rows) {
        const std::uint64_t control = from_hex(row.at("control"));
        EXPECT_EQ(eci::control_word_forwards(eci::control_word_backwards(control)), control);
        const std::uint32_t vcs = eci::control_vcs(control);
        for (unsigned slot = 0; slot < 7; ++slot) {
            const auto vc = static_cast<std::uint8_t>((vcs >> (24 - 4 * slot)) & 0xf);
            if (vc == eci::empty_slot) continue;
            const std::uint64_t word = from_hex(row.at("word" + std::to_string(slot + 1)));
            Lane& lane = lanes[row.at("window") + "/" + row.at("link") + row.at("from") + std::to_string(vc)];
            if (lane.words_left > 0) {
                --lane.words_left;
                continue;
            }
            SCOPED_TRACE(row.at("window") + " sample " + row.at("sample") + " slot " + std::to_string(slot));
            const eci::message message = eci::decode(vc, word);
            EXPECT_EQ(eci::encode(message), word);
            EXPECT_TRUE(eci::vc_parity_fits(vc, message));
            EXPECT_TRUE(eci::plausible_header(vc, word) || message.which == eci::message::kind::Mxc);
            const Read read_message = read(message);
            ++seen[read_message.op.empty() ? read_message.structure : read_message.op];
            lane.words_left = eci::message_words(vc, word) - 1U;
        }
    }
    for (const auto& [name, lane] : lanes) EXPECT_EQ(lane.words_left, 0U) << name;
    EXPECT_EQ(seen["RLDD"], 1U);
    EXPECT_EQ(seen["PSHA"], 1U);
    EXPECT_EQ(seen["VICS"], 1U);
    EXPECT_EQ(seen["IOBLD"], 1U);
    EXPECT_EQ(seen["IOBRSP"], 1U);
    EXPECT_EQ(seen["IOBSTA"], 2U);
}

}  // namespace
}  // namespace eciscope::spec_test
