// Matches: patterns taken apart into tests, tests on the same value gathered into switches.
#include <algorithm>

#include "backend_cpp.hpp"
#include "walk.hpp"

namespace eciscope::sailgen::cpp {

std::vector<Part> parts_of(PatternRef pattern) {
    std::vector<Part> parts;
    const auto* concat = std::get_if<ConcatPattern>(&pattern->node);
    if (concat == nullptr) return {{pattern, pattern->type->width - 1, 0}};
    unsigned top = pattern->type->width;
    for (PatternRef part : concat->parts) {
        const unsigned width = part->type->width;
        if (width != 0) parts.push_back({part, top - 1, top - width});
        top -= width;
    }
    return parts;
}

namespace {

Code primary(std::string text) {
    return {.text = std::move(text)};
}

Code member_of(const Code& value, const std::string& name) {
    return primary(in_parentheses(value, Precedence::primary) + "." + name);
}

bool is_total(const MappingDef& mapping, Direction direction) {
    return direction == Direction::forwards ? mapping.left_total : mapping.right_total;
}

}  // namespace

Row Body::row(PatternRef pattern, const Code& value, ExprRef guard, ExprRef body) {
    Row row;
    row.guard = guard;
    row.body = body;
    flatten(pattern, value, row);
    join_slices(row);
    return row;
}

void Body::flatten(PatternRef pattern, const Code& value, Row& row) {
    const TypeRef type = pattern->type;
    Test test;
    test.value = value;
    test.type = type;
    std::visit(
        Overloaded{
            [](const WildcardPattern&) {},
            [&](const BindPattern& n) {
                row.bindings.push_back({n.local, value, type});
            },
            [&](const LiteralPattern& n) {
                if (std::holds_alternative<UnitValue>(n.value)) return;
                test.kind = Test::Kind::literal;
                test.constant = n.value;
                row.tests.push_back(test);
            },
            [&](const EnumPattern& n) {
                test.kind = Test::Kind::member;
                test.member = n.member;
                row.tests.push_back(test);
            },
            [&](const ConstructorPattern& n) {
                test.kind = Test::Kind::constructor;
                test.constructor = n.constructor;
                if (n.constructor->owner->constructors.size() > 1) row.tests.push_back(test);
                flatten(n.payload, member_of(value, identifier(n.constructor->name)), row);
            },
            [&](const SomePattern& n) {
                test.kind = Test::Kind::some;
                row.tests.push_back(test);
                flatten(n.payload,
                        {.text = "*" + in_parentheses(value, Precedence::primary), .precedence = Precedence::unary},
                        row);
            },
            [&](const NonePattern&) {
                test.kind = Test::Kind::none;
                row.tests.push_back(test);
            },
            [&](const TuplePattern& n) {
                for (std::size_t i = 0; i < n.elements.size(); ++i) {
                    flatten(n.elements[i], member_of(value, "item" + std::to_string(i)), row);
                }
            },
            [&](const StructPattern& n) {
                for (std::size_t i = 0; i < n.fields.size(); ++i) {
                    flatten(n.fields[i], member_of(value, identifier(n.def->fields[i]->name)), row);
                }
            },
            [&](const BitfieldPattern& n) { flatten(n.bits, member_of(value, "bits"), row); },
            [&](const AsPattern& n) {
                row.bindings.push_back({n.local, value, type});
                flatten(n.pattern, value, row);
            },
            [&](const VectorPattern& n) {
                const std::size_t count = n.elements.size();
                for (std::size_t i = 0; i < count; ++i) {
                    const std::string at = std::to_string(count - 1 - i);
                    flatten(n.elements[i],
                            type->kind == TypeKind::bits
                                ? primary("bit_at(" + value.text + ", " + at + ")")
                                : primary(in_parentheses(value, Precedence::primary) + "[" + at + "]"),
                            row);
                }
            },
            [&](const ConcatPattern&) {
                for (const Part& part : parts_of(pattern)) {
                    flatten(part.pattern,
                            primary("field<" + std::to_string(part.high) + ", " + std::to_string(part.low) + ">(" +
                                    value.text + ")"),
                            row);
                }
            },
            [&](const MappingPattern& n) {
                test.kind = Test::Kind::mapping;
                test.mapping = n.mapping;
                test.direction = n.direction;
                if (!is_total(*n.mapping, n.direction)) row.tests.push_back(test);
                flatten(n.inner, primary(mapping_function(*n.mapping, n.direction) + "(" + value.text + ")"), row);
            },
            [&](const SlicePattern& n) {
                row.slices.push_back({n.local, n.low, value});
            },
        },
        pattern->node);
}

// A variable of which the pattern has slices is put together from them.
void Body::join_slices(Row& row) {
    while (!row.slices.empty()) {
        const Local* local = row.slices.front().local;
        std::vector<std::string> parts;
        for (const LocalSlice& each : row.slices) {
            if (each.local == local)
                parts.push_back("place<" + std::to_string(each.low) + ">(" + each.value.text + ")");
        }
        std::erase_if(row.slices, [&](const LocalSlice& each) { return each.local == local; });
        Code code = primary(joined(parts, " | "));
        code.exact = false;
        code.precedence = Precedence::bit_op;
        row.bindings.push_back({local, code, local->type});
    }
}

std::string Body::condition(const Test& test) {
    const std::string value = in_parentheses(test.value, Precedence::shift);
    switch (test.kind) {
        case Test::Kind::member:
            return value + " == " + member(*test.member);
        case Test::Kind::constructor:
            return in_parentheses(test.value, Precedence::primary) + ".which == " + kind(*test.constructor);
        case Test::Kind::some:
            return in_parentheses(test.value, Precedence::primary) + ".has_value()";
        case Test::Kind::none:
            return "!" + in_parentheses(test.value, Precedence::primary) + ".has_value()";
        case Test::Kind::mapping:
            return mapping_function(*test.mapping, test.direction, true) + "(" + test.value.text + ")";
        case Test::Kind::literal:
            break;
    }
    if (const auto* set = std::get_if<bool>(&test.constant)) {
        return (*set ? "" : "!") + in_parentheses(test.value, Precedence::unary);
    }
    if (const auto* bit = std::get_if<BitValue>(&test.constant)) {
        return (bit->set ? "" : "!") + in_parentheses(test.value, Precedence::unary);
    }
    return value + " == " + constant(test.constant).text;
}

std::string Body::label(const Test& test) {
    if (test.kind == Test::Kind::member) return member(*test.member);
    if (test.kind == Test::Kind::constructor) return kind(*test.constructor);
    return constant(test.constant).text;
}

namespace {

bool can_switch(const Test& test) {
    if (test.kind == Test::Kind::literal) {
        return std::holds_alternative<BitsValue>(test.constant) || std::holds_alternative<std::int64_t>(test.constant);
    }
    return test.kind == Test::Kind::member || test.kind == Test::Kind::constructor;
}

bool same_subject(const Row& a, const Row& b) {
    return !b.tests.empty() && a.tests.front().kind == b.tests.front().kind &&
           a.tests.front().value.text == b.tests.front().value.text;
}

}  // namespace

// One row that alone remains of an exhaustive match needs no tests: it must fit.
bool Body::rows(Rows rows, TypeRef result, bool exhaustive) {
    while (!rows.empty()) {
        Row& first = rows.front();
        if (exhaustive && rows.size() == 1 && first.guard == nullptr) first.tests.clear();
        if (first.tests.empty()) {
            if (!row_body(first, result)) return false;
            rows.erase(rows.begin());
            continue;
        }
        const auto end =
            std::find_if_not(rows.begin(), rows.end(), [&](const Row& row) { return same_subject(rows.front(), row); });
        if (can_switch(first.tests.front()) && end - rows.begin() > 1) {
            Rows group(rows.begin(), end);
            rows.erase(rows.begin(), end);
            if (!switched(std::move(group), rows, result, exhaustive && rows.empty())) return false;
            continue;
        }
        Row alone = first;
        rows.erase(rows.begin());
        tested(std::move(alone), result);
    }
    return true;
}

// A switch over the first test of all rows of the group. `rest` is emptied if the switch holds it as its default.
bool Body::switched(Rows group, Rows& rest, TypeRef result, bool last) {
    const Test subject = group.front().tests.front();
    std::vector<Case> cases;
    bool falls = false;
    while (!group.empty()) {
        const std::string key = label(group.front().tests.front());
        Rows same;
        for (const Row& each : group) {
            if (label(each.tests.front()) != key) continue;
            same.push_back(each);
            same.back().tests.erase(same.back().tests.begin());
        }
        std::erase_if(group, [&](const Row& each) { return label(each.tests.front()) == key; });
        Case made{.labels = "case " + key + ":", .text = {}, .falls = false};
        made.text = written([&] { made.falls = rows(same, result, last); });
        falls = falls || made.falls;
        if (!cases.empty() && cases.back().text == made.text) {
            cases.back().labels += "\n" + made.labels;
        } else {
            cases.push_back(std::move(made));
        }
    }
    std::string after;
    if (!last && !falls && rest.size() == 1 && rest.front().tests.empty() && rest.front().guard == nullptr) {
        after = written([&] { row_body(rest.front(), result); });
        rest.clear();
    }
    const bool complete = last || !after.empty();
    write_switch(subject, std::move(cases), after, last);
    return falls || !complete;
}

void Body::write_switch(const Test& subject, std::vector<Case> cases, const std::string& after, bool last) {
    const bool by_kind = subject.kind == Test::Kind::constructor;
    out_->open("switch (" +
               (by_kind ? in_parentheses(subject.value, Precedence::primary) + ".which" : subject.value.text) + ")");
    if (last) cases.back().labels += "\ndefault:";
    if (!last) cases.push_back({"default:", after.empty() ? "break;" : after, false});
    for (const Case& each : cases) {
        const bool short_one = each.text.find('\n') == std::string::npos && !each.falls &&
                               each.labels.size() + each.text.size() + out_->column() < line_width;
        if (short_one) {
            out_->line(each.labels + " " + each.text);
            continue;
        }
        const bool one_return = each.text.starts_with("return ") && !each.falls;
        out_->line(each.labels + (one_return ? "" : " {"));
        out_->indent();
        out_->line(each.text);
        if (each.falls) out_->line("break;");
        out_->dedent();
        if (!one_return) out_->line("}");
    }
    out_->close();
}

bool Body::tested(Row row, TypeRef result) {
    std::vector<std::string> conditions;
    for (const Test& test : row.tests) conditions.push_back(condition(test));
    row.tests.clear();
    const std::string text = joined(conditions, " && ");
    write_if(text, written([&] { row_body(row, result); }));
    return true;
}

// The variables, the guard and the body of a row whose tests hold. False if it always returns.
bool Body::row_body(const Row& row, TypeRef result) {
    bind(row);
    const auto body = [&] {
        returned(row.body, result);
        if (result->kind == TypeKind::unit) out_->line("return;");
    };
    if (row.guard == nullptr) {
        body();
        return false;
    }
    const std::string guard = expression(row.guard).text;
    out_->open("if (" + guard + ")");
    body();
    out_->close();
    return true;
}

Rows Body::rows_of(const Match& match) {
    Rows result;
    const auto* tuple = std::get_if<Tuple>(&match.scrutinee->node);
    std::vector<Code> columns;
    const auto column = [&](ExprRef expr) {
        Code code = expression(expr);
        const auto* local = std::get_if<LocalRef>(&expr->node);
        const bool stable =
            code.text.find_first_of("( ") == std::string::npos && (local == nullptr || !local->local->is_mutable);
        if (stable) return code;
        const std::string name = fresh("matched");
        out_->line("const " + type_name(expr->type) + " " + name + " = " + value(expr, expr->type) + ";");
        return primary(name);
    };
    if (tuple != nullptr) {
        for (ExprRef element : tuple->elements) columns.push_back(column(element));
    } else {
        columns.push_back(column(match.scrutinee));
    }
    for (const MatchArm& arm : match.arms) {
        Row row;
        row.guard = arm.guard;
        row.body = arm.body;
        const auto* patterns = std::get_if<TuplePattern>(&arm.pattern->node);
        if (tuple != nullptr && patterns != nullptr) {
            for (std::size_t i = 0; i < columns.size(); ++i) flatten(patterns->elements[i], columns[i], row);
        } else if (tuple != nullptr && !std::holds_alternative<WildcardPattern>(arm.pattern->node)) {
            flatten(arm.pattern, expression(match.scrutinee), row);
        } else if (tuple == nullptr) {
            flatten(arm.pattern, columns[0], row);
        }
        join_slices(row);
        result.push_back(std::move(row));
    }
    return result;
}

namespace {

// For each argument, the member that a function like class_of_vc gives. None for functions of another shape.
std::vector<const EnumMember*> members_by_argument(const FunctionDef& function) {
    constexpr unsigned widest = 6;
    const auto* match = std::get_if<Match>(&function.body->node);
    const bool one_argument = function.parameters.size() == 1 && function.parameters[0]->type->kind == TypeKind::bits;
    if (match == nullptr || !one_argument || function.parameters[0]->type->width > widest) return {};
    const auto* subject = std::get_if<LocalRef>(&match->scrutinee->node);
    if (subject == nullptr || subject->local != function.parameters[0]) return {};
    std::vector<const EnumMember*> members(std::size_t{1} << function.parameters[0]->type->width);
    for (const MatchArm& arm : match->arms) {
        const auto* member = std::get_if<EnumRef>(&arm.body->node);
        if (member == nullptr || arm.guard != nullptr) return {};
        if (const auto* literal = std::get_if<LiteralPattern>(&arm.pattern->node)) {
            const auto* bits = std::get_if<BitsValue>(&literal->value);
            if (bits == nullptr) return {};
            if (members[bits->value] == nullptr) members[bits->value] = member->member;
        } else if (std::holds_alternative<WildcardPattern>(arm.pattern->node)) {
            std::ranges::replace(members, nullptr, member->member);
        } else {
            return {};
        }
    }
    return members;
}

bool is_constant(ExprRef expr) {
    return std::holds_alternative<Literal>(expr->node) || std::holds_alternative<EnumRef>(expr->node);
}

}  // namespace

void Body::write_if(const std::string& condition, const std::string& body) {
    const bool multiline = (condition + body).find('\n') != std::string::npos;
    if (!multiline && condition.size() + body.size() + out_->column() < line_width - 10) {
        out_->line("if (" + condition + ") " + body);
        return;
    }
    out_->open("if (" + condition + ")");
    out_->line(body);
    out_->close();
}

// `match f(x) { A => …, B => … }` where f only tells classes of x apart, and the arms do more than name something:
// asking x itself is quicker than to compute the class first.
bool Body::match_table(const Match& match, TypeRef result) {
    const auto* call = std::get_if<Call>(&match.scrutinee->node);
    if (call == nullptr || std::ranges::all_of(match.arms, [](const MatchArm& arm) { return is_constant(arm.body); })) {
        return false;
    }
    const std::vector<const EnumMember*> members = members_by_argument(*call->function);
    const bool plain = std::ranges::all_of(match.arms, [](const MatchArm& arm) {
        return arm.guard == nullptr && (std::holds_alternative<EnumPattern>(arm.pattern->node) ||
                                        std::holds_alternative<WildcardPattern>(arm.pattern->node));
    });
    if (members.empty() || !plain || !std::holds_alternative<LocalRef>(call->arguments[0]->node)) return false;
    const std::string argument = value(call->arguments[0], call->function->parameters[0]->type);
    for (const MatchArm& arm : match.arms) {
        const auto* pattern = std::get_if<EnumPattern>(&arm.pattern->node);
        const bool last = &arm == &match.arms.back() || pattern == nullptr;
        const std::string body = written([&] { row_body(Row{{}, {}, {}, nullptr, arm.body}, result); });
        if (last) {
            out_->line(body);
            break;
        }
        std::vector<std::size_t> values;
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (members[i] == pattern->member) values.push_back(i);
        }
        if (values.empty()) continue;
        const std::string test = one_of(argument, call->arguments[0]->type->width, values, out_->column());
        out_->comment(identifier(call->function->name) + ": " + pattern->member->name);
        write_if(test, body);
    }
    return true;
}

// A value that is only switched on needs no name.
void Body::match(const Match& match, TypeRef result) {
    if (match_table(match, result)) return;
    std::string text = written([&] { rows(rows_of(match), result, true); });
    constexpr std::string_view declaration = "matched = ";
    constexpr std::string_view use = ";\nswitch (matched)";
    const std::size_t start = text.find(declaration);
    const std::size_t end = text.find(use);
    if (text.starts_with("const ") && start < end && end == text.find(";\n") &&
        !mentions(std::string_view(text).substr(end + use.size()), "matched")) {
        const std::size_t value = start + declaration.size();
        text = "switch (" + text.substr(value, end - value) + ")" + text.substr(end + use.size());
    }
    out_->line(text);
}

}  // namespace eciscope::sailgen::cpp
