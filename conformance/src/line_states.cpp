#include "eciscope/conformance/line_states.hpp"

#include <algorithm>
#include <eciscope/spec/eci.hpp>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "doubt.hpp"
#include "graph.hpp"
#include "header_facts.hpp"
#include "machines.hpp"
#include "other_exchanges.hpp"

namespace eciscope::conformance {

using model::Configuration;

namespace {

std::string joined(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : "|") + name;
    }
    return text;
}

std::size_t under_way(const Configuration& configuration) {
    return configuration.queued.size() + configuration.in_flight.size();
}

}  // namespace

class LineStates::Impl {
 public:
    Impl(const Profile& profile, Tap tap)
        : profile_(profile),
          machines_(profile.machines()),
          graph_(model::explore(machines_, static_cast<model::Tap>(tap)).graph),
          facts_(profile) {
        Subset all(graph_.configurations.size());
        std::iota(all.begin(), all.end(), 0U);
        anything_ = number_of(std::move(all));
        at_rest_ = number_of(closed({0}));
        now_ = anything_;
    }

    void begin(bool from_rest) {
        now_ = from_rest ? at_rest_ : anything_;
        others_.forget();
        retries_ = {};
    }

    void lost() {
        now_ = anything_;
        others_.forget();
    }

    void take(const MessageHead& head, std::uint64_t header) {
        const HeaderFact& fact = facts_.of(head.vc, header);
        const bool in_doubt = retries_.any() && retries_.covers(head);
        if (in_doubt || fact.symbol == no_symbol || closes_other(head, header)) {
            open_other(fact, head, header);
            now_ = anything_;
            return;
        }
        now_ = after(now_, fact.symbol);
    }

    void take(const Event& event) {
        switch (event.kind) {
            case EventKind::lost:
            case EventKind::damaged:
            case EventKind::discarded:
            case EventKind::link_down:
            case EventKind::restarted:
                lost();
                break;
            case EventKind::retry:
            case EventKind::replayed:
                retries_.take(event);
                break;
            default:
                break;
        }
    }

    [[nodiscard]] const LineKnowledge& now() const { return *known_[now_]; }

 private:
    using Subset = std::vector<std::uint32_t>;  ///< configurations, sorted
    using Number = std::uint32_t;               ///< of a subset
    static constexpr Number not_known = ~Number{0};

    [[nodiscard]] Subset closed(Subset subset) const;
    [[nodiscard]] Number after(Number before, SymbolNumber symbol);
    Number number_of(Subset subset);
    [[nodiscard]] LineKnowledge describe(const Subset& subset) const;
    [[nodiscard]] static ExchangeKey key_of(const eci::exchange& exchange, std::uint8_t asker) {
        return {0, static_cast<std::uint16_t>(exchange.id), static_cast<std::uint8_t>(exchange.what), asker};
    }
    [[nodiscard]] bool closes_other(const MessageHead& head, std::uint64_t header);
    void open_other(const HeaderFact& fact, const MessageHead& head, std::uint64_t header);

    const Profile& profile_;
    const model::Machines& machines_;
    model::Graph graph_;
    HeaderFacts facts_;
    OtherExchanges others_;
    Retries retries_;

    // Subsets that were met, and where symbols lead from them: worked out once each.
    std::map<Subset, Number> numbers_;
    std::vector<const Subset*> subsets_;
    std::vector<std::unique_ptr<LineKnowledge>> known_;
    std::vector<std::vector<Number>> next_;
    Number anything_ = 0;
    Number at_rest_ = 0;
    Number now_ = 0;
};

LineStates::Impl::Subset LineStates::Impl::closed(Subset subset) const {
    std::vector<bool> in(graph_.configurations.size());
    for (const std::uint32_t c : subset) {
        in[c] = true;
    }
    for (std::size_t i = 0; i < subset.size(); ++i) {
        for (const model::Edge& edge : graph_.edges[subset[i]]) {
            if (edge.seen == model::silent && !in[edge.to]) {
                in[edge.to] = true;
                subset.push_back(static_cast<std::uint32_t>(edge.to));
            }
        }
    }
    std::sort(subset.begin(), subset.end());
    return subset;
}

/// Where no legal run goes on like this, the line may be in any configuration, as for the checker.
LineStates::Impl::Number LineStates::Impl::after(Number before, SymbolNumber symbol) {
    if (next_[before][symbol] != not_known) {
        return next_[before][symbol];
    }
    const StepSet steps = profile_.symbols[symbol].steps;
    std::set<std::uint32_t> targets;
    for (const std::uint32_t c : *subsets_[before]) {
        for (const model::Edge& edge : graph_.edges[c]) {
            if (edge.seen != model::silent && (steps >> edge.seen & 1U) != 0) {
                targets.insert(static_cast<std::uint32_t>(edge.to));
            }
        }
    }
    const Number next = targets.empty() ? anything_ : number_of(closed({targets.begin(), targets.end()}));
    next_[before][symbol] = next;
    return next;
}

LineStates::Impl::Number LineStates::Impl::number_of(Subset subset) {
    const auto [at, is_new] = numbers_.emplace(std::move(subset), static_cast<Number>(subsets_.size()));
    if (is_new) {
        subsets_.push_back(&at->first);
        known_.push_back(std::make_unique<LineKnowledge>(describe(at->first)));
        next_.emplace_back(profile_.symbols.size(), not_known);
    }
    return at->second;
}

LineKnowledge LineStates::Impl::describe(const Subset& subset) const {
    // What the home may do itself is what its directory leaves it: levels 1 (nobody has a copy) to 3 (lent out whole).
    static constexpr const char* left[] = {"?", "E", "S", "I"};
    LineKnowledge knowledge;
    if (subset.size() == graph_.configurations.size()) {
        knowledge.remote.unknown = knowledge.home.unknown = true;
        return knowledge;
    }
    std::size_t least = ~std::size_t{0};
    for (const std::uint32_t c : subset) {
        least = std::min(least, under_way(graph_.configurations[c]));
    }
    std::set<std::string> remote;
    std::set<std::string> home;
    for (const std::uint32_t c : subset) {
        const Configuration& configuration = graph_.configurations[c];
        if (under_way(configuration) != least) {
            continue;
        }
        const std::string& state = machines_.remote_states[configuration.remote];
        remote.insert(state.starts_with("R_") ? state.substr(2) : state);
        home.insert(left[machines_.directory[configuration.home] % std::size(left)]);
        knowledge.remote.transient = knowledge.remote.transient || machines_.awaits_grant[configuration.remote];
        knowledge.home.transient = knowledge.home.transient || !machines_.settled[configuration.home];
    }
    knowledge.remote.name = joined(remote);
    knowledge.home.name = joined(home);
    return knowledge;
}

/// An answer to a load or store past the caches looks like one of coherence, and tells nothing of the line's state.
bool LineStates::Impl::closes_other(const MessageHead& head, std::uint64_t header) {
    if (others_.empty()) {
        return false;
    }
    const auto closes = eci::closes(eci::decode(head.vc, header));
    return closes && others_.close(key_of(*closes, head.stream.reverse().from)).has_value();
}

void LineStates::Impl::open_other(const HeaderFact& fact, const MessageHead& head, std::uint64_t header) {
    const auto opens = eci::opens(eci::decode(head.vc, header));
    if (fact.means_nothing && fact.opens && opens) {
        others_.open(key_of(*opens, head.stream.from), {0, head.first, header, head.vc, head.stream});
    }
}

LineStates::LineStates(const Profile& profile, Tap tap) : impl_(std::make_unique<Impl>(profile, tap)) {}
LineStates::~LineStates() = default;

void LineStates::begin(bool from_rest) {
    impl_->begin(from_rest);
}
void LineStates::take(const MessageHead& head, std::uint64_t header) {
    impl_->take(head, header);
}
void LineStates::take(const Event& event) {
    impl_->take(event);
}
void LineStates::lost() {
    impl_->lost();
}
const LineKnowledge& LineStates::now() const {
    return impl_->now();
}

}  // namespace eciscope::conformance
