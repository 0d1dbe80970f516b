// Sail expressions as C++ statements: blocks, loops, assignments, and the values of functions.
#include "backend_cpp.hpp"
#include "walk.hpp"

namespace eciscope::sailgen::cpp {

// Names taken inside are free again at its end.
class Body::Scope {
 public:
    explicit Scope(Body& body) : body_(body), names_(body.names_) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { body_.names_ = std::move(names_); }

 private:
    Body& body_;
    std::set<std::string> names_;
};

std::string Body::fresh(std::string_view wish) {
    const std::string base = identifier(wish);
    std::string name = base;
    for (int i = 2; !names_.insert(name).second; ++i) name = base + "_" + std::to_string(i);
    return name;
}

std::string Body::declare(const Local& local) {
    std::string name = fresh(local.name);
    alias(local, {.text = name});
    return name;
}

void Body::count_uses(ExprRef root) {
    for_each_node(root, Overloaded{[&](ExprRef expr) {
                                       if (const auto* use = std::get_if<LocalRef>(&expr->node)) ++uses_[use->local];
                                       if (const auto* set = std::get_if<Assign>(&expr->node)) {
                                           if (const auto* local = std::get_if<const Local*>(&set->root))
                                               ++uses_[*local];
                                       }
                                   },
                                   [](PatternRef) {}});
}

void Body::count_uses(const MappingDef& mapping, Direction direction) {
    for (const MappingClause& clause : mapping.clauses) {
        const auto& arm = direction == Direction::forwards ? clause.forwards : clause.backwards;
        if (!arm) continue;
        count_uses(arm->guard);
        count_uses(arm->body);
    }
}

namespace {

bool is_unit(ExprRef expr) {
    const auto* literal = std::get_if<Literal>(&expr->node);
    return literal != nullptr && std::holds_alternative<UnitValue>(literal->value);
}

// A value that a variable may stand for without a copy: nothing can change it meanwhile.
bool is_stable(ExprRef expr) {
    if (const auto* access = std::get_if<FieldAccess>(&expr->node)) return is_stable(access->base);
    const auto* local = std::get_if<LocalRef>(&expr->node);
    return local != nullptr && !local->local->is_mutable;
}

bool is_plain(const Code& code) {
    return code.text.find_first_of("( ") == std::string::npos;
}

}  // namespace

namespace {

// A long condition, one line for each of what it asks.
std::string broken_at_operators(const std::string& text) {
    std::string result;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')') --depth;
        result += text[i];
        const bool ends =
            depth == 0 && i >= 3 && (text.compare(i - 3, 4, " && ") == 0 || text.compare(i - 3, 4, " || ") == 0);
        if (ends) result.replace(result.size() - 1, 1, "\n       ");
    }
    return result;
}

}  // namespace

void Body::returned(ExprRef expr, TypeRef result) {
    if (lambdas_ == 0) result_ = result;
    if (result->kind == TypeKind::unit) {
        discarded(expr);
        return;
    }
    if (const auto* block = std::get_if<Block>(&expr->node)) {
        for (const Statement& each : block->statements) statement(each);
        returned(block->result, result);
    } else if (const auto* choice = std::get_if<If>(&expr->node)) {
        returned_if(*choice, result);
    } else if (const auto* choices = std::get_if<Match>(&expr->node)) {
        match(*choices, result);
    } else if (const auto* again = std::get_if<Return>(&expr->node)) {
        returned(again->value, result);
    } else if (std::holds_alternative<MakeNone>(expr->node)) {
        out_->line("return std::nullopt;");
    } else if (const auto* some = std::get_if<MakeSome>(&expr->node);
               some != nullptr && some->payload->type->kind != TypeKind::option) {
        out_->line("return " + value(some->payload, result->elements[0]) + ";");
    } else if (const auto* made = std::get_if<Construct>(&expr->node)) {
        out_->line("return " + construct(*made, false).text + ";");
    } else if (const auto* literal = std::get_if<StructLiteral>(&expr->node)) {
        out_->line("return " + structure(*literal, false).text + ";");
    } else {
        const std::string text = value(expr, result);
        const bool fits = out_->column() + text.size() + 8 <= line_width;
        out_->line("return " + (fits ? text : broken_at_operators(text)) + ";");
    }
}

void Body::returned_if(const If& node, TypeRef result) {
    const bool simple = is_simple(node.then_value) && is_simple(node.else_value);
    const bool numbers =
        std::holds_alternative<Literal>(node.then_value->node) || node.then_value->type->kind == TypeKind::enumeration;
    if (simple && numbers) {
        const Code code = conditional(node, result);
        if (code.text.size() + out_->column() < 100) {
            out_->line("return " + converted(code, node.then_value->type, result) + ";");
            return;
        }
    }
    const std::string condition = expression(node.condition).text;
    const std::string then = written([&] { returned(node.then_value, result); });
    if (then.find('\n') == std::string::npos && condition.size() + then.size() + out_->column() < 110) {
        out_->line("if (" + condition + ") " + then);
    } else {
        out_->open("if (" + condition + ")");
        out_->line(then);
        out_->close();
    }
    returned(node.else_value, result);
}

void Body::discarded_if(const If& node) {
    const Scope scope(*this);
    out_->open("if (" + expression(node.condition).text + ")");
    discarded(node.then_value);
    if (!is_unit(node.else_value)) {
        out_->dedent();
        out_->open("} else");
        discarded(node.else_value);
    }
    out_->close();
}

void Body::discarded(ExprRef expr) {
    if (is_unit(expr)) return;
    const Scope scope(*this);
    std::visit(Overloaded{
                   [&](const Block& n) {
                       for (const Statement& each : n.statements) statement(each);
                       discarded(n.result);
                   },
                   [&](const If& n) { discarded_if(n); },
                   [&](const Assign& n) { assign(n); },
                   [&](const Foreach& n) { loop(n); },
                   [&](const While& n) {
                       out_->open("while (" + expression(n.condition).text + ")");
                       discarded(n.body);
                       out_->close();
                   },
                   [&](const Repeat& n) {
                       out_->open("do");
                       discarded(n.body);
                       const Code condition = expression(n.condition);
                       out_->close(" while (!" + in_parentheses(condition, Precedence::unary) + ");");
                   },
                   [&](const Return& n) {
                       if (lambdas_ != 0) problem(expr->where, "`return` from inside a value has no form in C++");
                       out_->line("return " + (result_ == nullptr ? "" : value(n.value, result_)) + ";");
                   },
                   [&](const Assert&) { out_->comment("an assertion of the specification stands here"); },
                   [&](const Match& n) {
                       out_->open("[&]");
                       ++lambdas_;
                       match(n, expr->type);
                       --lambdas_;
                       out_->close("();");
                   },
                   [&](const auto&) { out_->line("static_cast<void>(" + expression(expr).text + ");"); },
               },
               expr->node);
}

void Body::statement(const Statement& statement) {
    std::visit(Overloaded{
                   [&](ExprRef expr) { discarded(expr); },
                   [&](const LetStatement& n) { let(n); },
                   [&](const VarStatement& n) {
                       const std::string initial = value(n.value, n.local->type);
                       out_->line(type_name(n.local->type) + " " + declare(*n.local) + " = " + initial + ";");
                   },
               },
               statement);
}

void Body::let(const LetStatement& statement) {
    const auto* name = std::get_if<BindPattern>(&statement.pattern->node);
    if (name != nullptr && uses_[name->local] != 0) {
        const std::string initial = value(statement.value, name->local->type);
        out_->line("const " + type_name(name->local->type) + " " + declare(*name->local) + " = " + initial + ";");
        return;
    }
    if (name != nullptr || std::holds_alternative<WildcardPattern>(statement.pattern->node)) return;
    Code whole = expression(statement.value);
    if (!is_stable(statement.value)) {
        const std::string copy = fresh("whole");
        out_->line("const " + type_name(statement.value->type) + " " + copy + " = " +
                   converted(whole, statement.value->type, statement.value->type) + ";");
        whole = {.text = copy};
    }
    bind(row(statement.pattern, whole, nullptr, nullptr));
}

// Gives the variables of a pattern their values: by name where that is plain or asked for once, else as constants.
void Body::bind(const Row& row) {
    for (const Binding& each : row.bindings) {
        const std::size_t uses = uses_[each.local];
        if (uses == 0) continue;
        const Code code{.text = converted(each.value, each.type, each.local->type),
                        .precedence = each.value.precedence,
                        .literal = each.value.literal};
        if (uses == 1 || is_plain(code)) {
            alias(*each.local, code);
            continue;
        }
        const std::string name = declare(*each.local);
        out_->line("const " + type_name(each.local->type) + " " + name + " = " + code.text + ";");
    }
}

void Body::loop(const Foreach& loop) {
    const std::string from = expression(loop.from).text;
    const std::string to = expression(loop.to).text;
    const std::string step = expression(loop.step).text;
    const std::string name = declare(*loop.variable);
    alias(*loop.variable, {.text = name, .exact = false, .type = "std::int64_t"});
    out_->open("for (std::int64_t " + name + " = " + from + "; " + name + (loop.downwards ? " >= " : " <= ") + to +
               "; " + name + (loop.downwards ? " -= " : " += ") + step + ")");
    discarded(loop.body);
    out_->close();
}

void Body::assign(const Assign& assign) {
    const auto* local = std::get_if<const Local*>(&assign.root);
    if (local == nullptr) {
        problem(assign.value->where, "C++ code has no registers");
        return;
    }
    std::string place = locals_[*local].text;
    TypeRef type = (*local)->type;
    for (std::size_t i = 0; i < assign.steps.size(); ++i) {
        const PlaceStep& step = assign.steps[i];
        if (const auto* field = std::get_if<FieldStep>(&step)) {
            place += "." + identifier(field->field->name);
            type = field->field->type;
        } else if (const auto* index = std::get_if<IndexStep>(&step)) {
            const std::string at = expression(index->index).text;
            if (type->kind == TypeKind::bits) {
                out_->line(place + " = with_bit(" + place + ", " + at + ", " + expression(assign.value).text + ");");
                return;
            }
            place += "[static_cast<std::size_t>(" + at + ")]";
            type = type->elements[0];
        } else if (std::holds_alternative<BitfieldBitsStep>(step)) {
            place += ".bits";
            type = assign.value->type;
        } else {
            const auto* slice = std::get_if<SliceStep>(&step);
            const auto* part = std::get_if<BitfieldStep>(&step);
            const unsigned high = slice != nullptr ? slice->high : part->field->high;
            const unsigned low = slice != nullptr ? slice->low : part->field->low;
            if (part != nullptr) place += ".bits";
            out_->line(place + " = with_field<" + std::to_string(high) + ", " + std::to_string(low) + ">(" + place +
                       ", " + expression(assign.value).text + ");");
            return;
        }
    }
    out_->line(place + " = " + value(assign.value, type) + ";");
}

}  // namespace eciscope::sailgen::cpp
