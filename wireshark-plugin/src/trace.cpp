#include "trace.hpp"

#include <string>

#include "wireshark.hpp"

namespace eciscope::shark {

namespace {

const char* kept(const std::string& text) {
    return wmem_strdup(wmem_file_scope(), text.c_str());
}

std::string joined(const std::vector<std::string>& parts, std::size_t all) {
    std::string text;
    for (const std::string& part : parts) {
        text += (text.empty() ? "" : " | ") + part;
    }
    return all > parts.size() ? text + " | …" : text;
}

conformance::CheckOptions options_of_viewer() {
    conformance::CheckOptions options;
    options.remembered = std::size_t{1} << 16;
    options.most_explained = 1000;
    return options;
}

}  // namespace

Trace::Trace(bool check)
    : checker_(check ? std::make_unique<conformance::Checker>(options_of_viewer(), *this) : nullptr),
      states_(check ? std::make_unique<conformance::LineStates>(*options_of_viewer().profile, options_of_viewer().tap)
                    : nullptr) {}

Trace::~Trace() = default;

void Trace::add(const MessageHead& head, std::uint64_t header, MessageFacts* facts) {
    if (pending_.messages.size() >= most_pending) {
        catch_up();
    }
    pending_.messages.push_back(head);
    pending_.messages.back().word_offset = static_cast<std::uint32_t>(pending_.words.size());
    pending_.words.push_back(header);
    pending_facts_.push_back(facts);
}

void Trace::add(Event event) {
    if (pending_.events.size() >= most_pending) {
        catch_up();
    }
    event.before = static_cast<std::uint32_t>(pending_.messages.size());
    pending_.events.push_back(event);
}

void Trace::catch_up() {
    if (!pending_.empty()) {
        take(pending_, pending_facts_);
        pending_.clear();
        pending_facts_.clear();
    }
}

/// All of a batch before anything is looked up, so that memory has time to come.
void Trace::decode(const TraceBatch& batch) {
    taken_.clear();
    for (const MessageHead& head : batch.messages) {
        const std::uint64_t header = batch.words[head.word_offset];
        taken_.push_back({{eci::decode(head.vc, header), header, head.first, head.stream, head.vc}, no_line});
        Taken& taken = taken_.back();
        if (const auto index = eci::line_of(taken.exchanged.message)) {
            taken.line = *index << 1 | eci::home_of(head.stream.from, taken.exchanged.message);
            lines_.expect(taken.line);
        }
    }
}

void Trace::take(const TraceBatch& batch, const std::vector<MessageFacts*>& facts) {
    constexpr std::size_t ahead = 8;
    decode(batch);
    std::size_t event = 0;
    for (std::size_t i = 0; i < batch.messages.size(); ++i) {
        for (; event < batch.events.size() && batch.events[event].before <= i; ++event) {
            take_event(batch.events[event]);
        }
        if (i + ahead < taken_.size() && taken_[i + ahead].line != no_line) {
            lines_.expect_last(taken_[i + ahead].line);
        }
        take_message(batch.messages[i], taken_[i], *facts[i]);
    }
    for (; event < batch.events.size(); ++event) {
        take_event(batch.events[event]);
    }
    if (checker_ != nullptr && !finished_) {
        by_number_.insert(by_number_.end(), facts.begin(), facts.end());
        checker_->batch(batch);
    }
}

void Trace::finish() {
    catch_up();
    if (checker_ != nullptr && !finished_) {
        checker_->finish();
    }
    finished_ = true;
}

void Trace::take_event(const Event& event) {
    if (states_ != nullptr && event.kind == EventKind::link_up) {
        const auto stream = static_cast<std::uint8_t>(1U << event.stream.index());
        if (event.detail != 1 || any_message_) {
            states_->lost();
        } else if (begun_streams_ == 0) {
            states_->begin(true);
        }
        begun_streams_ |= stream;
    } else if (states_ != nullptr) {
        states_->take(event);
    }
    switch (event.kind) {
        case EventKind::restarted:
        case EventKind::lost:
        case EventKind::damaged:
        case EventKind::discarded:
        case EventKind::link_down:
            exchanges_.forget();
            disturbed_streams_ |= static_cast<std::uint8_t>(1U << event.stream.index());
            break;
        default:
            break;
    }
}

void Trace::follow_line(const MessageHead& head, std::uint64_t header, LineEnd& line, MessageFacts& facts) {
    states_->turn_to(line.line, line.mark);
    facts.line_before = &states_->now();
    states_->take(head, header);
    facts.line_after = &states_->now();
    line.mark = states_->mark();
}

void Trace::take_message(const MessageHead& head, const Taken& taken, MessageFacts& facts) {
    const auto stream = static_cast<std::uint8_t>(1U << head.stream.index());
    facts.after_loss = (disturbed_streams_ & stream) != 0;
    disturbed_streams_ &= static_cast<std::uint8_t>(~stream);
    any_message_ = true;
    if (states_ != nullptr && (begun_streams_ & stream) == 0) {
        states_->lost();  // joined midway, and with it everything: the stream did not begin with the power-on handshake
    }
    begun_streams_ |= stream;
    exchanges_.take(taken.exchanged, facts);
    if (taken.line == no_line) {
        return;
    }
    LineEnd& line = lines_[taken.line];
    facts.has_line_number = true;
    facts.line_number = line.number;
    if (line.last != nullptr) {
        facts.line_previous = line.last->frame;
        line.last->line_next = facts.frame;
    }
    line.last = &facts;
    if (states_ != nullptr) {
        follow_line(head, taken.exchanged.header, line, facts);
    }
}

void Trace::violation(const conformance::Violation& violation) {
    note(violation.message.number, violation.rule, violation.severity, kept(violation.explanation),
         kept(joined(violation.hypotheses, violation.hypothesis_count)));
}

void Trace::owed(const conformance::OwedReply& owed) {
    const std::string text = "Node " + std::to_string(owed.owed_by) + " owes the answer: none came in " +
                             std::to_string(owed.age / picoseconds_per_nanosecond) + " ns.";
    note(owed.request.number, owed.rule, owed.severity, kept(text), nullptr);
}

void Trace::note(std::uint64_t number, conformance::Rule rule, conformance::RuleSeverity severity, const char* text,
                 const char* states) {
    if (number >= by_number_.size() || severity == conformance::RuleSeverity::off) {
        return;
    }
    MessageFacts& facts = *by_number_[number];
    auto* finding = wmem_new(wmem_file_scope(), FindingNote);
    *finding = {facts.findings, conformance::info_of(rule).id.data(), text, states, severity};
    facts.findings = finding;
}

}  // namespace eciscope::shark
