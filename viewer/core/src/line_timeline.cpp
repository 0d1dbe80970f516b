#include "line_timeline.hpp"

#include <algorithm>
#include <limits>

#include "exchanges.hpp"

namespace eciscope::view {

namespace {

Event event_of(const FindingRecord& record) {
    Event event;
    event.time = record.time;
    event.kind = static_cast<EventKind>(record.code);
    event.count = record.count;
    event.detail = record.detail;
    event.stream = Stream::of_index(record.stream % stream_count);
    event.vc = record.vc;
    return event;
}

bool is_power_on(const FindingRecord& record) {
    return record.kind == FindingKind::event && record.code == static_cast<std::uint8_t>(EventKind::link_up) &&
           record.number == 0 && record.detail == 1;
}

/// What tells that messages may be missing, in order of the trace.
struct Break {
    std::uint64_t number = 0;  ///< of the message that follows
    Picoseconds time = 0;
    const FindingRecord* record = nullptr;  ///< none: a stream begins of which the power-on was not seen
};

std::vector<Break> breaks_of(const Index& index) {
    std::vector<Break> breaks;
    std::array<bool, stream_count> from_power_on{};
    for (const FindingRecord& record : index.findings()) {
        if (is_power_on(record)) {
            from_power_on[record.stream % stream_count] = true;
        } else if (record.kind == FindingKind::event || record.kind == FindingKind::damaged_chunk) {
            breaks.push_back({record.number, record.time, &record});
        }
    }
    for (std::size_t i = 0; i < stream_count; ++i) {
        const CheckpointsEntry& stream = index.parts().directory.streams[i];
        if (stream.messages != 0 && !from_power_on[i]) {
            const auto& times = index.checkpoints(Stream::of_index(i)).times;
            breaks.push_back({stream.first_number, times.empty() ? 0 : times.front(), nullptr});
        }
    }
    std::stable_sort(breaks.begin(), breaks.end(), [](const Break& a, const Break& b) { return a.number < b.number; });
    return breaks;
}

void apply(const Break& at, conformance::LineStates& states) {
    const bool is_event = at.record != nullptr && at.record->kind == FindingKind::event;
    if (!is_event || at.record->code == static_cast<std::uint8_t>(EventKind::link_up)) {
        states.lost();
        return;
    }
    states.take(event_of(*at.record));
}

}  // namespace

LineTimeline::LineTimeline(ewf::Line line, std::shared_ptr<const Hits> hits, const TraceModel& model,
                           conformance::LineStates& states)
    : line_(line), hits_(std::move(hits)) {
    for (const NearMessage& message : messages()) {
        times_.push_back(times_.empty() ? message.head.last : std::max(times_.back(), message.head.last));
        const Worst found =
            model.findings != nullptr ? model.findings->worst_of_message(message.number) : Worst::nothing;
        worst_.push_back(std::max(found, Worst::messages));
    }
    match();
    follow(model, states);
}

void LineTimeline::match() {
    Exchanges exchanges;
    answers_.assign(messages().size(), none);
    for (std::size_t i = 0; i < messages().size(); ++i) {
        const NearMessage& message = messages()[i];
        if (const auto request = exchanges.take(message.head, message.header, i)) {
            answers_[request->number] = static_cast<std::uint32_t>(i);
        }
    }
}

void LineTimeline::follow(const TraceModel& model, conformance::LineStates& states) {
    constexpr Picoseconds beginning = std::numeric_limits<Picoseconds>::min();
    const std::vector<Break> breaks = model.index != nullptr ? breaks_of(*model.index) : std::vector<Break>();
    states.begin(model.index != nullptr);  // a stream that was joined midway makes it unknown at once
    changes_.push_back({beginning, &states.now()});
    const auto note = [&](Picoseconds time) {
        if (changes_.back().after != &states.now()) {
            changes_.push_back({std::max(time, changes_.back().time), &states.now()});
        }
    };
    auto next = breaks.begin();
    for (std::size_t i = 0; i < messages().size(); ++i) {
        const NearMessage& message = messages()[i];
        for (; next != breaks.end() && next->number <= message.number; ++next) {
            apply(*next, states);
            note(next->number == 0 ? beginning : next->time);
        }
        states.take(message.head, message.header);
        note(times_[i]);
    }
    for (; next != breaks.end() && !hits_->truncated; ++next) {
        apply(*next, states);
        note(next->time);
    }
    if (hits_->truncated) {
        states.lost();
        note(times_.empty() ? 0 : times_.back());
    }
}

}  // namespace eciscope::view
