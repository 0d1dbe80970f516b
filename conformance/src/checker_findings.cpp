// The checker's slow paths: what is done when a rule is broken, and at the end.
#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "checker_impl.hpp"

namespace eciscope::conformance {

namespace {

/// Replaying more than this for one explanation takes too long.
constexpr std::size_t longest_replay = 4096;

}  // namespace

LineRecord Checker::Impl::record_of(const Place& place, const LineState& line) const {
    LineRecord record;
    record.home = static_cast<std::uint8_t>(place.key & 1U);
    record.from_rest = line.epoch() == 0 && !line.restarted();
    if ((line.identity & LineState::first_bit) != 0) {
        record.whole = true;  // nothing came before
        return record;
    }
    RecentMessages::Chain chain = recent_.chain(line.last, place.key);
    record.whole = chain.whole && chain.messages.size() <= longest_replay;
    if (chain.messages.size() > longest_replay) {
        chain.messages.erase(chain.messages.begin(), chain.messages.end() - longest_replay);
    }
    record.messages = std::move(chain.messages);
    return record;
}

void Checker::Impl::refuse(const Seen& seen, const Place& place, LineState& line, SymbolNumber symbol) {
    ++refused_;
    Violation violation;
    violation.message = seen;
    violation.line = CheckedLine{static_cast<std::uint8_t>(place.key & 1U), place.key >> 1U};
    if (line.reported() && !options_.every_violation) {
        ++suppressed_;
    } else {
        if (explained_ < options_.most_explained) {
            explainer().explain(violation, record_of(place, line), symbol);
            ++explained_;
        } else {
            violation.rule = table_.never[symbol] != 0 ? Rule::outside_subset : Rule::wrong_answer;
            violation.explanation = "No legal run of the line goes on so. Too many violations were explained already.";
        }
        hand_over(std::move(violation), place.key);
        line.set_reported();
    }
    forget(place, line);
}

/// Nothing is known of a line any more.
void Checker::Impl::forget(const Place& place, LineState& line) {
    for (const std::size_t which : {LineState::forward, LineState::request}) {
        if (line.open_id[which] != 0) {
            (void)recent_.close(line.open[which]);
        }
    }
    line.begin(place.key, line.epoch(), table_.anything);
    line.set_restarted();
}

void Checker::Impl::broken(Rule rule, const Seen& seen, const Place& place, LineState& line, std::string explanation) {
    const RuleSeverity severity = options_.severities[static_cast<std::size_t>(rule)];
    if (severity == RuleSeverity::off) {
        return;
    }
    const bool is_violation = severity == RuleSeverity::violation;
    if (is_violation && line.reported() && !options_.every_violation) {
        ++suppressed_;
        return;
    }
    Violation violation;
    violation.rule = rule;
    violation.message = seen;
    violation.line = CheckedLine{static_cast<std::uint8_t>(place.key & 1U), place.key >> 1U};
    violation.explanation = std::move(explanation);
    if (is_violation) {
        violation.at_fault = seen.stream.from;
        if (explained_ < options_.most_explained) {
            LineRecord record = record_of(place, line);
            if (!record.messages.empty() && record.messages.back().number == seen.number) {
                record.messages.pop_back();
            }
            explainer().tell_history(violation, record);
            ++explained_;
        }
        line.set_reported();
    }
    hand_over(std::move(violation), place.key);
}

void Checker::Impl::broken(Rule rule, const Seen& seen, std::string explanation) {
    if (options_.severities[static_cast<std::size_t>(rule)] == RuleSeverity::off) {
        return;
    }
    Violation violation;
    violation.rule = rule;
    violation.message = seen;
    violation.explanation = std::move(explanation);
    violation.at_fault = seen.stream.from;
    hand_over(std::move(violation), 0);
}

void Checker::Impl::hand_over(Violation violation, LineKey key) {
    const auto rule = static_cast<std::size_t>(violation.rule);
    violation.severity = options_.severities[rule];
    if (violation.severity == RuleSeverity::off) {
        return;
    }
    // What a message shows by itself stands, whatever is missing around it.
    const bool needs_context = violation.severity == RuleSeverity::violation && violation.rule != Rule::wrong_parity &&
                               violation.rule != Rule::wrong_circuit && violation.rule != Rule::reserved_opcode;
    pending_.push_back({std::move(violation), now_, key, needs_context});
}

/// Something may be missing from the trace since a time: what was found since then may have another reason.
void Checker::Impl::withdraw_since(Picoseconds time) {
    const auto doubtful = [&](const Pending& p) { return p.can_be_withdrawn && p.time >= time; };
    for (const Pending& p : pending_) {
        if (doubtful(p)) {
            if (p.violation.line) {
                lines_.find(p.key, LineTable::hash(p.key)).clear_reported();
            }
            ++withdrawn_;
        }
    }
    pending_.erase(std::remove_if(pending_.begin(), pending_.end(), doubtful), pending_.end());
}

void Checker::Impl::deliver(Picoseconds settled) {
    while (!pending_.empty() && (pending_.front().time < settled || !pending_.front().can_be_withdrawn)) {
        const Violation& violation = pending_.front().violation;
        ++by_rule_[static_cast<std::size_t>(violation.rule)];
        sink_.violation(violation);
        pending_.pop_front();
    }
}

const Explainer& Checker::Impl::explainer() {
    if (!explainer_) {
        explainer_.emplace(profile_, options_.tap);
    }
    return *explainer_;
}

void Checker::Impl::owed_of_lines(std::vector<OwedReply>& all) {
    if (epoch_ != 0 && begun_.size() < most_begun) {
        for (const LineKey key : begun_) {
            owed_of_line(lines_.find(key, LineTable::hash(key)), all);
        }
        return;
    }
    lines_.for_each([&](const LineState& line) { owed_of_line(line, all); });
}

void Checker::Impl::owed_of_line(const LineState& line, std::vector<OwedReply>& all) const {
    const std::uint8_t owed = line.epoch() == epoch_ ? table_.owed[line.state] : 0;
    const LineKey key = line.key();
    const auto home = static_cast<std::uint8_t>(key & 1U);
    if ((owed & owed_grant) != 0 && line.open_id[LineState::request] != 0) {
        add_owed(all, Rule::owed_grant, recent_.find(line.open[LineState::request], key), CheckedLine{home, key >> 1U},
                 home);
    }
    if ((owed & owed_answer) != 0 && line.open_id[LineState::forward] != 0) {
        add_owed(all, Rule::owed_answer, recent_.find(line.open[LineState::forward], key), CheckedLine{home, key >> 1U},
                 static_cast<std::uint8_t>(1 - home));
    }
}

void Checker::Impl::add_owed(std::vector<OwedReply>& all, Rule rule, const std::optional<Seen>& request,
                             std::optional<CheckedLine> line, std::uint8_t owed_by) const {
    if (!request) {
        return;
    }
    OwedReply owed;
    owed.request = *request;
    owed.line = line;
    owed.age = end_ - request->time;
    owed.owed_by = owed_by;
    owed.rule = options_.timeout && owed.age > *options_.timeout ? Rule::timeout : rule;
    owed.severity = options_.severities[static_cast<std::size_t>(owed.rule)];
    if (owed.severity != RuleSeverity::off) {
        all.push_back(owed);
    }
}

void Checker::Impl::report_owed() {
    deliver(std::numeric_limits<Picoseconds>::max());
    std::vector<OwedReply> all;
    owed_of_lines(all);
    others_.for_each([&](const ExchangeKey& key, const Seen& request) {
        const bool has_line = key.line != ExchangeKey::no_line;
        add_owed(all, Rule::owed_reply, request,
                 has_line ? std::optional(CheckedLine{static_cast<std::uint8_t>(key.line & 1U), key.line >> 1U})
                          : std::nullopt,
                 static_cast<std::uint8_t>(1 - key.asker));
    });
    std::sort(all.begin(), all.end(),
              [](const OwedReply& a, const OwedReply& b) { return a.request.number < b.request.number; });
    for (const OwedReply& owed : all) {
        ++by_rule_[static_cast<std::size_t>(owed.rule)];
        sink_.owed(owed);
    }
    sink_.observation_ends();
}

Summary Checker::Impl::finish() {
    if (is_blind()) {
        withdraw_since(std::numeric_limits<Picoseconds>::min());
    } else {
        report_owed();
    }
    deliver(std::numeric_limits<Picoseconds>::max());
    Summary summary;
    summary.is_blind = is_blind();
    summary.profile = profile_.name;
    summary.tap = options_.tap;
    summary.began_at_rest = began_at_rest_;
    summary.messages = of_lines_ + not_judged_ + without_line_;
    summary.messages_of_lines = of_lines_;
    summary.refused = refused_;
    summary.not_judged = not_judged_;
    summary.other_messages = without_line_;
    summary.unmatched_answers = unmatched_;
    summary.lines = lines_.size();
    lines_.for_each([&](const LineState& line) {
        summary.lines_unknown += line.epoch() != epoch_ || line.state == table_.anything ? 1U : 0U;
    });
    summary.losses = losses_;
    summary.suppressed = suppressed_;
    summary.withdrawn = withdrawn_;
    summary.by_rule = by_rule_;
    summary.transitions = transitions_;
    summary.coverage = coverage_of(profile_, options_.tap, transitions_);
    summary.end = end_;
    std::map<std::string, LatencyHistogram> by_name;
    for (std::size_t i = 0; i < latencies_.size(); ++i) {
        if (latencies_[i].count != 0) {
            const Seen example{0,
                               0,
                               std::uint64_t{i % opcode_count} << opcode_field.shift,
                               static_cast<std::uint8_t>(i / opcode_count),
                               {}};
            by_name[std::string(op_name(example))].merge(latencies_[i]);
        }
    }
    for (const auto& [request, latency] : by_name) {
        summary.latencies.push_back({request, latency});
    }
    return summary;
}

}  // namespace eciscope::conformance
