#include "explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "eciscope/decoder/names.hpp"
#include "lone_machine.hpp"
#include "machines.hpp"
#include "owed.hpp"

namespace eciscope::conformance {

using model::Configuration;
using model::StepKind;

namespace {

constexpr std::size_t most_hypotheses = 6;
constexpr std::size_t most_history = 24;

model::Tap model_tap(Tap tap) {
    return static_cast<model::Tap>(tap);
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
    return fmt::format("{}", fmt::join(parts, between));
}

}  // namespace

std::string_view op_name(const Seen& message) {
    return eciscope::op_name(message.vc, message.header);
}

Explainer::Explainer(const Profile& profile, Tap tap)
    : profile_(profile),
      tap_(tap),
      machines_(profile.machines()),
      exploration_(model::explore(machines_, model_tap(tap))) {}

Explainer::Subset Explainer::begin(bool from_rest) const {
    if (from_rest) {
        return closed({0});
    }
    Subset all(exploration_.graph.configurations.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

Explainer::Subset Explainer::closed(Subset subset) const {
    std::vector<bool> in(exploration_.graph.configurations.size());
    for (const std::uint32_t c : subset) {
        in[c] = true;
    }
    for (std::size_t i = 0; i < subset.size(); ++i) {
        for (const model::Edge& edge : exploration_.graph.edges[subset[i]]) {
            if (edge.seen == model::silent && !in[edge.to]) {
                in[edge.to] = true;
                subset.push_back(static_cast<std::uint32_t>(edge.to));
            }
        }
    }
    return subset;
}

Explainer::Subset Explainer::after(const Subset& subset, StepSet symbol) const {
    std::vector<bool> in(exploration_.graph.configurations.size());
    Subset targets;
    for (const std::uint32_t c : subset) {
        for (const model::Edge& edge : exploration_.graph.edges[c]) {
            if (edge.seen != model::silent && (symbol >> edge.seen & 1U) != 0 && !in[edge.to]) {
                in[edge.to] = true;
                targets.push_back(static_cast<std::uint32_t>(edge.to));
            }
        }
    }
    return closed(std::move(targets));
}

StepSet Explainer::steps_of(const Seen& message) const {
    const std::size_t index = message.vc * opcode_count + opcode_field.of(message.header);
    const SymbolNumber symbol = profile_.meanings[index][dmask_field.of(message.header) != 0 ? 1 : 0];
    return symbol == no_symbol ? 0 : profile_.symbols[symbol].steps;
}

/// The configurations before the violating message. Where the past is not whole, more of them than there were.
Explainer::Subset Explainer::replay(Violation& violation, const LineRecord& record) const {
    Subset subset = begin(record.from_rest && record.whole);
    for (const Seen& message : record.messages) {
        const StepSet steps = steps_of(message);
        Subset next = steps == 0 ? begin(false) : after(subset, steps);
        if (next.empty()) {
            next = begin(false);  // only where the past is not whole
        }
        subset = std::move(next);
        HistoryEntry& entry = violation.history.emplace_back();
        entry.message = message;
        entry.hypotheses = subset.size();
        for (std::size_t s = 0; s < machines_.steps.size(); ++s) {
            if ((steps >> s & 1U) != 0) {
                entry.meaning += (entry.meaning.empty() ? "" : "|") + machines_.steps[s];
            }
        }
    }
    violation.history_is_whole = record.whole && violation.history.size() <= most_history;
    if (violation.history.size() > most_history) {
        violation.history.erase(violation.history.begin(), violation.history.end() - most_history);
    }
    return subset;
}

void Explainer::tell_history(Violation& violation, const LineRecord& record) const {
    (void)replay(violation, record);
}

Rule Explainer::classify(const Subset& before, SymbolNumber symbol, StepSet steps) const {
    if (profile_.observers[static_cast<std::size_t>(tap_)].never[symbol] != 0) {
        return Rule::outside_subset;
    }
    const auto& configurations = exploration_.graph.configurations;
    const auto any = [&](auto&& predicate) {
        return std::any_of(before.begin(), before.end(), [&](std::uint32_t c) { return predicate(configurations[c]); });
    };
    // As the tap sees it: a request that has not passed cannot have been granted.
    const auto waits = [this](const Configuration& c) { return (model::owed(machines_, c) & model::owes_grant) != 0; };
    const auto holds = [this](const Configuration& c) { return machines_.may_read[c.remote]; };
    const auto given = [this](const Configuration& c) { return machines_.directory[c.home] > 1; };
    const auto forwarded = [this](const Configuration& c) {
        return (model::owed(machines_, c) & model::owes_answer) != 0;
    };
    std::size_t step = 0;
    while ((steps >> step & 1U) == 0) {
        ++step;
    }
    switch (machines_.kinds[step]) {
        case StepKind::request:
            return any([&](const Configuration& c) { return !waits(c); }) ? Rule::wrong_request
                                                                          : Rule::request_while_waiting;
        case StepKind::grant:
            return any(waits) ? Rule::wrong_grant : Rule::grant_without_request;
        case StepKind::voluntary:
            return any(holds) ? Rule::wrong_drop : Rule::drop_without_copy;
        case StepKind::forward:
            return any(given) ? Rule::wrong_forward : Rule::forward_without_copy;
        case StepKind::answer:
            return any(forwarded) ? Rule::wrong_answer : Rule::answer_without_forward;
    }
    return Rule::wrong_answer;
}

std::string Explainer::describe(const Configuration& c, std::uint8_t home) const {
    constexpr const char* levels[] = {"?", "no copy", "a shared copy", "the line exclusive"};
    const std::string& state = machines_.remote_states[c.remote];
    std::string text =
        fmt::format("node {} is in {}; node {} (home) believes that it has {}{}", 1 - home,
                    state.starts_with("R_") ? state.substr(2) : state, home, levels[machines_.directory[c.home]],
                    machines_.settled[c.home] ? "" : ", a forward is not settled");
    for (const auto& [title, bag] : {std::pair{"still queued", &c.queued}, std::pair{"under way", &c.in_flight}}) {
        std::vector<std::string> steps;
        for (const model::StepId step : *bag) {
            steps.push_back(machines_.steps[model::step_of(step)]);
        }
        text += steps.empty() ? "" : fmt::format("; {}: {}", title, joined(steps, ", "));
    }
    return text;
}

void Explainer::explain(Violation& violation, const LineRecord& record, SymbolNumber symbol) const {
    const Subset before = replay(violation, record);
    const StepSet steps = profile_.symbols[symbol].steps;
    violation.rule = classify(before, symbol, steps);
    for (const Symbol& other : profile_.symbols) {
        if (!after(before, other.steps).empty()) {
            violation.expected.emplace_back(other.name);
        }
    }
    violation.hypothesis_count = before.size();
    for (std::size_t i = 0; i < std::min(before.size(), most_hypotheses); ++i) {
        violation.hypotheses.push_back(describe(exploration_.graph.configurations[before[i]], record.home));
    }
    const std::string past = record.messages.empty()
                                 ? std::string("of a line of which nothing was seen before")
                                 : fmt::format("that agrees with the line's {} earlier message{}",
                                               record.messages.size(), record.messages.size() == 1 ? "" : "s");
    violation.explanation = fmt::format("{} means {} here, and no run of the profile {} {} goes on so.",
                                        op_name(violation.message), profile_.symbols[symbol].name, profile_.name, past);
    if (!record.whole) {
        violation.explanation += " What the line's older messages excluded is not shown.";
    }
    violation.assumptions = fmt::format("profile {}, tap {}, the line began {}", profile_.name, name(tap_),
                                        record.from_rest ? "at rest" : "in any configuration");

    const std::uint8_t sender = violation.message.stream.from;
    LoneMachine lone(machines_, sender == record.home ? LoneMachine::Side::home : LoneMachine::Side::remote,
                     tap_ == Tap::unordered);
    if (!record.whole || tap_ == Tap::home_side) {
        return;
    }
    std::vector<Configuration> first;
    for (const std::uint32_t c : begin(record.from_rest)) {
        first.push_back(exploration_.graph.configurations[c]);
    }
    lone.begin(first);
    for (const Seen& message : record.messages) {
        const StepSet seen = steps_of(message);
        if (seen == 0 || !lone.sees(seen)) {
            return;
        }
    }
    if (!lone.sees(steps)) {
        violation.at_fault = sender;
        violation.explanation += fmt::format(" Node {} cannot have sent it, whatever the other did.", sender);
    } else {
        violation.explanation += " Each node by itself could have behaved so: which one is wrong cannot be told.";
    }
}

}  // namespace eciscope::conformance
