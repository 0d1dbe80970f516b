#include "observer.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace eciscope::conformance::model {

namespace {

using Subset = std::vector<std::uint32_t>;  // sorted configuration numbers

class SubsetConstruction {
 public:
    SubsetConstruction(const Graph& graph, const std::vector<StepSet>& symbols) : graph_(graph) {
        observer_.symbols = symbols;
    }

    Observer run(bool with_anything) {
        observer_.at_rest = state_of(closed({0}));
        observer_.anything = observer_.at_rest;
        if (with_anything) {
            Subset all(graph_.configurations.size());
            std::iota(all.begin(), all.end(), 0U);
            observer_.anything = state_of(std::move(all));
        }
        for (std::size_t state = 0; state < observer_.configurations.size(); ++state) {
            for (const StepSet symbol : observer_.symbols) {
                const std::uint16_t target = after(state, symbol);
                observer_.next[state].push_back(target);
            }
        }
        observer_.states_before_minimising = observer_.configurations.size();
        for (const Subset& subset : observer_.configurations) {
            observer_.largest_subset = std::max(observer_.largest_subset, subset.size());
        }
        return std::move(observer_);
    }

 private:
    /// All that is reachable without the tap seeing anything.
    Subset closed(Subset subset) const {
        std::vector<bool> in(graph_.configurations.size());
        for (const std::uint32_t c : subset) {
            in[c] = true;
        }
        for (std::size_t i = 0; i < subset.size(); ++i) {
            for (const Edge& edge : graph_.edges[subset[i]]) {
                if (edge.seen == silent && !in[edge.to]) {
                    in[edge.to] = true;
                    subset.push_back(static_cast<std::uint32_t>(edge.to));
                }
            }
        }
        std::sort(subset.begin(), subset.end());
        return subset;
    }

    std::uint16_t after(std::size_t state, StepSet symbol) {
        std::vector<bool> in(graph_.configurations.size());
        Subset targets;
        for (const std::uint32_t c : observer_.configurations[state]) {
            for (const Edge& edge : graph_.edges[c]) {
                if (edge.seen != silent && (symbol >> edge.seen & 1U) != 0 && !in[edge.to]) {
                    in[edge.to] = true;
                    targets.push_back(static_cast<std::uint32_t>(edge.to));
                }
            }
        }
        return targets.empty() ? Observer::impossible : state_of(closed(std::move(targets)));
    }

    std::uint16_t state_of(Subset subset) {
        const auto [place, is_new] =
            index_.try_emplace(subset, static_cast<std::uint16_t>(observer_.configurations.size()));
        if (is_new) {
            observer_.configurations.push_back(std::move(subset));
            observer_.next.emplace_back();
        }
        return place->second;
    }

    const Graph& graph_;
    Observer observer_;
    std::map<Subset, std::uint16_t> index_;
};

/// Moore's algorithm: split classes until all members of a class go to the same classes.
std::vector<std::uint16_t> classes_of(const Observer& observer, const Label& label) {
    const std::size_t states = observer.next.size();
    std::vector<std::uint16_t> classes(states);
    std::map<std::vector<std::uint32_t>, std::uint16_t> signatures;
    for (std::size_t s = 0; s < states; ++s) {
        const std::vector<std::uint32_t> signature{label(observer.configurations[s])};
        classes[s] = signatures.try_emplace(signature, static_cast<std::uint16_t>(signatures.size())).first->second;
    }
    for (std::size_t count = 0; count != signatures.size();) {
        count = signatures.size();
        signatures.clear();
        std::vector<std::uint16_t> refined(states);
        for (std::size_t s = 0; s < states; ++s) {
            std::vector<std::uint32_t> signature{classes[s]};
            for (const std::uint16_t target : observer.next[s]) {
                signature.push_back(target == Observer::impossible ? target : classes[target]);
            }
            refined[s] = signatures.try_emplace(signature, static_cast<std::uint16_t>(signatures.size())).first->second;
        }
        classes = std::move(refined);
    }
    return classes;
}

Observer minimised(const Observer& full, const Label& label) {
    const std::vector<std::uint16_t> classes = classes_of(full, label);
    const std::size_t count = std::size_t{*std::max_element(classes.begin(), classes.end())} + 1;
    Observer small;
    small.symbols = full.symbols;
    small.states_before_minimising = full.states_before_minimising;
    small.largest_subset = full.largest_subset;
    small.at_rest = classes[full.at_rest];
    small.anything = classes[full.anything];
    small.next.resize(count);
    small.configurations.resize(count);
    for (std::size_t s = full.next.size(); s-- > 0;) {
        auto& row = small.next[classes[s]];
        row.clear();
        for (const std::uint16_t target : full.next[s]) {
            row.push_back(target == Observer::impossible ? target : classes[target]);
        }
        small.configurations[classes[s]] = full.configurations[s];
    }
    return small;
}

}  // namespace

Observer observe(const Graph& graph, const std::vector<StepSet>& symbols, bool with_anything, const Label& label) {
    return minimised(SubsetConstruction(graph, symbols).run(with_anything), label);
}

std::vector<StepSet> one_symbol_a_step(const Machines& machines) {
    std::vector<StepSet> symbols;
    for (std::size_t step = 0; step < machines.steps.size(); ++step) {
        symbols.push_back(StepSet{1} << step);
    }
    return symbols;
}

}  // namespace eciscope::conformance::model
