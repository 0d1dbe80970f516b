// Patterns, in `match`, `let`, arguments and (with clause_ set) in mapping clauses.
#include <algorithm>

#include "checker.hpp"
#include "exhaustiveness.hpp"

namespace eciscope::sailgen {

using ast::Kind;

PatternRef Checker::make_pattern(TypeRef type, SourceRange where, PatternNode node) {
    return &program_.arenas.patterns.emplace_back(Pattern{type, where, std::move(node)});
}

PatternRef Checker::broken_pattern(SourceRange where) {
    return make_pattern(types_.error(), where, WildcardPattern{});
}

PatternRef Checker::mismatch(const Node& node, TypeRef type, const std::string& what) {
    if (type->kind != TypeKind::error) {
        error(node.where, "expected a pattern for " + to_string(type) + ", but this is " + what);
    }
    return broken_pattern(node.where);
}

PatternRef Checker::pattern(const Node& node, TypeRef type) {
    if (pattern_depth_++ == 0) pattern_scope_ = scope_.size();
    const PatternRef result = pattern_of_kind(node, type);
    --pattern_depth_;
    return result;
}

PatternRef Checker::pattern_of_kind(const Node& node, TypeRef type) {
    switch (node.kind) {
        case Kind::error:
            return broken_pattern(node.where);
        case Kind::wildcard:
            if (clause_ != nullptr) {
                error(node.where,
                      "`_` cannot stand in a mapping: the other direction would not know what to put there");
                return broken_pattern(node.where);
            }
            return make_pattern(type, node.where, WildcardPattern{});
        case Kind::name:
            return name_pattern(node, type);
        case Kind::number:
        case Kind::bits:
        case Kind::string:
        case Kind::unit:
        case Kind::boolean:
        case Kind::bit:
            return literal_pattern(node, type);
        case Kind::apply:
            return apply_pattern(node, type);
        case Kind::tuple:
            return tuple_pattern(node, node.kids, type);
        case Kind::typed: {
            const TypeRef annotation = resolve_type(*node.kids[1]);
            if (!types_.is_subtype(type, annotation)) {
                error(node.where, "expected a pattern for " + to_string(type) + ", but this is annotated as " +
                                      to_string(annotation));
                return pattern(*node.kids[0], types_.error());
            }
            return pattern(*node.kids[0], type->kind == TypeKind::error ? type : annotation);
        }
        case Kind::as: {
            if (clause_ != nullptr) {
                error(node.where, "`as` in a mapping is not in the subset");
                return broken_pattern(node.where);
            }
            const PatternRef inner = pattern(*node.kids[0], type);
            const PatternRef bound = bind(node.text, node.where, type);
            const BindPattern* local = std::get_if<BindPattern>(&bound->node);
            if (local == nullptr) return bound;
            return make_pattern(type, node.where, AsPattern{inner, local->local});
        }
        case Kind::struct_literal:
            return struct_pattern(node, type);
        case Kind::vector:
            return vector_pattern(node, type);
        case Kind::concat:
            return concat_pattern(node, type);
        case Kind::slice:
            return slice_pattern(node, type);
        default:
            error(node.where, clause_ != nullptr ? "this cannot stand in a mapping: its sides have no calculations"
                                                 : "this is not a pattern");
            return broken_pattern(node.where);
    }
}

PatternRef Checker::bind(const std::string& name, SourceRange where, TypeRef type) {
    if (clause_ != nullptr) return use_variable(name, where, type);
    for (std::size_t i = std::min(pattern_scope_, scope_.size()); i < scope_.size(); ++i) {
        if (scope_[i].first != name) continue;
        error(where, quoted(name) + " is bound twice in one pattern", {{scope_[i].second->where, "the first is here"}});
        return broken_pattern(where);
    }
    return make_pattern(type, where, BindPattern{add_local(name, where, type, false)});
}

PatternRef Checker::name_pattern(const Node& node, TypeRef type) {
    const Symbol* symbol = find_symbol(node.text);
    if (symbol != nullptr) {
        if (const auto* member = std::get_if<const EnumMember*>(symbol)) {
            if (type->kind == TypeKind::error) return broken_pattern(node.where);
            if (type != (*member)->owner->type) {
                return mismatch(node, type, "a member of " + quoted((*member)->owner->name));
            }
            return make_pattern(type, node.where, EnumPattern{*member});
        }
        if (std::holds_alternative<const UnionConstructor*>(*symbol)) {
            error(node.where, quoted(node.text) + " is a constructor: write `" + node.text + "(…)`");
            return broken_pattern(node.where);
        }
    }
    if (broken_names_.contains(node.text)) return broken_pattern(node.where);
    return bind(node.text, node.where, type);
}

PatternRef Checker::literal_pattern(const Node& node, TypeRef type) {
    const ExprRef literal = synth(node, nullptr);
    if (literal->type->kind == TypeKind::error || type->kind == TypeKind::error) return broken_pattern(node.where);
    if (literal->type->kind == TypeKind::integer && type->kind == TypeKind::integer &&
        !types_.is_subtype(literal->type, type)) {
        error(node.where, "a value of " + to_string(type) + " is never " + node.text);
        return broken_pattern(node.where);
    }
    if (!types_.is_subtype(literal->type, type)) return mismatch(node, type, to_string(literal->type));
    return make_pattern(type, node.where, LiteralPattern{std::get<Literal>(literal->node).value});
}

PatternRef Checker::apply_pattern(const Node& node, TypeRef type) {
    if (node.text == "Some" || node.text == "None") return option_pattern(node, type);
    const Symbol* symbol = find_symbol(node.text);
    if (symbol == nullptr) {
        unknown_name(node.where, node.text, "constructor or mapping", value_names());
        // What it would bind is still bound, so that its uses are no further errors.
        for (const Node* kid : node.kids) pattern(*kid, types_.error());
        return broken_pattern(node.where);
    }
    if (const auto* constructor = std::get_if<const UnionConstructor*>(symbol)) {
        return constructor_pattern(node, **constructor, type);
    }
    if (auto* const* mapping = std::get_if<MappingSymbol*>(symbol)) return mapping_pattern(node, **mapping, type);
    if (!std::holds_alternative<BrokenSymbol>(*symbol)) {
        error(node.where, quoted(node.text) + " is no constructor or mapping and cannot stand in a pattern");
    }
    for (const Node* kid : node.kids) pattern(*kid, types_.error());
    return broken_pattern(node.where);
}

// The arguments of a constructor: nothing is the unit, one is the payload, several are a tuple.
PatternRef Checker::payload_pattern(const Node& node, TypeRef payload) {
    if (node.kids.empty()) {
        if (payload->kind != TypeKind::unit && payload->kind != TypeKind::error) {
            error(node.where, quoted(node.text) + " holds " + to_string(payload) + ": a pattern for it is missing");
            return broken_pattern(node.where);
        }
        return make_pattern(payload, node.where, LiteralPattern{UnitValue{}});
    }
    if (node.kids.size() == 1) return pattern(*node.kids[0], payload);
    return tuple_pattern(node, node.kids, payload);
}

PatternRef Checker::constructor_pattern(const Node& node, const UnionConstructor& constructor, TypeRef type) {
    const bool fits = type == constructor.owner->type;
    const PatternRef payload = payload_pattern(node, fits ? constructor.payload : types_.error());
    if (!fits) return mismatch(node, type, "a constructor of " + quoted(constructor.owner->name));
    return make_pattern(type, node.where, ConstructorPattern{&constructor, payload});
}

PatternRef Checker::option_pattern(const Node& node, TypeRef type) {
    const bool fits = type->kind == TypeKind::option;
    if (node.text == "None") {
        if (!fits) return mismatch(node, type, "an option");
        if (!node.kids.empty() && (node.kids.size() != 1 || node.kids[0]->kind != Kind::unit)) check_arity(node, 0);
        return make_pattern(type, node.where, NonePattern{});
    }
    if (node.kids.empty()) {
        check_arity(node, 1);
        return broken_pattern(node.where);
    }
    const PatternRef payload = payload_pattern(node, fits ? type->elements[0] : types_.error());
    if (!fits) return mismatch(node, type, "an option");
    return make_pattern(type, node.where, SomePattern{payload});
}

PatternRef Checker::mapping_pattern(const Node& node, const MappingSymbol& symbol, TypeRef type) {
    const MappingDef& def = *symbol.def;
    if (!check_arity(node, 1)) return broken_pattern(node.where);
    current_effects_->callees.insert(&def);
    if (clause_ != nullptr && !symbol.is_complete) {
        error(node.where, "the mapping " + quoted(def.name) + " is used in a mapping before its clauses are complete");
        return broken_pattern(node.where);
    }
    const bool is_broken = type->kind == TypeKind::error || def.left->kind == TypeKind::error;
    const bool forwards = type == def.left;
    if (is_broken || (!forwards && type != def.right)) {
        pattern(*node.kids[0], types_.error());
        if (is_broken) return broken_pattern(node.where);
        return mismatch(
            node, type,
            "the mapping " + quoted(def.name) + " between " + to_string(def.left) + " and " + to_string(def.right));
    }
    const PatternRef inner = pattern(*node.kids[0], forwards ? def.right : def.left);
    return make_pattern(type, node.where,
                        MappingPattern{&def, forwards ? Direction::forwards : Direction::backwards, inner});
}

PatternRef Checker::tuple_pattern(const Node& node, const std::vector<Node*>& kids, TypeRef type) {
    const bool fits = type->kind == TypeKind::tuple && type->elements.size() == kids.size();
    TuplePattern result;
    for (std::size_t i = 0; i < kids.size(); ++i) {
        result.elements.push_back(pattern(*kids[i], fits ? type->elements[i] : types_.error()));
    }
    if (!fits) return mismatch(node, type, "a tuple of " + std::to_string(kids.size()));
    return make_pattern(type, node.where, std::move(result));
}

PatternRef Checker::bitfield_pattern(const Node& node, TypeRef type) {
    if (node.kids.size() != 1 || node.kids[0]->kind != Kind::field_init || node.kids[0]->text != "bits") {
        error(node.where, "a bitfield has the single field `bits`");
        return broken_pattern(node.where);
    }
    const PatternRef bits = pattern(*node.kids[0]->kids[0], types_.bits(type->bitfield_def->width));
    return make_pattern(type, node.where, BitfieldPattern{type->bitfield_def, bits});
}

PatternRef Checker::struct_pattern(const Node& node, TypeRef type) {
    if (type->kind == TypeKind::bitfield && node.text.empty()) return bitfield_pattern(node, type);
    const StructDef* def = struct_of(node, type);
    if (def == nullptr || (type->kind != TypeKind::error && type != def->type)) {
        for (const Node* init : node.kids) {
            if (init->kind == Kind::field_init) pattern(*init->kids[0], types_.error());
        }
        return def == nullptr ? broken_pattern(node.where) : mismatch(node, type, quoted(def->name));
    }
    StructPattern result{def, std::vector<PatternRef>(def->fields.size())};
    bool has_rest = false;
    for (const Node* init : node.kids) {
        if (init->kind == Kind::wildcard) {
            has_rest = true;
            if (clause_ != nullptr) pattern(*init, type);
        } else if (init->kind == Kind::field_init) {
            const StructField* field = find_field(*def, init->text, init->where);
            const PatternRef inner = pattern(*init->kids[0], field == nullptr ? types_.error() : field->type);
            if (field == nullptr) continue;
            if (result.fields[field->index] != nullptr) {
                error(init->where, "the field " + quoted(init->text) + " is given twice");
            }
            result.fields[field->index] = inner;
        }
    }
    std::string missing;
    for (const StructField* field : def->fields) {
        PatternRef& slot = result.fields[field->index];
        if (slot != nullptr) continue;
        slot = make_pattern(field->type, node.where, WildcardPattern{});
        missing += (missing.empty() ? "" : ", ") + quoted(field->name);
    }
    if (!missing.empty() && !has_rest) {
        error(node.where, "the pattern for " + quoted(def->name) + " lacks " + missing +
                              (clause_ == nullptr ? "; `_` stands for the rest" : ""));
    }
    return make_pattern(def->type, node.where, std::move(result));
}

PatternRef Checker::vector_pattern(const Node& node, TypeRef type) {
    const bool is_bits = type->kind == TypeKind::bits;
    const std::uint64_t length = is_bits ? type->width : type->length;
    const bool fits = (is_bits || type->kind == TypeKind::vector) && length == node.kids.size();
    const TypeRef element = !fits ? types_.error() : is_bits ? types_.bit() : type->elements[0];
    VectorPattern result;
    for (const Node* kid : node.kids) result.elements.push_back(pattern(*kid, element));
    if (!fits) return mismatch(node, type, "a vector of " + std::to_string(node.kids.size()));
    return make_pattern(type, node.where, std::move(result));
}

// How many bits a part of a concatenation has by itself.
std::optional<unsigned> Checker::part_width(const Node& node) {
    switch (node.kind) {
        case Kind::bits:
            return static_cast<unsigned>(node.text.size());
        case Kind::vector:
            return static_cast<unsigned>(node.kids.size());
        case Kind::as:
            return part_width(*node.kids[0]);
        case Kind::typed: {
            const TypeRef type = resolve_type(*node.kids[1]);
            return type->kind == TypeKind::bits ? std::optional(type->width) : std::nullopt;
        }
        case Kind::concat: {
            unsigned total = 0;
            for (const Node* kid : node.kids) {
                const std::optional<unsigned> width = part_width(*kid);
                if (!width) return std::nullopt;
                total += *width;
            }
            return total;
        }
        case Kind::slice: {
            const auto high = resolve_length(*node.kids[1]);
            const auto low = resolve_length(*node.kids[2]);
            if (!high || !low || *low < 0 || *high < *low || *high >= widest_bits) return std::nullopt;
            return static_cast<unsigned>(*high - *low + 1);
        }
        case Kind::apply: {
            const Symbol* symbol = find_symbol(node.text);
            MappingSymbol* const* mapping = symbol == nullptr ? nullptr : std::get_if<MappingSymbol*>(symbol);
            if (mapping == nullptr) return std::nullopt;
            const bool left = (*mapping)->def->left->kind == TypeKind::bits;
            const bool right = (*mapping)->def->right->kind == TypeKind::bits;
            if (left == right) return std::nullopt;
            return left ? (*mapping)->def->left->width : (*mapping)->def->right->width;
        }
        case Kind::name: {
            if (clause_ == nullptr) return std::nullopt;
            const auto found = clause_->variables.find(node.text);
            if (found == clause_->variables.end()) return std::nullopt;
            if (found->second.type != nullptr) {
                return found->second.type->kind == TypeKind::bits ? std::optional(found->second.type->width)
                                                                  : std::nullopt;
            }
            return found->second.sliced_width == 0 ? std::nullopt : std::optional(found->second.sliced_width);
        }
        default:
            return std::nullopt;
    }
}

void Checker::report_width(const Node& node, unsigned wanted, const std::vector<std::optional<unsigned>>& widths) {
    unsigned total = 0;
    std::string parts;
    for (std::size_t i = 0; i < node.kids.size(); ++i) {
        const unsigned width = widths[i].value_or(0);
        total += width;
        parts += (i == 0 ? "" : " + ") + std::to_string(width) + " (" +
                 std::string(program_.sources.text(node.kids[i]->where)) + ")";
    }
    error(node.where, "bits(" + std::to_string(wanted) + ") is wanted here, but the parts have " +
                          std::to_string(total) + " bits: " + parts);
}

PatternRef Checker::concat_pattern(const Node& node, TypeRef type) {
    std::vector<std::optional<unsigned>> widths;
    std::uint64_t known = 0;
    const Node* unknown = nullptr;
    bool is_broken = type->kind != TypeKind::bits;
    for (const Node* kid : node.kids) {
        widths.push_back(part_width(*kid));
        known += widths.back().value_or(0);
        if (widths.back()) continue;
        if (unknown != nullptr && !is_broken) {
            error(kid->where, "the width of this part is unknown as well as that of `" +
                                  std::string(program_.sources.text(unknown->where)) +
                                  "`: annotate one, as in `x : bits(6)`");
            is_broken = true;
        }
        unknown = kid;
    }
    if (!is_broken && (unknown != nullptr ? known >= type->width : known != type->width)) {
        report_width(node, type->width, widths);
        is_broken = true;
    }
    ConcatPattern result;
    for (std::size_t i = 0; i < node.kids.size(); ++i) {
        const unsigned width = widths[i].value_or(is_broken ? 0 : type->width - static_cast<unsigned>(known));
        const PatternRef part = pattern(
            *node.kids[i], is_broken && !widths[i] ? types_.error() : types_.bits(std::min(width, widest_bits)));
        is_broken = is_broken || part->type->kind == TypeKind::error;
        if (const ConcatPattern* inner = std::get_if<ConcatPattern>(&part->node)) {
            result.parts.insert(result.parts.end(), inner->parts.begin(), inner->parts.end());
        } else {
            result.parts.push_back(part);
        }
    }
    if (type->kind != TypeKind::bits) return mismatch(node, type, "a bit vector");
    return is_broken ? broken_pattern(node.where) : make_pattern(type, node.where, std::move(result));
}

void Checker::check_always_matches(PatternRef pattern, std::string_view what) {
    bool is_too_large = false;
    const auto missing = find_missing({{pattern, false, pattern->where}}, pattern->type, is_too_large);
    if (missing) error(pattern->where, std::string(what) + " does not take every value: " + *missing + " is left out");
}

}  // namespace eciscope::sailgen
