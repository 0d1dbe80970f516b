// Blocks that come as rows of windows, packed into records. Windows stand alone: a boundary of the merger lies between
// any two.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "eciscope/capture/merge.hpp"
#include "eciscope/capture/record.hpp"
#include "eciscope/decoder/block.hpp"

namespace eciscope::capture {

struct BlockRow {
    std::uint64_t window_ns = 0;    ///< when its window began
    std::uint64_t picoseconds = 0;  ///< from there, below 2^32
    Stream stream;
    std::array<std::uint64_t, block_words> words{};
    bool crc_wrong = false;  ///< the source says so
};

class BlockTable {
 public:
    BlockTable(std::uint32_t source, std::uint64_t& records, Merger& merger)
        : source_(source), records_(records), merger_(merger) {}

    /// `bytes` of the input, at `offset`, stand for the row.
    void add(const BlockRow& row, std::uint64_t offset, std::uint64_t bytes);
    void push_all();

 private:
    /// Rows of one stream within one window, gathered into a record.
    struct Gathered {
        std::vector<std::uint8_t> entries;
        std::uint64_t input_bytes = 0;
        std::uint64_t offset = 0;
        std::uint32_t sequence = 0;
    };

    void push(std::size_t index);

    std::uint32_t source_;
    std::uint64_t& records_;
    Merger& merger_;
    std::array<Gathered, stream_count> streams_;
    std::uint64_t window_ns_ = 0;
    bool any_ = false;
};

}  // namespace eciscope::capture
