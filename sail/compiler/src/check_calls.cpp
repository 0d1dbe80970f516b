// Calls, constructors, mappings as functions, overloads and operators.
#include <algorithm>

#include "builtins.hpp"
#include "checker.hpp"

namespace eciscope::sailgen {

using ast::Kind;

namespace {

std::string types_of(const std::vector<ExprRef>& arguments) {
    std::string result;
    for (const ExprRef argument : arguments) result += (result.empty() ? "" : ", ") + to_string(argument->type);
    return result;
}

bool any_broken(const std::vector<ExprRef>& arguments) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [](ExprRef argument) { return argument->type->kind == TypeKind::error; });
}

// `name` without `suffix`, if it has it and more.
std::optional<std::string> without_suffix(const std::string& name, std::string_view suffix) {
    if (name.size() <= suffix.size() || !name.ends_with(suffix)) return std::nullopt;
    return name.substr(0, name.size() - suffix.size());
}

}  // namespace

bool Checker::check_arity(const Node& node, std::size_t wanted) {
    if (node.kids.size() == wanted) return true;
    error(node.where, quoted(node.text) + " takes " + std::to_string(wanted) +
                          (wanted == 1 ? " argument" : " arguments") + ", not " + std::to_string(node.kids.size()));
    return false;
}

ExprRef Checker::apply(const Node& node, TypeRef wanted) {
    if (find_local(node.text) != nullptr) {
        error(node.where, quoted(node.text) + " is a variable and cannot be called");
        return broken(node.where);
    }
    if (const Symbol* symbol = find_symbol(node.text)) return call_symbol(node, *symbol);
    return call_helper(node, wanted);
}

ExprRef Checker::call_symbol(const Node& node, const Symbol& symbol) {
    if (auto* const* function = std::get_if<FunctionSymbol*>(&symbol)) return call_function(node, **function);
    if (auto* const* mapping = std::get_if<MappingSymbol*>(&symbol)) return call_mapping(node, **mapping);
    if (auto* const* overload = std::get_if<OverloadSymbol*>(&symbol)) return call_overload(node, **overload);
    if (const auto* constructor = std::get_if<const UnionConstructor*>(&symbol)) return construct(node, **constructor);
    if (!std::holds_alternative<BrokenSymbol>(symbol)) {
        error(node.where, quoted(node.text) + " is a value and cannot be called");
    }
    for (const Node* kid : node.kids) infer(*kid);
    return broken(node.where);
}

ExprRef Checker::call_function(const Node& node, FunctionSymbol& symbol) {
    current_effects_->callees.insert(symbol.def);
    std::vector<Node*> kids = node.kids;
    if (symbol.parameters.empty() && kids.size() == 1 && kids[0]->kind == Kind::unit) kids.clear();
    if (kids.size() != symbol.parameters.size()) {
        check_arity(node, symbol.parameters.size());
        return broken(node.where);
    }
    Call call{symbol.def, {}};
    for (std::size_t i = 0; i < kids.size(); ++i) call.arguments.push_back(check(*kids[i], symbol.parameters[i]));
    return make(symbol.def->result, node.where, std::move(call));
}

ExprRef Checker::construct(const Node& node, const UnionConstructor& constructor) {
    const TypeRef payload = constructor.payload;
    const TypeRef type = constructor.owner->type;
    if (node.kids.empty()) {
        if (payload->kind != TypeKind::unit && payload->kind != TypeKind::error) {
            error(node.where, "the constructor " + quoted(node.text) + " needs a value of " + to_string(payload));
        }
        return make(type, node.where, Construct{&constructor, unit_literal(node.where)});
    }
    if (node.kids.size() == 1) return make(type, node.where, Construct{&constructor, check(*node.kids[0], payload)});
    if (payload->kind != TypeKind::tuple || payload->elements.size() != node.kids.size()) {
        if (payload->kind != TypeKind::error) {
            error(node.where, "the constructor " + quoted(node.text) + " holds " + to_string(payload) + ", not " +
                                  std::to_string(node.kids.size()) + " values");
        }
        return broken(node.where);
    }
    Tuple values;
    for (std::size_t i = 0; i < node.kids.size(); ++i) {
        values.elements.push_back(check(*node.kids[i], payload->elements[i]));
    }
    return make(type, node.where, Construct{&constructor, make(payload, node.where, std::move(values))});
}

ExprRef Checker::make_option(const Node& node, TypeRef wanted) {
    const bool fits = wanted != nullptr && wanted->kind == TypeKind::option;
    if (node.text == "None") {
        if (!node.kids.empty() && (node.kids.size() != 1 || node.kids[0]->kind != Kind::unit)) {
            check_arity(node, 0);
            return broken(node.where);
        }
        if (fits) return make(wanted, node.where, MakeNone{});
        if (wanted == nullptr) {
            error(node.where, "the type of `None()` is not known here: write `None() : option(…)`");
        } else if (wanted->kind != TypeKind::error) {
            error(node.where, "expected " + to_string(wanted) + ", but this is an option");
        }
        return broken(node.where);
    }
    if (node.kids.empty()) {
        check_arity(node, 1);
        return broken(node.where);
    }
    // Some(a, b) is an option of a tuple.
    Node payload = *node.kids[0];
    if (node.kids.size() > 1) {
        payload = node;
        payload.kind = Kind::tuple;
    }
    const ExprRef value = fits ? check(payload, wanted->elements[0]) : infer(payload);
    if (value->type->kind == TypeKind::error) return value;
    return make(fits ? wanted : types_.option(value->type), node.where, MakeSome{value});
}

ExprRef Checker::call_mapping(const Node& node, MappingSymbol& symbol) {
    MappingDef& def = *symbol.def;
    current_effects_->callees.insert(&def);
    if (!check_arity(node, 1)) return broken(node.where);
    // A literal struct needs to know what it is: only one side can be one.
    const bool left_is_struct = def.left->kind == TypeKind::structure || def.left->kind == TypeKind::bitfield;
    const bool is_literal = node.kids[0]->kind == Kind::struct_literal;
    const ExprRef argument = is_literal && node.kids[0]->text.empty()
                                 ? check(*node.kids[0], left_is_struct ? def.left : def.right)
                                 : infer(*node.kids[0]);
    if (argument->type->kind == TypeKind::error || def.left->kind == TypeKind::error) return broken(node.where);
    const bool forwards = types_.is_subtype(argument->type, def.left);
    if (!forwards && !types_.is_subtype(argument->type, def.right)) {
        error(node.kids[0]->where, "the mapping " + quoted(def.name) + " is between " + to_string(def.left) + " and " +
                                       to_string(def.right) + ", but this is " + to_string(argument->type));
        return broken(node.where);
    }
    const Direction direction = forwards ? Direction::forwards : Direction::backwards;
    partial_calls_.push_back({&symbol, direction, node.where});
    return make(forwards ? def.right : def.left, node.where, MappingCall{&def, direction, false, argument});
}

// What exists because something else was defined, and the library.
ExprRef Checker::call_helper(const Node& node, TypeRef wanted) {
    if (node.text == "Some" || node.text == "None") return make_option(node, wanted);
    if (ExprRef helper = call_mapping_helper(node)) return helper;
    const auto enum_named = [this](const std::string& name) -> const EnumDef* {
        const auto found = type_symbols_.find(name);
        return found == type_symbols_.end() || found->second.type == nullptr ? nullptr : found->second.type->enum_def;
    };
    if (node.text.starts_with("num_of_")) {
        if (const EnumDef* def = enum_named(node.text.substr(7)); def != nullptr && check_arity(node, 1)) {
            const ExprRef value = check(*node.kids[0], def->type);
            return make(
                types_.integer(0, std::max<std::int64_t>(static_cast<std::int64_t>(def->members.size()) - 1, 0)),
                node.where, BuiltinCall{Builtin::num_of_enum, {value}});
        }
    }
    if (const auto name = without_suffix(node.text, "_of_num")) {
        if (const EnumDef* def = enum_named(*name); def != nullptr && check_arity(node, 1)) {
            const ExprRef value =
                check(*node.kids[0],
                      types_.integer(0, std::max<std::int64_t>(static_cast<std::int64_t>(def->members.size()) - 1, 0)));
            return make(def->type, node.where, BuiltinCall{Builtin::enum_of_num, {value}});
        }
    }
    if (node.text.starts_with("Mk_")) {
        const auto found = type_symbols_.find(node.text.substr(3));
        const TypeRef type = found == type_symbols_.end() ? nullptr : found->second.type;
        if (type != nullptr && type->kind == TypeKind::bitfield && check_arity(node, 1)) {
            const ExprRef bits = check(*node.kids[0], types_.bits(type->bitfield_def->width));
            return make(type, node.where, BitfieldMake{type->bitfield_def, bits});
        }
    }
    std::vector<ExprRef> arguments;
    if (const BuiltinSignature* signature = find_builtin(node.text)) {
        if (!need_prelude(node.where, node.text)) return broken(node.where);
        if (!check_arity(node, signature->parameters.size())) return broken(node.where);
        for (const Node* kid : node.kids) arguments.push_back(infer(*kid));
        return call_builtin(node.where, *signature, arguments);
    }
    std::vector<std::string> candidates = value_names();
    for (std::string& name : builtin_names()) candidates.push_back(std::move(name));
    unknown_name(node.where, node.text, "function", candidates);
    for (const Node* kid : node.kids) {
        if (kid->kind != Kind::apply || kid->text != "None") infer(*kid);
    }
    return broken(node.where);
}

// m_forwards, m_backwards and their _matches; null if the name is none of these.
ExprRef Checker::call_mapping_helper(const Node& node) {
    std::string name = node.text;
    const std::optional<std::string> before_matches = without_suffix(name, "_matches");
    if (before_matches) name = *before_matches;
    for (const Direction direction : {Direction::forwards, Direction::backwards}) {
        const bool forwards = direction == Direction::forwards;
        const auto mapping_name = without_suffix(name, forwards ? "_forwards" : "_backwards");
        const Symbol* symbol = mapping_name ? find_symbol(*mapping_name) : nullptr;
        MappingSymbol* const* mapping = symbol == nullptr ? nullptr : std::get_if<MappingSymbol*>(symbol);
        if (mapping == nullptr) continue;
        if (!check_arity(node, 1)) return broken(node.where);
        MappingDef& def = *(*mapping)->def;
        current_effects_->callees.insert(&def);
        const ExprRef argument = check(*node.kids[0], forwards ? def.left : def.right);
        const TypeRef result = before_matches ? types_.boolean() : forwards ? def.right : def.left;
        return make(result, node.where, MappingCall{&def, direction, before_matches.has_value(), argument});
    }
    return nullptr;
}

// The first alternative whose parameters take the arguments; the arguments are checked once, on their own.
ExprRef Checker::call_overload(const Node& node, const OverloadSymbol& overload) {
    std::vector<ExprRef> arguments;
    arguments.reserve(node.kids.size());
    for (const Node* kid : node.kids) arguments.push_back(infer(*kid));
    if (any_broken(arguments)) return broken(node.where);
    for (const std::string& alternative : overload.alternatives) {
        if (const ExprRef result = call_alternative(node, alternative, arguments)) return result;
    }
    error(node.where, "no alternative of " + quoted(node.text) + " takes (" + types_of(arguments) + ")");
    return broken(node.where);
}

ExprRef Checker::call_alternative(const Node& node, const std::string& name, const std::vector<ExprRef>& arguments) {
    const Symbol* symbol = find_symbol(name);
    if (symbol == nullptr) {
        const BuiltinSignature* signature = find_builtin(name);
        if (signature == nullptr) {
            unknown_name(node.where, name, "function in an overload", value_names());
            return nullptr;
        }
        return builtin_accepts(*signature, arguments) ? call_builtin(node.where, *signature, arguments) : nullptr;
    }
    FunctionSymbol* const* function = std::get_if<FunctionSymbol*>(symbol);
    if (function == nullptr || (*function)->parameters.size() != arguments.size()) return nullptr;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!types_.is_subtype(arguments[i]->type, (*function)->parameters[i])) return nullptr;
    }
    current_effects_->callees.insert((*function)->def);
    return make((*function)->def->result, node.where, Call{(*function)->def, arguments});
}

bool Checker::builtin_accepts(const BuiltinSignature& signature, const std::vector<ExprRef>& arguments) const {
    if (arguments.size() != signature.parameters.size()) return false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const TypeRef type = arguments[i]->type;
        bool fits = false;
        switch (signature.parameters[i]) {
            case Parameter::bits:
                fits = type->kind == TypeKind::bits;
                break;
            case Parameter::same_bits:
                fits = type == arguments[0]->type;
                break;
            case Parameter::integer:
                fits = type->kind == TypeKind::integer;
                break;
            case Parameter::fixed:
                fits = single_value(type).has_value();
                break;
            case Parameter::boolean:
                fits = type->kind == TypeKind::boolean;
                break;
            case Parameter::string:
                fits = type->kind == TypeKind::string;
                break;
            case Parameter::option:
                fits = type->kind == TypeKind::option;
                break;
            case Parameter::any_vector:
                fits = type->kind == TypeKind::bits || type->kind == TypeKind::vector;
                break;
        }
        if (!fits) return false;
    }
    return true;
}

ExprRef Checker::call_builtin(SourceRange where, const BuiltinSignature& signature,
                              const std::vector<ExprRef>& arguments) {
    if (any_broken(arguments)) return broken(where);
    if (!builtin_accepts(signature, arguments)) {
        const bool needs_constant = std::find(signature.parameters.begin(), signature.parameters.end(),
                                              Parameter::fixed) != signature.parameters.end();
        const bool needs_one_width = std::find(signature.parameters.begin(), signature.parameters.end(),
                                               Parameter::same_bits) != signature.parameters.end();
        error(where, quoted(signature.name) + " does not take (" + types_of(arguments) + ")" +
                         (needs_constant ? "; the width must be known when compiling" : "") +
                         (needs_one_width ? "; both must have one width" : ""));
        return broken(where);
    }
    const TypeRef first = arguments[0]->type;
    std::vector<ExprRef> kept;
    std::int64_t width = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (signature.parameters[i] == Parameter::fixed) {
            width = *single_value(arguments[i]->type);
        } else {
            kept.push_back(arguments[i]);
        }
    }
    const bool is_masked = signature.result == BuiltinResult::masked;
    const TypeRef source = is_masked ? arguments[1]->type : first;
    Builtin builtin = signature.builtin;
    if (is_masked && width > source->width) builtin = Builtin::zero_extend;
    if (signature.result == BuiltinResult::length) {
        const auto length = static_cast<std::int64_t>(first->kind == TypeKind::bits ? first->width : first->length);
        return make(types_.integer(length, length), where, Literal{length});
    }
    if (signature.result == BuiltinResult::repeated && __builtin_mul_overflow(width, first->width, &width)) width = -1;
    switch (signature.result) {
        case BuiltinResult::unit:
            current_effects_->is_impure = true;
            return make(types_.unit(), where, BuiltinCall{builtin, kept});
        case BuiltinResult::boolean:
            return make(types_.boolean(), where, BuiltinCall{builtin, kept});
        case BuiltinResult::same:
            return make(first, where, BuiltinCall{builtin, kept});
        case BuiltinResult::integer:
            return int_builtin(builtin, where, kept);
        default:
            break;
    }
    const bool extends = builtin == Builtin::zero_extend || builtin == Builtin::sign_extend;
    if (width < 1 || width > widest_bits || (extends && width < source->width) ||
        (builtin == Builtin::truncate && width > source->width)) {
        error(where, quoted(signature.name) + " cannot give " + std::to_string(width) + " bits here" +
                         (kept.empty() ? "" : " from " + to_string(source)));
        return broken(where);
    }
    return make(types_.bits(static_cast<unsigned>(width)), where, BuiltinCall{builtin, kept});
}

ExprRef Checker::int_builtin(Builtin builtin, SourceRange where, std::vector<ExprRef> arguments) {
    std::vector<TypeRef> types;
    types.reserve(arguments.size());
    for (const ExprRef argument : arguments) types.push_back(argument->type);
    const Bounds bounds = result_bounds(builtin, types);
    return make(types_.integer(bounds.low, bounds.high), where, BuiltinCall{builtin, std::move(arguments)});
}

ExprRef Checker::infix(const Node& node) {
    const ExprRef left = infer(*node.kids[0]);
    const ExprRef right = infer(*node.kids[1]);
    if (any_broken({left, right})) return broken(node.where);
    if (const auto found = operators_.find(node.text); found != operators_.end()) {
        for (const std::string& alternative : found->second.alternatives) {
            if (const ExprRef result = call_alternative(node, alternative, {left, right})) return result;
        }
    }
    if (!need_prelude(node.where, node.text)) return broken(node.where);
    return builtin_operator(node, left, right);
}

ExprRef Checker::builtin_operator(const Node& node, ExprRef left, ExprRef right) {
    if (node.text == "==" || node.text == "!=") return equality(node, left, right);
    if (node.text == "&" || node.text == "|") return logic(node, left, right);
    if (node.text == "^") return power(node, left, right);
    return arithmetic(node, left, right);
}

ExprRef Checker::equality(const Node& node, ExprRef left, ExprRef right) {
    const TypeRef type = types_.join(left->type, right->type);
    if (type == nullptr) {
        const bool bit_and_bits = (left->type->kind == TypeKind::bit) != (right->type->kind == TypeKind::bit);
        error(node.where, "`" + node.text + "` compares " + to_string(left->type) + " with " + to_string(right->type) +
                              (bit_and_bits ? "; a single bit is compared with `bitone` or `bitzero`" : ""));
        return broken(node.where);
    }
    const bool is_simple = type->kind == TypeKind::integer || type->kind == TypeKind::bits ||
                           type->kind == TypeKind::bit || type->kind == TypeKind::boolean ||
                           type->kind == TypeKind::string || type->kind == TypeKind::unit;
    if (!is_simple && !has_equality_) {
        error(node.where, "`" + node.text + "` on " + to_string(type) + " needs `$include <generic_equality.sail>`");
        return broken(node.where);
    }
    const Builtin builtin = node.text == "==" ? Builtin::equal : Builtin::not_equal;
    return make(types_.boolean(), node.where, BuiltinCall{builtin, {left, right}});
}

ExprRef Checker::logic(const Node& node, ExprRef left, ExprRef right) {
    const bool is_and = node.text == "&";
    if (left->type->kind == TypeKind::boolean && right->type->kind == TypeKind::boolean) {
        return make(types_.boolean(), node.where,
                    BuiltinCall{is_and ? Builtin::and_bool : Builtin::or_bool, {left, right}});
    }
    if (left->type->kind == TypeKind::bits && left->type == right->type) {
        return make(left->type, node.where, BuiltinCall{is_and ? Builtin::and_bits : Builtin::or_bits, {left, right}});
    }
    error(node.where, "`" + node.text + "` takes two bools or two bit vectors of one width, not " +
                          to_string(left->type) + " and " + to_string(right->type));
    return broken(node.where);
}

ExprRef Checker::power(const Node& node, ExprRef left, ExprRef right) {
    if (left->type->kind == TypeKind::bits) {
        return call_builtin(node.where, *find_builtin("sail_mask"), {right, left});
    }
    if (single_value(left->type) != std::int64_t{2} || right->type->kind != TypeKind::integer || !right->type->low ||
        *right->type->low < 0) {
        error(node.where, "`^` is `2 ^ n` with n not negative, or a change of width as in `v ^ 8`");
        return broken(node.where);
    }
    constexpr std::int64_t largest_exponent = 62;
    std::optional<std::int64_t> high;
    if (right->type->high && *right->type->high <= largest_exponent) high = std::int64_t{1} << *right->type->high;
    const std::optional<std::int64_t> low =
        *right->type->low <= largest_exponent ? std::int64_t{1} << *right->type->low : 1;
    return make(types_.integer(low, high), node.where, BuiltinCall{Builtin::pow_int, {left, right}});
}

ExprRef Checker::arithmetic(const Node& node, ExprRef left, ExprRef right) {
    constexpr std::pair<std::string_view, Builtin> calculations[] = {
        {"+", Builtin::add_int}, {"-", Builtin::sub_int}, {"*", Builtin::mul_int}};
    constexpr std::pair<std::string_view, Builtin> comparisons[] = {
        {"<", Builtin::lt_int}, {"<=", Builtin::le_int}, {">", Builtin::gt_int}, {">=", Builtin::ge_int}};
    if (left->type->kind == TypeKind::integer && right->type->kind == TypeKind::integer) {
        for (const auto& [symbol, builtin] : calculations) {
            if (symbol == node.text) return int_builtin(builtin, node.where, {left, right});
        }
        for (const auto& [symbol, builtin] : comparisons) {
            if (symbol == node.text) return make(types_.boolean(), node.where, BuiltinCall{builtin, {left, right}});
        }
        error(node.where, quoted(node.text) + " is not defined by the prelude: write `overload operator " + node.text +
                              (node.text == "/" ? " = {tdiv_int}`" : " = {tmod_int}`"));
        return broken(node.where);
    }
    if (node.text == "+" && left->type->kind == TypeKind::bits) {
        if (left->type == right->type) {
            return make(left->type, node.where, BuiltinCall{Builtin::add_bits, {left, right}});
        }
        if (right->type->kind == TypeKind::integer) {
            return make(left->type, node.where, BuiltinCall{Builtin::add_bits_int, {left, right}});
        }
    }
    const bool both_bits = left->type->kind == TypeKind::bits && right->type->kind == TypeKind::bits;
    error(node.where, "`" + node.text + "` does not take " + to_string(left->type) + " and " + to_string(right->type) +
                          (both_bits && node.text == "-" ? "; write `sub_bits(a, b)`" : "") +
                          (both_bits && node.text != "-" && node.text != "+" ? "; compare `unsigned(v)`" : ""));
    return broken(node.where);
}

}  // namespace eciscope::sailgen
