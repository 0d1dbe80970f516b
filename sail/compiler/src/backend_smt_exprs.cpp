// Expressions as SMT-LIB terms.
#include <utility>

#include <fmt/format.h>

#include "backend_smt.hpp"

namespace eciscope::sailgen::smt {
namespace {

std::string let(const std::string& name, const std::string& value, const std::string& body) {
    if (body == "true" || body == "false") return body;
    return fmt::format("(let (({} {})) {})", name, value, body);
}

// The bits [high .. low] of a vector of `width` bits replaced.
std::string replace_bits(const std::string& base, unsigned width, unsigned high, unsigned low,
                         const std::string& value) {
    std::string text = value;
    if (high + 1 < width) text = fmt::format("(concat {} {})", extract(base, width - 1, high + 1), text);
    if (low > 0) text = fmt::format("(concat {} {})", text, extract(base, low - 1, 0));
    return text;
}

const std::int64_t* literal_integer(ExprRef expr) {
    const auto* literal = std::get_if<Literal>(&expr->node);
    return literal == nullptr ? nullptr : std::get_if<std::int64_t>(&literal->value);
}

// An integer term, known to be a bit position, as a vector of `width` bits.
std::string position(const std::string& term, unsigned width) {
    return width == 64 ? term : extract(term, width - 1, 0);
}

}  // namespace

Term Translator::refuse(SourceRange where, const std::string& what) {
    diagnostics_.push_back({where, what + " cannot be translated to SMT-LIB", {}});
    return {"refused", "true"};
}

std::string Translator::fresh(std::string_view stem) {
    return fmt::format("{}.{}", stem, ++fresh_count_);
}

void Translator::define(const std::string& name, const std::string& parameters, const std::string& result,
                        const std::string& body) {
    script_.push_back(fmt::format("(define-fun {} {} {}\n  {})", name, parameters, result, body));
}

void Translator::require(const FunctionDef& function) {
    const std::string name = symbol("f", function.name);
    if (always_defined_.contains(name)) return;
    if (!open_.insert(name).second) {
        always_defined_[name] = false;
        refuse(function.where, "the recursive function `" + function.name + "`");
        return;
    }
    std::string parameters;
    for (const Local* parameter : function.parameters) {
        const std::string local = symbol("v", parameter->name);
        bindings_[parameter] = local;
        parameters += fmt::format("{}({} {})", parameters.empty() ? "" : " ", local, sort(parameter->type));
    }
    const std::string result = sort(function.result);
    const Term body = expression(function.body);
    define(name, "(" + parameters + ")", result, body.value);
    if (body.defined != "true") define(symbol("ok", function.name), "(" + parameters + ")", "Bool", body.defined);
    always_defined_[name] = body.defined == "true";
    open_.erase(name);
}

void Translator::require(const LetDef& definition) {
    const std::string name = symbol("let", definition.name);
    if (always_defined_.contains(name)) return;
    const std::string result = sort(definition.type);
    const Term value = expression(definition.value);
    define(name, "()", result, value.value);
    if (value.defined != "true") define(symbol("let_ok", definition.name), "()", "Bool", value.defined);
    always_defined_[name] = value.defined == "true";
}

std::string Translator::call(const FunctionDef& function, const std::vector<std::string>& arguments) {
    require(function);
    const std::string name = symbol("f", function.name);
    return arguments.empty() ? name : fmt::format("({} {})", name, fmt::join(arguments, " "));
}

std::string Translator::call_defined(const FunctionDef& function, const std::vector<std::string>& arguments) {
    require(function);
    if (always_defined_[symbol("f", function.name)]) return "true";
    const std::string name = symbol("ok", function.name);
    return arguments.empty() ? name : fmt::format("({} {})", name, fmt::join(arguments, " "));
}

Term Translator::expression(ExprRef expr) {
    return std::visit([&](const auto& alternative) { return node(*expr, alternative); }, expr->node);
}

Term Translator::apply_to(const std::string& head, const std::vector<ExprRef>& arguments) {
    std::string text = "(" + head;
    std::vector<std::string> defined;
    for (const ExprRef argument : arguments) {
        const Term term = expression(argument);
        text += " " + term.value;
        defined.push_back(term.defined);
    }
    return {text + ")", conjunction(defined)};
}

Term Translator::node(const Expr& expr, const Literal& literal) {
    if (std::holds_alternative<std::string>(literal.value)) return refuse(expr.where, "a string");
    if (std::holds_alternative<UnitValue>(literal.value)) sort(expr.type);
    return {constant_term(literal.value)};
}

Term Translator::node(const Expr& expr, const EnumRef& ref) {
    sort(expr.type);
    return {member_symbol(*ref.member)};
}

Term Translator::node(const Expr& expr, const LocalRef& ref) {
    const auto found = bindings_.find(ref.local);
    if (ref.local->is_mutable || found == bindings_.end()) {
        return refuse(expr.where, "the variable `" + ref.local->name + "`, which is assigned to,");
    }
    return {found->second};
}

Term Translator::node(const Expr& /*expr*/, const GlobalRef& ref) {
    require(*ref.let);
    const bool is_defined = always_defined_[symbol("let", ref.let->name)];
    return {symbol("let", ref.let->name), is_defined ? "true" : symbol("let_ok", ref.let->name)};
}

Term Translator::node(const Expr& expr, const RegisterRef& ref) {
    return refuse(expr.where, "the register `" + ref.reg->name + "`");
}

Term Translator::node(const Expr& /*expr*/, const Call& function_call) {
    std::vector<std::string> values;
    std::vector<std::string> defined;
    for (const ExprRef argument : function_call.arguments) {
        const Term term = expression(argument);
        values.push_back(term.value);
        defined.push_back(term.defined);
    }
    defined.push_back(call_defined(*function_call.function, values));
    return {call(*function_call.function, values), conjunction(defined)};
}

Term Translator::node(const Expr& /*expr*/, const MappingCall& mapping_call) {
    const Term argument = expression(mapping_call.argument);
    if (mapping_call.only_matches) {
        return {takes(*mapping_call.mapping, mapping_call.direction, argument.value), argument.defined};
    }
    const std::string defined = apply_defined(*mapping_call.mapping, mapping_call.direction, argument.value);
    return {apply(*mapping_call.mapping, mapping_call.direction, argument.value),
            conjunction({argument.defined, defined})};
}

Term Translator::node(const Expr& expr, const Construct& construct) {
    sort(expr.type);
    const std::string name = constructor_symbol(*construct.constructor);
    if (construct.constructor->payload->kind == TypeKind::unit) return {name, expression(construct.payload).defined};
    return apply_to(name, {construct.payload});
}

Term Translator::node(const Expr& expr, const MakeSome& some) {
    sort(expr.type);
    return apply_to("some." + shape(expr.type->elements.front()), {some.payload});
}

Term Translator::node(const Expr& expr, const MakeNone& /*none*/) {
    sort(expr.type);
    return {"none." + shape(expr.type->elements.front())};
}

Term Translator::node(const Expr& expr, const Tuple& tuple) {
    return apply_to("mk." + sort(expr.type), tuple.elements);
}

Term Translator::node(const Expr& expr, const VectorLiteral& vector) {
    if (expr.type->kind == TypeKind::bits) {
        return vector.elements.size() == 1 ? expression(vector.elements.front()) : apply_to("concat", vector.elements);
    }
    return apply_to("mk." + sort(expr.type), {vector.elements.rbegin(), vector.elements.rend()});
}

Term Translator::node(const Expr& expr, const StructLiteral& literal) {
    sort(expr.type);
    return apply_to(maker_symbol(*literal.def), literal.fields);
}

Term Translator::node(const Expr& expr, const StructUpdate& update) {
    sort(expr.type);
    const Term base = expression(update.base);
    const std::string subject = fresh("base");
    std::vector<std::string> defined = {base.defined};
    std::string text = "(" + maker_symbol(*expr.type->struct_def);
    for (const StructField* field : expr.type->struct_def->fields) {
        std::string value = fmt::format("({} {})", field_symbol(*field), subject);
        for (const FieldUpdate& change : update.updates) {
            if (change.field != field) continue;
            const Term term = expression(change.value);
            value = term.value;
            defined.push_back(term.defined);
        }
        text += " " + value;
    }
    return {let(subject, base.value, text + ")"), conjunction(defined)};
}

Term Translator::node(const Expr& /*expr*/, const FieldAccess& access) {
    return apply_to(field_symbol(*access.field), {access.base});
}

Term Translator::node(const Expr& /*expr*/, const BitfieldMake& make) {
    return expression(make.bits);
}

Term Translator::node(const Expr& /*expr*/, const BitfieldBits& bits) {
    return expression(bits.base);
}

Term Translator::node(const Expr& /*expr*/, const BitfieldGet& get) {
    const Term base = expression(get.base);
    return {extract(base.value, get.field->high, get.field->low), base.defined};
}

Term Translator::node(const Expr& expr, const BitfieldUpdate& update) {
    Term base = expression(update.base);
    const unsigned width = expr.type->bitfield_def->width;
    for (const BitfieldChange& change : update.updates) {
        const Term value = expression(change.value);
        const std::string subject = fresh("base");
        base.value =
            let(subject, base.value, replace_bits(subject, width, change.field->high, change.field->low, value.value));
        base.defined = conjunction({base.defined, value.defined});
    }
    return base;
}

Term Translator::node(const Expr& expr, const Index& index) {
    const Term base = expression(index.base);
    const Term at = expression(index.index);
    const std::string defined = conjunction({base.defined, at.defined});
    const TypeRef type = index.base->type;
    const std::int64_t* constant = literal_integer(index.index);
    if (type->kind == TypeKind::bits) {
        if (constant != nullptr) {
            const auto bit = static_cast<unsigned>(*constant);
            return {extract(base.value, bit, bit), defined};
        }
        return {extract(fmt::format("(bvlshr {} {})", base.value, position(at.value, type->width)), 0, 0), defined};
    }
    if (type->kind != TypeKind::vector) return refuse(expr.where, "an index into `" + to_string(type) + "`");
    const std::string vector = shape(type);
    if (constant != nullptr) return {fmt::format("(item{}.{} {})", *constant, vector, base.value), defined};
    const std::string subject = fresh("base");
    std::string text = fmt::format("(item0.{} {})", vector, subject);
    for (std::uint64_t i = 1; i < type->length; ++i) {
        text = conditional(fmt::format("(= {} {})", at.value, int_literal(static_cast<std::int64_t>(i))),
                           fmt::format("(item{}.{} {})", i, vector, subject), text);
    }
    return {let(subject, base.value, text), defined};
}

Term Translator::node(const Expr& /*expr*/, const Slice& slice) {
    const Term base = expression(slice.base);
    return {extract(base.value, slice.high, slice.low), base.defined};
}

Term Translator::node(const Expr& expr, const IndexUpdate& update) {
    const Term base = expression(update.base);
    const Term at = expression(update.index);
    const Term value = expression(update.value);
    const std::string subject = fresh("base");
    const std::string defined = conjunction({base.defined, at.defined, value.defined});
    if (expr.type->kind == TypeKind::vector) {
        std::string text = "(mk." + sort(expr.type);
        for (std::uint64_t i = 0; i < expr.type->length; ++i) {
            text += " " + conditional(fmt::format("(= {} {})", at.value, int_literal(static_cast<std::int64_t>(i))),
                                      value.value, fmt::format("(item{}.{} {})", i, shape(expr.type), subject));
        }
        return {let(subject, base.value, text + ")"), defined};
    }
    const unsigned width = expr.type->width;
    const std::string distance = position(at.value, width);
    const std::string wide = width == 1 ? value.value : fmt::format("((_ zero_extend {}) {})", width - 1, value.value);
    const std::string text = fmt::format("(bvor (bvand {} (bvnot (bvshl {} {}))) (bvshl {} {}))", subject,
                                         bits_literal(width, 1), distance, wide, distance);
    return {let(subject, base.value, text), defined};
}

Term Translator::node(const Expr& expr, const SliceUpdate& update) {
    const Term base = expression(update.base);
    const Term value = expression(update.value);
    const std::string subject = fresh("base");
    return {let(subject, base.value, replace_bits(subject, expr.type->width, update.high, update.low, value.value)),
            conjunction({base.defined, value.defined})};
}

Term Translator::node(const Expr& /*expr*/, const Concat& concat) {
    return apply_to("concat", concat.parts);
}

Term Translator::node(const Expr& /*expr*/, const If& choice) {
    const Term condition = expression(choice.condition);
    const Term yes = expression(choice.then_value);
    const Term no = expression(choice.else_value);
    return {conditional(condition.value, yes.value, no.value),
            conjunction({condition.defined, conditional(condition.value, yes.defined, no.defined)})};
}

Term Translator::node(const Expr& /*expr*/, const Match& matching) {
    const Term scrutinee = expression(matching.scrutinee);
    const std::string subject = fresh("it");
    std::vector<Arm> list;
    for (const MatchArm& arm : matching.arms) list.push_back({arm.pattern, arm.guard, arm.body});
    const Chain chain = arms(list, subject);
    return {let(subject, scrutinee.value, chain.value),
            conjunction({scrutinee.defined, let(subject, scrutinee.value, chain.defined)})};
}

Term Translator::statements(const Block& block, std::size_t first) {
    if (first == block.statements.size()) return expression(block.result);
    const Statement& statement = block.statements[first];
    if (const auto* effect = std::get_if<ExprRef>(&statement)) {
        const Term term = expression(*effect);
        const Term rest = statements(block, first + 1);
        return {rest.value, conjunction({term.defined, rest.defined})};
    }
    if (const auto* variable = std::get_if<VarStatement>(&statement)) {
        return refuse(variable->value->where, "the variable `" + variable->local->name + "`");
    }
    const auto& binding = std::get<LetStatement>(statement);
    const Term value = expression(binding.value);
    const std::string subject = fresh("let");
    std::vector<std::string> conditions;
    match(binding.pattern, subject, conditions);
    const Term rest = statements(block, first + 1);
    conditions.push_back(rest.defined);
    return {let(subject, value.value, rest.value),
            conjunction({value.defined, let(subject, value.value, conjunction(conditions))})};
}

Term Translator::node(const Expr& /*expr*/, const Block& block) {
    return statements(block, 0);
}

Term Translator::node(const Expr& expr, const Assign& /*assign*/) {
    return refuse(expr.where, "an assignment");
}

Term Translator::node(const Expr& expr, const Foreach& /*loop*/) {
    return refuse(expr.where, "a `foreach` loop");
}

Term Translator::node(const Expr& expr, const While& /*loop*/) {
    return refuse(expr.where, "a `while` loop");
}

Term Translator::node(const Expr& expr, const Repeat& /*loop*/) {
    return refuse(expr.where, "a `repeat` loop");
}

Term Translator::node(const Expr& expr, const Return& /*value*/) {
    return refuse(expr.where, "a `return`");
}

Term Translator::node(const Expr& expr, const Assert& assertion) {
    sort(expr.type);
    const Term condition = expression(assertion.condition);
    return {"#b0", conjunction({condition.defined, condition.value})};
}

}  // namespace eciscope::sailgen::smt
