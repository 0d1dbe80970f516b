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

// The union, struct, enum or bitfield behind a type; null for others.
const Named* definition_of(TypeRef type) {
    switch (type->kind) {
        case TypeKind::enumeration:
            return type->enum_def;
        case TypeKind::structure:
            return type->struct_def;
        case TypeKind::union_type:
            return type->union_def;
        default:
            return nullptr;
    }
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
    return std::visit(Overloaded{[](UnitValue) { return std::string("unit.value"); },
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
    const std::string plain = fmt::format("{}.{}", prefix, name);
    return plain.find('\'') == std::string::npos ? plain : fmt::format("|{}|", plain);
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
        default: {
            const Named* def = definition_of(type);
            return def == nullptr ? "error" : symbol("t", def->name);
        }
    }
}

std::string Translator::sort(TypeRef type) {
    const std::string name = shape(type);
    switch (type->kind) {
        case TypeKind::boolean:
            return "Bool";
        case TypeKind::bit:
            return "(_ BitVec 1)";
        case TypeKind::integer:
            return "(_ BitVec 64)";
        case TypeKind::bits:
        case TypeKind::bitfield: {
            const unsigned width = type->kind == TypeKind::bits ? type->width : type->bitfield_def->width;
            if (width == 0) refuse({}, "a bit vector of width 0");
            return fmt::format("(_ BitVec {})", std::max(width, 1U));
        }
        case TypeKind::string:
        case TypeKind::error:
            refuse({}, "a value of type `" + to_string(type) + "`");
            return "Bool";
        default:
            break;
    }
    if (declared_.contains(name)) return name;
    if (!open_.insert(name).second) {
        refuse(definition_of(type) == nullptr ? SourceRange{} : definition_of(type)->where, "a recursive type");
        return name;
    }
    declare(type, name);
    open_.erase(name);
    declared_.insert(name);
    return name;
}

void Translator::declare(TypeRef type, const std::string& name) {
    std::string body;
    if (type->kind == TypeKind::unit) {
        body = "(unit.value)";
    } else if (type->kind == TypeKind::option) {
        const std::string element = shape(type->elements.front());
        body = fmt::format("(none.{0}) (some.{0} (value.{0} {1}))", element, sort(type->elements.front()));
    } else if (type->kind == TypeKind::enumeration) {
        for (const EnumMember* member : type->enum_def->members) body += fmt::format(" ({})", member_symbol(*member));
    } else if (type->kind == TypeKind::union_type) {
        for (const UnionConstructor* constructor : type->union_def->constructors) {
            const std::string payload =
                constructor->payload->kind == TypeKind::unit
                    ? std::string()
                    : fmt::format(" ({} {})", payload_symbol(*constructor), sort(constructor->payload));
            body += fmt::format("\n  ({}{})", constructor_symbol(*constructor), payload);
        }
    } else if (type->kind == TypeKind::structure) {
        std::vector<TypeRef> types;
        std::vector<std::string> selectors;
        for (const StructField* field : type->struct_def->fields) {
            types.push_back(field->type);
            selectors.push_back(field_symbol(*field));
        }
        declare_product(name, maker_symbol(*type->struct_def), types, selectors);
        return;
    } else {
        std::vector<TypeRef> types = type->elements;
        if (type->kind == TypeKind::vector) types.assign(type->length, type->elements.front());
        std::vector<std::string> selectors;
        for (std::size_t i = 0; i < types.size(); ++i) selectors.push_back(fmt::format("item{}.{}", i, name));
        declare_product(name, "mk." + name, types, selectors);
        return;
    }
    script_.push_back(fmt::format("(declare-datatypes (({} 0)) (({})))", name, body));
}

void Translator::declare_product(const std::string& name, const std::string& maker, const std::vector<TypeRef>& types,
                                 const std::vector<std::string>& selectors) {
    std::string fields;
    for (std::size_t i = 0; i < types.size(); ++i) {
        fields += fmt::format("\n  ({} {})", selectors[i], sort(types[i]));
    }
    script_.push_back(fmt::format("(declare-datatypes (({} 0)) ((({}{}))))", name, maker, fields));
}

std::string Translator::invariant(TypeRef type, const std::string& term) {
    std::vector<std::string> parts;
    if (type->kind == TypeKind::integer) {
        if (type->low) parts.push_back(fmt::format("(bvsle {} {})", int_literal(*type->low), term));
        if (type->high) parts.push_back(fmt::format("(bvsle {} {})", term, int_literal(*type->high)));
    } else if (type->kind == TypeKind::tuple || type->kind == TypeKind::vector) {
        const std::size_t count = type->kind == TypeKind::tuple ? type->elements.size() : type->length;
        for (std::size_t i = 0; i < count; ++i) {
            parts.push_back(invariant(type->elements[type->kind == TypeKind::tuple ? i : 0],
                                      fmt::format("(item{}.{} {})", i, shape(type), term)));
        }
    } else if (type->kind == TypeKind::option) {
        const std::string element = shape(type->elements.front());
        parts.push_back(implication(fmt::format("((_ is some.{}) {})", element, term),
                                    invariant(type->elements.front(), fmt::format("(value.{} {})", element, term))));
    } else if (type->kind == TypeKind::structure) {
        for (const StructField* field : type->struct_def->fields) {
            parts.push_back(invariant(field->type, fmt::format("({} {})", field_symbol(*field), term)));
        }
    } else if (type->kind == TypeKind::union_type) {
        for (const UnionConstructor* constructor : type->union_def->constructors) {
            if (constructor->payload->kind == TypeKind::unit) continue;
            parts.push_back(implication(
                fmt::format("((_ is {}) {})", constructor_symbol(*constructor), term),
                invariant(constructor->payload, fmt::format("({} {})", payload_symbol(*constructor), term))));
        }
    }
    return conjunction(parts);
}

}  // namespace eciscope::sailgen::smt
