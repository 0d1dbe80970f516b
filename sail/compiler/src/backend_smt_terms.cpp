// Texts of SMT-LIB terms, symbols and sorts.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "backend_smt.hpp"
#include "walk.hpp"

namespace eciscope::sailgen::smt {
namespace {

std::string joined(std::string_view head, std::vector<std::string> terms) {
    std::string text = fmt::format("({}", head);
    for (const std::string& term : terms) text += " " + term;
    return text + ")";
}

}  // namespace

std::string conjunction(const std::vector<std::string>& terms) {
    std::vector<std::string> kept;
    for (const std::string& term : terms) {
        if (term == "false") return "false";
        if (term != "true") kept.push_back(term);
    }
    if (kept.empty()) return "true";
    return kept.size() == 1 ? kept.front() : joined("and", std::move(kept));
}

std::string disjunction(const std::vector<std::string>& terms) {
    std::vector<std::string> kept;
    for (const std::string& term : terms) {
        if (term == "true") return "true";
        if (term != "false") kept.push_back(term);
    }
    if (kept.empty()) return "false";
    return kept.size() == 1 ? kept.front() : joined("or", std::move(kept));
}

std::string negation(const std::string& term) {
    if (term == "true") return "false";
    if (term == "false") return "true";
    return fmt::format("(not {})", term);
}

std::string implication(const std::string& premise, const std::string& conclusion) {
    if (premise == "true" || conclusion == "true") return conclusion;
    if (premise == "false") return "true";
    return fmt::format("(=> {} {})", premise, conclusion);
}

std::string conditional(const std::string& condition, const std::string& yes, const std::string& no) {
    if (condition == "true" || yes == no) return yes;
    if (condition == "false") return no;
    if (yes == "true" && no == "false") return condition;
    return fmt::format("(ite {} {} {})", condition, yes, no);
}

std::string bits_literal(unsigned width, std::uint64_t value) {
    if (width % 4 == 0) return fmt::format("#x{:0{}x}", value, width / 4);
    return fmt::format("#b{:0{}b}", value, width);
}

std::string int_literal(std::int64_t value) {
    return bits_literal(64, static_cast<std::uint64_t>(value));
}

std::string constant_term(const Constant& value) {
    return std::visit(Overloaded{[](UnitValue) { return std::string("#b0"); },
                                 [](bool truth) { return std::string(truth ? "true" : "false"); },
                                 [](BitValue bit) { return bits_literal(1, bit.set ? 1 : 0); },
                                 [](std::int64_t number) { return int_literal(number); },
                                 [](BitsValue bits) { return bits_literal(bits.width, bits.value); },
                                 [](const std::string&) { return std::string(); }},
                      value);
}

std::string extract(const std::string& term, unsigned high, unsigned low) {
    return fmt::format("((_ extract {} {}) {})", high, low, term);
}

std::string symbol(std::string_view prefix, std::string_view name) {
    std::string text = fmt::format("{}.{}", prefix, name);
    std::ranges::replace(text, '\'', '!');  // Sail has it in names, SMT-LIB has not
    return text;
}

std::string constructor_symbol(const UnionConstructor& constructor) {
    return symbol("c", constructor.name);
}

std::string payload_symbol(const UnionConstructor& constructor) {
    return symbol("of", constructor.name);
}

std::string maker_symbol(const StructDef& def) {
    return symbol("mk", def.name);
}

std::string field_symbol(const StructField& field) {
    return symbol(field.owner->name, field.name);
}

std::string member_symbol(const EnumMember& member) {
    return symbol("e", member.name);
}

std::string mapping_symbol(const MappingDef& mapping, Direction direction, std::string_view what) {
    return symbol(fmt::format("{}.{}", direction == Direction::forwards ? "forwards" : "backwards", what),
                  mapping.name);
}

std::string shape(TypeRef type) {
    const auto of_elements = [type](std::string text) {
        for (const TypeRef element : type->elements) text += "." + shape(element);
        return text;
    };
    switch (type->kind) {
        case TypeKind::unit:
            return "unit";
        case TypeKind::boolean:
            return "bool";
        case TypeKind::bit:
            return "bits1";
        case TypeKind::integer:
            return "int";
        case TypeKind::bits:
            return fmt::format("bits{}", type->width);
        case TypeKind::bitfield:
            return fmt::format("bits{}", type->bitfield_def->width);
        case TypeKind::tuple:
            return of_elements(fmt::format("tuple{}", type->elements.size()));
        case TypeKind::vector:
            return of_elements(fmt::format("vector{}", type->length));
        case TypeKind::option:
            return of_elements("option");
        case TypeKind::string:
            return "string";
        case TypeKind::enumeration:
            return symbol("t", type->enum_def->name);
        case TypeKind::structure:
            return symbol("t", type->struct_def->name);
        case TypeKind::union_type:
            return symbol("t", type->union_def->name);
        case TypeKind::error:
            break;
    }
    return "error";
}

}  // namespace eciscope::sailgen::smt
