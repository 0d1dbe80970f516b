#include "eciscope/capture/merge.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "held_record.hpp"
#include "report.hpp"

namespace eciscope::capture {

namespace {

using Kind = DiagnosticKind;

constexpr Picoseconds never = std::numeric_limits<Picoseconds>::max();
constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
constexpr std::int64_t nanoseconds_per_day = 86'400 * nanoseconds_per_second;
/// Together less than the 106 days that Picoseconds can hold, so that differences of two times can be computed too.
constexpr std::int64_t most_after_first = 96 * nanoseconds_per_day;
constexpr std::int64_t most_before_first = 10 * nanoseconds_per_day;
/// A capture is taken to be in order of record time when so many records in a row, from the beginning, were, while so
/// many of them ended before another that came earlier: in order of arrival they would not.
constexpr std::uint64_t proof_records = 64;
constexpr std::uint64_t proof_ends = 8;

}  // namespace

Merger::Merger(BlockSink& sink, Diagnostics& diagnostics, Accounts& accounts)
    : sink_(sink), diagnostics_(diagnostics), accounts_(accounts), batch_(merge_batch) {}

Merger::~Merger() = default;

std::optional<TimeBase> Merger::base() const {
    if (!base_known_) {
        return std::nullopt;
    }
    return TimeBase{*provisional_second_ + shift_ / picoseconds_per_second};
}

bool Merger::push(const Record& record) {
    if (stopped_) {
        return false;
    }
    ++accounts_.records;
    accounts_.blocks_read += record.count();
    if (suspect_) {
        settle_suspect(record);
    }
    if (const std::optional<Picoseconds> time = relative_time(record)) {
        accept(record, *time);
    } else if (!base_known_ && held_count_ == 1) {
        suspect_entries_.assign(record.entries.begin(), record.entries.end());
        suspect_ = record;
        suspect_->entries = suspect_entries_;
    } else {
        refuse(record);
    }
    return !stopped_;
}

void Merger::accept(const Record& record, Picoseconds time) {
    const std::size_t count = record.count();
    const Picoseconds end = count == 0 ? time : time + load_le32(record.entries.data() + (count - 1) * entry_bytes);
    StreamState& stream = streams_[record.stream.index()];
    advance(record, time, end);
    const Arrival arrival = stream.tracker.classify(record.sequence, time);
    switch (arrival) {
        case Arrival::duplicate:
        case Arrival::late:
            drop(record, arrival);
            return;
        case Arrival::restart:
            begin_again(record, time);
            insert_waiting(stream, hold(record, time));
            break;
        case Arrival::ahead:
            if (Held* held = hold(record, time); !insert_waiting(stream, held)) {
                give_back(held);
                drop(record, Arrival::duplicate);
                return;
            }
            if (stream.waiting_count > most_waiting_records) {
                give_up_gap(stream);
            }
            break;
        case Arrival::next:
            follow_clock(stream, time, end);
            make_ready(stream, hold(record, time));
            release_followers(stream);
            break;
    }
    if (record.lost_before != 0) {
        report(diagnostics_, Kind::blocks_lost, record.where, record.stream, [&] {
            const bool known = record.lost_before != BlockItem::unknown_count;
            return known ? std::to_string(record.lost_before) + " blocks" : std::string("an unknown number of blocks");
        });
    }
    drain();
}

bool Merger::boundary() {
    give_up_suspect();
    flush_all();
    for (StreamState& stream : streams_) {
        stream.tracker.reset();
    }
    restart_due_ |= any_seen_;
    any_seen_ = false;
    clock_set_ = false;
    records_seen_ = 0;
    ends_out_of_order_ = 0;
    order_of_time_excluded_ = false;
    return !stopped_;
}

bool Merger::finish() {
    give_up_suspect();
    flush_all();
    flush_batch();
    count_undelivered();
    for (std::size_t i = 0; i < stream_count; ++i) {
        if (streams_[i].records > 1 && streams_[i].all_usual) {
            sink_.may_go_on(Stream::of_index(i));
        }
    }
    return !stopped_;
}

/// Time from the provisional base, which is the second of the record that comes first.
std::optional<Picoseconds> Merger::relative_time(const Record& record) {
    if (record.time_ns > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return std::nullopt;
    }
    const auto time_ns = static_cast<std::int64_t>(record.time_ns);
    if (!provisional_second_) {
        provisional_second_ = time_ns / nanoseconds_per_second;
    }
    const std::int64_t relative = time_ns - *provisional_second_ * nanoseconds_per_second;
    if (relative > most_after_first || relative < -most_before_first) {
        return std::nullopt;
    }
    return relative * picoseconds_per_nanosecond;
}

void Merger::refuse(const Record& record) {
    report(diagnostics_, Kind::time_out_of_range, record.where, record.stream,
           [&] { return std::to_string(record.time_ns) + " ns"; });
    accounts_.blocks_refused += record.count();
    accounts_.bytes_damaged += record.input_bytes;
}

void Merger::give_up_suspect() {
    if (suspect_) {
        refuse(*std::exchange(suspect_, std::nullopt));
    }
}

/// The first record's time may itself be the damaged one. When the second lies beyond all bounds of it, the third
/// decides.
void Merger::settle_suspect(const Record& third) {
    const Record suspect = *std::exchange(suspect_, std::nullopt);
    const std::optional<std::int64_t> first_second = provisional_second_;
    if (relative_time(third)) {
        refuse(suspect);
        return;
    }
    provisional_second_.reset();
    const std::optional<Picoseconds> suspect_time = relative_time(suspect);
    if (!suspect_time || !relative_time(third)) {
        provisional_second_ = first_second;
        refuse(suspect);
        return;
    }
    const auto alone = std::find_if(streams_.begin(), streams_.end(),
                                    [](const StreamState& stream) { return stream.waiting != nullptr; });
    if (alone != streams_.end()) {
        Held* held = take_waiting(*alone);
        report(diagnostics_, Kind::time_out_of_range, held->where, held->stream,
               [] { return std::string("the records that follow lie elsewhere"); });
        accounts_.blocks_refused += held->count;
        accounts_.bytes_damaged += held->input_bytes;
        give_back(held);
    }
    any_seen_ = false;
    accept(suspect, *suspect_time);
}

Merger::Held* Merger::take_slot() {
    if (free_ == nullptr && slots_.size() >= most_held_records) {
        relieve_memory();
    }
    if (free_ == nullptr) {
        slots_.emplace_back(new Held);  // entries stay uninitialised: they are written before they are read
        slots_.back()->next = nullptr;
        free_ = slots_.back().get();
    }
    Held* held = free_;
    free_ = held->next;
    ++held_count_;
    return held;
}

void Merger::give_back(Held* held) {
    held->next = free_;
    free_ = held;
    --held_count_;
}

Merger::Held* Merger::hold(const Record& record, Picoseconds time) {
    Held* held = take_slot();
    held->next = nullptr;
    held->time = time;
    held->lost_before = record.lost_before;
    held->lost_after = record.lost_after;
    held->where = record.where;
    held->input_bytes = record.input_bytes;
    held->sequence = record.sequence;
    held->count = static_cast<std::uint32_t>(std::min(record.count(), most_blocks));
    held->cursor = 0;
    held->stream = record.stream;
    held->crc_present = record.crc_present;
    std::copy_n(record.entries.begin(), held->count * entry_bytes, held->entries.begin());
    return held;
}

void Merger::make_ready(StreamState& stream, Held* held) {
    accounts_.bytes_records += held->input_bytes;
    if (const Picoseconds back = stream.tracker.newest() - held->time; stream.tracker.started() && back > 0) {
        report(diagnostics_, Kind::record_time_backwards, held->where, held->stream,
               [&] { return std::to_string(back) + " ps back"; });
    }
    stream.tracker.pass(held->sequence, held->time);
    stream.usual_count = stream.records == 0 ? held->count : stream.usual_count;
    stream.all_usual = stream.all_usual && held->count == stream.usual_count;
    ++stream.records;
    held->next = nullptr;
    if (stream.first == nullptr) {
        stream.first = held;
        stream.head = held->due();
    } else {
        stream.last->next = held;
    }
    stream.last = held;
}

/// Puts a record in its place among those that wait; false if it waits there already.
bool Merger::insert_waiting(StreamState& stream, Held* held) {
    Held** place = &stream.waiting;
    while (*place != nullptr && sequence_distance((*place)->sequence, held->sequence) > 0) {
        place = &(*place)->next;
    }
    if (*place != nullptr && (*place)->sequence == held->sequence && (*place)->time == held->time) {
        return false;
    }
    held->next = *place;
    *place = held;
    ++stream.waiting_count;
    return true;
}

/// The first record that waits for a missing number, taken out.
Merger::Held* Merger::take_waiting(StreamState& stream) {
    Held* held = stream.waiting;
    stream.waiting = held->next;
    --stream.waiting_count;
    return held;
}

void Merger::release_followers(StreamState& stream) {
    while (stream.waiting != nullptr && stream.tracker.distance_to(stream.waiting->sequence) <= 0) {
        Held* held = take_waiting(stream);
        if (stream.tracker.distance_to(held->sequence) == 0) {
            make_ready(stream, held);
            continue;
        }
        // Two records with one number and different times waited here; the first in line has won.
        report(diagnostics_, Kind::record_too_late, held->where, held->stream,
               [&] { return "number " + std::to_string(held->sequence) + " came twice with different times"; });
        accounts_.blocks_late += held->count;
        accounts_.bytes_late += held->input_bytes;
        give_back(held);
    }
}

/// The missing numbers before the first record that waits will not come any more.
void Merger::give_up_gap(StreamState& stream) {
    Held* held = take_waiting(stream);
    const std::int32_t missing = stream.tracker.started() ? stream.tracker.distance_to(held->sequence) : 0;
    if (missing > 0) {
        accounts_.records_missing += static_cast<std::uint32_t>(missing);
        report(diagnostics_, Kind::records_missing, held->where, held->stream,
               [&] { return std::to_string(missing) + " before number " + std::to_string(held->sequence); });
        held->lost_before = held->lost_before == 0 ? BlockItem::unknown_count : held->lost_before;
    }
    make_ready(stream, held);
    release_followers(stream);
}

void Merger::advance(const Record& record, Picoseconds start, Picoseconds end) {
    if (!any_seen_) {
        any_seen_ = true;
        youngest_start_ = start;
        youngest_end_ = end;
    }
    order_of_time_excluded_ |= record.may_be_late || start < youngest_start_;
    ++records_seen_;
    ends_out_of_order_ += end < youngest_end_ ? 1U : 0U;
    youngest_start_ = std::max(youngest_start_, start);
    youngest_end_ = std::max(youngest_end_, end);
    resolve_gaps();
}

/// No block older than this is expected any more.
Picoseconds Merger::watermark() const {
    const bool in_order_of_time =
        !order_of_time_excluded_ && records_seen_ >= proof_records && ends_out_of_order_ >= proof_ends;
    return in_order_of_time ? youngest_start_ : youngest_end_ - merge_wait;
}

void Merger::resolve_gaps() {
    const Picoseconds limit = watermark();
    for (StreamState& stream : streams_) {
        while (stream.waiting != nullptr && stream.waiting->time < limit) {
            give_up_gap(stream);
        }
    }
}

void Merger::flush_all() {
    for (StreamState& stream : streams_) {
        while (stream.waiting != nullptr) {
            give_up_gap(stream);
        }
    }
    emit_until(never);
}

void Merger::begin_again(const Record& record, Picoseconds time) {
    const Picoseconds back = streams_[record.stream.index()].tracker.newest() - time;
    report(diagnostics_, Kind::interposer_restarted, record.where, record.stream,
           [&] { return "at sequence number " + std::to_string(record.sequence); });
    if (back > 0) {
        report(diagnostics_, Kind::record_time_backwards, record.where, record.stream,
               [&] { return std::to_string(back) + " ps back"; });
    }
    boundary();
    any_seen_ = true;
    restart_due_ = true;
    youngest_start_ = time;
    youngest_end_ = time;
}

void Merger::drop(const Record& record, Arrival arrival) {
    const auto detail = [&] { return "number " + std::to_string(record.sequence); };
    if (arrival == Arrival::duplicate) {
        report(diagnostics_, Kind::record_duplicate, record.where, record.stream, detail);
        accounts_.blocks_duplicate += record.count();
        accounts_.bytes_duplicate += record.input_bytes;
    } else {
        report(diagnostics_, Kind::record_too_late, record.where, record.stream, detail);
        accounts_.blocks_late += record.count();
        accounts_.bytes_late += record.input_bytes;
    }
}

/// Numbers that follow each other with times that do not: the clock was set back, or one of the times was wrong. Either
/// way the time that counts from here on is this one.
void Merger::follow_clock(const StreamState& stream, Picoseconds time, Picoseconds end) {
    if (time < stream.tracker.newest() - merge_wait && time < watermark()) {
        flush_all();
        youngest_start_ = time;
        youngest_end_ = end;
        clock_set_ = false;
    }
}

}  // namespace eciscope::capture
