// Expressions and statements.
#include "execution.hpp"

#include <algorithm>
#include <utility>

#include "bit_operations.hpp"

namespace eciscope::sailgen {
namespace {

// Each level is a few frames of the machine's stack.
constexpr unsigned deepest_evaluation = 1000;

bool as_bool(const Value& value) {
    return std::get<bool>(value.data);
}

void set_element(Value& target, std::int64_t index, const Value& element) {
    if (BitsValue* bits = std::get_if<BitsValue>(&target.data)) {
        const auto at = static_cast<unsigned>(index);
        set_slice(*bits, at, at, std::get<BitValue>(element.data).set ? 1 : 0);
        return;
    }
    std::get<VectorValue>(target.data).elements[static_cast<std::size_t>(index)] = element;
}

}  // namespace

// The locals of a call, in place of the caller's while it runs.
class Execution::Frame {
 public:
    Frame(Execution& execution, std::size_t size) : execution_(execution), locals_(size), outer_(execution.frame_) {
        execution_.frame_ = &locals_;
    }
    ~Frame() { execution_.frame_ = outer_; }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    Value& operator[](std::size_t id) { return locals_[id]; }

 private:
    Execution& execution_;
    std::vector<Value> locals_;
    std::vector<Value>* outer_;
};

void Execution::fail(EvalErrorKind kind, SourceRange where, std::string message) {
    if (!error_) error_ = EvalError{kind, std::move(message), where};
}

bool Execution::step(SourceRange where) {
    if (++steps_ <= evaluator_.options_.step_limit) return true;
    fail(EvalErrorKind::step_limit, where, "the limit of steps is reached");
    return false;
}

Value Execution::call(const FunctionDef& function, std::vector<Value> arguments) {
    Frame frame(*this, function.locals.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) frame[function.parameters[i]->id] = std::move(arguments[i]);
    Value result = eval(function.body);
    if (is_returning_ && !error_) result = std::move(returned_);
    is_returning_ = false;
    return result;
}

std::optional<Value> Execution::convert(const MappingDef& mapping, Direction direction, const Value& value,
                                        bool only_matches) {
    for (const MappingClause& clause : mapping.clauses) {
        const auto& arm = direction == Direction::forwards ? clause.forwards : clause.backwards;
        if (!arm) continue;
        Frame frame(*this, clause.locals.size());
        // The bits of a variable arrive slice by slice.
        for (const Local* variable : clause.locals) frame[variable->id] = default_value(variable->type);
        if (!match(arm->pattern, value)) {
            if (error_) return std::nullopt;
            continue;
        }
        if (arm->guard != nullptr) {
            const Value guard = eval(arm->guard);
            if (error_) return std::nullopt;
            if (!as_bool(guard)) continue;
        }
        if (only_matches) return Value{};
        Value result = eval(arm->body);
        if (error_) return std::nullopt;
        return result;
    }
    return std::nullopt;
}

Value Execution::value_of(const LetDef& let) {
    const auto known = evaluator_.lets_.find(&let);
    if (known != evaluator_.lets_.end()) return known->second;
    Frame frame(*this, let.locals.size());
    Value value = eval(let.value);
    if (!stopped()) evaluator_.lets_.emplace(&let, value);
    return value;
}

Value Execution::eval(ExprRef expr) {
    if (stopped() || !step(expr->where)) return {};
    if (depth_ >= deepest_evaluation) {
        fail(EvalErrorKind::depth_limit, expr->where, "calls are nested too deeply");
        return {};
    }
    ++depth_;
    Value value = std::visit([&](const auto& node) { return run(node, *expr); }, expr->node);
    --depth_;
    return value;
}

std::vector<Value> Execution::eval_all(const std::vector<ExprRef>& exprs) {
    std::vector<Value> values;
    values.reserve(exprs.size());
    for (const ExprRef expr : exprs) values.push_back(eval(expr));
    return values;
}

Value Execution::run(const Literal& node, const Expr&) {
    return std::visit([](const auto& constant) { return Value{constant}; }, node.value);
}

Value Execution::run(const EnumRef& node, const Expr&) {
    return {EnumValue{node.member}};
}

Value Execution::run(const LocalRef& node, const Expr&) {
    return local(*node.local);
}

Value Execution::run(const GlobalRef& node, const Expr&) {
    return value_of(*node.let);
}

Value Execution::run(const RegisterRef& node, const Expr&) {
    return evaluator_.registers_.at(node.reg);
}

Value Execution::run(const Call& node, const Expr&) {
    std::vector<Value> arguments = eval_all(node.arguments);
    return stopped() ? Value{} : call(*node.function, std::move(arguments));
}

Value Execution::run(const MappingCall& node, const Expr& expr) {
    const Value argument = eval(node.argument);
    if (stopped()) return {};
    std::optional<Value> result = convert(*node.mapping, node.direction, argument, node.only_matches);
    if (error_) return {};
    if (node.only_matches) return {result.has_value()};
    if (result) return std::move(*result);
    fail(EvalErrorKind::match_failure, expr.where,
         "no clause of `" + node.mapping->name + "` takes " + to_string(argument));
    return {};
}

Value Execution::run(const BuiltinCall& node, const Expr& expr) {
    if (node.builtin == Builtin::and_bool || node.builtin == Builtin::or_bool) {
        const Value left = eval(node.arguments[0]);
        if (stopped()) return {};
        return as_bool(left) == (node.builtin == Builtin::or_bool) ? left : eval(node.arguments[1]);
    }
    const std::vector<Value> arguments = eval_all(node.arguments);
    return stopped() ? Value{} : builtin(node, expr, arguments);
}

Value Execution::run(const Construct& node, const Expr&) {
    return {UnionValue{node.constructor, {eval(node.payload)}}};
}

Value Execution::run(const MakeSome& node, const Expr&) {
    return {OptionValue{{eval(node.payload)}}};
}

Value Execution::run(const MakeNone&, const Expr&) {
    return {OptionValue{}};
}

Value Execution::run(const Tuple& node, const Expr&) {
    return {TupleValue{eval_all(node.elements)}};
}

Value Execution::run(const VectorLiteral& node, const Expr& expr) {
    std::vector<Value> values = eval_all(node.elements);
    if (stopped()) return {};
    if (expr.type->kind == TypeKind::bits) {
        BitsValue bits{expr.type->width, 0};
        for (const Value& value : values)
            bits.value = bits.value << 1U | (std::get<BitValue>(value.data).set ? 1U : 0U);
        return {bits};
    }
    std::reverse(values.begin(), values.end());
    return {VectorValue{std::move(values)}};
}

Value Execution::run(const StructLiteral& node, const Expr&) {
    return {StructValue{node.def, eval_all(node.fields)}};
}

Value Execution::run(const StructUpdate& node, const Expr&) {
    Value base = eval(node.base);
    for (const FieldUpdate& update : node.updates) {
        Value value = eval(update.value);
        if (stopped()) return {};
        std::get<StructValue>(base.data).fields[update.field->index] = std::move(value);
    }
    return base;
}

Value Execution::run(const FieldAccess& node, const Expr&) {
    const Value base = eval(node.base);
    if (stopped()) return {};
    return std::get<StructValue>(base.data).fields[node.field->index];
}

Value Execution::run(const BitfieldMake& node, const Expr&) {
    return eval(node.bits);
}

Value Execution::run(const BitfieldBits& node, const Expr&) {
    return eval(node.base);
}

Value Execution::run(const BitfieldGet& node, const Expr&) {
    const Value base = eval(node.base);
    if (stopped()) return {};
    return {slice_of(as_bits(base), node.field->high, node.field->low)};
}

Value Execution::run(const BitfieldUpdate& node, const Expr&) {
    Value base = eval(node.base);
    for (const BitfieldChange& change : node.updates) {
        const Value value = eval(change.value);
        if (stopped()) return {};
        set_slice(std::get<BitsValue>(base.data), change.field->high, change.field->low, as_bits(value).value);
    }
    return base;
}

Value Execution::run(const Index& node, const Expr&) {
    const Value base = eval(node.base);
    const Value index = eval(node.index);
    if (stopped()) return {};
    const std::int64_t at = as_int(index);
    if (const BitsValue* bits = std::get_if<BitsValue>(&base.data)) return {BitValue{((bits->value >> at) & 1U) != 0}};
    return std::get<VectorValue>(base.data).elements[static_cast<std::size_t>(at)];
}

Value Execution::run(const Slice& node, const Expr&) {
    const Value base = eval(node.base);
    if (stopped()) return {};
    return {slice_of(as_bits(base), node.high, node.low)};
}

Value Execution::run(const IndexUpdate& node, const Expr&) {
    Value base = eval(node.base);
    const Value index = eval(node.index);
    const Value value = eval(node.value);
    if (stopped()) return {};
    set_element(base, as_int(index), value);
    return base;
}

Value Execution::run(const SliceUpdate& node, const Expr&) {
    Value base = eval(node.base);
    const Value value = eval(node.value);
    if (stopped()) return {};
    set_slice(std::get<BitsValue>(base.data), node.high, node.low, as_bits(value).value);
    return base;
}

Value Execution::run(const Concat& node, const Expr&) {
    BitsValue result;
    for (const ExprRef part : node.parts) {
        const Value value = eval(part);
        if (stopped()) return {};
        result = joined(result, as_bits(value));
    }
    return {result};
}

Value Execution::run(const If& node, const Expr&) {
    const Value condition = eval(node.condition);
    if (stopped()) return {};
    return eval(as_bool(condition) ? node.then_value : node.else_value);
}

Value Execution::run(const Match& node, const Expr& expr) {
    const Value scrutinee = eval(node.scrutinee);
    if (stopped()) return {};
    for (const MatchArm& arm : node.arms) {
        if (!match(arm.pattern, scrutinee)) {
            if (stopped()) return {};
            continue;
        }
        if (arm.guard != nullptr) {
            const Value guard = eval(arm.guard);
            if (stopped()) return {};
            if (!as_bool(guard)) continue;
        }
        return eval(arm.body);
    }
    fail(EvalErrorKind::match_failure, expr.where, "no arm takes " + to_string(scrutinee));
    return {};
}

void Execution::statement(const Statement& statement, SourceRange where) {
    if (const ExprRef* expr = std::get_if<ExprRef>(&statement)) {
        eval(*expr);
    } else if (const LetStatement* let = std::get_if<LetStatement>(&statement)) {
        const Value value = eval(let->value);
        if (!stopped() && !match(let->pattern, value)) {
            fail(EvalErrorKind::match_failure, where, "the pattern of a `let` does not take " + to_string(value));
        }
    } else if (const VarStatement* var = std::get_if<VarStatement>(&statement)) {
        Value value = eval(var->value);
        if (!stopped()) local(*var->local) = std::move(value);
    }
}

Value Execution::run(const Block& node, const Expr& expr) {
    for (const Statement& each : node.statements) {
        statement(each, expr.where);
        if (stopped()) return {};
    }
    return eval(node.result);
}

Value Execution::run(const Assign& node, const Expr&) {
    const Value value = eval(node.value);
    if (stopped()) return {};
    // Indices first: they may call what writes to the same variable.
    std::vector<std::int64_t> indices;
    for (const PlaceStep& each : node.steps) {
        const IndexStep* index = std::get_if<IndexStep>(&each);
        if (index == nullptr) continue;
        const Value at = eval(index->index);
        if (stopped()) return {};
        indices.push_back(as_int(at));
    }
    const Local* const* variable = std::get_if<const Local*>(&node.root);
    Value* target =
        variable != nullptr ? &local(**variable) : &evaluator_.registers_.at(std::get<const RegisterDef*>(node.root));
    // Inside a bit vector the place is a range of its bits.
    std::optional<std::pair<unsigned, unsigned>> range;
    const auto narrow = [&range](unsigned high, unsigned low) {
        const unsigned base = range ? range->second : 0;
        range = std::pair(base + high, base + low);
    };
    std::size_t next_index = 0;
    for (const PlaceStep& each : node.steps) {
        if (const FieldStep* field = std::get_if<FieldStep>(&each)) {
            target = &std::get<StructValue>(target->data).fields[field->field->index];
        } else if (const SliceStep* slice = std::get_if<SliceStep>(&each)) {
            narrow(slice->high, slice->low);
        } else if (const BitfieldStep* bits = std::get_if<BitfieldStep>(&each)) {
            narrow(bits->field->high, bits->field->low);
        } else if (std::holds_alternative<IndexStep>(each)) {
            const std::int64_t at = indices[next_index++];
            if (VectorValue* vector = std::get_if<VectorValue>(&target->data)) {
                target = &vector->elements[static_cast<std::size_t>(at)];
            } else {
                narrow(static_cast<unsigned>(at), static_cast<unsigned>(at));
            }
        }
    }
    if (!range) {
        *target = value;
    } else if (const BitValue* bit = std::get_if<BitValue>(&value.data)) {
        set_slice(std::get<BitsValue>(target->data), range->first, range->second, bit->set ? 1 : 0);
    } else {
        set_slice(std::get<BitsValue>(target->data), range->first, range->second, as_bits(value).value);
    }
    return {};
}

Value Execution::run(const Foreach& node, const Expr& expr) {
    const Value from = eval(node.from);
    const Value to = eval(node.to);
    const Value by = eval(node.step);
    if (stopped()) return {};
    std::int64_t at = as_int(from);
    const std::int64_t last = as_int(to);
    const std::int64_t stride = node.downwards ? -as_int(by) : as_int(by);
    while (node.downwards ? at >= last : at <= last) {
        if (!step(expr.where)) return {};
        local(*node.variable) = Value{at};
        eval(node.body);
        if (stopped() || __builtin_add_overflow(at, stride, &at)) return {};
    }
    return {};
}

Value Execution::run(const While& node, const Expr&) {
    while (true) {
        const Value condition = eval(node.condition);
        if (stopped() || !as_bool(condition)) return {};
        eval(node.body);
        if (stopped()) return {};
    }
}

Value Execution::run(const Repeat& node, const Expr&) {
    while (true) {
        eval(node.body);
        const Value condition = eval(node.condition);
        if (stopped() || as_bool(condition)) return {};
    }
}

Value Execution::run(const Return& node, const Expr&) {
    Value value = eval(node.value);
    if (stopped()) return {};
    returned_ = std::move(value);
    is_returning_ = true;
    return {};
}

Value Execution::run(const Assert& node, const Expr& expr) {
    const Value condition = eval(node.condition);
    if (stopped() || as_bool(condition)) return {};
    const Value message = eval(node.message);
    if (!stopped()) {
        fail(EvalErrorKind::assertion, expr.where, "assertion failed: " + std::get<std::string>(message.data));
    }
    return {};
}

}  // namespace eciscope::sailgen
