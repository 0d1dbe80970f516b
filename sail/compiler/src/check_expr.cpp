// Expressions except calls and parts of values.
#include <algorithm>
#include <limits>

#include "checker.hpp"
#include "exhaustiveness.hpp"

namespace eciscope::sailgen {

using ast::Kind;

ExprRef Checker::make(TypeRef type, SourceRange where, ExprNode node) {
    return &program_.arenas.exprs.emplace_back(Expr{type, where, std::move(node)});
}

ExprRef Checker::broken(SourceRange where) {
    return make(types_.error(), where, Literal{UnitValue{}});
}

ExprRef Checker::unit_literal(SourceRange where) {
    return make(types_.unit(), where, Literal{UnitValue{}});
}

ExprRef Checker::check(const Node& node, TypeRef wanted) {
    return check_agrees(synth(node, wanted), wanted);
}

ExprRef Checker::check_agrees(ExprRef expr, TypeRef wanted) {
    if (types_.is_subtype(expr->type, wanted)) return expr;
    if (wanted->kind == TypeKind::unit) {
        error(expr->where, "the value of type " + to_string(expr->type) + " is not used: a unit is wanted here");
    } else {
        error(expr->where, "expected " + to_string(wanted) + ", but this is " + to_string(expr->type));
    }
    return broken(expr->where);
}

// What has no parts.
ExprRef Checker::leaf(const Node& node) {
    switch (node.kind) {
        case Kind::error:
            return broken(node.where);
        case Kind::name:
            return name(node);
        case Kind::number:
            return number(node);
        case Kind::bits:
            return bits_literal(node);
        case Kind::string:
            return make(types_.string(), node.where, Literal{node.text});
        case Kind::unit:
            return unit_literal(node.where);
        case Kind::boolean:
            return make(types_.boolean(), node.where, Literal{node.text == "true"});
        case Kind::bit:
            return make(types_.bit(), node.where, Literal{BitValue{node.text == "bitone"}});
        case Kind::wildcard:
            error(node.where, "`_` is a pattern and has no value");
            return broken(node.where);
        case Kind::as:
            error(node.where, "`as` belongs to patterns");
            return broken(node.where);
        default:
            error(node.where, "an expression is wanted here");
            return broken(node.where);
    }
}

ExprRef Checker::synth(const Node& node, TypeRef wanted) {
    switch (node.kind) {
        case Kind::apply:
            return apply(node, wanted);
        case Kind::tuple:
            return tuple(node, wanted);
        case Kind::typed:
            return typed(node);
        case Kind::index:
            return index(node);
        case Kind::slice:
            return slice(node);
        case Kind::field:
            return field(node);
        case Kind::infix:
            return infix(node);
        case Kind::concat:
            return concat(node);
        case Kind::conditional:
            return conditional(node, wanted);
        case Kind::match:
            return match(node, wanted);
        case Kind::block:
            return block(node, wanted);
        case Kind::let:
        case Kind::var:
            return local_definition(node, wanted);
        case Kind::assign:
            return assign(node);
        case Kind::foreach:
            return foreach (node);
        case Kind::while_loop:
        case Kind::repeat_loop:
            return loop(node);
        case Kind::returning:
            return returning(node, wanted);
        case Kind::assertion:
            return assertion(node);
        case Kind::struct_literal:
            return struct_literal(node, wanted);
        case Kind::struct_update:
            return struct_update(node, wanted);
        case Kind::vector:
            return vector(node, wanted);
        case Kind::vector_update:
            return vector_update(node, wanted);
        default:
            return leaf(node);
    }
}

ExprRef Checker::number(const Node& node) {
    const std::optional<std::int64_t> value = resolve_length(node);
    if (!value) return broken(node.where);
    return make(types_.integer(value, value), node.where, Literal{*value});
}

ExprRef Checker::bits_literal(const Node& node) {
    if (node.text.size() > widest_bits) {
        error(node.where, "bits(" + std::to_string(node.text.size()) + ") is not in the subset: at most " +
                              std::to_string(widest_bits) + " bits");
        return broken(node.where);
    }
    BitsValue value{static_cast<unsigned>(node.text.size()), 0};
    for (const char digit : node.text) value.value = value.value << 1U | (digit == '1' ? 1U : 0U);
    return make(types_.bits(value.width), node.where, Literal{value});
}

const Local* Checker::find_local(const std::string& name) const {
    const auto found =
        std::find_if(scope_.rbegin(), scope_.rend(), [&](const auto& entry) { return entry.first == name; });
    return found == scope_.rend() ? nullptr : found->second;
}

ExprRef Checker::name(const Node& node) {
    if (const Local* local = find_local(node.text)) return make(local->type, node.where, LocalRef{local});
    if (const Symbol* symbol = find_symbol(node.text)) return symbol_value(node, *symbol);
    if (broken_names_.contains(node.text)) return broken(node.where);
    if (type_symbols_.contains(node.text)) {
        error(node.where, quoted(node.text) + " is a type, but a value is wanted here");
        return broken(node.where);
    }
    unknown_name(node.where, node.text, "name", value_names());
    return broken(node.where);
}

ExprRef Checker::symbol_value(const Node& node, const Symbol& symbol) {
    if (const auto* member = std::get_if<const EnumMember*>(&symbol)) {
        return make((*member)->owner->type, node.where, EnumRef{*member});
    }
    if (const auto* let = std::get_if<const LetDef*>(&symbol)) {
        current_effects_->callees.insert(*let);
        return make((*let)->type, node.where, GlobalRef{*let});
    }
    if (const auto* reg = std::get_if<const RegisterDef*>(&symbol)) {
        current_effects_->is_impure = true;
        return make((*reg)->type, node.where, RegisterRef{*reg});
    }
    if (std::holds_alternative<BrokenSymbol>(symbol)) return broken(node.where);
    error(node.where, std::holds_alternative<const UnionConstructor*>(symbol)
                          ? quoted(node.text) + " is a constructor: write `" + node.text + "(…)`"
                          : quoted(node.text) + " is a function or mapping: write `" + node.text + "(…)` to call it");
    return broken(node.where);
}

ExprRef Checker::tuple(const Node& node, TypeRef wanted) {
    const bool fits =
        wanted != nullptr && wanted->kind == TypeKind::tuple && wanted->elements.size() == node.kids.size();
    Tuple result;
    std::vector<TypeRef> types;
    for (std::size_t i = 0; i < node.kids.size(); ++i) {
        result.elements.push_back(fits ? check(*node.kids[i], wanted->elements[i]) : infer(*node.kids[i]));
        types.push_back(result.elements.back()->type);
    }
    const bool is_broken =
        std::any_of(types.begin(), types.end(), [](TypeRef t) { return t->kind == TypeKind::error; });
    const TypeRef type = is_broken ? types_.error() : limited(types_.tuple(std::move(types)), node.where);
    return make(type, node.where, std::move(result));
}

ExprRef Checker::typed(const Node& node) {
    const TypeRef type = resolve_type(*node.kids[1]);
    const ExprRef inner = check(*node.kids[0], type);
    // The annotation may widen an integer.
    return inner->type == type ? inner : make(type, inner->where, ExprNode(inner->node));
}

ExprRef Checker::conditional(const Node& node, TypeRef wanted) {
    If result;
    result.condition = check(*node.kids[0], types_.boolean());
    if (node.kids[2] == nullptr) {
        result.then_value = check(*node.kids[1], types_.unit());
        result.else_value = unit_literal(node.where);
        return make(types_.unit(), node.where, result);
    }
    if (wanted != nullptr) {
        result.then_value = check(*node.kids[1], wanted);
        result.else_value = check(*node.kids[2], wanted);
        return make(wanted, node.where, result);
    }
    result.then_value = infer(*node.kids[1]);
    result.else_value = infer(*node.kids[2]);
    const TypeRef type = types_.join(result.then_value->type, result.else_value->type);
    if (type == nullptr) {
        error(node.where, "the branches have different types: " + to_string(result.then_value->type) + " and " +
                              to_string(result.else_value->type));
        return broken(node.where);
    }
    return make(type, node.where, result);
}

ExprRef Checker::match(const Node& node, TypeRef wanted) {
    Match result;
    result.scrutinee = infer(*node.kids[0]);
    std::vector<MatchRow> rows;
    TypeRef type = wanted;
    for (std::size_t i = 1; i < node.kids.size(); ++i) {
        const Node& arm = *node.kids[i];
        if (arm.kind != Kind::arm) continue;
        const std::size_t scope = scope_.size();
        MatchArm lowered;
        lowered.pattern = pattern(*arm.kids[0], result.scrutinee->type);
        if (arm.kids[1] != nullptr) lowered.guard = check(*arm.kids[1], types_.boolean());
        lowered.body = wanted != nullptr ? check(*arm.kids[2], wanted) : infer(*arm.kids[2]);
        scope_.resize(scope);
        if (wanted == nullptr) {
            const TypeRef joined = type == nullptr ? lowered.body->type : types_.join(type, lowered.body->type);
            if (joined == nullptr) {
                error(arm.kids[2]->where,
                      "this arm is " + to_string(lowered.body->type) + ", but those before are " + to_string(type));
            }
            type = joined == nullptr ? types_.error() : joined;
        }
        rows.push_back({lowered.pattern, lowered.guard != nullptr, arm.kids[0]->where});
        result.arms.push_back(lowered);
    }
    if (type == nullptr) return broken(node.where);
    SourceRange keyword = node.where;
    keyword.end = keyword.begin + 5;
    check_match(rows, result.scrutinee->type, keyword, "the match", diagnostics_);
    return make(type, node.where, std::move(result));
}

ExprRef Checker::block(const Node& node, TypeRef wanted) {
    Block result;
    const std::size_t scope = scope_.size();
    for (std::size_t i = 0; i < node.kids.size(); ++i) {
        const Node& statement = *node.kids[i];
        const bool is_last = i + 1 == node.kids.size();
        if (statement.kind == Kind::let && statement.kids[2] == nullptr) {
            result.statements.push_back(let_statement(statement));
        } else if (statement.kind == Kind::var && statement.kids[2] == nullptr) {
            result.statements.push_back(var_statement(statement));
        } else if (is_last) {
            result.result = wanted != nullptr ? check(statement, wanted) : infer(statement);
        } else {
            result.statements.emplace_back(check(statement, types_.unit()));
        }
    }
    scope_.resize(scope);
    if (result.result == nullptr) result.result = unit_literal(node.where);
    const TypeRef type = result.result->type;
    return make(type, node.where, std::move(result));
}

// `let p = e in body`, and a `let` or `var` that stands alone where a value is wanted.
ExprRef Checker::local_definition(const Node& node, TypeRef wanted) {
    Block result;
    const std::size_t scope = scope_.size();
    result.statements.push_back(node.kind == Kind::let ? let_statement(node) : var_statement(node));
    if (node.kids[2] == nullptr) {
        result.result = unit_literal(node.where);
    } else {
        result.result = wanted != nullptr ? check(*node.kids[2], wanted) : infer(*node.kids[2]);
    }
    scope_.resize(scope);
    const TypeRef type = result.result->type;
    return make(type, node.where, std::move(result));
}

Statement Checker::let_statement(const Node& node) {
    const Node& head = *node.kids[0];
    PatternRef bound = nullptr;
    ExprRef value = nullptr;
    if (head.kind == Kind::typed) {
        // The annotation, not the value, says what the variable is.
        const TypeRef type = resolve_type(*head.kids[1]);
        value = check(*node.kids[1], type);
        bound = pattern(*head.kids[0], value->type->kind == TypeKind::error ? types_.error() : type);
    } else {
        value = infer(*node.kids[1]);
        bound = pattern(head, value->type);
    }
    check_always_matches(bound, "the pattern of this `let`");
    return LetStatement{bound, value};
}

Statement Checker::var_statement(const Node& node) {
    TypeRef type = nullptr;
    ExprRef value = nullptr;
    if (node.kids[0] != nullptr) {
        type = resolve_type(*node.kids[0]);
        value = check(*node.kids[1], type);
    } else {
        value = infer(*node.kids[1]);
        type = value->type;
    }
    return VarStatement{add_local(node.text, node.where, type, true), value};
}

ExprRef Checker::assign(const Node& node) {
    Assign result;
    const TypeRef type = place(*node.kids[0], result);
    result.value = check(*node.kids[1], type);
    return make(types_.unit(), node.where, std::move(result));
}

TypeRef Checker::place_root(const Node& node, Assign& target) {
    if (const Local* local = find_local(node.text)) {
        if (local->is_mutable) {
            target.root = local;
            return local->type;
        }
        error(node.where, quoted(node.text) + " cannot be assigned to: it is not a `var`",
              {{local->where, "it is bound here"}});
        return types_.error();
    }
    const Symbol* symbol = find_symbol(node.text);
    if (symbol == nullptr) {
        unknown_name(node.where, node.text, "variable", value_names());
        return types_.error();
    }
    if (const auto* reg = std::get_if<const RegisterDef*>(symbol)) {
        current_effects_->is_impure = true;
        target.root = *reg;
        return (*reg)->type;
    }
    if (!std::holds_alternative<BrokenSymbol>(*symbol)) {
        error(node.where, quoted(node.text) + " cannot be assigned to: it is not a `var` or register");
    }
    return types_.error();
}

TypeRef Checker::place(const Node& node, Assign& target) {
    if (node.kind == Kind::name) return place_root(node, target);
    if (node.kind != Kind::field && node.kind != Kind::index && node.kind != Kind::slice) {
        if (node.kind != Kind::error) error(node.where, "this cannot be assigned to");
        return types_.error();
    }
    const TypeRef base = place(*node.kids[0], target);
    if (base->kind == TypeKind::error) return base;
    if (node.kind == Kind::field) {
        if (base->kind == TypeKind::bitfield && node.text == "bits") {
            target.steps.emplace_back(BitfieldBitsStep{});
            return types_.bits(base->bitfield_def->width);
        }
        if (base->kind != TypeKind::structure) {
            error(node.where, to_string(base) + " has no fields");
            return types_.error();
        }
        const StructField* found = find_field(*base->struct_def, node.text, node.where);
        if (found == nullptr) return types_.error();
        target.steps.emplace_back(FieldStep{found});
        return found->type;
    }
    if (node.kind == Kind::slice) {
        const auto bounds = slice_bounds(*node.kids[1], *node.kids[2], base, node.where);
        if (!bounds) return types_.error();
        target.steps.emplace_back(SliceStep{bounds->first, bounds->second});
        return types_.bits(bounds->first - bounds->second + 1);
    }
    if (base->kind == TypeKind::bitfield) {
        const BitfieldField* found =
            node.kids[1]->kind == Kind::name
                ? find_bitfield_field(*base->bitfield_def, node.kids[1]->text, node.kids[1]->where)
                : nullptr;
        if (found == nullptr) return types_.error();
        target.steps.emplace_back(BitfieldStep{found});
        return types_.bits(found->high - found->low + 1);
    }
    const ExprRef at = checked_index(*node.kids[1], base);
    if (at->type->kind == TypeKind::error) return types_.error();
    target.steps.emplace_back(IndexStep{at});
    return base->kind == TypeKind::bits ? types_.bit() : base->elements[0];
}

ExprRef Checker::foreach (const Node& node) {
    Foreach result;
    result.downwards = node.is_down;
    result.from = check(*node.kids[0], types_.integer());
    result.to = check(*node.kids[1], types_.integer());
    result.step = node.kids[2] != nullptr ? check(*node.kids[2], types_.integer(1))
                                          : make(types_.integer(1, 1), node.where, Literal{std::int64_t{1}});
    const TypeRef low = node.is_down ? result.to->type : result.from->type;
    const TypeRef high = node.is_down ? result.from->type : result.to->type;
    // A loop whose bounds cross does not run, so its variable may have any type then.
    const bool is_empty = low->low && high->high && *low->low > *high->high;
    const bool is_broken = low->kind == TypeKind::error || high->kind == TypeKind::error;
    TypeRef type = types_.error();
    if (!is_broken) type = is_empty ? types_.integer() : types_.integer(low->low, high->high);
    const std::size_t scope = scope_.size();
    result.variable = add_local(node.text, node.where, type, false);
    result.body = check(*node.kids[3], types_.unit());
    scope_.resize(scope);
    return make(types_.unit(), node.where, result);
}

ExprRef Checker::loop(const Node& node) {
    if (node.kind == Kind::while_loop) {
        const ExprRef condition = check(*node.kids[0], types_.boolean());
        return make(types_.unit(), node.where, While{condition, check(*node.kids[1], types_.unit())});
    }
    const ExprRef body = check(*node.kids[0], types_.unit());
    return make(types_.unit(), node.where, Repeat{body, check(*node.kids[1], types_.boolean())});
}

ExprRef Checker::returning(const Node& node, TypeRef wanted) {
    if (return_type_ == nullptr) {
        error(node.where, "`return` stands outside a function");
        return broken(node.where);
    }
    const ExprRef value = check(*node.kids[0], return_type_);
    return make(wanted != nullptr ? wanted : types_.unit(), node.where, Return{value});
}

ExprRef Checker::assertion(const Node& node) {
    Assert result;
    result.condition = check(*node.kids[0], types_.boolean());
    result.message = node.kids[1] != nullptr ? check(*node.kids[1], types_.string())
                                             : make(types_.string(), node.where, Literal{std::string()});
    return make(types_.unit(), node.where, result);
}

Local* Checker::add_local(const std::string& name, SourceRange where, TypeRef type, bool is_mutable) {
    Local& local = program_.arenas.locals.emplace_back();
    local.name = name;
    local.type = type;
    local.id = locals_->size();
    local.is_mutable = is_mutable;
    local.where = where;
    locals_->push_back(&local);
    scope_.emplace_back(name, &local);
    return &local;
}

}  // namespace eciscope::sailgen
