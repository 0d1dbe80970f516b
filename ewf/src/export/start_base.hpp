// The base that an export shows: the second of its first time, so that it does not depend on the base in use before.
#pragma once

#include <algorithm>

#include "eciscope/decoder/message.hpp"
#include "export/digits.hpp"

namespace eciscope::ewf::detail {

/// The event that precedes every message of the batch, or none.
inline const Event* leading_event(const TraceBatch& batch) {
    const bool leads = !batch.events.empty() && (batch.messages.empty() || batch.events.front().before == 0);
    return leads ? batch.events.data() : nullptr;
}

/// `batch` is the first of the trace that is not empty. An unusable base is given back as it is.
inline TimeBase start_base(TimeBase base, const TraceBatch& batch) {
    const Event* event = leading_event(batch);
    const Picoseconds first = event != nullptr ? event->time : batch.messages.front().first;
    return usable(base) ? TimeBase{base.unix_seconds + split(first).seconds} : base;
}

}  // namespace eciscope::ewf::detail
