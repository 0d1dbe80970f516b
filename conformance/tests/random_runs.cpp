#include "random_runs.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace eciscope::conformance::tests {

namespace {

constexpr std::uint8_t all_sub_lines = 0xf;

std::uint64_t header_of(std::uint8_t vc, std::size_t opcode, bool has_mask, std::uint64_t aliased_cli,
                        std::uint8_t request_id, std::uint8_t forward_id) {
    eci::message m = eci::decode(vc, std::uint64_t{opcode} << opcode_field.shift);
    const std::uint8_t mask = has_mask ? all_sub_lines : 0;
    switch (eci::class_of_vc(vc)) {
        case eci::message_class::MREQ:
            m.Mreq.Mreq_line.aliased_cli = aliased_cli;
            m.Mreq.Mreq_line.rreq_id = request_id;
            m.Mreq.Mreq_line.dmask = all_sub_lines;
            break;
        case eci::message_class::MFWD:
            m.Mfwd.Mfwd_line.aliased_cli = aliased_cli;
            m.Mfwd.Mfwd_line.hreq_id = forward_id;
            m.Mfwd.Mfwd_line.dmask = all_sub_lines;
            break;
        default: {
            // The three shapes of responses have line and mask in the same places, and one id or another.
            const bool is_grant = eci::sent_by_home(m);
            const bool is_ack = !is_grant && eci::closes(m).has_value();
            if (is_grant) {
                m.Mrsp.Mrsp_grant.aliased_cli = aliased_cli;
                m.Mrsp.Mrsp_grant.rreq_id = request_id;
                m.Mrsp.Mrsp_grant.dmask = mask;
            } else if (is_ack) {
                m.Mrsp.Mrsp_ack.aliased_cli = aliased_cli;
                m.Mrsp.Mrsp_ack.hreq_id = forward_id;
                m.Mrsp.Mrsp_ack.dmask = mask;
            } else {
                m.Mrsp.Mrsp_victim.aliased_cli = aliased_cli;
                m.Mrsp.Mrsp_victim.dmask = mask;
            }
        }
    }
    return eci::encode(m);
}

}  // namespace

Model::Model(const Profile& profile, Tap tap)
    : profile_(profile),
      machines_(profile.machines()),
      graph_(model::explore(machines_, static_cast<model::Tap>(tap)).graph),
      runs_(graph_.edges) {
    leave_out_the_unspeakable();
}

/// Of some steps (a voluntary move from exclusive to shared) no message is known: runs go without.
void Model::leave_out_the_unspeakable() {
    StepSet speakable = 0;
    for (const Symbol& symbol : profile_.symbols) {
        speakable |= symbol.steps;
    }
    const auto has_unspeakable = [&](const std::vector<model::StepId>& bag) {
        return std::any_of(bag.begin(), bag.end(),
                           [&](model::StepId step) { return (speakable >> model::step_of(step) & 1U) == 0; });
    };
    for (auto& edges : runs_) {
        std::erase_if(edges, [&](const model::Edge& edge) {
            const model::Configuration& to = graph_.configurations[edge.to];
            return has_unspeakable(to.queued) || has_unspeakable(to.in_flight) ||
                   (edge.seen != model::silent && (speakable >> edge.seen & 1U) == 0);
        });
    }
}

/// A message that can mean the step, on a circuit of the right kind and parity.
Message Model::message(model::StepId step, const Line& line, const Ids& ids, Random& random) const {
    std::vector<Message> candidates;
    const std::uint8_t from = machines_.from_home[step] ? line.home : 1 - line.home;
    for (std::uint8_t vc = 0; vc < vc_count; ++vc) {
        for (std::size_t opcode = 0; opcode < opcode_count; ++opcode) {
            const bool has_data = machines_.brings_data[step];
            Message candidate{vc, from, 0};
            const SymbolNumber symbol = profile_.meanings[vc * opcode_count + opcode][has_data ? 1 : 0];
            if (symbol == no_symbol || (profile_.symbols[symbol].steps >> step & 1U) == 0) {
                continue;
            }
            candidate.header = header_of(vc, opcode, has_data, line.aliased_cli, ids.request, ids.forward);
            const eci::message decoded = eci::decode(vc, candidate.header);
            if (eci::vc_parity_fits(vc, decoded) && eci::vc_kind_fits(vc, decoded)) {
                candidates.push_back(candidate);
            }
        }
    }
    return candidates.at(random() % candidates.size());
}

Line Model::run(std::uint64_t aliased_cli, std::uint8_t home, std::size_t length, Random& random) const {
    Line line{aliased_cli, home, {}, {}};
    std::size_t at = 0;
    Ids ids;
    Message forward;
    while (line.messages.size() < length) {
        const auto& edges = runs_[at];
        const model::Edge& edge = edges.at(random() % edges.size());
        at = edge.to;
        if (edge.seen == model::silent) {
            if (!line.configurations.empty()) {
                line.configurations.back().push_back(at);
            }
            continue;
        }
        const model::StepKind kind = machines_.kinds[edge.seen];
        if (kind == model::StepKind::request) {
            ids.request = static_cast<std::uint8_t>(random() % 32);
        } else if (kind == model::StepKind::forward) {
            ids.forward = static_cast<std::uint8_t>(random() % 64);
        }
        Message next = message(edge.seen, line, ids, random);
        // An answer must be of a kind that the forward allows.
        while (kind == model::StepKind::answer &&
               !eci::answers(eci::decode(next.vc, next.header), eci::decode(forward.vc, forward.header))) {
            next = message(edge.seen, line, ids, random);
        }
        forward = kind == model::StepKind::forward ? next : forward;
        line.messages.push_back(next);
        line.configurations.push_back({at});
    }
    return line;
}

StepSet Model::meaning(const Message& message) const {
    const eci::message decoded = eci::decode(message.vc, message.header);
    const std::size_t opcode = opcode_field.of(message.header);
    const SymbolNumber symbol =
        profile_.meanings[message.vc * opcode_count + opcode][eci::mrsp_dmask(message.header) != 0 ? 1 : 0];
    return symbol == no_symbol || !eci::line_of(decoded) ? 0 : profile_.symbols[symbol].steps;
}

void Model::close(Subset& subset) const {
    std::vector<std::size_t> work;
    for (std::size_t c = 0; c < subset.size(); ++c) {
        if (subset[c]) {
            work.push_back(c);
        }
    }
    while (!work.empty()) {
        const std::size_t c = work.back();
        work.pop_back();
        for (const model::Edge& edge : graph_.edges[c]) {
            if (edge.seen == model::silent && !subset[edge.to]) {
                subset[edge.to] = true;
                work.push_back(edge.to);
            }
        }
    }
}

std::optional<Model::Subset> Model::after(const Subset& subset, StepSet steps) const {
    Subset next(subset.size());
    bool any = false;
    for (std::size_t c = 0; c < subset.size(); ++c) {
        for (const model::Edge& edge : graph_.edges[c]) {
            if (subset[c] && edge.seen != model::silent && (steps >> edge.seen & 1U) != 0) {
                next[edge.to] = true;
                any = true;
            }
        }
    }
    return any ? std::optional(next) : std::nullopt;
}

std::optional<std::size_t> Model::first_bad(const Line& line) const {
    Subset subset(graph_.configurations.size());
    subset[0] = true;
    std::optional<Message> request;
    std::optional<Message> forward;
    for (std::size_t i = 0; i < line.messages.size(); ++i) {
        const Message& message = line.messages[i];
        const eci::message decoded = eci::decode(message.vc, message.header);
        close(subset);
        const auto next = after(subset, meaning(message));
        if (!next || !eci::vc_parity_fits(message.vc, decoded) || !eci::vc_kind_fits(message.vc, decoded)) {
            return i;
        }
        subset = *next;
        std::optional<Message>& open =
            eci::sent_by_home(decoded) == eci::closes(decoded).has_value() ? request : forward;
        if (eci::closes(decoded)) {
            const eci::message asked = eci::decode(open->vc, open->header);
            if (!eci::answers(decoded, asked) || !eci::brings_what_was_asked(decoded, asked)) {
                return i;
            }
            open.reset();
        } else if (eci::opens(decoded)) {
            open = message;
        }
    }
    return std::nullopt;
}

TraceBatch interleaved(const std::vector<Line>& lines, Random& random) {
    std::vector<std::size_t> turns;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        turns.insert(turns.end(), lines[i].messages.size(), i);
    }
    std::shuffle(turns.begin(), turns.end(), random);
    std::vector<std::size_t> next(lines.size());
    TraceBatch batch;
    for (std::size_t stream = 0; stream < stream_count; ++stream) {
        Event up;
        up.kind = EventKind::link_up;
        up.detail = 1;
        up.stream = Stream::of_index(stream);
        batch.events.push_back(up);
    }
    for (const std::size_t line : turns) {
        const Message& message = lines[line].messages[next[line]++];
        MessageHead head;
        head.first = static_cast<Picoseconds>(batch.messages.size() + 1) * 1000;
        head.last = head.first;
        head.word_offset = static_cast<std::uint32_t>(batch.words.size());
        head.word_count = 1;
        head.vc = message.vc;
        head.stream = {static_cast<std::uint8_t>(random() % link_count), message.from};
        batch.words.push_back(message.header);
        batch.messages.push_back(head);
    }
    return batch;
}

}  // namespace eciscope::conformance::tests
