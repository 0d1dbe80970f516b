// Recursive descent over the token stream. After a syntax error the rest of that definition is skipped.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "ast.hpp"
#include "lexer.hpp"

namespace eciscope::sailgen {

inline constexpr unsigned deepest_nesting = 200;

class Parser {
 public:
    Parser(const std::vector<Token>& tokens, const SourceMap& sources, std::vector<Diagnostic>& diagnostics)
        : tokens_(tokens), sources_(sources), diagnostics_(diagnostics) {}

    ast::Tree parse_program();

 private:
    using Node = ast::Node;

    // Tokens.
    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
    [[nodiscard]] bool at(std::string_view text) const;  // a symbol or word
    bool accept(std::string_view text);
    void expect(std::string_view text, std::string_view where);
    const Token& take();
    void fail(SourceRange where, std::string message);
    void fail_expected(std::string_view what);
    std::string name(std::string_view what);
    void skip_to_next_definition();

    // Nodes.
    Node* make(ast::Kind kind, SourceRange begin, std::string text = {}, std::vector<Node*> kids = {});
    [[nodiscard]] SourceRange since(SourceRange begin) const;
    class Deeper;

    // Definitions.
    void definition();
    void definition_body(ast::Def& def);
    void default_order(ast::Def& def);
    void synonym(ast::Def& def);
    void enumeration(ast::Def& def);
    void structure(ast::Def& def);
    void union_type(ast::Def& def);
    void bitfield(ast::Def& def);
    void let_definition(ast::Def& def);
    void register_definition(ast::Def& def);
    void val(ast::Def& def);
    void function(ast::Def& def);
    void mapping(ast::Def& def);
    ast::MappingClause mapping_clause();
    void overload(ast::Def& def);
    void scattered(ast::Def& def);
    void directive(ast::Def& def);
    ast::Part enum_member();
    ast::Part typed_part();
    void document(ast::Part& part, SourceRange begin);
    void refuse_left_out_definition();

    // Types.
    Node* type();
    Node* type_operand(int level);
    Node* type_atom();
    Node* signature();

    // Expressions and patterns.
    Node* expression();
    Node* pattern() { return operators(2); }
    Node* operators(int level);
    Node* postfix();
    Node* brackets_behind(Node* base, SourceRange begin);
    Node* atom();
    Node* keyword_atom();
    Node* name_atom();
    Node* parenthesised();
    Node* braces();
    Node* block(SourceRange begin);
    Node* field_init();
    Node* struct_literal();
    Node* vector();
    Node* vector_change();
    Node* conditional();
    Node* match();
    Node* let();
    Node* var();
    Node* foreach ();
    Node* arguments();
    std::vector<Node*> comma_list(std::string_view close);

    const std::vector<Token>& tokens_;
    const SourceMap& sources_;
    std::vector<Diagnostic>& diagnostics_;
    ast::Tree tree_;
    std::size_t at_ = 0;
    unsigned depth_ = 0;
    bool panicking_ = false;
};

class Parser::Deeper {
 public:
    explicit Deeper(Parser& parser);
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

 private:
    Parser& parser_;
};

}  // namespace eciscope::sailgen
