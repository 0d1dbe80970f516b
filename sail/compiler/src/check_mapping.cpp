// Mapping clauses: variables shared by both sides, and the two directions as match arms.
#include <algorithm>
#include <bit>

#include "checker.hpp"

namespace eciscope::sailgen {

using ast::ClauseKind;
using ast::Kind;

namespace {

std::uint64_t ones(unsigned width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

std::uint64_t slice_mask(unsigned high, unsigned low) {
    return ones(high - low + 1) << low;
}

}  // namespace

void Checker::mapping_body(MappingSymbol& symbol) {
    MappingDef& def = *symbol.def;
    if (symbol.clauses.empty()) error(def.where, "the mapping " + quoted(def.name) + " has no clause");
    for (const ast::MappingClause* clause : symbol.clauses) check_clause(symbol, *clause);
    const std::size_t reported = diagnostics_.size();
    check_overlaps(def, true);
    check_overlaps(def, false);
    check_coverage(def, true);
    check_coverage(def, false);
    if (!options_.check_mappings) diagnostics_.resize(reported);
    symbol.is_complete = true;
}

void Checker::check_clause(MappingSymbol& symbol, const ast::MappingClause& clause) {
    MappingClause& result = symbol.def->clauses.emplace_back();
    result.doc = clause.doc;
    result.where = clause.where;
    begin_body(result.locals, symbol.def, nullptr);
    if (clause.kind == ClauseKind::both) {
        two_way_clause(symbol, clause, result);
    } else {
        one_way_clause(symbol, clause, result);
    }
}

void Checker::one_way_clause(MappingSymbol& symbol, const ast::MappingClause& clause, MappingClause& result) {
    const bool forwards = clause.kind == ClauseKind::forwards;
    const MappingDef& def = *symbol.def;
    MappingArm arm;
    arm.pattern = pattern(*clause.left, forwards ? def.left : def.right);
    if (clause.left_guard != nullptr) arm.guard = check(*clause.left_guard, types_.boolean());
    arm.body = check(*clause.right, forwards ? def.right : def.left);
    (forwards ? result.forwards : result.backwards) = arm;
}

void Checker::two_way_clause(MappingSymbol& symbol, const ast::MappingClause& clause, MappingClause& result) {
    const MappingDef& def = *symbol.def;
    ClauseScope scope;
    clause_ = &scope;
    gather(*clause.left, def.left);
    gather(*clause.right, def.right);
    const std::size_t errors = diagnostics_.size();
    result.left = pattern(*clause.left, def.left);
    scope.side = 1;
    result.right = pattern(*clause.right, def.right);
    if (diagnostics_.size() == errors) check_variables();
    clause_ = nullptr;
    // What a wrong clause takes is unknown: it must not count for or against the others.
    if (diagnostics_.size() != errors) result.left = result.right = broken_pattern(clause.where);
    for (const auto& [name, variable] : scope.variables) {
        if (variable.local != nullptr) scope_.emplace_back(name, variable.local);
    }
    MappingArm forwards{result.left, nullptr, nullptr};
    MappingArm backwards{result.right, nullptr, nullptr};
    if (clause.left_guard != nullptr) forwards.guard = check(*clause.left_guard, types_.boolean());
    if (clause.right_guard != nullptr) backwards.guard = check(*clause.right_guard, types_.boolean());
    forwards.body = build(result.right);
    backwards.body = build(result.left);
    result.forwards = forwards;
    result.backwards = backwards;
}

// ------------------------------------------------------------------------------- what is known of variables beforehand

// A variable may stand without a width in one side's concatenation and get it from the other side, so both sides are
// read for types before either is checked.
void Checker::gather(const Node& node, TypeRef type) {
    switch (node.kind) {
        case Kind::name:
            if (const Symbol* symbol = find_symbol(node.text);
                symbol == nullptr || !std::holds_alternative<const EnumMember*>(*symbol)) {
                gather_variable(node.text, type);
            }
            break;
        case Kind::typed:
            gather(*node.kids[0], resolve_type(*node.kids[1]));
            break;
        case Kind::tuple:
            gather_parts(node.kids,
                         type != nullptr && type->kind == TypeKind::tuple ? type->elements : std::vector<TypeRef>());
            break;
        case Kind::concat:
            gather_parts(node.kids, {});
            break;
        case Kind::slice:
            if (node.kids[0]->kind == Kind::name) {
                const auto high = resolve_length(*node.kids[1]);
                unsigned& width = clause_->variables[node.kids[0]->text].sliced_width;
                if (high && *high >= 0 && *high < widest_bits)
                    width = std::max(width, static_cast<unsigned>(*high) + 1);
            }
            break;
        case Kind::vector:
            for (const Node* kid : node.kids) {
                TypeRef element = nullptr;
                if (type != nullptr && type->kind == TypeKind::vector) element = type->elements[0];
                if (type != nullptr && type->kind == TypeKind::bits) element = types_.bit();
                gather(*kid, element);
            }
            break;
        case Kind::apply:
            gather_apply(node, type);
            break;
        case Kind::struct_literal:
            gather_struct(node, type);
            break;
        default:
            break;
    }
}

void Checker::gather_variable(const std::string& name, TypeRef type) {
    ClauseVariable& variable = clause_->variables[name];
    if (variable.type == nullptr && type != nullptr && type->kind != TypeKind::error) variable.type = type;
}

void Checker::gather_parts(const std::vector<Node*>& parts, const std::vector<TypeRef>& types) {
    for (std::size_t i = 0; i < parts.size(); ++i) gather(*parts[i], i < types.size() ? types[i] : nullptr);
}

void Checker::gather_apply(const Node& node, TypeRef type) {
    TypeRef payload = nullptr;
    if (node.text == "Some" && type != nullptr && type->kind == TypeKind::option) payload = type->elements[0];
    if (const Symbol* symbol = find_symbol(node.text)) {
        if (const auto* constructor = std::get_if<const UnionConstructor*>(symbol)) payload = (*constructor)->payload;
        if (auto* const* mapping = std::get_if<MappingSymbol*>(symbol)) {
            const MappingDef& def = *(*mapping)->def;
            const bool only_left_is_bits = def.left->kind == TypeKind::bits && def.right->kind != TypeKind::bits;
            const bool outer_is_left = type == nullptr ? only_left_is_bits : type == def.left;
            payload = outer_is_left ? def.right : def.left;
        }
    }
    if (node.kids.size() == 1) {
        gather(*node.kids[0], payload);
    } else {
        gather_parts(node.kids, payload != nullptr && payload->kind == TypeKind::tuple ? payload->elements
                                                                                       : std::vector<TypeRef>());
    }
}

void Checker::gather_struct(const Node& node, TypeRef type) {
    for (const Node* init : node.kids) {
        if (init->kind != Kind::field_init) continue;
        TypeRef field_type = nullptr;
        if (type != nullptr && type->kind == TypeKind::bitfield) field_type = types_.bits(type->bitfield_def->width);
        if (type != nullptr && type->kind == TypeKind::structure) {
            for (const StructField* field : type->struct_def->fields) {
                if (field->name == init->text) field_type = field->type;
            }
        }
        gather(*init->kids[0], field_type);
    }
}

// ------------------------------------------------------------------------------------------------- use of variables

Local* Checker::clause_local(ClauseVariable& variable, const std::string& name, SourceRange where) {
    if (variable.local == nullptr) {
        variable.local = add_local(name, where, variable.type, false);
        scope_.pop_back();  // the guards see it, the patterns do not
    }
    return variable.local;
}

PatternRef Checker::use_variable(const std::string& name, SourceRange where, TypeRef type) {
    ClauseVariable& variable = clause_->variables[name];
    std::optional<VariableUse>& use = variable.use[clause_->side];
    if (use) {
        error(where, quoted(name) + " stands twice on this side", {{use->where, "the first is here"}});
        return broken_pattern(where);
    }
    use = VariableUse{where, true, 0};
    if (type->kind == TypeKind::error) return broken_pattern(where);
    if (variable.type == nullptr) variable.type = type;
    if (variable.type != type) {
        error(where, quoted(name) + " is " + to_string(type) + " here, but " + to_string(variable.type) +
                         " elsewhere in the clause");
        return broken_pattern(where);
    }
    return make_pattern(type, where, BindPattern{clause_local(variable, name, where)});
}

PatternRef Checker::slice_pattern(const Node& node, TypeRef type) {
    if (clause_ == nullptr) {
        error(node.where, "a slice cannot stand in a pattern outside mappings");
        return broken_pattern(node.where);
    }
    const Node& base = *node.kids[0];
    if (base.kind != Kind::name || find_symbol(base.text) != nullptr) {
        error(base.where, "a slice in a mapping is of a variable, as in `x[7 .. 4]`");
        return broken_pattern(node.where);
    }
    ClauseVariable& variable = clause_->variables[base.text];
    if (variable.type == nullptr && variable.sliced_width > 0) variable.type = types_.bits(variable.sliced_width);
    std::optional<VariableUse>& use = variable.use[clause_->side];
    if (!use) use = VariableUse{node.where, false, 0};
    if (variable.type == nullptr || type->kind == TypeKind::error) {
        use->bits = ~std::uint64_t{0};
        return broken_pattern(node.where);
    }
    const auto bounds = slice_bounds(*node.kids[1], *node.kids[2], variable.type, node.where);
    if (!bounds) {
        use->bits = ~std::uint64_t{0};  // no second error about coverage
        return broken_pattern(node.where);
    }
    const std::uint64_t bits = slice_mask(bounds->first, bounds->second);
    if (use->is_whole || ((use->bits & bits) != 0 && use->bits != ~std::uint64_t{0})) {
        error(node.where, "bits of " + quoted(base.text) + " stand twice on this side",
              {{use->where, "the first are here"}});
        use->bits = ~std::uint64_t{0};
        return broken_pattern(node.where);
    }
    use->bits |= bits;
    const unsigned width = bounds->first - bounds->second + 1;
    if (type->kind != TypeKind::bits || type->width != width) {
        return mismatch(node, type, "bits(" + std::to_string(width) + ")");
    }
    return make_pattern(type, node.where,
                        SlicePattern{clause_local(variable, base.text, base.where), bounds->first, bounds->second});
}

void Checker::check_variables() {
    for (const auto& [name, variable] : clause_->variables) check_sides_agree(name, variable);
}

void Checker::check_sides_agree(const std::string& name, const ClauseVariable& variable) {
    constexpr std::string_view sides[] = {"left", "right"};
    if (broken_names_.contains(name)) return;
    for (const std::size_t side : {0U, 1U}) {
        const std::optional<VariableUse>& here = variable.use[side];
        if (!here) continue;
        if (!variable.use[1 - side]) {
            error(here->where, quoted(name) + " is only on the " + std::string(sides[side]) +
                                   " side of `<->`: both sides must use the same variables");
        }
        if (here->is_whole || variable.type == nullptr || variable.type->kind != TypeKind::bits) continue;
        const std::uint64_t missing = ones(variable.type->width) & ~here->bits;
        if (missing == 0) continue;
        const int high = 63 - std::countl_zero(missing);
        error(here->where, "the slices of " + quoted(name) + " do not cover " + to_string(variable.type) + ": bit " +
                               std::to_string(high) + " is left out");
    }
}

// ------------------------------------------------------------------------------------------------------------ building

// The expression that makes the value a mapping pattern describes out of its variables.
ExprRef Checker::build(PatternRef pattern) {
    const auto all = [this](const std::vector<PatternRef>& patterns) {
        std::vector<ExprRef> values;
        values.reserve(patterns.size());
        for (const PatternRef part : patterns) values.push_back(build(part));
        return values;
    };
    const auto value = [&](ExprNode node) { return make(pattern->type, pattern->where, std::move(node)); };
    if (const auto* node = std::get_if<BindPattern>(&pattern->node)) return value(LocalRef{node->local});
    if (const auto* node = std::get_if<LiteralPattern>(&pattern->node)) return value(Literal{node->value});
    if (const auto* node = std::get_if<EnumPattern>(&pattern->node)) return value(EnumRef{node->member});
    if (const auto* node = std::get_if<ConstructorPattern>(&pattern->node)) {
        return value(Construct{node->constructor, build(node->payload)});
    }
    if (const auto* node = std::get_if<SomePattern>(&pattern->node)) return value(MakeSome{build(node->payload)});
    if (std::holds_alternative<NonePattern>(pattern->node)) return value(MakeNone{});
    if (const auto* node = std::get_if<TuplePattern>(&pattern->node)) return value(Tuple{all(node->elements)});
    if (const auto* node = std::get_if<StructPattern>(&pattern->node)) {
        return value(StructLiteral{node->def, all(node->fields)});
    }
    if (const auto* node = std::get_if<BitfieldPattern>(&pattern->node)) {
        return value(BitfieldMake{node->def, build(node->bits)});
    }
    if (const auto* node = std::get_if<VectorPattern>(&pattern->node)) return value(VectorLiteral{all(node->elements)});
    if (const auto* node = std::get_if<ConcatPattern>(&pattern->node)) return value(Concat{all(node->parts)});
    if (const auto* node = std::get_if<SlicePattern>(&pattern->node)) {
        return value(Slice{make(node->local->type, pattern->where, LocalRef{node->local}), node->high, node->low});
    }
    if (const auto* node = std::get_if<MappingPattern>(&pattern->node)) {
        const Direction back = node->direction == Direction::forwards ? Direction::backwards : Direction::forwards;
        return value(MappingCall{node->mapping, back, false, build(node->inner)});
    }
    return broken(pattern->where);
}

}  // namespace eciscope::sailgen
