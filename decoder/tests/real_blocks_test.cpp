// Blocks recorded on a real link; their checksums were not captured. The messages are those documented for them.
#include <gtest/gtest.h>

#include <deque>
#include <sstream>

#include "decode.hpp"

namespace eciscope::test {
namespace {

struct RealBlocks {
    std::deque<std::array<std::uint8_t, block_bytes>> storage;
    std::vector<BlockItem> items;

    RealBlocks() {
        std::istringstream in(read_file(ECISCOPE_TEST_DATA "/edge_blocks.csv"));
        std::string line;
        std::getline(in, line);
        std::string window;
        while (std::getline(in, line)) {
            add(split(line), window);
        }
    }

 private:
    static std::vector<std::string> split(const std::string& line) {
        std::vector<std::string> columns;
        std::istringstream in(line);
        std::string column;
        while (std::getline(in, column, ',')) {
            columns.push_back(column);
        }
        return columns;
    }

    // Windows lie apart by an unknown time; within one, a sample is a clock of 3.103 ns.
    void add(const std::vector<std::string>& columns, std::string& window) {
        constexpr Picoseconds clock = 3'103;
        constexpr Picoseconds window_gap = 1'000'000;
        BlockItem item;
        item.time = std::stoll(columns[0]) * window_gap + std::stoll(columns[1]) * clock;
        item.crc_present = false;
        if (columns[0] != window) {
            window = columns[0];
            item.kind = BlockItemKind::lost;
            item.lost = BlockItem::unknown_count;
            for (std::size_t i = 0; i < stream_count; ++i) {
                item.stream = Stream::of_index(i);
                items.push_back(item);
            }
            item.kind = BlockItemKind::block;
        }
        item.stream = {static_cast<std::uint8_t>(std::stoi(columns[2]) - 1),
                       static_cast<std::uint8_t>(columns[3] == "cpu" ? 0 : 1)};
        auto& bytes = storage.emplace_back();
        for (std::size_t i = 0; i < block_words; ++i) {
            const std::uint64_t word = std::stoull(columns[4 + i], nullptr, 16);
            for (std::size_t k = 0; k < 8; ++k) {
                bytes[8 * i + k] = static_cast<std::uint8_t>(word >> (56 - 8 * k));
            }
        }
        item.bytes = bytes.data();
        items.push_back(item);
    }
};

std::string without_times(const std::string& line) {
    const std::size_t second = line.find(',', line.find(',') + 1);
    return line.substr(second + 1, 60);
}

TEST(RealBlocks, DocumentedMessages) {
    const RealBlocks real;
    const Decoded decoded = decode(real.items);
    EXPECT_TRUE(decoded.accounts.sums_agree());
    EXPECT_EQ(decoded.accounts.words_discarded, 0U);
    std::vector<std::string> messages;
    for (const std::string& line : decoded.lines) {
        messages.push_back(without_times(line));
    }
    // from,link,vc,words
    EXPECT_EQ(messages, (std::vector<std::string>{
                            // Three interrupt messages; the second straddles two blocks.
                            "0,0,12,0800ffffde01d838 00000000de010000",
                            "0,0,12,0800ffff9e01d838 000000009e010000",
                            "0,0,12,0800ffffbe01d838 00000000be010000",
                            // A load of four bytes, and its answer in two blocks.
                            "0,0,0,0180cfdffffffffc",
                            "1,0,1,0180000000000000 0000000002f19869",
                            // Two stores, the data in the next block and two slots further on.
                            "0,0,0,19d0c0000000067e 0000000000000012",
                            "0,0,0,1930c00000001e1e 0000000000000001",
                            // A read on one link, its answer of 17 words in three blocks on the other, the eviction.
                            "0,1,7,0007f00000000100",
                            "1,0,5,4807c00000000100 0100000000000000 00000004000000ff 000",
                            "0,1,11,1004200000000100",
                        }));
    EXPECT_EQ(decoded.heads[8].word_count, 17);
    EXPECT_EQ(decoded.heads[8].last_block - decoded.heads[8].first_block, 2U);
}

}  // namespace
}  // namespace eciscope::test
