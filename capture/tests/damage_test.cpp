// Cut, flipped and absurd input: never a crash, always sums that agree, and what stands before the damage comes out.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "collect.hpp"

namespace eciscope::capture::test {
namespace {

/// The whole blocks of a classic pcap with one record a packet that end at or before `size`.
std::size_t blocks_before(const std::vector<Buffer>& packets, std::size_t size) {
    std::size_t blocks = 0;
    std::size_t at = 24;
    for (const Buffer& packet : packets) {
        at += 16 + 24;
        const std::size_t here = (packet.size() - 24) / 72;
        blocks += at >= size ? 0 : std::min(here, (size - at) / 72);
        at += packet.size() - 24;
    }
    return blocks;
}

TEST(Damage, cut_at_every_byte_of_the_first_5000) {
    const Buffer original = data_file("small.pcap");
    const std::vector<Buffer> packets = packets_of(original);
    for (std::size_t size = 4; size <= 5000; ++size) {
        const Buffer cut(original.begin(), original.begin() + static_cast<std::ptrdiff_t>(size));
        const Outcome outcome = run({cut});
        ASSERT_TRUE(outcome.accounts.sums_agree()) << size;
        ASSERT_EQ(outcome.accounts.bytes_read, size);
        ASSERT_EQ(outcome.accounts.blocks_delivered, blocks_before(packets, size)) << size;
        const bool whole = size == 24 || size == 24 + 16 + packets[0].size();
        ASSERT_EQ(outcome.diagnostics.empty(), whole) << size;
    }
}

TEST(Damage, pcapng_cut_at_every_byte_of_the_first_5000) {
    CaptureBuilder builder{.pcapng = true, .out = {}};
    builder.begin();
    const std::vector<Buffer> packets = packets_of(data_file("small.pcap"));
    builder.packet(packets[0]).packet(packets[1]);
    std::size_t delivered = 0;
    for (std::size_t size = 4; size <= 5000; ++size) {
        const Buffer cut(builder.out.begin(), builder.out.begin() + static_cast<std::ptrdiff_t>(size));
        const Outcome outcome = run({cut});
        ASSERT_TRUE(outcome.accounts.sums_agree()) << size;
        ASSERT_GE(outcome.accounts.blocks_delivered, delivered) << size;
        delivered = outcome.accounts.blocks_delivered;
    }
    EXPECT_EQ(delivered, 60U + (5000 - (48 + 4344 + 32) - 28 - 24) / 72);
}

/// Flips `flips` random bytes at or after `from` and says where the first was.
std::size_t flip(Buffer& bytes, std::size_t from, int flips, std::mt19937_64& random) {
    std::size_t first = bytes.size();
    for (int i = 0; i < flips; ++i) {
        const std::size_t at = from + random() % (bytes.size() - from);
        bytes[at] ^= static_cast<std::uint8_t>(1 + random() % 255);
        first = std::min(first, at);
    }
    return first;
}

TEST(Damage, flipped_bytes_cost_no_record_but_those_they_hit) {
    const Buffer original = data_file("small.pcap");
    const std::vector<Buffer> all = packets_of(original);
    CaptureBuilder builder;
    builder.begin();
    for (std::size_t i = 0; i < 12; ++i) {
        builder.packet(all[i]);
    }
    const std::uint64_t blocks = run({builder.out}).accounts.blocks_delivered;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        std::mt19937_64 random(seed);
        Buffer damaged = builder.out;
        flip(damaged, 24, 1, random);
        const Outcome outcome = run({damaged});
        ASSERT_TRUE(outcome.accounts.sums_agree()) << seed;
        ASSERT_EQ(outcome.accounts.bytes_read, damaged.size()) << seed;
        ASSERT_GE(outcome.accounts.blocks_delivered + 60, blocks) << "seed " << seed;
    }
}

TEST(Damage, many_flipped_bytes_everywhere) {
    const std::vector<Buffer> captures = {data_file("small.pcap"), data_file("udp.pcap"), data_file("edge_blocks.csv")};
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        std::mt19937_64 random(seed);
        Buffer damaged = captures[seed % captures.size()];
        damaged.resize(std::min<std::size_t>(damaged.size(), 60'000));
        flip(damaged, 0, static_cast<int>(1 + seed % 50), random);
        const Outcome outcome =
            run({damaged}, {.format = seed % 3 == 2 ? FileKind::edge_csv : FileKind::pcap, .raw = {}});
        ASSERT_TRUE(outcome.accounts.sums_agree()) << seed;
        ASSERT_EQ(outcome.accounts.bytes_read, damaged.size()) << seed;
    }
}

TEST(Damage, absurd_lengths_in_every_header_field) {
    for (const bool pcapng : {false, true}) {
        CaptureBuilder builder{.pcapng = pcapng, .out = {}};
        builder.begin().record({}).record(RecordBuilder{.sequence = 1, .magic = "ECIB", .trailing = {}});
        for (std::size_t at = 4; at + 4 <= builder.out.size(); ++at) {
            for (const std::uint32_t value : {0U, 1U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
                Buffer damaged = builder.out;
                for (std::size_t i = 0; i < 4; ++i) {
                    damaged[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
                }
                const Outcome outcome = run({damaged});
                ASSERT_TRUE(outcome.accounts.sums_agree()) << at << " " << value;
                ASSERT_EQ(outcome.accounts.bytes_read, damaged.size()) << at << " " << value;
            }
        }
    }
}

}  // namespace
}  // namespace eciscope::capture::test
