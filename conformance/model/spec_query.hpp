// Questions to the specification, answered by evaluating it.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "machines.hpp"
#include "sailgen/evaluator.hpp"
#include "sailgen/value.hpp"

namespace eciscope::conformance::model {

/// Thrown between a query and the function of load.hpp that returns it as an error: the specification lacks a rule, or
/// a rule cannot be evaluated.
struct QueryFailure {
    std::string message;
};

class SpecQuery {
 public:
    using Value = sailgen::Value;

    explicit SpecQuery(const sailgen::Program& program) : program_(program), evaluator_(program) {}

    Value call(const std::string& function, std::vector<Value> arguments) {
        auto outcome = evaluator_.call(function, std::move(arguments));
        if (!outcome) {
            throw QueryFailure{function + ": " + outcome.error().message};
        }
        return std::move(*outcome);
    }

    bool ask(const std::string& function, std::vector<Value> arguments) {
        return std::get<bool>(call(function, std::move(arguments)).data);
    }

    const sailgen::EnumDef& enumeration(const std::string& name) const {
        const sailgen::EnumDef* found = program_.find_enum(name);
        if (found == nullptr) {
            throw QueryFailure{"the specification has no enumeration " + name};
        }
        return *found;
    }

    std::vector<Value> members(const std::string& name) const {
        std::vector<Value> values;
        for (const sailgen::EnumMember* member : enumeration(name).members) {
            values.push_back({sailgen::EnumValue{member}});
        }
        return values;
    }

    Value member(const std::string& name, const std::string& wanted) const {
        for (const sailgen::EnumMember* member : enumeration(name).members) {
            if (member->name == wanted) {
                return {sailgen::EnumValue{member}};
            }
        }
        throw QueryFailure{name + " has no member " + wanted};
    }

    static std::vector<std::string> names(const std::vector<Value>& values) {
        std::vector<std::string> all;
        std::transform(values.begin(), values.end(), std::back_inserter(all),
                       [](const Value& v) { return sailgen::to_string(v); });
        return all;
    }

    static std::uint8_t index_of(const Value& enum_value) {
        return static_cast<std::uint8_t>(std::get<sailgen::EnumValue>(enum_value.data).member->index);
    }

    static const Value& field(const Value& structure, std::size_t index) {
        return std::get<sailgen::StructValue>(structure.data).fields.at(index);
    }

    static const Value* payload(const Value& option) {
        const auto& inside = std::get<sailgen::OptionValue>(option.data).payload;
        return inside.empty() ? nullptr : &inside.front();
    }

    static StepId step_or_none(const Value& option) {
        const Value* step = payload(option);
        return step == nullptr ? no_step : index_of(*step);
    }

    /// The value of a top-level `let`.
    Value constant(const std::string& name) {
        for (const auto& definition : program_.definitions) {
            const auto* let = std::get_if<const sailgen::LetDef*>(&definition);
            if (let != nullptr && (*let)->name == name) {
                return evaluator_.value_of(**let).value();
            }
        }
        throw QueryFailure{"the specification has no " + name};
    }

    static Value bits(unsigned width, std::uint64_t value) { return {sailgen::BitsValue{width, value}}; }
    static std::uint64_t bits_of(const Value& value) { return std::get<sailgen::BitsValue>(value.data).value; }

 private:
    const sailgen::Program& program_;
    sailgen::Evaluator evaluator_;
};

}  // namespace eciscope::conformance::model
