// Puts the records of each stream in order and merges the streams by time, within bounded memory.
//
// The rule: a record is in order of sequence number within its stream, whatever its time. Between streams the earlier
// block goes first; ties go by stream index, then position. A stream of which nothing is at hand holds the others up
// only until the youngest block seen is `merge_wait` ahead of them, and a missing sequence number is waited for just as
// long: by then its record has come or never will. A capture that proves to be in order of record time (as files
// written by a single program are) needs no waiting, since no older record can follow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "eciscope/capture/accounts.hpp"
#include "eciscope/capture/order.hpp"
#include "eciscope/capture/record.hpp"
#include "eciscope/decoder/block.hpp"
#include "eciscope/decoder/diagnostic.hpp"

namespace eciscope::capture {

inline constexpr std::size_t merge_batch = 128;          ///< items handed over at once
inline constexpr std::size_t most_held_records = 2048;   ///< 18 MB
inline constexpr std::size_t most_waiting_records = 64;  ///< a stream, behind a missing sequence number

class Merger {
 public:
    Merger(BlockSink& sink, Diagnostics& diagnostics, Accounts& accounts);
    Merger(const Merger&) = delete;
    Merger& operator=(const Merger&) = delete;
    ~Merger();

    /// Takes a record, copying its entries. False once the sink has asked to stop.
    bool push(const Record& record);
    /// Nothing that follows belongs together with what came before: everything held is handed over, every stream
    /// gets a `restarted` item before its next block, and sequence numbers begin anywhere.
    bool boundary();
    /// Hands over all that is held.
    bool finish();

    [[nodiscard]] bool stopped() const { return stopped_; }
    /// Known when the first items are handed over.
    [[nodiscard]] std::optional<TimeBase> base() const;

 private:
    struct Held;
    struct Lane;
    struct Lanes;
    struct StreamState {
        SequenceTracker tracker;
        Held* first = nullptr;  ///< ready, in order
        Held* last = nullptr;
        Held* waiting = nullptr;  ///< behind a missing number, in order of sequence
        std::size_t waiting_count = 0;
        std::size_t records = 0;
        std::size_t usual_count = 0;  ///< blocks of the first record
        bool all_usual = true;        ///< every record has as many
        Picoseconds head = 0;         ///< time of the next item, if `first`
        Picoseconds emitted = 0;      ///< time of the last item
    };

    std::optional<Picoseconds> relative_time(const Record& record);
    void accept(const Record& record, Picoseconds time);
    void refuse(const Record& record);
    void settle_suspect(const Record& third);
    void give_up_suspect();
    Held* hold(const Record& record, Picoseconds time);
    Held* take_slot();
    void give_back(Held* held);
    static Held* take_waiting(StreamState& stream);
    void make_ready(StreamState& stream, Held* held);
    bool insert_waiting(StreamState& stream, Held* held);
    void release_followers(StreamState& stream);
    void give_up_gap(StreamState& stream);
    void advance(const Record& record, Picoseconds start, Picoseconds end);
    void resolve_gaps();
    void flush_all();
    void begin_again(const Record& record, Picoseconds time);
    void drop(const Record& record, Arrival arrival);
    void follow_clock(const StreamState& stream, Picoseconds time, Picoseconds end);

    [[nodiscard]] Picoseconds watermark() const;
    void emit_until(Picoseconds silent_limit);
    void emit_blocks(Picoseconds silent_limit);
    static Picoseconds enter(const StreamState& stream, Picoseconds silent_limit, Lane& lane, Picoseconds& head,
                             Picoseconds& following);
    bool merge_lanes(Lanes& lanes, Picoseconds limit);
    void leave(StreamState& stream, const Lane& lane, Picoseconds head);
    void set_flags(BlockItem& item, std::uint16_t flags);
    void finish_record(StreamState& stream);
    bool emit_next(Picoseconds silent_limit);
    void drain();
    void relieve_memory();
    void emit_record(std::size_t index, Picoseconds limit);
    void emit_restarts(Picoseconds time, const Position& where);
    void emit_lost(const Held& held, Picoseconds time, std::uint64_t count, std::uint32_t block);
    void check_order(StreamState& stream, const Held& held, Picoseconds time);
    void put(const BlockItem& item);
    void flush_batch();
    void count_undelivered();

    BlockSink& sink_;
    Diagnostics& diagnostics_;
    Accounts& accounts_;

    std::array<StreamState, stream_count> streams_;
    std::vector<std::unique_ptr<Held>> slots_;
    Held* free_ = nullptr;
    Held* spent_ = nullptr;  ///< handed over in the current batch: free when the batch is out
    std::size_t held_count_ = 0;

    std::vector<BlockItem> batch_;
    std::size_t batch_size_ = 0;

    std::optional<Record> suspect_;  ///< the second record, while its time and that of the first exclude each other
    std::vector<std::uint8_t> suspect_entries_;

    std::optional<std::int64_t> provisional_second_;
    Picoseconds shift_ = 0;  ///< from the provisional base to the one handed out
    bool base_known_ = false;

    Picoseconds youngest_start_ = 0;
    Picoseconds youngest_end_ = 0;
    bool any_seen_ = false;
    std::uint64_t records_seen_ = 0;
    std::uint64_t ends_out_of_order_ = 0;  ///< records that ended before another that came earlier
    bool order_of_time_excluded_ = false;

    Picoseconds clock_ = 0;  ///< time of the youngest item handed over
    bool clock_set_ = false;
    bool restart_due_ = false;
    bool stopped_ = false;
};

}  // namespace eciscope::capture
