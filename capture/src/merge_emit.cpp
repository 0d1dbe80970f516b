// The merger's way out: which stream is next, and batches of items to the sink.

#include <algorithm>
#include <limits>
#include <string>

#include "eciscope/capture/merge.hpp"
#include "held_record.hpp"
#include "report.hpp"

namespace eciscope::capture {

namespace {

using Kind = DiagnosticKind;

constexpr Picoseconds never = std::numeric_limits<Picoseconds>::max();
constexpr std::uint16_t flag_crc = 1;
constexpr std::uint16_t flag_lane = 2;

Picoseconds whole_seconds(Picoseconds time) {
    const Picoseconds rest = time % picoseconds_per_second;
    return time - rest - (rest < 0 ? picoseconds_per_second : 0);
}

}  // namespace

/// Hands over the next run of one stream: up to the next item of another, or up to `silent_limit` while a stream has
/// nothing at hand. False if nothing could go.
bool Merger::emit_next(Picoseconds silent_limit) {
    std::size_t best = stream_count;
    for (std::size_t i = 0; i < stream_count; ++i) {
        if (streams_[i].first != nullptr && (best == stream_count || streams_[i].head < streams_[best].head)) {
            best = i;
        }
    }
    if (best == stream_count || stopped_) {
        return false;
    }
    Picoseconds limit = never;
    for (std::size_t i = 0; i < stream_count; ++i) {
        if (i == best) {
            continue;
        }
        const Picoseconds other = streams_[i].first == nullptr ? silent_limit : streams_[i].head + (best < i ? 1 : 0);
        limit = std::min(limit, other);
    }
    if (streams_[best].head >= limit) {
        return false;
    }
    emit_record(best, limit);
    return true;
}

/// Hands over all that may go while streams without anything at hand are believed to be silent up to `silent_limit`.
void Merger::emit_until(Picoseconds silent_limit) {
    do {
        emit_blocks(silent_limit);
    } while (emit_next(silent_limit));
}

void Merger::drain() {
    emit_until(watermark());
}

/// One stream in the merge of blocks: where its next block lies.
struct Merger::Lane {
    const std::uint8_t* entry = nullptr;
    Picoseconds base = 0;  ///< of the record
    std::uint32_t cursor = 0;
    std::uint32_t last = 0;  ///< number of the record's last block
    BlockItem item;          ///< what is the same for all blocks of the record
};

/// All of them. What the choice of the next one depends on stands apart: that choice is what everything waits for.
struct Merger::Lanes {
    std::array<Picoseconds, stream_count> head{};       ///< time of the next block; never: not in this merge
    std::array<Picoseconds, stream_count> following{};  ///< time of the one after it, fetched before it is needed
    std::array<Lane, stream_count> lane;
};

/// The time up to which blocks may go without a look at this stream: never, when its next item is a block like any
/// other, which the lane then describes.
Picoseconds Merger::enter(const StreamState& stream, Picoseconds silent_limit, Lane& lane, Picoseconds& head,
                          Picoseconds& following) {
    head = never;
    if (stream.first == nullptr) {
        return silent_limit;
    }
    const Held& held = *stream.first;
    const bool begins = held.cursor == 0 && (held.lost_before != 0 || held.sequence == 0);
    if (begins || held.lost_after != 0 || held.cursor == held.count) {
        return stream.head;
    }
    lane.entry = held.entry(held.cursor);
    lane.base = held.time;
    lane.cursor = held.cursor;
    lane.last = held.count - 1;
    following = held.time_of(std::min(held.cursor + 1, lane.last));
    lane.item.record = &held.where;
    lane.item.stream = held.stream;
    lane.item.crc_present = held.crc_present;
    head = stream.head;
    return never;
}

/// The merge itself, for blocks with nothing special about them: hands over one after the other, whichever stream it is
/// of, until something else is due. Which stream is next is as good as random, so it is found without branches.
void Merger::emit_blocks(Picoseconds silent_limit) {
    static_assert(stream_count == 4);
    bool go_on = base_known_ && clock_set_ && !restart_due_;
    while (go_on && !stopped_) {
        Lanes lanes;
        Picoseconds limit = never;
        for (std::size_t i = 0; i < stream_count; ++i) {
            limit = std::min(limit, enter(streams_[i], silent_limit, lanes.lane[i], lanes.head[i], lanes.following[i]));
        }
        go_on = merge_lanes(lanes, limit);
        for (std::size_t i = 0; i < stream_count; ++i) {
            leave(streams_[i], lanes.lane[i], lanes.head[i]);
        }
    }
}

/// True if it stopped at the end of a record or of a batch and there may be more.
bool Merger::merge_lanes(Lanes& lanes, Picoseconds limit) {
    constexpr std::size_t prefetched = 4 * entry_bytes;
    auto& heads = lanes.head;
    const Picoseconds shift = shift_;
    Picoseconds clock = clock_;
    BlockItem* item = batch_.data() + batch_size_;
    BlockItem* const end = batch_.data() + merge_batch;
    bool record_ended = false;
    while (!record_ended && item != end) {
        const Picoseconds upper = std::min(heads[0], heads[1]);
        const Picoseconds lower = std::min(heads[2], heads[3]);
        const std::size_t in_upper = heads[1] < heads[0] ? 1 : 0;
        const std::size_t in_lower = heads[3] < heads[2] ? 3 : 2;
        const Picoseconds time = std::min(upper, lower);
        if (time >= limit || time < clock) {
            break;
        }
        const std::size_t next = lower < upper ? in_lower : in_upper;
        clock = time;
        heads[next] = lanes.following[next];
        Lane& lane = lanes.lane[next];
        const std::uint8_t* entry = lane.entry;
        __builtin_prefetch(entry + prefetched);
        *item = lane.item;
        item->bytes = entry + entry_header_bytes;
        item->time = time - shift;
        item->block = static_cast<std::uint8_t>(lane.cursor);
        if (const std::uint16_t flags = load_le16(entry + 4); flags != 0) {
            set_flags(*item, flags);
        }
        ++item;
        record_ended = lane.cursor == lane.last;
        ++lane.cursor;
        lane.entry = entry + entry_bytes;
        const std::size_t ahead = lane.cursor < lane.last ? 2 * entry_bytes : 0;
        lanes.following[next] = lane.base + load_le32(entry + ahead);
    }
    clock_ = clock;
    batch_size_ = static_cast<std::size_t>(item - batch_.data());
    if (item == end) {
        flush_batch();
        return !stopped_;
    }
    return record_ended;
}

/// Takes down how far a lane has come.
void Merger::leave(StreamState& stream, const Lane& lane, Picoseconds head) {
    if (lane.item.record == nullptr || lane.cursor == stream.first->cursor) {
        return;
    }
    Held& held = *stream.first;
    accounts_.blocks_delivered += lane.cursor - held.cursor;
    stream.emitted = held.time_of(lane.cursor - 1);
    held.cursor = lane.cursor;
    if (lane.cursor > lane.last) {
        finish_record(stream);
    } else {
        stream.head = head;
    }
}

void Merger::set_flags(BlockItem& item, std::uint16_t flags) {
    item.crc_flagged = (flags & flag_crc) != 0;
    item.lane_flagged = (flags & flag_lane) != 0;
    accounts_.crc_flagged += flags & flag_crc;
    accounts_.lane_flagged += (flags & flag_lane) >> 1;
}

/// All blocks of the stream's first record are handed over.
void Merger::finish_record(StreamState& stream) {
    Held& held = *stream.first;
    stream.first = held.next;
    if (stream.first != nullptr) {
        stream.head = stream.first->due();
    }
    --held_count_;
    held.next = spent_;
    spent_ = &held;
}

/// Every slot is taken because a silent stream holds the others up: it is not waited for until a quarter is free.
void Merger::relieve_memory() {
    flush_batch();
    if (free_ != nullptr) {
        return;
    }
    Position where;
    for (const StreamState& stream : streams_) {
        where = stream.first == nullptr ? where : stream.first->where;
    }
    report(diagnostics_, Kind::merge_memory_bound, where,
           [&] { return std::to_string(held_count_) + " records held"; });
    const std::size_t wanted = most_held_records - most_held_records / 4;
    while (held_count_ > wanted && emit_next(never)) {
    }
    flush_batch();
}

/// Hands over items of the stream's first record that are due before `limit`.
void Merger::emit_record(std::size_t index, Picoseconds limit) {
    StreamState& stream = streams_[index];
    Held& held = *stream.first;
    check_order(stream, held, stream.head);
    if (held.cursor == 0 && held.lost_before != 0) {
        emit_lost(held, held.time, held.lost_before, 0);
        held.lost_before = 0;
    }
    BlockItem item;
    item.record = &held.where;
    item.stream = held.stream;
    item.crc_present = held.crc_present;
    Picoseconds last = held.time;
    std::uint32_t i = held.cursor;
    for (; i < held.count; ++i) {
        const Picoseconds time = held.time_of(i);
        if (time >= limit || stopped_) {
            break;
        }
        const std::uint8_t* entry = held.entry(i);
        item.bytes = entry + entry_header_bytes;
        item.time = time - shift_;
        item.block = static_cast<std::uint8_t>(i);
        item.stream_begins = i == 0 && held.sequence == 0;
        set_flags(item, load_le16(entry + 4));
        last = time;
        put(item);
    }
    accounts_.blocks_delivered += i - held.cursor;
    held.cursor = i;
    stream.emitted = last;
    clock_ = std::max(clock_, last);
    if (i < held.count) {
        stream.head = held.due();
        return;
    }
    if (held.lost_after != 0) {
        emit_lost(held, last, held.lost_after, held.count);
    }
    finish_record(stream);
}

/// At the beginning of a run: settles what the first items of all depend on, and notes what comes out of order.
void Merger::check_order(StreamState& stream, const Held& held, Picoseconds time) {
    if (!base_known_) {
        base_known_ = true;
        shift_ = whole_seconds(time);
    }
    if (restart_due_) {
        restart_due_ = false;
        emit_restarts(time, held.where);
    }
    if (!clock_set_) {
        clock_set_ = true;
        clock_ = time;
        for (StreamState& each : streams_) {
            each.emitted = time;
        }
    }
    // A stream that goes back by itself has been reported as such.
    if (time < clock_ && time >= stream.emitted) {
        const Picoseconds behind = clock_ - time;
        report(diagnostics_, Kind::merge_out_of_order, held.where, held.stream,
               [&] { return std::to_string(behind) + " ps behind another stream"; });
    }
}

void Merger::emit_restarts(Picoseconds time, const Position& where) {
    ++accounts_.restarts;
    for (std::size_t i = 0; i < stream_count; ++i) {
        BlockItem item;
        item.kind = BlockItemKind::restarted;
        item.time = time - shift_;
        item.record = &where;
        item.stream = Stream::of_index(i);
        put(item);
    }
}

void Merger::emit_lost(const Held& held, Picoseconds time, std::uint64_t count, std::uint32_t block) {
    BlockItem item;
    item.kind = BlockItemKind::lost;
    item.time = time - shift_;
    item.lost = count;
    item.record = &held.where;
    item.block = static_cast<std::uint8_t>(block);
    item.stream = held.stream;
    item.crc_present = held.crc_present;
    if (count == BlockItem::unknown_count) {
        ++accounts_.losses_unknown;
    } else {
        accounts_.blocks_lost_known += count;
    }
    put(item);
}

inline void Merger::put(const BlockItem& item) {
    batch_[batch_size_] = item;
    if (++batch_size_ == merge_batch) {
        flush_batch();
    }
}

void Merger::flush_batch() {
    if (batch_size_ != 0 && !stopped_) {
        stopped_ = !sink_.blocks({batch_.data(), batch_size_});
    }
    batch_size_ = 0;
    while (spent_ != nullptr) {
        Held* held = spent_;
        spent_ = held->next;
        held->next = free_;
        free_ = held;
    }
}

void Merger::count_undelivered() {
    for (const StreamState& stream : streams_) {
        for (const Held* held = stream.first; held != nullptr; held = held->next) {
            accounts_.blocks_undelivered += held->count - held->cursor;
        }
    }
}

}  // namespace eciscope::capture
