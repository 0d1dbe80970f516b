// What must hold of every configuration that the specification allows, each with a counterexample that can be read.
#pragma once

#include <string>
#include <vector>

#include "graph.hpp"

namespace eciscope::conformance::model {

struct Finding {
    std::string check;     ///< e.g. "no unspecified reception"
    std::string sentence;  ///< what is wrong
    std::string chart;     ///< message sequence chart from rest to where it goes wrong
};

/// Runs every check of one pair of machines; an empty result means that all of them hold:
/// no unspecified reception, no deadlock, nothing stays owed once all messages have arrived, single writer, readers
/// have the newest data, channels stay bounded, and indistinguishable states accept the same messages (requirements 6
/// and 7).
[[nodiscard]] std::vector<Finding> check(const Machines& machines);

/// Over all subsets together: every state of the remote is reached, every reception that is specified happens.
[[nodiscard]] std::vector<Finding> check_coverage(const std::vector<Machines>& all);

/// A remote of one subset with a home of another: the checks of the pair, and requirement 5: a node sends only what the
/// other supports, which is what occurs between two nodes of the other's subset.
[[nodiscard]] std::vector<Finding> check_pair(const Machines& pair, const Machines& like_remote,
                                              const Machines& like_home);

/// By step: whether either node ever sends it.
[[nodiscard]] std::vector<bool> steps_sent(const Graph& graph, std::size_t steps);

}  // namespace eciscope::conformance::model
