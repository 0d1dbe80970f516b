// A run as a message sequence chart in text.
#pragma once

#include <string>

#include "graph.hpp"

namespace eciscope::conformance::model {

/// The shortest way from rest to a configuration, and one edge more if there is one. Two columns, remote and home: each
/// starts with the node's state, then what it wants unasked, receives and sends. Rows are in the order of what happens.
///
///     remote                          | home
///     I                               | 1
///     IS    read; R12 -->             |
///                                     | 2            --> R12; <-- RA2
///     S     <-- RA2                   |
[[nodiscard]] std::string chart_of(const Machines& machines, const Graph& graph, std::size_t configuration,
                                   const Edge* last = nullptr);

}  // namespace eciscope::conformance::model
