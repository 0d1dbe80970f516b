// Walking over the typed form: what an expression or pattern consists of.
#pragma once

#include <type_traits>
#include <variant>

#include "sailgen/ir.hpp"

namespace eciscope::sailgen {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

namespace walk_detail {

// Calls f with each ExprRef and PatternRef that a part of a node holds; parts that hold none are passed over.
template <class F>
void visit(ExprRef expr, F&& f) {
    if (expr != nullptr) f(expr);
}
template <class F>
void visit(PatternRef pattern, F&& f) {
    if (pattern != nullptr) f(pattern);
}
template <class F>
void visit(const MatchArm& arm, F&& f) {
    visit(arm.pattern, f);
    visit(arm.guard, f);
    visit(arm.body, f);
}
template <class F>
void visit(const FieldUpdate& update, F&& f) {
    visit(update.value, f);
}
template <class F>
void visit(const BitfieldChange& change, F&& f) {
    visit(change.value, f);
}
template <class F>
void visit(const Statement& statement, F&& f) {
    std::visit(Overloaded{[&](ExprRef expr) { visit(expr, f); },
                          [&](const LetStatement& let) {
                              visit(let.pattern, f);
                              visit(let.value, f);
                          },
                          [&](const VarStatement& var) { visit(var.value, f); }},
               statement);
}
template <class F>
void visit(const PlaceStep& step, F&& f) {
    if (const auto* index = std::get_if<IndexStep>(&step)) visit(index->index, f);
}
template <class T, class F>
void visit(const std::vector<T>& parts, F&& f) {
    for (const T& part : parts) visit(part, f);
}

}  // namespace walk_detail

// Calls f(ExprRef) and f(PatternRef) for each direct part of an expression, in the order of evaluation.
template <class F>
void for_each_part(const Expr& expr, F&& f) {
    using walk_detail::visit;
    std::visit(Overloaded{
                   [&](const Call& n) { visit(n.arguments, f); },
                   [&](const MappingCall& n) { visit(n.argument, f); },
                   [&](const BuiltinCall& n) { visit(n.arguments, f); },
                   [&](const Construct& n) { visit(n.payload, f); },
                   [&](const MakeSome& n) { visit(n.payload, f); },
                   [&](const Tuple& n) { visit(n.elements, f); },
                   [&](const VectorLiteral& n) { visit(n.elements, f); },
                   [&](const StructLiteral& n) { visit(n.fields, f); },
                   [&](const StructUpdate& n) { (visit(n.base, f), visit(n.updates, f)); },
                   [&](const FieldAccess& n) { visit(n.base, f); },
                   [&](const BitfieldMake& n) { visit(n.bits, f); },
                   [&](const BitfieldBits& n) { visit(n.base, f); },
                   [&](const BitfieldGet& n) { visit(n.base, f); },
                   [&](const BitfieldUpdate& n) { (visit(n.base, f), visit(n.updates, f)); },
                   [&](const Index& n) { (visit(n.base, f), visit(n.index, f)); },
                   [&](const Slice& n) { visit(n.base, f); },
                   [&](const IndexUpdate& n) { (visit(n.base, f), visit(n.index, f), visit(n.value, f)); },
                   [&](const SliceUpdate& n) { (visit(n.base, f), visit(n.value, f)); },
                   [&](const Concat& n) { visit(n.parts, f); },
                   [&](const If& n) { (visit(n.condition, f), visit(n.then_value, f), visit(n.else_value, f)); },
                   [&](const Match& n) { (visit(n.scrutinee, f), visit(n.arms, f)); },
                   [&](const Block& n) { (visit(n.statements, f), visit(n.result, f)); },
                   [&](const Assign& n) { (visit(n.steps, f), visit(n.value, f)); },
                   [&](const Foreach& n) { (visit(n.from, f), visit(n.to, f), visit(n.step, f), visit(n.body, f)); },
                   [&](const While& n) { (visit(n.condition, f), visit(n.body, f)); },
                   [&](const Repeat& n) { (visit(n.body, f), visit(n.condition, f)); },
                   [&](const Return& n) { visit(n.value, f); },
                   [&](const Assert& n) { (visit(n.condition, f), visit(n.message, f)); },
                   [](const auto&) {},  // leaves
               },
               expr.node);
}

// The same for a pattern, whose parts are patterns.
template <class F>
void for_each_part(const Pattern& pattern, F&& f) {
    using walk_detail::visit;
    std::visit(
        Overloaded{
            [&](const ConstructorPattern& n) { visit(n.payload, f); },
            [&](const SomePattern& n) { visit(n.payload, f); }, [&](const TuplePattern& n) { visit(n.elements, f); },
            [&](const StructPattern& n) { visit(n.fields, f); }, [&](const BitfieldPattern& n) { visit(n.bits, f); },
            [&](const AsPattern& n) { visit(n.pattern, f); }, [&](const VectorPattern& n) { visit(n.elements, f); },
            [&](const ConcatPattern& n) { visit(n.parts, f); }, [&](const MappingPattern& n) { visit(n.inner, f); },
            [](const auto&) {},  // leaves
        },
        pattern.node);
}

// Calls f for an expression or pattern and everything in it, the whole before its parts.
template <class Node, class F>
void for_each_node(const Node* root, F&& f) {
    if (root == nullptr) return;
    f(root);
    for_each_part(*root, [&](const auto* part) { for_each_node(part, f); });
}

}  // namespace eciscope::sailgen
