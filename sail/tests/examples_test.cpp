// Headers, control words and addresses whose meaning is written down elsewhere.
#include <gtest/gtest.h>

#include "csv.hpp"
#include "readers.hpp"

namespace eciscope::spec_test {
namespace {

TEST(Examples, RecordedHeadersMeanWhatIsDocumented) {
    const auto rows = read_csv("examples.csv");
    ASSERT_EQ(rows.size(), 33U);
    for (const CsvRow& row : rows) {
        SCOPED_TRACE(row.at("word") + " on VC " + row.at("vc"));
        const std::uint64_t word = from_hex(row.at("word"));
        const std::uint8_t vc = small(row.at("vc"));
        const eci::message message = eci::decode(vc, word);
        const Read decoded = read(message);
        EXPECT_EQ(decoded.structure, row.at("structure"));
        EXPECT_EQ(decoded.op, row.at("op"));
        EXPECT_EQ(eci::message_words(vc, word), std::stoul(row.at("words")));
        for (const std::string& field : split(row.at("fields"), ' ')) {
            const auto parts = split(field, '=');
            ASSERT_EQ(decoded.fields.count(parts.at(0)), 1U) << field;
            EXPECT_EQ(decoded.fields.at(parts.at(0)), from_hex(parts.at(1))) << field;
        }
        EXPECT_EQ(eci::encode(message), word);
        EXPECT_EQ(eci::is_documented(message), decoded.structure != "mxc_undocumented");
        EXPECT_TRUE(eci::vc_parity_fits(vc, message));
    }
}

TEST(Examples, ControlWordsMeanWhatIsDocumented) {
    const auto rows = read_csv("blocks.csv");
    ASSERT_EQ(rows.size(), 27U);
    for (const CsvRow& row : rows) {
        SCOPED_TRACE(row.at("control"));
        const std::uint64_t word = from_hex(row.at("control"));
        EXPECT_EQ(eci::name(eci::block_type_of(word)), row.at("type"));
        EXPECT_EQ(eci::is_sequenced(word), row.at("type") == "LO" || row.at("type") == "HI");
        EXPECT_EQ(eci::control_ack(word), from_hex(row.at("ack")));
        EXPECT_EQ(eci::control_credits(word), from_hex(row.at("credits")));
        EXPECT_EQ(eci::control_vcs(word), from_hex(row.at("vcs")));
        EXPECT_EQ(eci::control_req(word), from_hex(row.at("req")));
        EXPECT_EQ(eci::control_tx_seq(word), from_hex(row.at("tx_seq")));
        EXPECT_EQ(eci::control_rx_seq(word), from_hex(row.at("rx_seq")));
        EXPECT_EQ(eci::control_crc(word), from_hex(row.at("crc")));
        EXPECT_EQ(eci::control_word_forwards(eci::control_word_backwards(word)), word);
    }
}

TEST(Examples, AddressesAreAliasedAsDocumented) {
    for (const CsvRow& row : read_csv("aliases.csv")) {
        SCOPED_TRACE(row.at("address"));
        const std::uint64_t address = from_hex(row.at("address"));
        const std::uint64_t aliased = from_hex(row.at("aliased")) >> 7;
        EXPECT_EQ(eci::aliased_cli_of_address(address), aliased);
        EXPECT_EQ(eci::line_address(aliased), address);
        EXPECT_EQ(eci::vc_parity_of_line(aliased), row.at("vc") == "odd" ? 1 : 0);
    }
}

TEST(Examples, AliasesAreInverseToEachOther) {
    for (std::uint64_t low = 0; low < (1U << 21); ++low) {
        ASSERT_EQ(eci::unalias_index(eci::alias_index(low)), low);
        ASSERT_EQ(eci::alias_index(eci::unalias_index(low | (std::uint64_t{1} << 32))), low | (std::uint64_t{1} << 32));
    }
}

TEST(Examples, InterruptTargets) {
    EXPECT_EQ(eci::sgi_targets(0x0000000000800001), 1);
}

}  // namespace
}  // namespace eciscope::spec_test
