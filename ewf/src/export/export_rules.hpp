// What the exports ask of a trace before they write it, and the base that they show: the second of the first time, so
// that it does not depend on the base in use before.
#pragma once

#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/error.hpp"
#include "export/digits.hpp"
#include "export/json_names.hpp"

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

inline bool writable(const TraceBatch& batch, const MessageHead& message) {
    return message.vc < vc_slots && message.stream.from < node_count && message.stream.link < link_count &&
           message.word_count <= batch.words.size() && message.word_offset <= batch.words.size() - message.word_count;
}
inline Error unwritable_message() {
    return {ErrorCode::invalid_trace, "a message names a stream, circuit or words that do not exist", 0};
}

inline bool writable(const Event& event) {
    return event.stream.from < node_count && event.stream.link < link_count && event.kind <= last_event_kind &&
           (event.vc < vc_slots || event.vc == Event::no_vc);
}
inline Error unwritable_event() {
    return {ErrorCode::invalid_trace, "an event names a stream, circuit or kind that does not exist", 0};
}

}  // namespace eciscope::ewf::detail
