#include "trace_facts.hpp"

#include <algorithm>
#include <eciscope/spec/eci.hpp>

#include "names.hpp"

namespace eciscope::cli {

bool TraceFacts::batch(const TraceBatch& batch) {
    for (const MessageHead& message : batch.messages) {
        count(batch, message);
    }
    for (const Event& event : batch.events) {
        count(event);
    }
    return true;
}

void TraceFacts::extend(Picoseconds first, Picoseconds last) {
    first_ = started_ ? std::min(first_, first) : first;
    last_ = started_ ? std::max(last_, last) : last;
    started_ = true;
}

void TraceFacts::count(const TraceBatch& batch, const MessageHead& message) {
    const std::uint64_t header = batch.words[message.word_offset];
    const std::size_t vc = message.vc % vc_count;
    extend(message.first, message.last);
    ++messages_;
    words_ += message.word_count;
    ++by_vc_[vc];
    ++links_[message.stream.index()].messages;
    if (eci::class_of_vc(message.vc) == eci::message_class::MXC) {
        ++others_[{class_name(message.vc), op_name(message.vc, header)}];
    } else {
        const std::size_t opcode = eci::opcode_of(header) % 32;
        ++by_opcode_[vc][opcode];
        example_[vc][opcode] = header;
    }
    if (const auto line = line_of(message.stream, message.vc, header)) {
        lines_.add(key_of(line->home, line->aliased_cli));
    }
}

void TraceFacts::count(const Event& event) {
    extend(event.time, event.time);
    ++events_;
    ++by_event_[std::min(static_cast<std::size_t>(event.kind), last_event_kind)];
    LinkState& link = links_[event.stream.index()];
    switch (event.kind) {
        case EventKind::lost:
            link.lost_blocks += event.count == Event::unknown_count ? 0 : event.count;
            link.unknown_losses += event.count == Event::unknown_count ? 1 : 0;
            break;
        case EventKind::damaged:
            ++link.damaged_blocks;
            break;
        case EventKind::discarded:
            words_discarded_ += event.count;
            break;
        case EventKind::retry:
            ++link.retries;
            break;
        case EventKind::replayed:
            link.replayed_blocks += event.count;
            break;
        case EventKind::link_up:
            ++link.ups;
            link.state = event.detail == 1 ? LinkState::State::up_from_power_on : LinkState::State::up;
            link.since = event.time;
            break;
        case EventKind::link_down:
            link.state = LinkState::State::down;
            link.since = event.time;
            break;
        case EventKind::restarted:
            ++link.restarts;
            link.state = LinkState::State::unknown;
            break;
        case EventKind::handshake:
        case EventKind::capture_ends:
            break;
    }
}

std::map<TraceFacts::Operation, std::uint64_t> TraceFacts::by_operation() const {
    std::map<Operation, std::uint64_t> counts = others_;
    for (std::size_t vc = 0; vc < vc_count; ++vc) {
        const auto circuit = static_cast<std::uint8_t>(vc);
        for (std::size_t opcode = 0; opcode < by_opcode_[vc].size(); ++opcode) {
            if (by_opcode_[vc][opcode] != 0) {
                counts[{class_name(circuit), op_name(circuit, example_[vc][opcode])}] += by_opcode_[vc][opcode];
            }
        }
    }
    return counts;
}

}  // namespace eciscope::cli
