// Types as sorts: all are bit vectors, with functions that make values and take them apart.
#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "backend_smt.hpp"

namespace eciscope::sailgen::smt {
namespace {

// Inside another value a boolean is a bit.
std::string packed(TypeRef type, const std::string& term) {
    return type->kind == TypeKind::boolean ? fmt::format("(ite {} #b1 #b0)", term) : term;
}

std::string unpacked(TypeRef type, const std::string& term) {
    return type->kind == TypeKind::boolean ? fmt::format("(= {} #b1)", term) : term;
}

unsigned widest_payload(const UnionDef& def) {
    unsigned widest = 0;
    for (const UnionConstructor* constructor : def.constructors) {
        if (constructor->payload->kind != TypeKind::unit) widest = std::max(widest, width_of(constructor->payload));
    }
    return widest;
}

std::string zero_extended(unsigned by, const std::string& term) {
    return by == 0 ? term : fmt::format("((_ zero_extend {}) {})", by, term);
}

// Also of more than 64 bits.
std::string zeros(unsigned width) {
    return "#b" + std::string(width, '0');
}

std::string number_below(const std::string& term, unsigned width, std::uint64_t count) {
    return std::has_single_bit(count) && count > 1 ? "true"
                                                   : fmt::format("(bvult {} {})", term, bits_literal(width, count));
}

}  // namespace

unsigned tag_width(std::uint64_t count) {
    return count < 3 ? 1 : static_cast<unsigned>(std::bit_width(count - 1));
}

std::vector<TypeRef> parts_of(TypeRef type) {
    std::vector<TypeRef> parts = type->elements;
    if (type->kind == TypeKind::vector) parts.assign(type->length, type->elements.front());
    if (type->kind == TypeKind::structure) {
        for (const StructField* field : type->struct_def->fields) parts.push_back(field->type);
    }
    return parts;
}

unsigned width_of(TypeRef type) {
    unsigned sum = 0;
    switch (type->kind) {
        case TypeKind::integer:
            return 64;
        case TypeKind::bits:
            return type->width;
        case TypeKind::bitfield:
            return type->bitfield_def->width;
        case TypeKind::enumeration:
            return tag_width(type->enum_def->members.size());
        case TypeKind::structure:
        case TypeKind::tuple:
        case TypeKind::vector:
            for (const TypeRef part : parts_of(type)) sum += width_of(part);
            return sum;
        case TypeKind::option:
            return 1 + width_of(type->elements.front());
        case TypeKind::union_type:
            return tag_width(type->union_def->constructors.size()) + widest_payload(*type->union_def);
        default:
            return 1;
    }
}

std::string Translator::sort(TypeRef type) {
    const std::string name = shape(type);
    switch (type->kind) {
        case TypeKind::boolean:
            return "Bool";
        case TypeKind::bit:
        case TypeKind::unit:
            return "(_ BitVec 1)";
        case TypeKind::integer:
            return "(_ BitVec 64)";
        case TypeKind::bits:
        case TypeKind::bitfield:
            if (width_of(type) == 0) refuse({}, "a bit vector of width 0");
            return fmt::format("(_ BitVec {})", std::max(width_of(type), 1U));
        case TypeKind::string:
        case TypeKind::error:
            refuse({}, "a value of type `" + to_string(type) + "`");
            return "Bool";
        default:
            break;
    }
    if (declared_.contains(name)) return name;
    if (!open_.insert(name).second) {
        refuse({}, "the type `" + to_string(type) + "`, which contains itself,");
        return name;
    }
    declare(type, name);
    open_.erase(name);
    declared_.insert(name);
    return name;
}

void Translator::declare(TypeRef type, const std::string& name) {
    std::vector<TypeRef> parts = parts_of(type);
    if (type->kind == TypeKind::union_type) {
        for (const UnionConstructor* constructor : type->union_def->constructors) parts.push_back(constructor->payload);
    }
    std::vector<std::string> sorts;
    for (const TypeRef part : parts) sorts.push_back(sort(part));
    if (!diagnostics_.empty()) return;
    script_.push_back(fmt::format("(define-sort {} () (_ BitVec {}))", name, width_of(type)));
    if (type->kind == TypeKind::enumeration) {
        for (const EnumMember* member : type->enum_def->members) {
            define(member_symbol(*member), "()", name, bits_literal(width_of(type), member->index));
        }
    } else if (type->kind == TypeKind::union_type) {
        const unsigned count = static_cast<unsigned>(type->union_def->constructors.size());
        for (const UnionConstructor* constructor : type->union_def->constructors) {
            declare_choice(name,
                           {tag_width(count), constructor->index, widest_payload(*type->union_def),
                            constructor->payload->kind != TypeKind::unit},
                           constructor_symbol(*constructor), payload_symbol(*constructor), constructor->payload);
        }
    } else if (type->kind == TypeKind::option) {
        const std::string element = shape(type->elements.front());
        const unsigned width = width_of(type->elements.front());
        define("none." + element, "()", name, fmt::format("(concat #b0 {})", zeros(width)));
        define("is.none." + element, fmt::format("((x {}))", name), "Bool",
               fmt::format("(= {} #b0)", extract("x", width, width)));
        declare_choice(name, {1, 1, width, true}, "some." + element, "value." + element, type->elements.front());
    } else {
        declare_product(type, name, sorts);
    }
}

void Translator::declare_product(TypeRef type, const std::string& name, const std::vector<std::string>& sorts) {
    const std::vector<TypeRef> parts = parts_of(type);
    std::string parameters;
    std::string body;
    unsigned high = width_of(type);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string selector = type->kind == TypeKind::structure ? field_symbol(*type->struct_def->fields[i])
                                                                       : fmt::format("item{}.{}", i, name);
        parameters += fmt::format("(x{} {})", i, sorts[i]);
        body += " " + packed(parts[i], fmt::format("x{}", i));
        const unsigned width = width_of(parts[i]);
        define(selector, fmt::format("((x {}))", name), sorts[i],
               unpacked(parts[i], extract("x", high - 1, high - width)));
        high -= width;
    }
    const std::string maker = type->kind == TypeKind::structure ? maker_symbol(*type->struct_def) : "mk." + name;
    define(maker, "(" + parameters + ")", name, parts.size() == 1 ? body.substr(1) : "(concat" + body + ")");
}

void Translator::declare_choice(const std::string& name, Choice choice, const std::string& maker,
                                const std::string& selector, TypeRef payload) {
    const std::string tag = bits_literal(choice.tag_width, choice.tag);
    const unsigned total = choice.tag_width + choice.payload_width;
    define("is." + maker, fmt::format("((x {}))", name), "Bool",
           fmt::format("(= {} {})", extract("x", total - 1, choice.payload_width), tag));
    if (!choice.has_payload) {
        define(maker, "()", name,
               choice.payload_width == 0 ? tag : fmt::format("(concat {} {})", tag, zeros(choice.payload_width)));
        return;
    }
    const unsigned width = width_of(payload);
    define(selector, fmt::format("((x {}))", name), sort(payload), unpacked(payload, extract("x", width - 1, 0)));
    define(maker, fmt::format("((x {}))", sort(payload)), name,
           fmt::format("(concat {} {})", tag, zero_extended(choice.payload_width - width, packed(payload, "x"))));
}

std::string Translator::invariant(TypeRef type, const std::string& term) {
    std::vector<std::string> holds;
    if (type->kind == TypeKind::integer) {
        if (type->low) holds.push_back(fmt::format("(bvsle {} {})", int_literal(*type->low), term));
        if (type->high) holds.push_back(fmt::format("(bvsle {} {})", term, int_literal(*type->high)));
    } else if (type->kind == TypeKind::enumeration) {
        holds.push_back(number_below(term, width_of(type), type->enum_def->members.size()));
    } else if (type->kind == TypeKind::option) {
        const TypeRef element = type->elements.front();
        const std::string name = shape(element);
        holds.push_back(conditional(fmt::format("(is.none.{} {})", name, term),
                                    fmt::format("(= {} none.{})", term, name),
                                    invariant(element, fmt::format("(value.{} {})", name, term))));
    } else if (type->kind == TypeKind::union_type) {
        std::vector<std::string> choices;
        for (const UnionConstructor* constructor : type->union_def->constructors) {
            const std::string maker = constructor_symbol(*constructor);
            if (constructor->payload->kind == TypeKind::unit) {
                choices.push_back(fmt::format("(= {} {})", term, maker));
                continue;
            }
            const std::string payload = fmt::format("({} {})", payload_symbol(*constructor), term);
            choices.push_back(conjunction(
                {fmt::format("(= {} ({} {}))", term, maker, payload), invariant(constructor->payload, payload)}));
        }
        holds.push_back(disjunction(choices));
    } else {
        const std::vector<TypeRef> parts = parts_of(type);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::string selector = type->kind == TypeKind::structure ? field_symbol(*type->struct_def->fields[i])
                                                                           : fmt::format("item{}.{}", i, shape(type));
            holds.push_back(invariant(parts[i], fmt::format("({} {})", selector, term)));
        }
    }
    return conjunction(holds);
}

}  // namespace eciscope::sailgen::smt
