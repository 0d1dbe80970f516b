#include "checks.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "chart.hpp"

namespace eciscope::conformance::model {

namespace {

/// Ten times what any subset needs: a broken specification may run away.
constexpr std::size_t limit = 5'000;

class Checks {
 public:
    explicit Checks(const Machines& machines)
        : machines_(machines),
          exploration_(explore(machines, Tap::in_order, Data::tracked, limit)),
          graph_(exploration_.graph) {}

    std::vector<Finding> run() {
        receptions();
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
        bounds();
        if (exploration_.complete) {
            deadlocks();
            peace();
        } else {
            findings_.push_back({"bounded", "There is no end of configurations.", {}});
        }
        closure();
        return std::move(findings_);
    }

 private:
    /// A home without memory is the exception: nothing holds back the drops that it ignores.
    void bounds() {
        first_where("channels stay bounded", "A node sends on and on without an answer.", [this](const auto& c) {
            std::vector<std::size_t> under_way(machines_.steps.size());
            return remembers() && std::any_of(c.in_flight.begin(), c.in_flight.end(), [&](StepId carried) {
                       return ++under_way[step_of(carried)] == most_of_a_step;
                   });
        });
    }

    bool remembers() const { return machines_.home_states.size() > 1; }

    void receptions() {
        for (const Fault& fault : graph_.faults) {
            const std::string who = fault.at_home ? "home" : "remote";
            findings_.push_back({"no unspecified reception",
                                 "The " + who + " is not told what to do with " + machines_.steps[fault.step] + ": " +
                                     to_string(machines_, graph_.configurations[fault.configuration]) + ".",
                                 chart_of(machines_, graph_, fault.configuration)});
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
        const auto stuck = std::find(can_rest.begin(), can_rest.end(), false) - can_rest.begin();
        report("no deadlock", "The line never comes to rest again:", static_cast<std::size_t>(stuck));
    }

    /// When every message has arrived that can, nobody may wait for another's whim, and the home knows what the remote
    /// has.
    void peace() {
        std::size_t owed = graph_.configurations.size();
        std::size_t unknown = owed;
        for (std::size_t c = graph_.configurations.size(); c-- > 0;) {
            const auto& edges = graph_.edges[c];
            if (std::none_of(edges.begin(), edges.end(), [](const Edge& e) { return e.what.received != no_step; })) {
                owed = is_owed(graph_.configurations[c]) ? c : owed;
                unknown = remembers() && !is_known(graph_.configurations[c]) ? c : unknown;
            }
        }
        report("nothing stays owed", "Nothing is under way that could end the wait:", owed);
        report("the directory becomes right", "The home is wrong about the remote, and nothing is under way:", unknown);
    }

    bool is_owed(const Configuration& c) const {
        return !c.in_flight.empty() || !machines_.settled[c.home] || machines_.awaits_grant[c.remote];
    }

    bool is_known(const Configuration& c) const {
        const int readable = machines_.may_read[c.remote] ? 2 : 1;
        return machines_.directory[c.home] == (machines_.may_write[c.remote] ? 3 : readable);
    }

    /// One past the last configuration: there is nothing to report.
    void report(const std::string& name, const std::string& sentence, std::size_t c) {
        if (c < graph_.configurations.size()) {
            findings_.push_back({name, sentence + " " + to_string(machines_, graph_.configurations[c]) + ".",
                                 chart_of(machines_, graph_, c)});
        }
    }

    template <class Predicate>
    void first_where(const std::string& name, const std::string& sentence, Predicate&& predicate) {
        const auto& all = graph_.configurations;
        const auto found = std::find_if(all.begin(), all.end(), predicate);
        report(name, sentence, static_cast<std::size_t>(found - all.begin()));
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

std::vector<bool> steps_sent(const Graph& graph, std::size_t steps) {
    std::vector<bool> sent(steps);
    for (const auto& from : graph.edges) {
        for (const Edge& edge : from) {
            if (edge.what.sent != no_step) {
                sent[edge.what.sent] = true;
            }
        }
    }
    return sent;
}

std::vector<Finding> check_pair(const Machines& pair, const Machines& like_remote, const Machines& like_home) {
    std::vector<Finding> findings = check(pair);
    const Graph graph = explore(pair, Tap::in_order).graph;
    const std::size_t steps = pair.steps.size();
    const std::vector<bool> remote_knows = steps_sent(explore(like_remote, Tap::in_order).graph, steps);
    const std::vector<bool> home_knows = steps_sent(explore(like_home, Tap::in_order).graph, steps);
    // Breadth first: the first edge that goes astray ends the shortest way there.
    for (std::size_t c = 0; c < graph.configurations.size(); ++c) {
        for (const Edge& edge : graph.edges[c]) {
            const StepId step = edge.what.sent;
            if (step == no_step || (pair.from_home[step] ? remote_knows : home_knows)[step]) {
                continue;
            }
            const std::string receiver = pair.from_home[step] ? "remote" : "home";
            findings.push_back({"sends only what the other supports",
                                "The " + receiver + " did not agree to " + pair.steps[step] + ".",
                                chart_of(pair, graph, c, &edge)});
            return findings;
        }
    }
    return findings;
}

}  // namespace eciscope::conformance::model
