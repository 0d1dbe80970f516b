// Structs, bitfields, vectors and bit vectors: literals, parts and updates.
#include <algorithm>

#include "checker.hpp"

namespace eciscope::sailgen {

using ast::Kind;

const StructField* Checker::find_field(const StructDef& def, const std::string& name, SourceRange where) {
    std::vector<std::string> names;
    for (const StructField* field : def.fields) {
        if (field->name == name) return field;
        names.push_back(field->name);
    }
    const std::string near = nearest_name(name, names);
    error(where, "the struct " + quoted(def.name) + " has no field " + quoted(name) +
                     (near.empty() ? "" : "; did you mean " + quoted(near) + "?"));
    return nullptr;
}

const BitfieldField* Checker::find_bitfield_field(const BitfieldDef& def, const std::string& name, SourceRange where) {
    std::vector<std::string> names;
    for (const BitfieldField* field : def.fields) {
        if (field->name == name) return field;
        names.push_back(field->name);
    }
    const std::string near = nearest_name(name, names);
    error(where, "the bitfield " + quoted(def.name) + " has no field " + quoted(name) +
                     (near.empty() ? "" : "; did you mean " + quoted(near) + "?"));
    return nullptr;
}

// The struct a literal or pattern is of: the one it names, the one wanted, or the only one with its first field.
const StructDef* Checker::struct_of(const Node& node, TypeRef wanted) {
    if (!node.text.empty()) {
        const auto found = type_symbols_.find(node.text);
        if (found == type_symbols_.end()) {
            unknown_name(node.where, node.text, "struct", type_names());
            return nullptr;
        }
        const TypeRef type = found->second.type;
        if (type != nullptr && type->kind == TypeKind::structure) return type->struct_def;
        if (type == nullptr || type->kind != TypeKind::error) error(node.where, quoted(node.text) + " is not a struct");
        return nullptr;
    }
    if (wanted != nullptr) {
        if (wanted->kind == TypeKind::structure) return wanted->struct_def;
        if (wanted->kind != TypeKind::error) {
            error(node.where, "expected " + to_string(wanted) + ", but this is a struct");
        }
        return nullptr;
    }
    const StructDef* only = nullptr;
    std::size_t count = 0;
    for (const auto& [name, symbol] : type_symbols_) {
        if (symbol.type == nullptr || symbol.type->kind != TypeKind::structure) continue;
        const StructDef* candidate = symbol.type->struct_def;
        if (candidate->name != name) continue;  // a synonym
        const bool has_all = std::all_of(node.kids.begin(), node.kids.end(), [&](const Node* init) {
            return std::any_of(candidate->fields.begin(), candidate->fields.end(),
                               [&](const StructField* field) { return field->name == init->text; });
        });
        if (has_all) {
            only = candidate;
            ++count;
        }
    }
    if (count == 1) return only;
    error(node.where, count == 0 ? "there is no struct with these fields"
                                 : "several structs have these fields: say which, as in `struct name { … }`");
    return nullptr;
}

ExprRef Checker::struct_literal(const Node& node, TypeRef wanted) {
    if (wanted != nullptr && wanted->kind == TypeKind::bitfield && node.text.empty()) {
        if (node.kids.size() == 1 && node.kids[0]->kind == Kind::field_init && node.kids[0]->text == "bits") {
            const ExprRef bits = check(*node.kids[0]->kids[0], types_.bits(wanted->bitfield_def->width));
            return make(wanted, node.where, BitfieldMake{wanted->bitfield_def, bits});
        }
        error(node.where, "a bitfield has the single field `bits`");
        return broken(node.where);
    }
    const StructDef* def = struct_of(node, wanted);
    if (def == nullptr) return broken(node.where);
    StructLiteral result{def, std::vector<ExprRef>(def->fields.size())};
    for (const Node* init : node.kids) {
        if (init->kind != Kind::field_init) {
            if (init->kind != Kind::error) error(init->where, "`_` is a pattern and has no value");
            continue;
        }
        const StructField* field = find_field(*def, init->text, init->where);
        if (field == nullptr) continue;
        ExprRef& slot = result.fields[field->index];
        if (slot != nullptr) error(init->where, "the field " + quoted(init->text) + " is given twice");
        slot = check(*init->kids[0], field->type);
    }
    std::string missing;
    for (const StructField* field : def->fields) {
        if (result.fields[field->index] != nullptr) continue;
        missing += (missing.empty() ? "" : ", ") + quoted(field->name);
        result.fields[field->index] = broken(node.where);
    }
    if (!missing.empty()) error(node.where, "the struct " + quoted(def->name) + " lacks " + missing);
    return make(def->type, node.where, std::move(result));
}

ExprRef Checker::struct_update(const Node& node, TypeRef wanted) {
    const ExprRef base = synth(*node.kids[0], wanted);
    if (base->type->kind == TypeKind::error) return base;
    if (base->type->kind != TypeKind::structure) {
        error(node.kids[0]->where, to_string(base->type) + " has no fields");
        return broken(node.where);
    }
    StructUpdate result{base, {}};
    for (std::size_t i = 1; i < node.kids.size(); ++i) {
        const Node& init = *node.kids[i];
        if (init.kind != Kind::field_init) {
            if (init.kind != Kind::error) error(init.where, "`_` is a pattern and has no value");
            continue;
        }
        const StructField* field = find_field(*base->type->struct_def, init.text, init.where);
        if (field != nullptr) result.updates.push_back({field, check(*init.kids[0], field->type)});
    }
    return make(base->type, node.where, std::move(result));
}

ExprRef Checker::field(const Node& node) {
    const ExprRef base = infer(*node.kids[0]);
    if (base->type->kind == TypeKind::error) return base;
    if (base->type->kind == TypeKind::bitfield) {
        const BitfieldDef& def = *base->type->bitfield_def;
        if (node.text == "bits") return make(types_.bits(def.width), node.where, BitfieldBits{base});
        error(node.where, "a bitfield has the single field `bits`; its parts are read as `x[" + node.text + "]`");
        return broken(node.where);
    }
    if (base->type->kind != TypeKind::structure) {
        error(node.where, to_string(base->type) + " has no fields");
        return broken(node.where);
    }
    const StructField* found = find_field(*base->type->struct_def, node.text, node.where);
    if (found == nullptr) return broken(node.where);
    return make(found->type, node.where, FieldAccess{base, found});
}

ExprRef Checker::vector(const Node& node, TypeRef wanted) {
    if (node.kids.empty()) {
        error(node.where, "a vector has at least one element");
        return broken(node.where);
    }
    const bool is_wanted = wanted != nullptr && wanted->kind == TypeKind::vector;
    VectorLiteral result;
    result.elements.push_back(is_wanted ? check(*node.kids[0], wanted->elements[0]) : infer(*node.kids[0]));
    TypeRef element = is_wanted ? wanted->elements[0] : result.elements[0]->type;
    for (std::size_t i = 1; i < node.kids.size(); ++i) {
        const Node& kid = *node.kids[i];
        const ExprRef value = is_wanted ? check(kid, element) : infer(kid);
        const TypeRef joined = types_.join(element, value->type);
        if (joined == nullptr) {
            error(kid.where,
                  "this element is " + to_string(value->type) + ", but those before are " + to_string(element));
        }
        element = joined != nullptr ? joined : types_.error();
        result.elements.push_back(value);
    }
    if (element->kind == TypeKind::error) return broken(node.where);
    if (element->kind == TypeKind::bit && (wanted == nullptr || wanted->kind != TypeKind::vector)) {
        if (node.kids.size() > widest_bits) {
            error(node.where, "bits(" + std::to_string(node.kids.size()) + ") is not in the subset: at most 64 bits");
            return broken(node.where);
        }
        return make(types_.bits(static_cast<unsigned>(node.kids.size())), node.where, std::move(result));
    }
    const TypeRef type = limited(types_.vector(node.kids.size(), element), node.where);
    return make(type, node.where, std::move(result));
}

ExprRef Checker::checked_index(const Node& node, TypeRef base) {
    const ExprRef at = check(node, types_.integer());
    if (base->kind != TypeKind::bits && base->kind != TypeKind::vector) {
        if (base->kind != TypeKind::error) error(node.where, to_string(base) + " has no elements to index");
        return broken(node.where);
    }
    if (at->type->kind == TypeKind::error) return at;
    const auto last = static_cast<std::int64_t>(base->kind == TypeKind::bits ? base->width : base->length) - 1;
    if (at->type->low && *at->type->low >= 0 && at->type->high && *at->type->high <= last) return at;
    const std::optional<std::int64_t> fixed = single_value(at->type);
    error(node.where, (fixed ? "the index " + std::to_string(*fixed) + " is"
                             : "the index is of type " + to_string(at->type) + ", which is not shown to be") +
                          (fixed ? " outside " : " inside ") + to_string(base) + ", which has " + std::to_string(last) +
                          " .. 0");
    return broken(node.where);
}

ExprRef Checker::index(const Node& node) {
    const ExprRef base = infer(*node.kids[0]);
    if (base->type->kind == TypeKind::error) return base;
    if (base->type->kind == TypeKind::bitfield) {
        if (node.kids[1]->kind != Kind::name) {
            error(node.kids[1]->where, "a bitfield is read by field; its bits are in `.bits`");
            return broken(node.where);
        }
        const BitfieldField* found =
            find_bitfield_field(*base->type->bitfield_def, node.kids[1]->text, node.kids[1]->where);
        if (found == nullptr) return broken(node.where);
        return make(types_.bits(found->high - found->low + 1), node.where, BitfieldGet{base, found});
    }
    const ExprRef at = checked_index(*node.kids[1], base->type);
    if (at->type->kind == TypeKind::error) return at;
    const TypeRef type = base->type->kind == TypeKind::bits ? types_.bit() : base->type->elements[0];
    return make(type, node.where, Index{base, at});
}

std::optional<std::pair<unsigned, unsigned>> Checker::slice_bounds(const Node& high, const Node& low, TypeRef base,
                                                                   SourceRange where) {
    const ExprRef high_expr = check(high, types_.integer());
    const ExprRef low_expr = check(low, types_.integer());
    if (base->kind != TypeKind::bits) {
        if (base->kind != TypeKind::error) error(where, to_string(base) + " has no slices; only bits(n) has");
        return std::nullopt;
    }
    if (high_expr->type->kind == TypeKind::error || low_expr->type->kind == TypeKind::error) return std::nullopt;
    const auto high_value = single_value(high_expr->type);
    const auto low_value = single_value(low_expr->type);
    if (!high_value || !low_value) {
        error(high_value ? low.where : high.where, "the bounds of a slice must be known when compiling");
        return std::nullopt;
    }
    if (*low_value >= 0 && *high_value >= *low_value && *high_value < static_cast<std::int64_t>(base->width)) {
        return std::pair(static_cast<unsigned>(*high_value), static_cast<unsigned>(*low_value));
    }
    error(where, *high_value < *low_value
                     ? "the slice " + std::to_string(*high_value) + " .. " + std::to_string(*low_value) +
                           " has its bounds the wrong way round: the higher comes first"
                     : "the slice " + std::to_string(*high_value) + " .. " + std::to_string(*low_value) +
                           " is outside " + to_string(base) + ", which has " + std::to_string(base->width - 1) +
                           " .. 0");
    return std::nullopt;
}

ExprRef Checker::slice(const Node& node) {
    const ExprRef base = infer(*node.kids[0]);
    const auto bounds = slice_bounds(*node.kids[1], *node.kids[2], base->type, node.where);
    if (!bounds) return broken(node.where);
    return make(types_.bits(bounds->first - bounds->second + 1), node.where,
                Slice{base, bounds->first, bounds->second});
}

ExprRef Checker::vector_update(const Node& node, TypeRef wanted) {
    ExprRef result = synth(*node.kids[0], wanted);
    if (result->type->kind == TypeKind::error) return result;
    if (result->type->kind == TypeKind::bitfield) return bitfield_update(node, result);
    if (result->type->kind != TypeKind::bits && result->type->kind != TypeKind::vector) {
        error(node.kids[0]->where, to_string(result->type) + " has no elements to change");
        return broken(node.where);
    }
    for (std::size_t i = 1; i < node.kids.size(); ++i) result = vector_change(*node.kids[i], result);
    return result;
}

ExprRef Checker::vector_change(const Node& change, ExprRef base) {
    if (change.kind != Kind::assign) return broken(change.where);
    const Node& place = *change.kids[0];
    if (place.kind == Kind::slice && place.kids[0] == nullptr) {
        const auto bounds = slice_bounds(*place.kids[1], *place.kids[2], base->type, place.where);
        if (!bounds) return broken(change.where);
        const ExprRef value = check(*change.kids[1], types_.bits(bounds->first - bounds->second + 1));
        return make(base->type, change.where, SliceUpdate{base, bounds->first, bounds->second, value});
    }
    const ExprRef at = checked_index(place, base->type);
    if (at->type->kind == TypeKind::error) return at;
    const TypeRef element = base->type->kind == TypeKind::bits ? types_.bit() : base->type->elements[0];
    return make(base->type, change.where, IndexUpdate{base, at, check(*change.kids[1], element)});
}

ExprRef Checker::bitfield_update(const Node& node, ExprRef base) {
    BitfieldUpdate result{base, {}};
    for (std::size_t i = 1; i < node.kids.size(); ++i) {
        const Node& change = *node.kids[i];
        if (change.kind != Kind::assign) continue;
        if (change.kids[0]->kind != Kind::name) {
            error(change.kids[0]->where, "a bitfield is changed by field");
            continue;
        }
        const BitfieldField* field =
            find_bitfield_field(*base->type->bitfield_def, change.kids[0]->text, change.kids[0]->where);
        if (field == nullptr) continue;
        result.updates.push_back({field, check(*change.kids[1], types_.bits(field->high - field->low + 1))});
    }
    return make(base->type, node.where, std::move(result));
}

ExprRef Checker::concat(const Node& node) {
    if (!need_prelude(node.where, "@")) return broken(node.where);
    Concat result;
    std::uint64_t width = 0;
    bool is_broken = false;
    for (const Node* kid : node.kids) {
        const ExprRef part = infer(*kid);
        is_broken = is_broken || part->type->kind != TypeKind::bits;
        if (part->type->kind != TypeKind::bits && part->type->kind != TypeKind::error) {
            error(kid->where, "`@` joins bit vectors, but this is " + to_string(part->type));
        }
        width += part->type->width;
        if (const Concat* inner = std::get_if<Concat>(&part->node)) {
            result.parts.insert(result.parts.end(), inner->parts.begin(), inner->parts.end());
        } else {
            result.parts.push_back(part);
        }
    }
    if (is_broken) return broken(node.where);
    if (width > widest_bits) {
        error(node.where, "bits(" + std::to_string(width) + ") is not in the subset: at most " +
                              std::to_string(widest_bits) + " bits");
        return broken(node.where);
    }
    return make(types_.bits(static_cast<unsigned>(width)), node.where, std::move(result));
}

}  // namespace eciscope::sailgen
