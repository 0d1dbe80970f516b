#include "eciscope/capture/order.hpp"

namespace eciscope::capture {

namespace {

/// A jump of at least so many numbers ahead, to a small one, is no loss but an old number beyond the middle of the
/// range from which the interposer began again.
constexpr std::int32_t great_jump = 1 << 20;
constexpr std::uint32_t small_number = 4096;

}  // namespace

Arrival SequenceTracker::classify(std::uint32_t sequence, Picoseconds time) const {
    if (!started_) {
        return Arrival::ahead;
    }
    const std::int32_t distance = sequence_distance(next_, sequence);
    if (distance == 0) {
        return Arrival::next;
    }
    if (distance > 0) {
        const bool wraps = sequence < next_;
        return distance >= great_jump && sequence < small_number && wraps ? Arrival::restart : Arrival::ahead;
    }
    const Seen& seen = seen_[sequence % remembered];
    if (seen.is_set && seen.sequence == sequence && seen.time == time) {
        return Arrival::duplicate;
    }
    if (time > newest_) {
        return Arrival::restart;
    }
    // A clock that was set back as well makes a restart look old, but by far more than a datagram can be late, and its
    // numbers were not just given up as missing.
    const bool was_missing = sequence_distance(first_, sequence) > 0 && -distance <= std::int32_t{remembered} &&
                             !(seen.is_set && seen.sequence == sequence);
    return was_missing || time >= newest_ - merge_wait ? Arrival::late : Arrival::restart;
}

void SequenceTracker::pass(std::uint32_t sequence, Picoseconds time) {
    first_ = started_ ? first_ : sequence;
    started_ = true;
    next_ = sequence + 1;
    newest_ = time;
    seen_[sequence % remembered] = {sequence, true, time};
}

}  // namespace eciscope::capture
