#include "checks.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace eciscope::conformance::model {

namespace {

class Checks {
 public:
    explicit Checks(const Machines& machines)
        : machines_(machines),
          exploration_(explore(machines, Tap::in_order, Data::tracked)),
          graph_(exploration_.graph) {}

    std::vector<Finding> run() {
        if (!exploration_.complete) {
            findings_.push_back({"bounded", "The channels fill without end: the exploration was cut short.", {}});
            return std::move(findings_);
        }
        receptions();
        deadlocks();
        first_where("single writer", "The remote may write a line that the home has not given away.",
                    [this](const auto& c) {
                        return machines_.may_write[c.remote] && machines_.directory[c.home] != 3 && remembers();
                    });
        first_where("readers are known", "The remote may read a copy that the home believes is gone.",
                    [this](const auto& c) {
                        return machines_.may_read[c.remote] && machines_.directory[c.home] == 1 && remembers();
                    });
        first_where("data value", "The remote may read a copy that is not the newest.",
                    [](const auto& c) { return !c.remote_is_newest; });
        first_where("data value at home", "The home believes that memory is the newest copy, and it is not.",
                    [this](const auto& c) { return machines_.may_write_at_home[c.home] && !c.memory_is_newest; });
        closure();
        return std::move(findings_);
    }

 private:
    bool remembers() const { return machines_.home_states.size() > 1; }

    void receptions() {
        for (const Fault& fault : graph_.faults) {
            const std::string who = fault.at_home ? "home" : "remote";
            findings_.push_back({"no unspecified reception",
                                 "The " + who + " is not told what to do with " + machines_.steps[fault.step] + ": " +
                                     to_string(machines_, graph_.configurations[fault.configuration]) + ".",
                                 chart_to(machines_, graph_, fault.configuration)});
            return;  // the first one is the shortest; the others follow from it
        }
    }

    /// From every configuration the line can come to rest again; one that cannot move at all is a deadlock.
    void deadlocks() {
        const std::size_t count = graph_.configurations.size();
        std::vector<std::vector<std::size_t>> before(count);
        for (std::size_t c = 0; c < count; ++c) {
            for (const Edge& edge : graph_.edges[c]) {
                before[edge.to].push_back(c);
            }
        }
        std::vector<bool> can_rest(count);
        std::vector<std::size_t> work{0};
        can_rest[0] = true;
        for (std::size_t i = 0; i < work.size(); ++i) {
            for (const std::size_t c : before[work[i]]) {
                if (!can_rest[c]) {
                    can_rest[c] = true;
                    work.push_back(c);
                }
            }
        }
        const auto stuck = std::find(can_rest.begin(), can_rest.end(), false);
        if (stuck != can_rest.end()) {
            const auto c = static_cast<std::size_t>(stuck - can_rest.begin());
            findings_.push_back(
                {"no deadlock",
                 "The line never comes to rest again: " + to_string(machines_, graph_.configurations[c]) + ".",
                 chart_to(machines_, graph_, c)});
        }
    }

    template <class Predicate>
    void first_where(const std::string& name, const std::string& sentence, Predicate&& predicate) {
        const auto& all = graph_.configurations;
        const auto found = std::find_if(all.begin(), all.end(), predicate);
        if (found != all.end()) {
            const auto c = static_cast<std::size_t>(found - all.begin());
            findings_.push_back(
                {name, sentence + " " + to_string(machines_, *found) + ".", chart_to(machines_, graph_, c)});
        }
    }

    /// Requirements 6 and 7: what may be sent to a node does not depend on what the sender cannot know.
    void closure() {
        for (std::size_t a = 0; a < machines_.remote_states.size(); ++a) {
            for (std::size_t b = a + 1; b < machines_.remote_states.size(); ++b) {
                if (machines_.seen_by_home[a] == machines_.seen_by_home[b]) {
                    compare_receptions(a, b);
                }
            }
        }
    }

    void compare_receptions(std::size_t a, std::size_t b) {
        for (std::size_t step = 0; step < machines_.steps.size(); ++step) {
            if (machines_.remote_receives[a][step].empty() != machines_.remote_receives[b][step].empty()) {
                findings_.push_back({"indistinguishable states accept the same",
                                     "The home cannot tell " + machines_.remote_states[a] + " from " +
                                         machines_.remote_states[b] + ", but only one of them accepts " +
                                         machines_.steps[step] + ".",
                                     {}});
            }
        }
    }

    const Machines& machines_;
    Exploration exploration_;
    const Graph& graph_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check(const Machines& machines) {
    return Checks(machines).run();
}

std::vector<Finding> check_coverage(const std::vector<Machines>& all) {
    const std::size_t states = all.front().remote_states.size();
    const std::size_t steps = all.front().steps.size();
    std::vector<bool> reached(states);
    std::vector<bool> received(states * steps);
    std::vector<bool> specified(states * steps);
    for (const Machines& machines : all) {
        const Exploration exploration = explore(machines, Tap::in_order);
        for (const Configuration& c : exploration.graph.configurations) {
            reached[c.remote] = true;
            for (const StepId step : c.in_flight) {
                received[c.remote * steps + step] = true;
            }
        }
        for (std::size_t i = 0; i < specified.size(); ++i) {
            specified[i] = specified[i] || !machines.remote_receives[i / steps][i % steps].empty();
        }
    }
    std::vector<Finding> findings;
    for (std::size_t state = 0; state < states; ++state) {
        if (!reached[state]) {
            findings.push_back({"every state is reachable",
                                "No run of any subset reaches " + all.front().remote_states[state] + ".",
                                {}});
        }
    }
    for (std::size_t i = 0; i < specified.size(); ++i) {
        if (specified[i] && !received[i]) {
            findings.push_back({"every rule is used",
                                "In no run of any subset does " + all.front().remote_states[i / steps] + " receive " +
                                    all.front().steps[i % steps] + ".",
                                {}});
        }
    }
    return findings;
}

std::string chart_to(const Machines& machines, const Graph& graph, std::size_t configuration) {
    std::vector<std::pair<std::size_t, std::size_t>> way;  // configuration, edge taken from it
    for (std::size_t c = configuration; c != 0; c = graph.parent[c]) {
        way.emplace_back(graph.parent[c], graph.parent_edge[c]);
    }
    std::reverse(way.begin(), way.end());
    std::string chart = "  " + to_string(machines, graph.configurations[0]) + "\n";
    for (const auto& [from, taken] : way) {
        const Edge& edge = graph.edges[from][taken];
        const bool by_home = edge.what.starts_with("home");
        chart += std::string(by_home ? 44 : 2, ' ') + edge.what + "\n";
        chart += "      " + to_string(machines, graph.configurations[edge.to]) + "\n";
    }
    return chart;
}

}  // namespace eciscope::conformance::model
