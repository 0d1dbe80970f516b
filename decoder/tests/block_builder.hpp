// Builds streams of blocks for tests: a sender that packs words into slots, counts and signs its blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <utility>
#include <vector>

#include "crc24.hpp"
#include "eciscope/decoder/block.hpp"

namespace eciscope::test {

/// Words of the tests' own. The layouts here are written out by hand on purpose: the decoder has them from the
/// specification.
namespace words {

inline constexpr std::uint64_t rldd = 0x0003e00000000080;       // VC 6, one word
inline constexpr std::uint64_t psha17 = 0x4803c00000000080;     // VC 4, whole line: 17 words
inline constexpr std::uint64_t psha5 = 0x4800400000000080;      // VC 4, one sub-line: 5 words
inline constexpr std::uint64_t iobsta = 0x1930c00000001c8e;     // VC 0, two words
inline constexpr std::uint64_t iobld = 0x0180c00000001c3e;      // VC 0, one word
inline constexpr std::uint64_t no_header = 0xf800000000000000;  // on no circuit of several words a header

/// A message with data that no circuit takes for a header, each word different.
inline std::vector<std::uint64_t> message(std::uint64_t header, unsigned length) {
    std::vector<std::uint64_t> all{header};
    for (unsigned i = 1; i < length; ++i) {
        all.push_back(no_header | i);
    }
    return all;
}

}  // namespace words

/// One slot of a block.
struct Slot {
    std::uint8_t vc = 15;
    std::uint64_t word = 0;
};

/// A word of a message on a circuit, slot by slot.
inline std::vector<Slot> on(std::uint8_t vc, const std::vector<std::uint64_t>& message) {
    std::vector<Slot> slots;
    for (const std::uint64_t word : message) {
        slots.push_back({vc, word});
    }
    return slots;
}

class Blocks {
 public:
    static constexpr Picoseconds slot_time = 4'340;

    std::vector<BlockItem> items;

    /// Time of the next block.
    Picoseconds now = 0;

    BlockItem& raw(Stream stream, const std::array<std::uint64_t, 7>& data, std::uint64_t control) {
        std::array<std::uint8_t, block_bytes> bytes{};
        for (std::size_t i = 0; i < 7; ++i) {
            put(bytes, i, data[i]);
        }
        put(bytes, 7, control & ~0xffffffULL);
        put(bytes, 7, (control & ~0xffffffULL) | crc24_reference(bytes));
        return push(stream, bytes);
    }

    /// A data block; `high` chooses which circuits the credits are for.
    BlockItem& data(Stream stream, const std::vector<Slot>& slots, std::uint8_t credits = 0, bool high = false,
                    bool ack = false) {
        std::array<std::uint64_t, 7> words{};
        std::uint64_t control =
            std::uint64_t{high ? 5U : 4U} << 61 | std::uint64_t{ack} << 60 | std::uint64_t{credits} << 52;
        for (std::size_t i = 0; i < 7; ++i) {
            const Slot slot = i < slots.size() ? slots[i] : Slot{15, 0xdeadbeefdeadbeef};
            words[i] = slot.word;
            control |= std::uint64_t{slot.vc} << (48 - 4 * i);
        }
        return raw(stream, words, control);
    }

    /// Words packed into as many blocks as they need.
    void stream_of(Stream stream, const std::vector<Slot>& slots) {
        for (std::size_t at = 0; at < slots.size(); at += 7) {
            data(stream, {slots.begin() + static_cast<std::ptrdiff_t>(at),
                          slots.begin() + static_cast<std::ptrdiff_t>(std::min(at + 7, slots.size()))});
        }
    }

    BlockItem& idle(Stream stream, std::uint8_t rx_seq = 0) {
        return raw(stream, {}, std::uint64_t{7} << 61 | std::uint64_t{rx_seq} << 36);
    }
    BlockItem& sync(Stream stream, std::uint8_t req, bool ack, std::uint8_t tx_seq, std::uint8_t rx_seq) {
        return raw(stream, {},
                   std::uint64_t{6} << 61 | std::uint64_t{ack} << 60 | std::uint64_t{req} << 52 |
                       std::uint64_t{tx_seq} << 44 | std::uint64_t{rx_seq} << 36);
    }

    /// Handshake from power-on, on both directions of a link.
    void link_up(std::uint8_t link) {
        for (std::uint8_t from = 0; from < node_count; ++from) {
            const Stream stream{link, from};
            sync(stream, 1, false, 0, 0);
            sync(stream, 0, true, 0, 0);
            idle(stream);
        }
    }

    /// The handshake of a retry: the receiver of `stream` has `received` of the sender's `sent` blocks.
    void retry(Stream stream, std::uint8_t sent, std::uint8_t received, std::uint8_t back_sent = 0) {
        now += 80'000;
        sync(stream.reverse(), 3, false, back_sent, received);
        sync(stream, 2, true, sent, back_sent);
        sync(stream.reverse(), 2, true, back_sent, received);
        sync(stream, 0, false, sent, back_sent);
    }

    void lost(Stream stream, std::uint64_t count) {
        BlockItem item;
        item.kind = BlockItemKind::lost;
        item.stream = stream;
        item.time = now;
        item.lost = count;
        items.push_back(item);
    }
    void restarted(Stream stream) {
        lost(stream, 0);
        items.back().kind = BlockItemKind::restarted;
    }

    /// Sends the same block once more, now.
    void again(const BlockItem& block) {
        std::array<std::uint8_t, block_bytes> bytes{};
        std::copy_n(block.bytes, block_bytes, bytes.begin());
        push(block.stream, bytes);
    }

    /// Flips one bit of the last block's data, as if on the wire.
    void damage_last() {
        storage_.back()[10] ^= 4;
        items.back().crc_flagged = true;
    }

 private:
    static void put(std::array<std::uint8_t, block_bytes>& bytes, std::size_t index, std::uint64_t word) {
        for (std::size_t i = 0; i < 8; ++i) {
            bytes[8 * index + i] = static_cast<std::uint8_t>(word >> (56 - 8 * i));
        }
    }

    BlockItem& push(Stream stream, const std::array<std::uint8_t, block_bytes>& bytes) {
        storage_.push_back(bytes);
        BlockItem item;
        item.bytes = storage_.back().data();
        item.stream = stream;
        item.time = now;
        places_.push_back({.record = items.size()});
        item.record = &places_.back();
        items.push_back(item);
        now += slot_time;
        return items.back();
    }

    std::deque<std::array<std::uint8_t, block_bytes>> storage_;
    std::deque<Position> places_;
};

}  // namespace eciscope::test
