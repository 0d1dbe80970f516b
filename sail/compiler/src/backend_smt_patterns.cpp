// Patterns, match arms and mappings as SMT-LIB terms.
#include <utility>

#include <fmt/format.h>

#include "backend_smt.hpp"
#include "walk.hpp"

namespace eciscope::sailgen::smt {
void Translator::match(PatternRef pattern, const std::string& subject, std::vector<std::string>& conditions) {
    const auto sub = [&](PatternRef inner, const std::string& selector) {
        match(inner, fmt::format("({} {})", selector, subject), conditions);
    };
    const auto is = [&](const std::string& constructor) {
        conditions.push_back(fmt::format("(is.{} {})", constructor, subject));
    };
    std::visit(
        Overloaded{
            [](const WildcardPattern&) {}, [&](const BindPattern& bind) { bindings_[bind.local] = subject; },
            [&](const LiteralPattern& literal) {
                if (std::holds_alternative<UnitValue>(literal.value)) return;
                const std::string term = constant_term(literal.value);
                if (term.empty()) refuse(pattern->where, "a string in a pattern");
                conditions.push_back(fmt::format("(= {} {})", subject, term));
            },
            [&](const EnumPattern& member) {
                conditions.push_back(fmt::format("(= {} {})", subject, member_symbol(*member.member)));
            },
            [&](const ConstructorPattern& constructed) {
                if (constructed.constructor->owner->constructors.size() > 1) {
                    is(constructor_symbol(*constructed.constructor));
                }
                const bool is_unit = constructed.constructor->payload->kind == TypeKind::unit;
                if (!is_unit) sub(constructed.payload, payload_symbol(*constructed.constructor));
            },
            [&](const SomePattern& some) {
                is("some." + shape(pattern->type->elements.front()));
                sub(some.payload, "value." + shape(pattern->type->elements.front()));
            },
            [&](const NonePattern&) { is("none." + shape(pattern->type->elements.front())); },
            [&](const TuplePattern& tuple) {
                for (std::size_t i = 0; i < tuple.elements.size(); ++i) {
                    sub(tuple.elements[i], fmt::format("item{}.{}", i, shape(pattern->type)));
                }
            },
            [&](const StructPattern& structure) {
                for (std::size_t i = 0; i < structure.fields.size(); ++i) {
                    sub(structure.fields[i], field_symbol(*structure.def->fields[i]));
                }
            },
            [&](const BitfieldPattern& bitfield) { match(bitfield.bits, subject, conditions); },
            [&](const AsPattern& as) {
                bindings_[as.local] = subject;
                match(as.pattern, subject, conditions);
            },
            [&](const VectorPattern& vector) {
                const std::size_t count = vector.elements.size();
                const bool is_bits = pattern->type->kind == TypeKind::bits;
                for (std::size_t i = 0; i < count; ++i) {
                    const auto position = static_cast<unsigned>(count - 1 - i);
                    match(vector.elements[i],
                          is_bits ? extract(subject, position, position)
                                  : fmt::format("(item{}.{} {})", position, shape(pattern->type), subject),
                          conditions);
                }
            },
            [&](const ConcatPattern& concat) { match_concat(concat, pattern->type->width, subject, conditions); },
            [&](const MappingPattern& through) {
                conditions.push_back(takes(*through.mapping, through.direction, subject));
                match(through.inner, apply(*through.mapping, through.direction, subject), conditions);
            },
            [&](const SlicePattern& slice) { slices_[slice.local][slice.low] = subject; }},
        pattern->node);
}

void Translator::match_concat(const ConcatPattern& pattern, unsigned width, const std::string& subject,
                              std::vector<std::string>& conditions) {
    unsigned high = width;
    for (const PatternRef part : pattern.parts) {
        const unsigned part_width = part->type->width;
        high -= part_width;
        match(part, extract(subject, high + part_width - 1, high), conditions);
    }
}

void Translator::bind_slices() {
    for (const auto& [local, parts] : slices_) {
        std::string term;
        for (const auto& [low, part] : parts) term = term.empty() ? part : fmt::format("(concat {} {})", part, term);
        bindings_[local] = term;
    }
    slices_.clear();
}

Translator::Chain Translator::arms(const std::vector<Arm>& list, const std::string& subject) {
    Chain chain;
    std::vector<Chain> made;  // `takes` is the arm's own condition
    for (const Arm& arm : list) {
        const auto outer = std::exchange(slices_, {});
        std::vector<std::string> conditions;
        match(arm.pattern, subject, conditions);
        bind_slices();
        slices_ = outer;
        const Term guard = arm.guard == nullptr ? Term{"true", "true"} : expression(arm.guard);
        const Term body = expression(arm.body);
        // A guard that fails to evaluate counts as taken, and the arm as undefined.
        conditions.push_back(disjunction({guard.value, negation(guard.defined)}));
        made.push_back({body.value, conjunction({guard.defined, body.defined}), conjunction(conditions)});
    }
    chain.value = made.empty() ? std::string() : made.back().value;
    chain.defined = "false";
    chain.takes = "false";
    for (auto arm = made.rbegin(); arm != made.rend(); ++arm) {
        if (arm != made.rbegin()) chain.value = conditional(arm->takes, arm->value, chain.value);
        chain.defined = conditional(arm->takes, arm->defined, chain.defined);
    }
    std::vector<std::string> all;
    for (const Chain& arm : made) all.push_back(arm.takes);
    chain.takes = disjunction(all);
    return chain;
}

std::string Translator::clause_takes(const MappingClause& clause, Direction direction, const std::string& argument) {
    const std::optional<MappingArm>& arm = direction == Direction::forwards ? clause.forwards : clause.backwards;
    if (!arm) return "false";
    std::vector<std::string> conditions;
    match(arm->pattern, argument, conditions);
    bind_slices();
    if (arm->guard != nullptr) conditions.push_back(expression(arm->guard).value);
    return conjunction(conditions);
}

void Translator::require(const MappingDef& mapping, Direction direction) {
    const std::string key = mapping_symbol(mapping, direction, "value");
    if (always_defined_.contains(key)) return;
    if (!open_.insert("mapping." + mapping.name).second) {
        always_defined_[key] = false;
        refuse(mapping.where, "the mapping `" + mapping.name + "`, which uses itself,");
        return;
    }
    std::vector<Arm> list;
    for (const MappingClause& clause : mapping.clauses) {
        const std::optional<MappingArm>& arm = direction == Direction::forwards ? clause.forwards : clause.backwards;
        if (arm) list.push_back({arm->pattern, arm->guard, arm->body});
    }
    if (list.empty()) refuse(mapping.where, "the mapping `" + mapping.name + "` in a direction without clauses");
    const bool is_forwards = direction == Direction::forwards;
    const std::string parameter = fmt::format("((x {}))", sort(is_forwards ? mapping.left : mapping.right));
    const std::string result = sort(is_forwards ? mapping.right : mapping.left);
    const Chain chain = arms(list, "x");
    define(key, parameter, result, chain.value);
    if (chain.defined != "true")
        define(mapping_symbol(mapping, direction, "defined"), parameter, "Bool", chain.defined);
    define(mapping_symbol(mapping, direction, "takes"), parameter, "Bool", chain.takes);
    always_defined_[key] = chain.defined == "true";
    open_.erase("mapping." + mapping.name);
}

std::string Translator::apply(const MappingDef& mapping, Direction direction, const std::string& argument) {
    require(mapping, direction);
    return fmt::format("({} {})", mapping_symbol(mapping, direction, "value"), argument);
}

std::string Translator::apply_defined(const MappingDef& mapping, Direction direction, const std::string& argument) {
    require(mapping, direction);
    if (always_defined_[mapping_symbol(mapping, direction, "value")]) return "true";
    return fmt::format("({} {})", mapping_symbol(mapping, direction, "defined"), argument);
}

std::string Translator::takes(const MappingDef& mapping, Direction direction, const std::string& argument) {
    require(mapping, direction);
    return fmt::format("({} {})", mapping_symbol(mapping, direction, "takes"), argument);
}

}  // namespace eciscope::sailgen::smt
