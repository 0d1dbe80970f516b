#include "load.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "spec_query.hpp"

namespace eciscope::conformance::model {

namespace {

using sailgen::UnionValue;
using sailgen::Value;

class Loader : private SpecQuery {
 public:
    using SpecQuery::SpecQuery;

    Machines machines(const std::string& remote_subset, const std::string& home_subset) {
        Machines m;
        m.subset = remote_subset == home_subset ? remote_subset : remote_subset + " with a home of " + home_subset;
        steps_ = members("step");
        remotes_ = members("remote_state");
        m.steps = names(steps_);
        m.remote_states = names(remotes_);
        remote(m, call("subset_of", {member("profile", remote_subset)}));
        home(m, call("subset_of", {member("profile", home_subset)}));
        return m;
    }

 private:
    void remote(Machines& m, const Value& subset) {
        const std::vector<Value> wishes = members("remote_wish");
        for (const Value& state : remotes_) {
            auto& acts = m.remote_acts.emplace_back();
            for (const Value& wish : wishes) {
                const Value outcome = call("remote_acts", {subset, state, wish});
                if (const Value* move = payload(outcome)) {
                    acts.push_back({remote_move(*move, to_string(wish) == "Wish_store"), to_string(wish)});
                }
            }
            auto& receptions = m.remote_receives.emplace_back();
            for (const Value& step : steps_) {
                receptions.push_back(remote_reception(subset, state, step));
            }
            m.may_write.push_back(ask("may_write", {state}));
            m.may_read.push_back(ask("may_read", {state}));
            m.awaits_grant.push_back(ask("awaits_grant", {state}));
            m.seen_by_home.push_back(group_of(state));
        }
        m.remote_rest = index_of(remotes_.front());
        for (const Value& step : steps_) {
            m.kinds.push_back(static_cast<StepKind>(index_of(call("kind_of_step", {step}))));
            m.from_home.push_back(ask("sent_by_the_home", {step}));
            m.brings_data.push_back(ask("brings_data", {step}));
        }
    }

    static Move remote_move(const Value& move, bool writes) {
        return {index_of(field(move, 0)), step_or_none(field(move, 1)), writes};
    }

    std::vector<Move> remote_reception(const Value& subset, const Value& state, const Value& step) {
        std::vector<Move> moves;
        for (const bool wrote : {false, true}) {
            const Value outcome = call("remote_receives", {subset, state, step, {wrote}});
            if (const Value* move = payload(outcome)) {
                const Move found = remote_move(*move, false);
                if (std::find(moves.begin(), moves.end(), found) == moves.end()) {
                    moves.push_back(found);
                    moves.back().writes = wrote;
                }
            }
        }
        return moves;
    }

    /// The first state that looks the same to the home.
    std::uint8_t group_of(const Value& state) {
        for (const Value& other : remotes_) {
            if (ask("looks_alike_to_the_home", {state, other})) {
                return index_of(other);
            }
        }
        return index_of(state);
    }

    /// Home states are found by following every reception and act from rest.
    void home(Machines& m, const Value& subset) {
        const std::vector<Value> levels = members("level");
        m.home_receives_beside.resize(levels.size() - 1);
        homes_ = {constant("home_at_rest")};
        for (std::size_t i = 0; i < homes_.size(); ++i) {
            const Value state = homes_[i];
            auto& acts = m.home_acts.emplace_back();
            for (const Value& step : steps_) {
                const Value act = call("home_acts", {subset, state, step});
                if (const Value* move = payload(act)) {
                    acts.push_back({home_move(*move), to_string(step)});
                }
            }
            m.home_receives.push_back(home_receptions(subset, state, levels.front()));
            for (std::size_t others = 1; others < levels.size(); ++others) {
                m.home_receives_beside[others - 1].push_back(home_receptions(subset, state, levels[others]));
            }
            m.directory.push_back(static_cast<std::uint8_t>(index_of(field(state, 0)) + 1));
            m.settled.push_back(ask("is_settled", {state}));
            m.may_write_at_home.push_back(ask("home_may_write", {subset, state}));
        }
        m.home_states = names(homes_);
        std::transform(homes_.begin(), homes_.end(), std::back_inserter(m.home_states_in_short), in_short);
        for (const Value& step : steps_) {
            m.is_request.push_back(is_held_somewhere(m, index_of(step)));
        }
    }

    static std::string in_short(const Value& home_state) {
        std::string text = std::to_string(index_of(field(home_state, 0)) + 1);
        for (const std::size_t kept : {1U, 2U}) {
            const Value* step = payload(field(home_state, kept));
            text += step == nullptr ? "" : " " + to_string(*step);
        }
        return text + (std::get<bool>(field(home_state, 3).data) ? " early V21" : "");
    }

    static bool is_held_somewhere(const Machines& m, StepId step) {
        return std::any_of(m.home_receives.begin(), m.home_receives.end(),
                           [step](const auto& row) { return row[step].kind == Reception::holds; });
    }

    Move home_move(const Value& move) { return {home_index(field(move, 0)), step_or_none(field(move, 1)), false}; }

    /// By step, given the highest level of any other remote.
    std::vector<HomeReception> home_receptions(const Value& subset, const Value& state, const Value& others) {
        std::vector<HomeReception> by_step;
        for (const Value& step : steps_) {
            by_step.push_back(home_reception(call("home_receives", {subset, state, others, step})));
        }
        return by_step;
    }

    HomeReception home_reception(const Value& outcome) {
        const auto& constructed = std::get<UnionValue>(outcome.data);
        if (constructed.constructor->name == "Takes") {
            return {Reception::takes, home_move(constructed.payload.front())};
        }
        return {constructed.constructor->name == "Holds" ? Reception::holds : Reception::unspecified, {}};
    }

    StateId home_index(const Value& state) {
        const auto place = std::find(homes_.begin(), homes_.end(), state);
        const auto index = static_cast<std::size_t>(place - homes_.begin());
        if (place == homes_.end()) {
            homes_.push_back(state);
            if (homes_.size() >= no_step) {
                throw QueryFailure{"the home has more states than fit"};
            }
        }
        return static_cast<StateId>(index);
    }

    std::vector<Value> steps_;
    std::vector<Value> remotes_;
    std::vector<Value> homes_;
};

}  // namespace

std::vector<std::string> subset_names(const sailgen::Program& program) {
    std::vector<std::string> names;
    if (const sailgen::EnumDef* profiles = program.find_enum("profile")) {
        for (const sailgen::EnumMember* member : profiles->members) {
            names.push_back(member->name);
        }
    }
    return names;
}

tl::expected<Machines, std::string> load_machines(const sailgen::Program& program, const std::string& remote_subset,
                                                  const std::string& home_subset) {
    try {
        return Loader(program).machines(remote_subset, home_subset);
    } catch (const QueryFailure& failure) {
        return tl::unexpected(failure.message);
    }
}

}  // namespace eciscope::conformance::model
