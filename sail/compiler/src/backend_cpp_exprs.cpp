// Sail expressions as C++ expressions.
#include <algorithm>

#include "backend_cpp.hpp"
#include "walk.hpp"

namespace eciscope::sailgen::cpp {

namespace {

Code primary(std::string text) {
    return {.text = std::move(text)};
}

std::string range(unsigned high, unsigned low) {
    return std::to_string(high) + ", " + std::to_string(low);
}

Code field_of(const Code& base, unsigned high, unsigned low) {
    return primary("field<" + range(high, low) + ">(" + base.text + ")");
}

}  // namespace

void Body::problem(SourceRange where, std::string message) {
    problems_.push_back({where, std::move(message), {}});
}

std::string Body::value(ExprRef expr, TypeRef target) {
    return converted(expression(expr), expr->type, target);
}

// What reads well inside another expression: no statements, no choices.
bool Body::is_simple(ExprRef expr) {
    bool simple = true;
    for_each_node(expr, Overloaded{[&](ExprRef part) {
                                       simple = simple && !std::holds_alternative<Match>(part->node) &&
                                                !std::holds_alternative<Block>(part->node) &&
                                                !std::holds_alternative<If>(part->node) &&
                                                !std::holds_alternative<Return>(part->node);
                                   },
                                   [](PatternRef) {}});
    return simple;
}

std::string Body::written(const std::function<void()>& write) {
    Writer writer(out_->column() + 8);
    Writer* const outer = std::exchange(out_, &writer);
    const std::set<std::string> names = names_;
    write();
    names_ = names;
    out_ = outer;
    std::string text = writer.take();
    if (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

// Statements where C++ wants an expression.
Code Body::in_lambda(const Expr& expr) {
    ++lambdas_;
    const std::string text = written([&] { returned(&expr, expr.type); });
    --lambdas_;
    return primary("[&]() -> " + type_name(expr.type) + " {\n    " + indented(text) + "\n}()");
}

Code Body::expression(ExprRef expr) {
    return node(*expr);
}

Code Body::node(const Expr& expr) {
    return std::visit(
        Overloaded{
            [](const Literal& n) { return constant(n.value); },
            [](const EnumRef& n) { return primary(member(*n.member)); },
            [&](const LocalRef& n) {
                const auto found = locals_.find(n.local);
                if (found != locals_.end()) return found->second;
                problem(expr.where, "`" + n.local->name + "` cannot be reached in C++");
                return primary("0");
            },
            [](const GlobalRef& n) { return primary(identifier(n.let->name)); },
            [&](const Call& n) {
                std::vector<std::string> arguments;
                for (std::size_t i = 0; i < n.arguments.size(); ++i) {
                    arguments.push_back(value(n.arguments[i], n.function->parameters[i]->type));
                }
                return primary(identifier(n.function->name) + "(" + joined(arguments, ", ") + ")");
            },
            [&](const MappingCall& n) {
                const TypeRef side = n.direction == Direction::forwards ? n.mapping->left : n.mapping->right;
                return primary(mapping_function(*n.mapping, n.direction, n.only_matches) + "(" +
                               value(n.argument, side) + ")");
            },
            [&](const BuiltinCall& n) { return builtin(n, expr.type); },
            [&](const Construct& n) { return construct(n, true); },
            [&](const MakeSome& n) {
                return primary(type_name(expr.type) + "{" + value(n.payload, expr.type->elements[0]) + "}");
            },
            [&](const MakeNone&) { return primary(type_name(expr.type) + "{}"); },
            [&](const Tuple& n) {
                std::vector<std::string> parts;
                for (std::size_t i = 0; i < n.elements.size(); ++i) {
                    parts.push_back(value(n.elements[i], expr.type->elements[i]));
                }
                return primary(type_name(expr.type) + braced(parts, out_->column()));
            },
            [&](const VectorLiteral& n) { return vector(n, expr.type); },
            [&](const StructLiteral& n) { return structure(n, true); },
            [&](const FieldAccess& n) {
                return primary(in_parentheses(expression(n.base), Precedence::primary) + "." +
                               identifier(n.field->name));
            },
            [&](const BitfieldMake& n) { return primary(type_name(expr.type) + "{" + expression(n.bits).text + "}"); },
            [&](const BitfieldBits& n) {
                return primary(in_parentheses(expression(n.base), Precedence::primary) + ".bits");
            },
            [&](const BitfieldGet& n) {
                return field_of(primary(in_parentheses(expression(n.base), Precedence::primary) + ".bits"),
                                n.field->high, n.field->low);
            },
            [&](const Index& n) { return index(n); },
            [&](const Slice& n) { return field_of(expression(n.base), n.high, n.low); },
            [&](const Concat& n) { return concat(n); },
            [&](const If& n) { return conditional(n, expr.type); },
            [&](const RegisterRef&) {
                problem(expr.where, "C++ code has no registers");
                return primary("0");
            },
            [&](const Return&) {
                problem(expr.where, "`return` inside an expression has no form in C++");
                return primary("0");
            },
            [&](const auto& n) {
                using Node = std::decay_t<decltype(n)>;
                constexpr bool changes = std::is_same_v<Node, StructUpdate> || std::is_same_v<Node, BitfieldUpdate> ||
                                         std::is_same_v<Node, IndexUpdate> || std::is_same_v<Node, SliceUpdate>;
                return changes ? changed(expr) : in_lambda(expr);
            },
        },
        expr.node);
}

Code Body::construct(const Construct& node, bool with_type) {
    const UnionConstructor& constructor = *node.constructor;
    const std::string type = with_type ? identifier(constructor.owner->name) : "";
    std::vector<std::string> parts = {".which = " + kind(constructor)};
    const UnionConstructor* payload = &constructor;
    std::string text = "{}";
    if (constructor.payload->kind == TypeKind::unit) {
        // Some member of the union is made, so that it is never without one.
        const auto& all = constructor.owner->constructors;
        const auto first = std::ranges::find_if(all, [](auto* c) { return c->payload->kind != TypeKind::unit; });
        payload = first == all.end() ? nullptr : *first;
    } else if (const auto* literal = std::get_if<StructLiteral>(&node.payload->node)) {
        text = structure(*literal, false).text;
    } else {
        text = value(node.payload, constructor.payload);
    }
    if (payload != nullptr) parts.push_back("." + identifier(payload->name) + " = " + text);
    return primary(type + braced(parts, out_->column() + 8));
}

Code Body::structure(const StructLiteral& node, bool with_type) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < node.fields.size(); ++i) {
        const StructField& field = *node.def->fields[i];
        parts.push_back("." + identifier(field.name) + " = " + value(node.fields[i], field.type));
    }
    return primary((with_type ? identifier(node.def->name) : "") + braced(parts, out_->column() + 30));
}

// [a, b] has b at index 0.
Code Body::vector(const VectorLiteral& node, TypeRef type) {
    std::vector<std::string> parts;
    const std::size_t count = node.elements.size();
    if (type->kind == TypeKind::bits) {
        for (std::size_t i = 0; i < count; ++i) {
            parts.push_back("place<" + std::to_string(count - 1 - i) + ">(" + expression(node.elements[i]).text + ")");
        }
        return loose(joined(parts, " | "), parts.size() > 1 ? Precedence::bit_op : Precedence::primary);
    }
    for (std::size_t i = count; i-- > 0;) parts.push_back(value(node.elements[i], type->elements[0]));
    return primary(type_name(type) + "{{" + joined(parts, ", ") + "}}");
}

Code Body::concat(const Concat& node) {
    std::vector<std::string> parts;
    unsigned low = 0;
    for (std::size_t i = node.parts.size(); i-- > 0;) {
        const Expr& part = *node.parts[i];
        const Code code = expression(&part);
        const bool zero = code.literal && std::get<BitsValue>(std::get<Literal>(part.node).value).value == 0;
        if (!zero) parts.push_back("place<" + std::to_string(low) + ">(" + code.text + ")");
        low += part.type->width;
    }
    if (parts.empty()) return {.text = "0", .literal = true};
    std::ranges::reverse(parts);
    std::string text = joined(parts, " | ");
    if (text.size() + out_->column() > line_width - 30) text = joined(parts, " |\n       ");
    Code code = loose(std::move(text), parts.size() > 1 ? Precedence::bit_op : Precedence::primary);
    code.type = "std::uint64_t";
    return code;
}

Code Body::conditional(const If& node, TypeRef type) {
    if (!is_simple(node.then_value) || !is_simple(node.else_value)) {
        return in_lambda(Expr{.type = type, .where = node.condition->where, .node = node});
    }
    const Code condition = expression(node.condition);
    const Code yes = expression(node.then_value);
    const Code no = expression(node.else_value);
    Code code{.text = in_parentheses(condition, Precedence::logic) + " ? " + in_parentheses(yes, Precedence::logic) +
                      " : " + in_parentheses(no, Precedence::logic),
              .precedence = Precedence::conditional,
              .exact = !is_number(type) || (yes.exact && no.exact && !yes.literal && !no.literal)};
    code.literal = is_number(type) && yes.literal && no.literal;
    return code;
}

Code Body::index(const Index& node) {
    const Code base = expression(node.base);
    const std::string place = expression(node.index).text;
    if (node.base->type->kind == TypeKind::bits) return primary("bit_at(" + base.text + ", " + place + ")");
    return primary(in_parentheses(base, Precedence::primary) + "[static_cast<std::size_t>(" + place + ")]");
}

// Copies with a change: bits by an expression, others by statements on a copy.
Code Body::changed(const Expr& expr) {
    if (const auto* slice = std::get_if<SliceUpdate>(&expr.node)) {
        return primary("with_field<" + range(slice->high, slice->low) + ">(" + value(slice->base, expr.type) + ", " +
                       expression(slice->value).text + ")");
    }
    if (const auto* index = std::get_if<IndexUpdate>(&expr.node);
        index != nullptr && expr.type->kind == TypeKind::bits) {
        return primary("with_bit(" + value(index->base, expr.type) + ", " + expression(index->index).text + ", " +
                       expression(index->value).text + ")");
    }
    const std::string text = written([&] {
        const std::string copy = fresh("changed");
        const auto start = [&](ExprRef base) { out_->line("auto " + copy + " = " + value(base, expr.type) + ";"); };
        if (const auto* s = std::get_if<StructUpdate>(&expr.node)) {
            start(s->base);
            for (const FieldUpdate& each : s->updates) {
                out_->line(copy + "." + identifier(each.field->name) + " = " + value(each.value, each.field->type) +
                           ";");
            }
        } else if (const auto* b = std::get_if<BitfieldUpdate>(&expr.node)) {
            start(b->base);
            for (const BitfieldChange& each : b->updates) {
                out_->line(copy + ".bits = with_field<" + range(each.field->high, each.field->low) + ">(" + copy +
                           ".bits, " + expression(each.value).text + ");");
            }
        } else if (const auto* i = std::get_if<IndexUpdate>(&expr.node)) {
            start(i->base);
            out_->line(copy + "[static_cast<std::size_t>(" + expression(i->index).text +
                       ")] = " + value(i->value, expr.type->elements[0]) + ";");
        }
        out_->line("return " + copy + ";");
    });
    return primary("[&]() -> " + type_name(expr.type) + " {\n    " + indented(text) + "\n}()");
}

}  // namespace eciscope::sailgen::cpp
