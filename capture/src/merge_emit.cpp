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

void Merger::drain() {
    const Picoseconds limit = watermark();
    while (emit_next(limit)) {
    }
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
    item.where = held.where;
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
        const std::uint16_t flags = load_le16(entry + 4);
        item.bytes = entry + entry_header_bytes;
        item.time = time - shift_;
        item.where.block = i;
        item.stream_begins = i == 0 && held.sequence == 0;
        item.crc_flagged = (flags & flag_crc) != 0;
        item.lane_flagged = (flags & flag_lane) != 0;
        accounts_.crc_flagged += flags & flag_crc;
        accounts_.lane_flagged += (flags & flag_lane) >> 1;
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
    stream.first = held.next;
    if (stream.first != nullptr) {
        stream.head = stream.first->due();
    }
    --held_count_;
    held.next = spent_;
    spent_ = &held;
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
        item.where = where;
        item.stream = Stream::of_index(i);
        put(item);
    }
}

void Merger::emit_lost(const Held& held, Picoseconds time, std::uint64_t count, std::uint32_t block) {
    BlockItem item;
    item.kind = BlockItemKind::lost;
    item.time = time - shift_;
    item.lost = count;
    item.where = held.where;
    item.where.block = block;
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
