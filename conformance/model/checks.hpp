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
/// no unspecified reception, no deadlock, single writer, readers have the newest data, and indistinguishable states
/// accept the same messages (requirements 6 and 7).
[[nodiscard]] std::vector<Finding> check(const Machines& machines);

/// Over all subsets together: every state of the remote is reached, every reception that is specified happens.
[[nodiscard]] std::vector<Finding> check_coverage(const std::vector<Machines>& all);

/// The way from rest to a configuration as a message sequence chart in text.
[[nodiscard]] std::string chart_to(const Machines& machines, const Graph& graph, std::size_t configuration);

}  // namespace eciscope::conformance::model
