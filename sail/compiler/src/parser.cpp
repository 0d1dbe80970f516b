#include "parser.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace eciscope::sailgen {

using ast::Kind;
using ast::Node;

const Token& Parser::peek(std::size_t ahead) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

bool Parser::at(std::string_view text) const {
    const Token& token = peek();
    return (token.kind == TokenKind::symbol || token.kind == TokenKind::name) && token.text == text;
}

const Token& Parser::take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
}

bool Parser::accept(std::string_view text) {
    if (panicking_ || !at(text)) return false;
    take();
    return true;
}

void Parser::fail(SourceRange where, std::string message) {
    if (panicking_) return;
    panicking_ = true;
    if (peek().kind == TokenKind::stray) return;  // the lexer has reported it
    diagnostics_.push_back({where, std::move(message), {}});
}

void Parser::fail_expected(std::string_view what) {
    const Token& token = peek();
    std::string found = "`" + std::string(sources_.text(token.where)) + "`";
    if (token.kind == TokenKind::end_of_input) found = "the end of the input";
    if (token.kind == TokenKind::number && token.text.starts_with('-')) {
        fail(token.where, "expected " + std::string(what) + ", not " + found +
                              "; `-` directly before a digit is part of the number, write `- " + token.text.substr(1) +
                              "` to subtract");
        return;
    }
    fail(token.where, "expected " + std::string(what) + ", not " + found);
}

void Parser::expect(std::string_view text, std::string_view where) {
    if (panicking_ || accept(text)) return;
    fail_expected("`" + std::string(text) + "` " + std::string(where));
}

std::string Parser::name(std::string_view what) {
    if (panicking_) return {};
    const Token& token = peek();
    if (token.kind != TokenKind::name || token.text == "_") {
        fail_expected(what);
        return {};
    }
    if (is_reserved_word(token.text)) {
        fail(token.where, "`" + token.text + "` is a reserved word and cannot be " + std::string(what));
        return {};
    }
    return take().text;
}

Node* Parser::make(Kind kind, SourceRange begin, std::string text, std::vector<Node*> kids) {
    Node& node = tree_.nodes.emplace_back();
    node.kind = kind;
    node.where = since(begin);
    node.text = std::move(text);
    node.kids = std::move(kids);
    for (const Node* kid : node.kids) {
        if (kid != nullptr) node.depth = std::max(node.depth, kid->depth + 1);
    }
    if (node.depth > deepest_nesting) {
        // Later passes recurse over the tree: it must not get deeper.
        fail(begin, "this is nested too deeply: more than " + std::to_string(deepest_nesting) + " levels");
        node.kids.clear();
        node.kind = Kind::error;
        node.depth = 1;
    }
    return &node;
}

SourceRange Parser::since(SourceRange begin) const {
    if (at_ == 0) return begin;
    const SourceRange last = tokens_[at_ - 1].where;
    if (last.file == begin.file && last.end > begin.end) begin.end = last.end;
    return begin;
}

Parser::Deeper::Deeper(Parser& parser) : parser_(parser) {
    if (++parser_.depth_ > deepest_nesting) {
        parser_.fail(parser_.peek().where,
                     "this is nested too deeply: more than " + std::to_string(deepest_nesting) + " levels");
    }
}

void Parser::skip_to_next_definition() {
    // Words that begin a definition wherever they stand, and those that also occur inside one: these count at the
    // beginning of a line only.
    constexpr std::array anywhere = std::to_array<std::string_view>(
        {"default", "type", "bitfield", "register", "val", "function", "mapping", "overload", "scattered"});
    constexpr std::array at_line_start = std::to_array<std::string_view>({"enum", "struct", "union", "let", "end"});
    for (; peek().kind != TokenKind::end_of_input; take()) {
        const Token& token = peek();
        if (token.kind == TokenKind::directive || token.kind == TokenKind::attribute) return;
        if (token.kind != TokenKind::name) continue;
        if (std::find(anywhere.begin(), anywhere.end(), token.text) != anywhere.end()) return;
        const std::string& text = sources_.files[token.where.file].text;
        const bool starts_line = token.where.begin == 0 || text[token.where.begin - 1] == '\n';
        if (starts_line && std::find(at_line_start.begin(), at_line_start.end(), token.text) != at_line_start.end()) {
            return;
        }
    }
}

ast::Tree Parser::parse_program() {
    while (peek().kind != TokenKind::end_of_input) {
        const std::size_t before = at_;
        definition();
        if (panicking_) {
            panicking_ = false;
            if (at_ == before) take();
            skip_to_next_definition();
        }
    }
    return std::move(tree_);
}

// ------------------------------------------------------------------------------------------------------------ types

Node* Parser::signature() {
    const SourceRange begin = peek().where;
    Node* left = type();
    if (accept("->")) {
        Node* result = type();
        return make(Kind::function_type, begin, {}, {left, result});
    }
    if (accept("<->")) {
        Node* right = type();
        return make(Kind::mapping_type, begin, {}, {left, right});
    }
    if (!panicking_) fail_expected("`->` or `<->` in the type of a `val`");
    return make(Kind::error, begin);
}

Node* Parser::type() {
    const Deeper deeper(*this);
    if (at("forall")) fail(peek().where, "`forall` is not in the subset: types have literal widths only");
    if (at("{")) fail(peek().where, "existential types are not in the subset: types have literal widths only");
    return type_operand(6);
}

// Arithmetic in lengths: + and - at level 6, * at level 7.
Node* Parser::type_operand(int level) {
    const SourceRange begin = peek().where;
    Node* left = level == 6 ? type_operand(7) : type_atom();
    while (!panicking_ && ((level == 6 && (at("+") || at("-"))) || (level == 7 && at("*")))) {
        const std::string symbol = take().text;
        Node* right = level == 6 ? type_operand(7) : type_atom();
        left = make(Kind::infix, begin, symbol, {left, right});
    }
    return left;
}

Node* Parser::type_atom() {
    if (panicking_) return make(Kind::error, peek().where);
    const Token& token = peek();
    const SourceRange begin = token.where;
    if (token.kind == TokenKind::number) return make(Kind::number, begin, take().text);
    if (token.kind == TokenKind::type_variable) return make(Kind::type_variable, begin, take().text);
    if (accept("(")) {
        std::vector<Node*> elements = comma_list(")");
        if (elements.size() == 1) {
            elements[0]->in_parentheses = true;
            return elements[0];
        }
        if (elements.empty()) fail(since(begin), "`()` is not a type; write `unit`");
        return make(Kind::tuple, begin, {}, std::move(elements));
    }
    if (token.kind == TokenKind::name) {
        std::string head = name("the name of a type");
        if (!panicking_ && accept("(")) return make(Kind::apply, begin, std::move(head), comma_list(")"));
        return make(Kind::name, begin, std::move(head));
    }
    fail_expected("a type");
    return make(Kind::error, begin);
}

std::vector<Node*> Parser::comma_list(std::string_view close) {
    std::vector<Node*> list;
    while (!panicking_ && !at(close)) {
        list.push_back(type());
        if (!accept(",")) break;
    }
    expect(close, "after the list of types");
    return list;
}

}  // namespace eciscope::sailgen
