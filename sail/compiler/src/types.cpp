#include "types.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace eciscope::sailgen {
namespace {

Type simple(TypeKind kind) {
    Type type;
    type.kind = kind;
    return type;
}

std::string list_to_string(const std::vector<TypeRef>& types) {
    std::string result;
    for (const TypeRef type : types) {
        if (!result.empty()) result += ", ";
        result += to_string(type);
    }
    return result;
}

std::string integer_to_string(const Type& type) {
    if (type.low && type.low == type.high) return "int(" + std::to_string(*type.low) + ")";
    if (type.low && type.high) return "range(" + std::to_string(*type.low) + ", " + std::to_string(*type.high) + ")";
    return type.low && *type.low >= 0 ? "nat" : "int";
}

}  // namespace

std::string to_string(TypeRef type) {
    switch (type->kind) {
        case TypeKind::error:
            return "<error>";
        case TypeKind::unit:
            return "unit";
        case TypeKind::boolean:
            return "bool";
        case TypeKind::bit:
            return "bit";
        case TypeKind::integer:
            return integer_to_string(*type);
        case TypeKind::bits:
            return "bits(" + std::to_string(type->width) + ")";
        case TypeKind::string:
            return "string";
        case TypeKind::tuple:
            return "(" + list_to_string(type->elements) + ")";
        case TypeKind::vector:
            return "vector(" + std::to_string(type->length) + ", " + list_to_string(type->elements) + ")";
        case TypeKind::option:
            return "option(" + list_to_string(type->elements) + ")";
        case TypeKind::enumeration:
            return type->enum_def->name;
        case TypeKind::structure:
            return type->struct_def->name;
        case TypeKind::union_type:
            return type->union_def->name;
        case TypeKind::bitfield:
            return type->bitfield_def->name;
    }
    return {};
}

std::string_view to_string(Builtin builtin) {
    constexpr std::array names = std::to_array<std::string_view>({"add_int",
                                                                  "sub_int",
                                                                  "mul_int",
                                                                  "div_int",
                                                                  "mod_int",
                                                                  "pow_int",
                                                                  "min_int",
                                                                  "max_int",
                                                                  "neg_int",
                                                                  "abs_int",
                                                                  "lt_int",
                                                                  "le_int",
                                                                  "gt_int",
                                                                  "ge_int",
                                                                  "equal",
                                                                  "not_equal",
                                                                  "and_bool",
                                                                  "or_bool",
                                                                  "not_bool",
                                                                  "and_bits",
                                                                  "or_bits",
                                                                  "xor_bits",
                                                                  "add_bits",
                                                                  "sub_bits",
                                                                  "not_bits",
                                                                  "add_bits_int",
                                                                  "shift_left",
                                                                  "shift_right",
                                                                  "arith_shift_right",
                                                                  "zero_extend",
                                                                  "sign_extend",
                                                                  "truncate",
                                                                  "replicate",
                                                                  "zeros",
                                                                  "ones",
                                                                  "unsigned_of",
                                                                  "signed_of",
                                                                  "slice_of_int",
                                                                  "num_of_enum",
                                                                  "enum_of_num",
                                                                  "is_some",
                                                                  "is_none",
                                                                  "print",
                                                                  "print_endline",
                                                                  "print_int",
                                                                  "print_bits"});
    static_assert(names.size() == static_cast<std::size_t>(Builtin::print_bits) + 1);
    return names[static_cast<std::size_t>(builtin)];
}

TypeTable::TypeTable(Arenas& arenas)
    : arenas_(arenas),
      error_(intern(simple(TypeKind::error))),
      unit_(intern(simple(TypeKind::unit))),
      boolean_(intern(simple(TypeKind::boolean))),
      bit_(intern(simple(TypeKind::bit))),
      string_(intern(simple(TypeKind::string))) {}

TypeRef TypeTable::intern(Type type) {
    const void* def = type.enum_def;
    if (type.struct_def != nullptr) def = type.struct_def;
    if (type.union_def != nullptr) def = type.union_def;
    if (type.bitfield_def != nullptr) def = type.bitfield_def;
    Key key{type.kind, type.width, type.low, type.high, type.length, type.elements, def};
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    const TypeRef result = &arenas_.types.emplace_back(std::move(type));
    known_.emplace(std::move(key), result);
    return result;
}

TypeRef TypeTable::integer(std::optional<std::int64_t> low, std::optional<std::int64_t> high) {
    Type type = simple(TypeKind::integer);
    type.low = low;
    type.high = high;
    return intern(std::move(type));
}

TypeRef TypeTable::bits(unsigned width) {
    Type type = simple(TypeKind::bits);
    type.width = width;
    return intern(std::move(type));
}

TypeRef TypeTable::tuple(std::vector<TypeRef> elements) {
    Type type = simple(TypeKind::tuple);
    type.elements = std::move(elements);
    return intern(std::move(type));
}

TypeRef TypeTable::vector(std::uint64_t length, TypeRef element) {
    Type type = simple(TypeKind::vector);
    type.length = length;
    type.elements = {element};
    return intern(std::move(type));
}

TypeRef TypeTable::option(TypeRef element) {
    Type type = simple(TypeKind::option);
    type.elements = {element};
    return intern(std::move(type));
}

TypeRef TypeTable::named(const EnumDef* def) {
    Type type = simple(TypeKind::enumeration);
    type.enum_def = def;
    return intern(std::move(type));
}

TypeRef TypeTable::named(const StructDef* def) {
    Type type = simple(TypeKind::structure);
    type.struct_def = def;
    return intern(std::move(type));
}

TypeRef TypeTable::named(const UnionDef* def) {
    Type type = simple(TypeKind::union_type);
    type.union_def = def;
    return intern(std::move(type));
}

TypeRef TypeTable::named(const BitfieldDef* def) {
    Type type = simple(TypeKind::bitfield);
    type.bitfield_def = def;
    return intern(std::move(type));
}

namespace {

// A type is a small graph that may stand for a huge tree, so what is known is not computed again.
std::uint64_t weight_of(TypeRef type, std::unordered_map<TypeRef, std::uint64_t>& known) {
    if (const auto found = known.find(type); found != known.end()) return found->second;
    std::uint64_t total = 1;
    const auto add = [&](std::uint64_t more) { total = std::min(total + more, largest_type_weight + 1); };
    for (const TypeRef element : type->elements) {
        const std::uint64_t times = type->kind == TypeKind::vector ? type->length : 1;
        add(weight_of(element, known) * std::min(times, largest_type_weight + 1));
    }
    if (type->kind == TypeKind::structure) {
        for (const StructField* field : type->struct_def->fields) add(weight_of(field->type, known));
    }
    if (type->kind == TypeKind::union_type) {
        std::uint64_t largest = 0;
        for (const UnionConstructor* constructor : type->union_def->constructors) {
            largest = std::max(largest, weight_of(constructor->payload, known));
        }
        add(largest);
    }
    known.emplace(type, total);
    return total;
}

}  // namespace

std::uint64_t TypeTable::weight(TypeRef type) {
    return weight_of(type, weights_);
}

bool TypeTable::is_subtype(TypeRef from, TypeRef to) const {
    if (from == to || from->kind == TypeKind::error || to->kind == TypeKind::error) return true;
    if (from->kind != to->kind) return false;
    switch (from->kind) {
        case TypeKind::integer:
            return (!to->low || (from->low && *from->low >= *to->low)) &&
                   (!to->high || (from->high && *from->high <= *to->high));
        case TypeKind::tuple:
        case TypeKind::option:
        case TypeKind::vector:
            return from->length == to->length && from->elements.size() == to->elements.size() &&
                   std::equal(from->elements.begin(), from->elements.end(), to->elements.begin(),
                              [this](TypeRef a, TypeRef b) { return is_subtype(a, b); });
        default:
            return false;
    }
}

TypeRef TypeTable::join(TypeRef a, TypeRef b) {
    if (a->kind == TypeKind::error || is_subtype(b, a)) return a;
    if (b->kind == TypeKind::error || is_subtype(a, b)) return b;
    if (a->kind != b->kind) return nullptr;
    if (a->kind == TypeKind::integer) {
        const auto low = a->low && b->low ? std::optional(std::min(*a->low, *b->low)) : std::nullopt;
        const auto high = a->high && b->high ? std::optional(std::max(*a->high, *b->high)) : std::nullopt;
        return integer(low, high);
    }
    if (a->elements.size() != b->elements.size() || a->length != b->length || a->elements.empty()) return nullptr;
    Type type = *a;
    for (std::size_t i = 0; i < type.elements.size(); ++i) {
        type.elements[i] = join(a->elements[i], b->elements[i]);
        if (type.elements[i] == nullptr) return nullptr;
    }
    return intern(std::move(type));
}

std::optional<std::int64_t> single_value(TypeRef type) {
    if (type->kind == TypeKind::integer && type->low && type->low == type->high) return type->low;
    return std::nullopt;
}

bool contains_type(TypeRef container, TypeRef type) {
    std::set<TypeRef> seen;
    std::vector<TypeRef> to_visit{container};
    while (!to_visit.empty()) {
        const TypeRef next = to_visit.back();
        to_visit.pop_back();
        if (next == type) return true;
        if (!seen.insert(next).second) continue;
        to_visit.insert(to_visit.end(), next->elements.begin(), next->elements.end());
        if (next->struct_def != nullptr) {
            for (const StructField* field : next->struct_def->fields) to_visit.push_back(field->type);
        }
        if (next->union_def != nullptr) {
            for (const UnionConstructor* item : next->union_def->constructors) to_visit.push_back(item->payload);
        }
    }
    return false;
}

const FunctionDef* Program::find_function(std::string_view name) const {
    const auto found = std::find_if(arenas.functions.begin(), arenas.functions.end(),
                                    [&](const FunctionDef& def) { return def.name == name; });
    return found == arenas.functions.end() ? nullptr : &*found;
}

const MappingDef* Program::find_mapping(std::string_view name) const {
    const auto found = std::find_if(arenas.mappings.begin(), arenas.mappings.end(),
                                    [&](const MappingDef& def) { return def.name == name; });
    return found == arenas.mappings.end() ? nullptr : &*found;
}

const EnumDef* Program::find_enum(std::string_view name) const {
    const auto found =
        std::find_if(arenas.enums.begin(), arenas.enums.end(), [&](const EnumDef& def) { return def.name == name; });
    return found == arenas.enums.end() ? nullptr : &*found;
}

const StructDef* Program::find_struct(std::string_view name) const {
    const auto found = std::find_if(arenas.structs.begin(), arenas.structs.end(),
                                    [&](const StructDef& def) { return def.name == name; });
    return found == arenas.structs.end() ? nullptr : &*found;
}

const UnionDef* Program::find_union(std::string_view name) const {
    const auto found =
        std::find_if(arenas.unions.begin(), arenas.unions.end(), [&](const UnionDef& def) { return def.name == name; });
    return found == arenas.unions.end() ? nullptr : &*found;
}

}  // namespace eciscope::sailgen
