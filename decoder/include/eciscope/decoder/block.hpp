// What a capture hands to the decoder: blocks in order of time, and what is known to be missing between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "eciscope/decoder/time.hpp"

namespace eciscope {

inline constexpr std::size_t block_bytes = 64;
inline constexpr std::size_t block_words = 8;  ///< seven data words, then the control word

inline constexpr std::size_t link_count = 2;
inline constexpr std::size_t node_count = 2;
inline constexpr std::size_t stream_count = link_count * node_count;

/// One direction of one link. Streams are ordered by link, then by sender: the order in which ties of time are broken.
struct Stream {
    std::uint8_t link = 0;  ///< 0 or 1
    std::uint8_t from = 0;  ///< the sending node, 0 or 1 (the capture format's direction bit)

    [[nodiscard]] constexpr std::size_t index() const { return std::size_t{link} * node_count + from; }
    [[nodiscard]] constexpr Stream reverse() const { return {link, static_cast<std::uint8_t>(1 - from)}; }
    [[nodiscard]] static constexpr Stream of_index(std::size_t index) {
        return {static_cast<std::uint8_t>(index / node_count), static_cast<std::uint8_t>(index % node_count)};
    }

    friend constexpr bool operator==(Stream, Stream) = default;
};

/// Where in the input something stands. Offsets are bytes from the start of the source.
struct Position {
    std::uint32_t source = 0;  ///< index of the file, in the order given
    std::uint64_t offset = 0;
    std::uint64_t record = 0;  ///< number of the record, counted over all sources
    std::uint32_t block = 0;   ///< number of the block within its record
};

enum class BlockItemKind : std::uint8_t {
    block,      ///< a block as the tap saw it
    lost,       ///< `lost` blocks of this stream are missing here (unknown_count: some)
    restarted,  ///< the interposer began again: nothing is known of what lies between
};

/// One step of one stream. What it points to is the reader's and valid during the call that hands it over. Five words,
/// since one is written and read for every block: what is the same for a whole record stands there once.
struct BlockItem {
    static constexpr std::uint64_t unknown_count = ~std::uint64_t{0};

    const std::uint8_t* bytes = nullptr;  ///< 64 bytes in wire order: word 1 first, control last, big-endian words
    Picoseconds time = 0;
    std::uint64_t lost = 0;            ///< for `lost`: how many blocks, or unknown_count
    const Position* record = nullptr;  ///< where the record begins; none: the source has no places
    std::uint8_t block = 0;            ///< number of the block within its record
    Stream stream;
    BlockItemKind kind = BlockItemKind::block;
    bool crc_flagged = false;    ///< the interposer saw a CRC error in this block
    bool lane_flagged = false;   ///< the interposer saw a lane error
    bool stream_begins = false;  ///< the interposer had sent no block of this stream before (sequence number 0)
    bool crc_present = true;     ///< false where the source did not capture the CRC: it is not checked then

    [[nodiscard]] Position where() const {
        Position position = record != nullptr ? *record : Position{};
        position.block = block;
        return position;
    }
};

/// Takes blocks of all streams merged in order of (time, stream, position).
class BlockSink {
 public:
    virtual ~BlockSink() = default;
    /// Returns false to stop the reader early.
    virtual bool blocks(std::span<const BlockItem> items) = 0;
    /// At the end: the stream may go on behind it. Its records were all of one size, as the interposer closes them when
    /// they are full, and the last one, which it closes when it stops, is of that size too.
    virtual void may_go_on(Stream) {}
};

}  // namespace eciscope
