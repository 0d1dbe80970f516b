// From blocks to messages: link layer, retry and replay, reassembly, order of output. See docs/decoder.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "eciscope/decoder/block.hpp"
#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/decoder/message.hpp"

namespace eciscope {

/// Where every block and word of the input went. Plain counts, so that accounts of several decoders can be added.
struct DecoderAccounts {
    // Blocks handed in, each in exactly one of the following.
    std::uint64_t blocks = 0;
    std::uint64_t data = 0;       ///< carried words, accepted
    std::uint64_t credit = 0;     ///< data type without words, accepted
    std::uint64_t idle = 0;       ///< idle blocks
    std::uint64_t handshake = 0;  ///< SYNC blocks
    std::uint64_t damaged = 0;    ///< failed the CRC, or of a reserved type
    std::uint64_t replayed = 0;   ///< good, but another copy of them was taken
    std::uint64_t discarded = 0;  ///< good, thrown away by the far end after damage, and never seen again

    // Beside the blocks handed in: blocks that the source or the sequence numbers say are missing.
    std::uint64_t lost = 0;          ///< known number
    std::uint64_t lost_unknown = 0;  ///< gaps of unknown length

    // Words of accepted blocks, each in exactly one of the following.
    std::uint64_t words = 0;
    std::uint64_t words_in_messages = 0;
    std::uint64_t words_discarded = 0;   ///< could not be assigned to a message after loss, damage or a late start
    std::uint64_t words_unfinished = 0;  ///< of messages whose end the capture does not hold

    std::uint64_t messages = 0;
    std::uint64_t events = 0;

    /// Every block and word is in exactly one account. False is a fault of the decoder, whatever the input.
    [[nodiscard]] bool sums_agree() const {
        return blocks == data + credit + idle + handshake + damaged + replayed + discarded &&
               words == words_in_messages + words_discarded + words_unfinished;
    }
};

struct DecoderOptions {
    /// Blocks of one stream held back after damage until it is evident which of them the far end took.
    std::size_t held_blocks = 1024;
    /// Longest wait for evidence after damage, or after the last handshake block of a retry. A receiver asks for a
    /// retry one round trip after the damage (some 100 ns); when it has not by then, it took the block.
    Picoseconds held_time = 5'000 * picoseconds_per_nanosecond;
    /// Messages put into one TraceBatch.
    std::size_t batch_messages = 1024;
};

/// Takes blocks of all streams in order of (time, stream, position), gives messages in order of (last, stream,
/// position). Damage in input is reported to `diagnostics` and as events in the trace; nothing is thrown, nothing stops
/// the run.
class Decoder final : public BlockSink {
 public:
    Decoder(TraceSink& sink, Diagnostics& diagnostics, const DecoderOptions& options = {});
    ~Decoder() override;
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    /// The bytes of the items are not used after the call. Returns false once the sink wants no more.
    bool blocks(std::span<const BlockItem> items) override;
    void may_go_on(Stream stream) override;

    /// The input has ended: decides what is held back, reports unfinished messages and hands out the last batch.
    bool finish();

    /// Complete (and its sums meaningful) after finish().
    [[nodiscard]] const DecoderAccounts& accounts() const;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace eciscope
