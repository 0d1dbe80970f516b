// What an onlooker can know: the configuration graph, made deterministic over what the tap sees, and made small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "graph.hpp"

namespace eciscope::conformance::model {

/// What a message on the wire can mean: a set of steps. Messages that can mean the same are one symbol.
using StepSet = std::uint32_t;

struct Observer {
    static constexpr std::uint16_t impossible = 0xffff;

    std::vector<StepSet> symbols;
    /// By state, then by symbol: the next state, or `impossible`.
    std::vector<std::vector<std::uint16_t>> next;
    std::uint16_t at_rest = 0;   ///< the line at rest: nobody has a copy, nothing is under way
    std::uint16_t anything = 0;  ///< any reachable configuration
    /// The configurations that each state stands for, as one representative subset (minimised states share behaviour).
    std::vector<std::vector<std::uint32_t>> configurations;
    std::size_t states_before_minimising = 0;
    std::size_t largest_subset = 0;
};

/// A property of a set of configurations that states must agree on to be merged; constant for the smallest observer.
using Label = std::function<std::uint32_t(const std::vector<std::uint32_t>&)>;

/// Subset construction from rest (and, if `with_anything`, from the set of all configurations), then minimisation:
/// states are alike if the same sequences of symbols are possible from both, with the same labels on the way.
[[nodiscard]] Observer observe(
    const Graph& graph, const std::vector<StepSet>& symbols, bool with_anything,
    const Label& label = [](const auto&) { return 0U; });

/// Each step its own symbol: an onlooker who can read steps.
[[nodiscard]] std::vector<StepSet> one_symbol_a_step(const Machines& machines);

}  // namespace eciscope::conformance::model
