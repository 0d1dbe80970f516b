// The link layer of one stream: checksums, sequence numbers, handshake, retry and replay. docs/decoder.md explains it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "context.hpp"
#include "history.hpp"
#include "ledger.hpp"
#include "reassembly.hpp"

namespace eciscope {

class StreamDecoder {
 public:
    StreamDecoder(Context& context, Stream stream);

    /// The other direction of the same link. Must be set before the first item.
    void set_reverse(StreamDecoder& reverse) { reverse_ = &reverse; }

    /// Takes a block, whose words in host order have Reassembly::room_behind others behind them. `crc` is what its
    /// checksum should be.
    void take(const BlockItem& item, const std::uint64_t* words, std::uint32_t crc);
    /// Takes an item of another kind.
    void take_marker(const BlockItem& item) { item.kind == BlockItemKind::lost ? lost(item) : restarted(item); }

    /// Time has come this far on all streams: gives up waiting for evidence that should have come.
    void tick(Picoseconds now) {
        if (!held_.empty() && elapsed(evidence_since_, now) >= static_cast<std::uint64_t>(context_.options.held_time)) {
            release_all();
        }
    }

    /// Decides everything that is undecided.
    void give_up(const BlockPlace& place);

    void finish(Picoseconds end);

    /// Of the block that would come next.
    [[nodiscard]] std::uint64_t ordinal() const { return ordinal_; }

    [[nodiscard]] Picoseconds undecided_since() const;
    [[nodiscard]] bool holds() const { return !held_.empty(); }

 private:
    using Words = std::array<std::uint64_t, block_words + Reassembly::room_behind>;

    /// A block that waits until it is evident whether the far end took it.
    struct Held {
        Held(const std::uint64_t* block, const BlockPlace& where, std::uint64_t number, bool is_damaged)
            : place(where), index(number), damaged(is_damaged) {
            std::copy_n(block, block_words, words.begin());
        }

        Words words{};
        KeptPlace place;
        std::uint64_t index;
        bool damaged;
    };

    // Blocks by kind.
    [[nodiscard]] bool in_step() const;
    void take_any(const BlockItem& item, const std::uint64_t* words, std::uint32_t crc, const BlockPlace& place);
    void data(const std::uint64_t* words, const BlockPlace& place);
    void data_out_of_turn(const std::uint64_t* words, std::uint64_t index, const BlockPlace& place);
    void accept(const std::uint64_t* words, std::uint64_t index, const BlockPlace& place);
    void idle(std::uint64_t control, const BlockPlace& place);
    void sync(std::uint64_t control, const BlockPlace& place);
    void damaged(const std::uint64_t* words, const BlockPlace& place);
    void lost(const BlockItem& item);
    void restarted(const BlockItem& item);

    // Handshake.
    void init_request(const BlockPlace& place);
    void end_handshake(const BlockPlace& place);
    void retry_requested(std::uint8_t rx_seq, const BlockPlace& place);
    void begin_replay(const BlockPlace& place);
    std::optional<std::uint64_t> blocks_to_repeat(const BlockPlace& place);
    void learn_sequence(std::uint8_t tx_seq);
    void guess_replay(std::uint64_t control);
    void end_replay(const BlockPlace& place);
    void abandon_replay(const BlockPlace& place);
    void partner_received(std::uint8_t rx_seq, const BlockPlace& place);

    // Holding back.
    void hold(const Held& held);
    void release_before(std::uint64_t index);
    void release_front(std::size_t count);
    void release_all() { release_front(held_.size()); }
    void supersede_held();

    void event(EventKind kind, const BlockPlace& place, std::uint64_t count = 0, std::uint64_t detail = 0);
    void forget_ledgers();
    void account_credits(std::uint64_t control, std::uint64_t overdrawn, const BlockPlace& place);
    void credit_overdrawn(std::uint64_t circuits, const BlockPlace& place);
    void acknowledged_ahead(const BlockPlace& place);
    void acknowledge(std::uint64_t control, const BlockPlace& place);
    bool damage(const BlockItem& item, std::uint32_t crc, std::uint64_t control);

    Context& context_;
    StreamDecoder* reverse_ = nullptr;
    Reassembly reassembly_;
    Ledger ledger_;  ///< of this stream's sender
    History history_;

    // Sequenced blocks are numbered from first_index, so that a replay of blocks before the capture has numbers too.
    static constexpr std::uint64_t first_index = std::uint64_t{1} << 32;
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    std::uint64_t sent_ = first_index;  ///< number of the next block that was not sent before
    std::uint64_t next_ = first_index;  ///< number of the next block: behind sent_ during a replay
    std::uint64_t ordinal_ = 0;
    bool began_again_ = false;  ///< the interposer, and no block has come since
    // Go into the accounts at the end: what is counted for every block is counted beside what is looked at anyway.
    std::uint64_t blocks_ = 0;
    std::uint64_t accepted_ = 0;
    std::uint64_t only_credits_ = 0;    ///< of the accepted ones
    std::uint64_t sequence_doubt_ = 0;  ///< from this number on, sequence_base_ is not certain

    std::vector<Held> held_;
    Picoseconds evidence_since_ = 0;  ///< when the wait for evidence began, or a retry was last heard of
    std::uint64_t superseded_ = 0;    ///< blocks whose copy has not come
    std::uint64_t replay_copies_ = 0;
    Picoseconds disturbed_at_ = 0;  ///< last moment that could have delayed the words of a message
    Picoseconds active_at_ = 0;     ///< when the sender last sent anything but idle blocks
    unsigned idle_run_ = 0;         ///< idle blocks seen in a row

    Stream stream_;
    std::optional<std::uint8_t> own_tx_seq_;      ///< from this stream's SYNC blocks in a retry
    std::optional<std::uint8_t> partner_rx_seq_;  ///< from the partner's SYNC blocks in a retry
    std::uint8_t sequence_base_ = 0;              ///< sequence number of block i is sequence_base_ + i
    std::uint8_t last_request_ = 0;               ///< of the handshake going on: request and ack
    bool partner_is_behind_ = true;               ///< its RxSEQ never ran ahead of what was seen here
    bool in_handshake_ = false;                   ///< the last block was a SYNC
    bool in_init_ = false;
    bool in_retry_ = false;
    bool retry_requested_ = false;
    bool traffic_seen_ = false;
    bool guess_replay_ = false;    ///< a replay begins, nobody said of how many blocks
    bool replay_guessed_ = false;  ///< its extent was guessed from the first copy
};

}  // namespace eciscope
