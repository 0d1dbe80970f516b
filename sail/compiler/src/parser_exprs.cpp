// Expressions and patterns.
#include <array>
#include <utility>

#include "parser.hpp"

namespace eciscope::sailgen {

using ast::Kind;
using ast::Node;

namespace {

enum class Associativity : std::uint8_t { left, right, none };

struct Operator {
    std::string_view symbol;
    int level;
    Associativity associativity;
};

constexpr int loosest_level = 2;
constexpr int tightest_level = 8;

constexpr std::array operator_table = std::to_array<Operator>({{"^", 8, Associativity::right},
                                                               {"*", 7, Associativity::left},
                                                               {"/", 7, Associativity::left},
                                                               {"%", 7, Associativity::left},
                                                               {"+", 6, Associativity::left},
                                                               {"-", 6, Associativity::left},
                                                               {"@", 5, Associativity::right},
                                                               {"==", 4, Associativity::none},
                                                               {"!=", 4, Associativity::none},
                                                               {"<", 4, Associativity::none},
                                                               {"<=", 4, Associativity::none},
                                                               {">", 4, Associativity::none},
                                                               {">=", 4, Associativity::none},
                                                               {"&", 3, Associativity::right},
                                                               {"|", 2, Associativity::right}});

const Operator* find_operator(const Token& token, int level) {
    if (token.kind != TokenKind::symbol) return nullptr;
    for (const Operator& candidate : operator_table) {
        if (candidate.level == level && candidate.symbol == token.text) return &candidate;
    }
    return nullptr;
}

Associativity associativity_of(std::string_view symbol) {
    for (const Operator& candidate : operator_table) {
        if (candidate.symbol == symbol) return candidate.associativity;
    }
    return Associativity::none;
}

}  // namespace

Node* Parser::expression() {
    const Deeper deeper(*this);
    const SourceRange begin = peek().where;
    Node* left = operators(loosest_level);
    if (accept("=")) {
        Node* value = expression();
        return make(Kind::assign, begin, {}, {left, value});
    }
    return left;
}

// Nesting is counted where an operand opens brackets, not per level of precedence.
Node* Parser::operators(int level) {
    if (level > tightest_level) return postfix();
    const SourceRange begin = peek().where;
    std::vector<Node*> operands{operators(level + 1)};
    std::vector<std::string> symbols;
    while (!panicking_) {
        const Operator* found = find_operator(peek(), level);
        if (found == nullptr) break;
        if (found->associativity == Associativity::none && !symbols.empty()) {
            fail(peek().where, "comparisons do not associate: put one of them in parentheses");
            break;
        }
        symbols.push_back(take().text);
        operands.push_back(operators(level + 1));
    }
    if (panicking_ || operands.size() == 1) return operands.front();
    if (symbols.front() == "@") return make(Kind::concat, begin, {}, std::move(operands));
    if (associativity_of(symbols.front()) == Associativity::right) {
        Node* result = operands.back();
        for (std::size_t i = symbols.size(); i-- > 0;) {
            result = make(Kind::infix, operands[i]->where, symbols[i], {operands[i], result});
        }
        return result;
    }
    Node* result = operands.front();
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        result = make(Kind::infix, begin, symbols[i], {result, operands[i + 1]});
        result->where.end = operands[i + 1]->where.end;
    }
    return result;
}

Node* Parser::postfix() {
    const SourceRange begin = peek().where;
    Node* node = atom();
    while (!panicking_) {
        if (accept(".")) {
            std::string field = name("the name of a field");
            node = make(Kind::field, begin, std::move(field), {node});
        } else if (at("[")) {
            node = brackets_behind(node, begin);
        } else if (accept(":")) {
            Node* annotation = type_atom();
            node = make(Kind::typed, begin, {}, {node, annotation});
        } else if (accept("as")) {
            std::string bound = name("the name of a variable");
            node = make(Kind::as, begin, std::move(bound), {node});
        } else {
            break;
        }
    }
    return node;
}

Node* Parser::brackets_behind(Node* base, SourceRange begin) {
    take();
    Node* index = expression();
    if (accept("..")) {
        Node* low = expression();
        expect("]", "after the slice");
        return make(Kind::slice, begin, {}, {base, index, low});
    }
    expect("]", "after the index");
    return make(Kind::index, begin, {}, {base, index});
}

Node* Parser::atom() {
    if (panicking_) return make(Kind::error, peek().where);
    const Token& token = peek();
    const SourceRange begin = token.where;
    switch (token.kind) {
        case TokenKind::number:
            return make(Kind::number, begin, take().text);
        case TokenKind::bits:
            return make(Kind::bits, begin, take().text);
        case TokenKind::string:
            return make(Kind::string, begin, take().text);
        case TokenKind::name:
            return is_reserved_word(token.text) ? keyword_atom() : name_atom();
        case TokenKind::type_variable:
            fail(begin, "type variables are not in the subset of expressions");
            return make(Kind::error, begin);
        default:
            break;
    }
    if (at("(")) return parenthesised();
    if (at("{")) return braces();
    if (at("[")) return vector();
    if (at("[|") || at("[||")) fail(begin, "lists are not in the subset");
    fail_expected("an expression or pattern");
    return make(Kind::error, begin);
}

Node* Parser::name_atom() {
    const SourceRange begin = peek().where;
    std::string text = take().text;
    if (text == "_") return make(Kind::wildcard, begin);
    if (!at("(")) return make(Kind::name, begin, std::move(text));
    Node* list = arguments();
    return make(Kind::apply, begin, std::move(text), list->kids);
}

// A parenthesised list as a tuple node.
Node* Parser::arguments() {
    const SourceRange begin = peek().where;
    expect("(", "before the arguments");
    std::vector<Node*> list;
    while (!panicking_ && !at(")")) {
        list.push_back(expression());
        if (!accept(",")) break;
    }
    expect(")", "after the arguments");
    return make(Kind::tuple, begin, {}, std::move(list));
}

Node* Parser::parenthesised() {
    const SourceRange begin = peek().where;
    Node* list = arguments();
    if (panicking_) return list;
    if (list->kids.empty()) return make(Kind::unit, begin);
    if (list->kids.size() > 1) return list;
    Node* inner = list->kids.front();
    inner->in_parentheses = true;
    return inner;
}

Node* Parser::keyword_atom() {
    const Token& token = peek();
    const SourceRange begin = token.where;
    if (at("true") || at("false")) return make(Kind::boolean, begin, take().text);
    if (at("bitzero") || at("bitone")) return make(Kind::bit, begin, take().text);
    if (at("if")) return conditional();
    if (at("match")) return match();
    if (at("let")) return let();
    if (at("var")) return var();
    if (at("foreach")) return foreach ();
    if (at("struct")) return struct_literal();
    if (accept("while")) {
        Node* condition = expression();
        expect("do", "after the condition of the loop");
        Node* body = expression();
        return make(Kind::while_loop, begin, {}, {condition, body});
    }
    if (accept("repeat")) {
        Node* body = expression();
        expect("until", "after the body of the loop");
        Node* condition = expression();
        return make(Kind::repeat_loop, begin, {}, {body, condition});
    }
    if (accept("return")) {
        Node* value = expression();
        return make(Kind::returning, begin, {}, {value});
    }
    if (accept("assert")) {
        Node* list = arguments();
        if (!panicking_ && (list->kids.empty() || list->kids.size() > 2)) {
            fail(since(begin), "`assert` takes a condition and a message");
        }
        std::vector<Node*> kids = list->kids;
        kids.resize(2);
        return make(Kind::assertion, begin, {}, std::move(kids));
    }
    if (at("throw") || at("try") || at("catch")) {
        fail(begin, "exceptions (`" + token.text + "`) are not in the subset");
    } else if (at("ref")) {
        fail(begin, "references (`ref`) are not in the subset");
    } else if (at("undefined") || at("exit") || at("sizeof") || at("constraint")) {
        fail(begin, "`" + token.text + "` is not in the subset");
    } else {
        fail(begin, "expected an expression or pattern; `" + token.text + "` is a reserved word");
    }
    return make(Kind::error, begin);
}

Node* Parser::conditional() {
    const Deeper deeper(*this);
    const SourceRange begin = take().where;
    Node* condition = expression();
    expect("then", "after the condition");
    Node* then_value = expression();
    Node* else_value = nullptr;
    if (accept("else")) else_value = expression();
    return make(Kind::conditional, begin, {}, {condition, then_value, else_value});
}

Node* Parser::match() {
    const Deeper deeper(*this);
    const SourceRange begin = take().where;
    std::vector<Node*> kids{operators(loosest_level)};
    expect("{", "before the arms of the match");
    while (!panicking_ && !at("}")) {
        const SourceRange arm_begin = peek().where;
        Node* arm_pattern = pattern();
        Node* guard = accept("if") ? expression() : nullptr;
        if (at("when")) fail(peek().where, "guards are written with `if`");
        expect("=>", "after the pattern");
        Node* body = expression();
        kids.push_back(make(Kind::arm, arm_begin, {}, {arm_pattern, guard, body}));
        if (!accept(",")) break;
    }
    expect("}", "after the arms of the match");
    if (!panicking_ && kids.size() == 1) fail(since(begin), "a match needs at least one arm");
    return make(Kind::match, begin, {}, std::move(kids));
}

Node* Parser::let() {
    const SourceRange begin = take().where;
    Node* bound = pattern();
    expect("=", "after the pattern of a `let`");
    Node* value = expression();
    Node* body = accept("in") ? expression() : nullptr;
    return make(Kind::let, begin, {}, {bound, value, body});
}

Node* Parser::var() {
    const SourceRange begin = take().where;
    std::string variable = name("the name of a variable");
    Node* annotation = accept(":") ? type() : nullptr;
    expect("=", "after the name of a `var`");
    Node* value = expression();
    Node* body = accept("in") ? expression() : nullptr;
    return make(Kind::var, begin, std::move(variable), {annotation, value, body});
}

Node* Parser::foreach () {
    const SourceRange begin = take().where;
    expect("(", "after `foreach`");
    std::string variable = name("the name of the loop's variable");
    expect("from", "after the variable");
    Node* from = expression();
    const bool is_down = at("downto");
    if (!is_down) {
        expect("to", "or `downto` after the first bound");
    } else {
        take();
    }
    Node* to = expression();
    Node* step = accept("by") ? expression() : nullptr;
    if (at("in")) fail(peek().where, "an order in `foreach` is not in the subset; use `to` or `downto`");
    expect(")", "after the bounds of the loop");
    Node* body = expression();
    Node* loop = make(Kind::foreach, begin, std::move(variable), {from, to, step, body});
    loop->is_down = is_down;
    return loop;
}

Node* Parser::braces() {
    const SourceRange begin = take().where;
    if (accept("}")) {
        fail(since(begin), "an empty block has no value; write `()`");
        return make(Kind::error, begin);
    }
    return block(begin);
}

Node* Parser::block(SourceRange begin) {
    std::vector<Node*> statements;
    while (!panicking_ && !at("}")) {
        statements.push_back(expression());
        if (statements.size() == 1 && accept("with")) {
            std::vector<Node*> kids{statements.front()};
            do {
                kids.push_back(field_init());
            } while (accept(","));
            expect("}", "after the changed fields");
            return make(Kind::struct_update, begin, {}, std::move(kids));
        }
        if (!accept(";")) break;
    }
    expect("}", "or `;` after a statement of the block");
    return make(Kind::block, begin, {}, std::move(statements));
}

Node* Parser::field_init() {
    const SourceRange begin = peek().where;
    if (at("_")) {
        take();
        return make(Kind::wildcard, begin);
    }
    std::string field = name("the name of a field");
    expect("=", "after the name of a field");
    Node* value = expression();
    return make(Kind::field_init, begin, std::move(field), {value});
}

Node* Parser::struct_literal() {
    const Deeper deeper(*this);
    const SourceRange begin = take().where;
    std::string type_name;
    if (peek().kind == TokenKind::name) type_name = name("the name of a struct");
    expect("{", "after `struct`");
    std::vector<Node*> fields;
    while (!panicking_ && !at("}")) {
        fields.push_back(field_init());
        if (!accept(",")) break;
    }
    expect("}", "after the fields");
    return make(Kind::struct_literal, begin, std::move(type_name), std::move(fields));
}

Node* Parser::vector() {
    const Deeper deeper(*this);
    const SourceRange begin = take().where;
    if (at("|") || at("||")) fail(begin, "lists are not in the subset");
    std::vector<Node*> kids;
    while (!panicking_ && !at("]")) {
        kids.push_back(expression());
        if (kids.size() == 1 && accept("with")) {
            do {
                kids.push_back(vector_change());
            } while (accept(","));
            expect("]", "after the changes");
            return make(Kind::vector_update, begin, {}, std::move(kids));
        }
        if (!accept(",")) break;
    }
    expect("]", "after the elements");
    return make(Kind::vector, begin, {}, std::move(kids));
}

// `i = e`, `hi .. lo = e` or `field = e`: an assign node whose place is an expression or a slice without base.
Node* Parser::vector_change() {
    const SourceRange begin = peek().where;
    Node* place = operators(loosest_level);
    if (accept("..")) {
        Node* low = operators(loosest_level);
        place = make(Kind::slice, begin, {}, {nullptr, place, low});
    }
    expect("=", "after what is changed");
    Node* value = expression();
    return make(Kind::assign, begin, {}, {place, value});
}

}  // namespace eciscope::sailgen
