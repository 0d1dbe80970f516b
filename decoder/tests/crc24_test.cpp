#include "crc24.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "block_builder.hpp"

namespace eciscope::test {
namespace {

struct Vector {
    std::uint64_t control;
    std::array<std::uint64_t, 7> data;
};

// Published vectors: control words with their CRC.
const Vector vectors[] = {
    {0xc0100000007a2c1f, {}},
    {0xd0100000000c1086, {}},
    {0xc000000000f7aa94, {}},
    {0xd00000000081960d, {}},
    {0xe0000000001bd3a6, {}},
    {0xe00001700005b33f, {}},
    {0xf0000480003618a0, {}},
    {0x8fffffffffdb8987, {}},
    {0x801fffffffeee023, {}},
    {0xa10ffffffff1a751, {}},
    {0xa1ffffffffa0b291, {}},
    {0x8007ffffffaaf5a7, {0x0003e00000000000}},
    {0x800ffffccf39ed49, {0, 0, 0, 0, 0x0b00ffffde01d838, 0x00000000de010000}},
    {0x800ff0ffff2f5702, {0, 0, 0x0180c00000001c3e}},
    {0x8001ffffffb3f698, {0x0180000000000000}},
    {0xa00ff0f0ff36b66a, {0, 0, 0x1930c00000001c8e, 0, 0x9c40}},
    {0xa00ffffbff4e8180, {0, 0, 0, 0, 0x1004200000000100}},
};

/// The checksum and words of one block.
struct Loaded {
    std::array<std::uint64_t, block_words> words{};
    std::uint32_t crc = 0;

    Loaded(LoadBlocks load, const std::uint8_t* bytes) {
        BlockItem item;
        item.bytes = bytes;
        load({&item, 1}, words.data(), &crc);
    }
};

TEST(Crc24, PublishedVectors) {
    for (const Vector& vector : vectors) {
        Blocks blocks;
        const BlockItem& block = blocks.raw({}, vector.data, vector.control);
        for (const LoadBlocks load : load_blocks_versions()) {
            const Loaded loaded(load, block.bytes);
            EXPECT_EQ(loaded.crc, vector.control & 0xffffff);
            EXPECT_EQ(loaded.words[7], vector.control);
        }
    }
}

// However many are loaded at once: four make up a round of the fastest version.
TEST(Crc24, AllVersionsAgreeOnRandomBlocks) {
    constexpr std::size_t most = 9;
    std::mt19937_64 random(24);
    for (std::size_t round = 0; round < 4'000; ++round) {
        const std::size_t count = 1 + round % most;
        std::array<std::array<std::uint8_t, block_bytes>, most> blocks{};
        std::array<BlockItem, most> items;
        std::array<std::uint32_t, most> expected{};
        for (std::size_t i = 0; i < count; ++i) {
            for (std::uint8_t& byte : blocks[i]) {
                byte = static_cast<std::uint8_t>(random());
            }
            items[i].bytes = blocks[i].data();
            auto cleared = blocks[i];
            cleared[61] = cleared[62] = cleared[63] = 0;
            expected[i] = crc24_reference(cleared);
        }
        for (const LoadBlocks load : load_blocks_versions()) {
            std::array<std::uint64_t, most * block_words> words{};
            std::array<std::uint32_t, most> crcs{};
            load(std::span(items).first(count), words.data(), crcs.data());
            ASSERT_EQ(crcs, expected);
            for (std::size_t i = 0; i < count; ++i) {
                ASSERT_EQ(words[i * block_words] >> 56, blocks[i][0]);
                ASSERT_EQ(words[i * block_words + 6] & 0xff, blocks[i][55]);
            }
        }
    }
}

TEST(Crc24, EverySingleBitIsSeen) {
    Blocks blocks;
    const BlockItem& block = blocks.data({}, on(6, {words::rldd}));
    std::array<std::uint8_t, block_bytes> bytes{};
    std::copy_n(block.bytes, block_bytes, bytes.begin());
    const LoadBlocks load = load_blocks_versions().front();
    for (std::size_t bit = 0; bit < 8 * block_bytes; ++bit) {
        bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        const Loaded loaded(load, bytes.data());
        EXPECT_NE(loaded.crc, loaded.words[7] & 0xffffff) << "bit " << bit;
        bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    }
}

}  // namespace
}  // namespace eciscope::test
