// A trace as the suite passes it on: messages and, between them, the events of the links, in batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "eciscope/decoder/block.hpp"
#include "eciscope/decoder/time.hpp"

namespace eciscope {

/// Everything about a message but its words; decode those with `eci::decode(vc, words[0])`.
struct MessageHead {
    Picoseconds first = 0;          ///< time of the block with the header word
    Picoseconds last = 0;           ///< time of the block with the last word
    std::uint64_t first_block = 0;  ///< ordinal of that block in its stream, known lost blocks counted
    std::uint64_t last_block = 0;
    std::uint64_t record = 0;       ///< record of the input that held the header block; not stored in EWF
    std::uint32_t word_offset = 0;  ///< into TraceBatch::words
    std::uint8_t word_count = 0;    ///< header included
    std::uint8_t vc = 0;
    Stream stream;
    std::uint8_t slot = 0;  ///< slot (0..6) of the last word in its block: breaks ties within one block
};

enum class EventKind : std::uint8_t {
    lost,       ///< blocks of this stream are missing: count, or unknown_count
    damaged,    ///< a block failed its CRC and was never accepted: its words are missing
    discarded,  ///< count words of circuit vc were thrown away while it looked for a message start
    retry,      ///< the receiver of this stream asked for a retry
    replayed,   ///< count blocks were seen again after a retry
    link_up,    ///< handshake done on this stream; detail 1 = from power-on, 0 = after a running link was reset
    link_down,  ///< the stream's sender began the handshake again
    handshake,  ///< a handshake block that changed what the sender asks for or acknowledges; detail = its control word
    restarted,  ///< the interposer began again; what lies between is unknown
    capture_ends,  ///< end of this stream, detail 1 = it may go on behind it; with a vc: count words of an unfinished
                   ///< message
};

[[nodiscard]] std::string_view name(EventKind kind);

/// Something between messages that a reader of the trace must know of. Plain values, so that it is stored exactly.
struct Event {
    static constexpr std::uint64_t unknown_count = BlockItem::unknown_count;
    static constexpr std::uint8_t no_vc = 0xff;

    Picoseconds time = 0;
    std::uint64_t block = 0;  ///< ordinal in the stream
    std::uint64_t count = 0;
    std::uint64_t detail = 0;
    std::uint32_t before = 0;  ///< index in the batch of the message that this event precedes
    EventKind kind{};
    std::uint8_t vc = no_vc;
    Stream stream;
};

/// A run of a trace in order of (completion time, stream, position); events stand among messages by `Event::before`.
struct TraceBatch {
    std::vector<MessageHead> messages;
    std::vector<std::uint64_t> words;  ///< host order
    std::vector<Event> events;

    [[nodiscard]] std::span<const std::uint64_t> words_of(const MessageHead& message) const {
        return {words.data() + message.word_offset, message.word_count};
    }
    [[nodiscard]] bool empty() const { return messages.empty() && events.empty(); }
    void clear() {
        messages.clear();
        words.clear();
        events.clear();
    }
};

/// Takes a trace batch by batch. Virtual once a batch, never once a message.
class TraceSink {
 public:
    virtual ~TraceSink() = default;
    /// Returns false to stop the source early.
    virtual bool batch(const TraceBatch& batch) = 0;
};

}  // namespace eciscope
