#include "load.hpp"

#include <algorithm>
#include <utility>

#include "sailgen/evaluator.hpp"
#include "sailgen/value.hpp"

namespace eciscope::conformance::model {

namespace {

using sailgen::BitsValue;
using sailgen::EnumValue;
using sailgen::OptionValue;
using sailgen::StructValue;
using sailgen::UnionValue;
using sailgen::Value;

/// Thrown inside this file only: the specification lacks a rule, or a rule cannot be evaluated.
struct Failure {
    std::string message;
};

class Loader {
 public:
    explicit Loader(const sailgen::Program& program) : program_(program), evaluator_(program) {}

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

    Meanings meanings() {
        steps_ = members("step");
        Meanings meanings;
        for (std::uint8_t vc = 0; vc < 16; ++vc) {
            for (std::uint8_t opcode = 0; opcode < 32; ++opcode) {
                for (const bool has_dmask : {false, true}) {
                    add_meaning(meanings, vc, opcode, has_dmask);
                }
            }
        }
        return meanings;
    }

 private:
    Value call(const std::string& function, std::vector<Value> arguments) {
        auto outcome = evaluator_.call(function, std::move(arguments));
        if (!outcome) {
            throw Failure{function + ": " + outcome.error().message};
        }
        return std::move(*outcome);
    }

    bool ask(const std::string& function, std::vector<Value> arguments) {
        return std::get<bool>(call(function, std::move(arguments)).data);
    }

    const sailgen::EnumDef& enumeration(const std::string& name) const {
        const sailgen::EnumDef* found = program_.find_enum(name);
        if (found == nullptr) {
            throw Failure{"the specification has no enumeration " + name};
        }
        return *found;
    }

    std::vector<Value> members(const std::string& name) const {
        std::vector<Value> values;
        for (const sailgen::EnumMember* member : enumeration(name).members) {
            values.push_back({EnumValue{member}});
        }
        return values;
    }

    Value member(const std::string& name, const std::string& wanted) const {
        for (const sailgen::EnumMember* member : enumeration(name).members) {
            if (member->name == wanted) {
                return {EnumValue{member}};
            }
        }
        throw Failure{name + " has no member " + wanted};
    }

    static std::vector<std::string> names(const std::vector<Value>& values) {
        std::vector<std::string> all;
        std::transform(values.begin(), values.end(), std::back_inserter(all),
                       [](const Value& v) { return to_string(v); });
        return all;
    }

    static std::uint8_t index_of(const Value& enum_value) {
        return static_cast<std::uint8_t>(std::get<EnumValue>(enum_value.data).member->index);
    }

    static const Value& field(const Value& structure, std::size_t index) {
        return std::get<StructValue>(structure.data).fields.at(index);
    }

    static const Value* payload(const Value& option) {
        const auto& inside = std::get<OptionValue>(option.data).payload;
        return inside.empty() ? nullptr : &inside.front();
    }

    static StepId step_or_none(const Value& option) {
        const Value* step = payload(option);
        return step == nullptr ? no_step : index_of(*step);
    }

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
        const sailgen::LetDef* rest = nullptr;
        for (const auto& definition : program_.definitions) {
            if (const auto* let = std::get_if<const sailgen::LetDef*>(&definition);
                let != nullptr && (*let)->name == "home_at_rest") {
                rest = *let;
            }
        }
        if (rest == nullptr) {
            throw Failure{"the specification has no home_at_rest"};
        }
        const Value nobody_else = members("level").front();
        homes_ = {evaluator_.value_of(*rest).value()};
        for (std::size_t i = 0; i < homes_.size(); ++i) {
            const Value state = homes_[i];
            auto& acts = m.home_acts.emplace_back();
            auto& receptions = m.home_receives.emplace_back();
            for (const Value& step : steps_) {
                const Value act = call("home_acts", {subset, state, step});
                if (const Value* move = payload(act)) {
                    acts.push_back({home_move(*move), to_string(step)});
                }
                receptions.push_back(home_reception(call("home_receives", {subset, state, nobody_else, step})));
            }
            m.directory.push_back(static_cast<std::uint8_t>(index_of(field(state, 0)) + 1));
            m.settled.push_back(ask("is_settled", {state}));
            m.may_write_at_home.push_back(ask("home_may_write", {subset, state}));
        }
        m.home_states = names(homes_);
        for (const Value& step : steps_) {
            m.is_request.push_back(is_held_somewhere(m, index_of(step)));
        }
    }

    static bool is_held_somewhere(const Machines& m, StepId step) {
        return std::any_of(m.home_receives.begin(), m.home_receives.end(),
                           [step](const auto& row) { return row[step].kind == Reception::holds; });
    }

    Move home_move(const Value& move) { return {home_index(field(move, 0)), step_or_none(field(move, 1)), false}; }

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
                throw Failure{"the home has more states than fit"};
            }
        }
        return static_cast<StateId>(index);
    }

    void add_meaning(Meanings& meanings, std::uint8_t vc, std::uint8_t opcode, bool has_dmask) {
        const std::uint64_t header = std::uint64_t{opcode} << 59U | (has_dmask ? dmask_bit() : 0);
        const Value message = call("decode", {{BitsValue{4, vc}}, {BitsValue{64, header}}});
        StepSet steps = 0;
        for (const Value& step : steps_) {
            steps |= ask("may_mean", {message, step}) ? StepSet{1} << index_of(step) : 0;
        }
        if (steps != 0) {
            meanings.rows.push_back({vc, opcode, has_dmask, steps});
        }
    }

    /// A bit of the sub-line mask: the specification is asked where the mask lies.
    std::uint64_t dmask_bit() {
        for (unsigned bit = 0; bit < 64; ++bit) {
            const std::uint64_t header = std::uint64_t{1} << bit;
            if (std::get<BitsValue>(call("mrsp_dmask", {{BitsValue{64, header}}}).data).value != 0) {
                return header;
            }
        }
        throw Failure{"mrsp_dmask reads no bit"};
    }

    const sailgen::Program& program_;
    sailgen::Evaluator evaluator_;
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
    } catch (const Failure& failure) {
        return tl::unexpected(failure.message);
    }
}

tl::expected<Meanings, std::string> load_meanings(const sailgen::Program& program) {
    try {
        return Loader(program).meanings();
    } catch (const Failure& failure) {
        return tl::unexpected(failure.message);
    }
}

}  // namespace eciscope::conformance::model
