#include "owed.hpp"

#include <algorithm>

namespace eciscope::conformance::model {

namespace {

bool holds_kind(const Machines& machines, const std::vector<StepId>& bag, StepKind kind) {
    return std::any_of(bag.begin(), bag.end(),
                       [&](StepId carried) { return machines.kinds[step_of(carried)] == kind; });
}

}  // namespace

std::uint32_t owed(const Machines& machines, const Configuration& c) {
    const bool grant_passed = holds_kind(machines, c.in_flight, StepKind::grant);
    const bool request_queued = holds_kind(machines, c.queued, StepKind::request);
    const bool forward_open =
        holds_kind(machines, c.in_flight, StepKind::forward) || holds_kind(machines, c.queued, StepKind::answer);
    return (machines.awaits_grant[c.remote] && !grant_passed && !request_queued ? owes_grant : 0U) |
           (forward_open ? owes_answer : 0U);
}

std::uint32_t owed(const Machines& machines, const Graph& graph, const std::vector<std::uint32_t>& configurations) {
    std::uint32_t all = owes_grant | owes_answer;
    for (const std::uint32_t c : configurations) {
        all &= owed(machines, graph.configurations[c]);
    }
    return all;
}

}  // namespace eciscope::conformance::model
