#include "sailgen/evaluator.hpp"

#include <utility>

#include "execution.hpp"

namespace eciscope::sailgen {
namespace {

tl::unexpected<EvalError> bad_call(std::string message) {
    return tl::make_unexpected(EvalError{EvalErrorKind::bad_call, std::move(message), {}});
}

EvalError no_clause(const MappingDef& mapping, const Value& value) {
    return {EvalErrorKind::match_failure, "no clause of `" + mapping.name + "` takes " + to_string(value),
            mapping.where};
}

}  // namespace

Evaluator::Evaluator(const Program& program, EvalOptions options) : program_(program), options_(options) {
    for (const RegisterDef& reg : program.arenas.registers) registers_.emplace(&reg, default_value(reg.type));
    for (const RegisterDef& reg : program.arenas.registers) {
        if (reg.initial == nullptr) continue;
        // A register whose initial value fails keeps the default; the failure shows where the value is computed again.
        Execution execution(*this);
        const LetDef initial{{reg.name, {}, reg.where}, reg.type, reg.initial, reg.locals};
        Value value = execution.value_of(initial);
        lets_.erase(&initial);
        if (!execution.error()) registers_[&reg] = std::move(value);
    }
}

Evaluator::Outcome Evaluator::call(const FunctionDef& function, std::vector<Value> arguments) {
    if (arguments.size() != function.parameters.size()) {
        return bad_call("`" + function.name + "` takes " + std::to_string(function.parameters.size()) +
                        " arguments, not " + std::to_string(arguments.size()));
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const TypeRef type = function.parameters[i]->type;
        if (!has_type(arguments[i], type)) {
            return bad_call("`" + function.name + "` wants " + to_string(type) + ", not " + to_string(arguments[i]));
        }
    }
    Execution execution(*this);
    Value result = execution.call(function, std::move(arguments));
    if (execution.error()) return tl::make_unexpected(*execution.error());
    return result;
}

Evaluator::Outcome Evaluator::convert(const MappingDef& mapping, Direction direction, const Value& value) {
    const TypeRef type = direction == Direction::forwards ? mapping.left : mapping.right;
    if (!has_type(value, type)) {
        return bad_call("`" + mapping.name + "` wants " + to_string(type) + ", not " + to_string(value));
    }
    Execution execution(*this);
    std::optional<Value> result = execution.convert(mapping, direction, value, false);
    if (execution.error()) return tl::make_unexpected(*execution.error());
    if (!result) return tl::make_unexpected(no_clause(mapping, value));
    return std::move(*result);
}

tl::expected<bool, EvalError> Evaluator::matches(const MappingDef& mapping, Direction direction, const Value& value) {
    const TypeRef type = direction == Direction::forwards ? mapping.left : mapping.right;
    if (!has_type(value, type)) {
        return bad_call("`" + mapping.name + "` wants " + to_string(type) + ", not " + to_string(value));
    }
    Execution execution(*this);
    const std::optional<Value> result = execution.convert(mapping, direction, value, true);
    if (execution.error()) return tl::make_unexpected(*execution.error());
    return result.has_value();
}

Evaluator::Outcome Evaluator::value_of(const LetDef& let) {
    Execution execution(*this);
    Value value = execution.value_of(let);
    if (execution.error()) return tl::make_unexpected(*execution.error());
    return value;
}

Evaluator::Outcome Evaluator::call(std::string_view name, std::vector<Value> arguments) {
    if (const FunctionDef* function = program_.find_function(name)) return call(*function, std::move(arguments));
    if (arguments.size() != 1) return bad_call("there is no function `" + std::string(name) + "`");
    if (const MappingDef* mapping = program_.find_mapping(name)) {
        const bool forwards = has_type(arguments[0], mapping->left);
        return convert(*mapping, forwards ? Direction::forwards : Direction::backwards, arguments[0]);
    }
    std::string_view stem = name;
    const bool only_matches = stem.ends_with("_matches");
    if (only_matches) stem.remove_suffix(std::string_view("_matches").size());
    for (const Direction direction : {Direction::forwards, Direction::backwards}) {
        const std::string_view suffix = direction == Direction::forwards ? "_forwards" : "_backwards";
        if (!stem.ends_with(suffix)) continue;
        const MappingDef* mapping = program_.find_mapping(stem.substr(0, stem.size() - suffix.size()));
        if (mapping == nullptr) continue;
        if (!only_matches) return convert(*mapping, direction, arguments[0]);
        return matches(*mapping, direction, arguments[0]).map([](bool fits) { return Value{fits}; });
    }
    return bad_call("there is no function or mapping `" + std::string(name) + "`");
}

tl::expected<std::uint64_t, EvalError> Evaluator::enumerate(const FunctionDef& function, const Visit& visit) {
    std::uint64_t total = 1;
    std::vector<std::uint64_t> counts;
    for (const Local* parameter : function.parameters) {
        const std::optional<std::uint64_t> count = count_values(parameter->type, options_.value_limit);
        if (!count || *count == 0 || total > options_.value_limit / *count) {
            return tl::make_unexpected(EvalError{EvalErrorKind::too_many,
                                                 "`" + function.name + "` has too many arguments to list them all",
                                                 function.where});
        }
        total *= *count;
        counts.push_back(*count);
    }
    for (std::uint64_t index = 0; index < total; ++index) {
        std::vector<Value> arguments(counts.size());
        std::uint64_t rest = index;
        for (std::size_t i = counts.size(); i-- > 0;) {
            arguments[i] = value_at(function.parameters[i]->type, rest % counts[i]);
            rest /= counts[i];
        }
        Execution execution(*this);
        Value result = execution.call(function, arguments);
        visit(arguments,
              execution.error() ? Outcome(tl::make_unexpected(*execution.error())) : Outcome(std::move(result)));
    }
    return total;
}

}  // namespace eciscope::sailgen
