// Definitions.
#include <array>
#include <utility>

#include "parser.hpp"

namespace eciscope::sailgen {

using ast::ClauseKind;
using ast::Def;
using ast::DefKind;
using ast::Kind;
using ast::Node;
using ast::Part;

void Parser::definition() {
    Def def;
    bool has_doc = false;
    const auto take_doc = [&] {
        const Token& token = peek();
        if (token.doc.empty()) return;
        if (has_doc || token.is_second_doc) {
            fail(token.where, "two doc comments before one definition");
        }
        has_doc = true;
        def.doc = token.doc;
    };
    while (!panicking_) {
        take_doc();
        if (peek().kind == TokenKind::attribute) {
            // Other attributes are for other tools; Sail ignores what it does not know as well.
            def.is_partial = take().text == "partial" || def.is_partial;
        } else if (peek().kind == TokenKind::directive && peek().text == "$property") {
            def.is_property = true;
            take();
        } else if (peek().kind == TokenKind::directive && peek().text == "$counterexample") {
            def.is_counterexample = true;
            take();
        } else {
            break;
        }
    }
    if (!panicking_) definition_body(def);
    if (!panicking_) {
        tree_.defs.push_back(std::move(def));
        return;
    }
    if (!def.name.empty()) tree_.broken_names.push_back(def.name);
    for (const Part& part : def.parts) tree_.broken_names.push_back(part.name);
}

void Parser::definition_body(Def& def) {
    if (peek().kind == TokenKind::directive) {
        directive(def);
        return;
    }
    using Rule = void (Parser::*)(Def&);
    constexpr std::array rules =
        std::to_array<std::pair<std::string_view, Rule>>({{"default", &Parser::default_order},
                                                          {"type", &Parser::synonym},
                                                          {"enum", &Parser::enumeration},
                                                          {"struct", &Parser::structure},
                                                          {"union", &Parser::union_type},
                                                          {"bitfield", &Parser::bitfield},
                                                          {"let", &Parser::let_definition},
                                                          {"register", &Parser::register_definition},
                                                          {"val", &Parser::val},
                                                          {"function", &Parser::function},
                                                          {"mapping", &Parser::mapping},
                                                          {"overload", &Parser::overload},
                                                          {"scattered", &Parser::scattered}});
    for (const auto& [word, rule] : rules) {
        if (at(word)) {
            take();
            (this->*rule)(def);
            return;
        }
    }
    if (accept("end")) {
        def.kind = DefKind::end;
        def.where = peek().where;
        def.name = name("the name of a scattered definition");
        return;
    }
    refuse_left_out_definition();
}

void Parser::refuse_left_out_definition() {
    constexpr std::array left_out =
        std::to_array<std::pair<std::string_view, std::string_view>>({{"newtype", "new types"},
                                                                      {"infix", "user fixity"},
                                                                      {"infixl", "user fixity"},
                                                                      {"infixr", "user fixity"},
                                                                      {"outcome", "outcomes"},
                                                                      {"instantiation", "outcomes"},
                                                                      {"impl", "outcomes"},
                                                                      {"termination_measure", "termination measures"},
                                                                      {"private", "modules"},
                                                                      {"module", "modules"},
                                                                      {"import", "modules"},
                                                                      {"cast", "implicit casts"},
                                                                      {"mutual", "mutual blocks"},
                                                                      {"constraint", "constraints"},
                                                                      {"configuration", "configuration registers"}});
    for (const auto& [word, what] : left_out) {
        if (at(word)) {
            fail(peek().where, "`" + std::string(word) + "` is not in the subset: " + std::string(what));
            return;
        }
    }
    fail_expected("a definition");
}

void Parser::directive(Def& def) {
    const Token& token = take();
    def.where = token.where;
    def.kind = token.text.find("prelude") != std::string::npos ? DefKind::include_prelude : DefKind::include_equality;
}

void Parser::default_order(Def& def) {
    def.kind = DefKind::default_order;
    def.where = peek().where;
    expect("Order", "after `default`");
    if (!panicking_ && at("inc")) fail(peek().where, "`default Order inc` is not in the subset: increasing vectors");
    expect("dec", "after `default Order`");
}

void Parser::synonym(Def& def) {
    def.kind = DefKind::synonym;
    def.where = peek().where;
    def.name = name("the name of a type");
    if (accept("(")) {
        do {
            Part parameter;
            parameter.where = peek().where;
            if (peek().kind != TokenKind::type_variable) {
                fail_expected("a type variable such as 'n");
                return;
            }
            parameter.name = take().text;
            if (accept(":") && !accept("Int") && !accept("Type") && !accept("Nat")) fail_expected("`Int` or `Type`");
            def.parameters.push_back(std::move(parameter));
        } while (accept(","));
        expect(")", "after the type variables");
    }
    if (accept(":")) {
        def.is_int = accept("Int") || accept("Nat");
        if (!def.is_int && !accept("Type")) fail_expected("`Int` or `Type`");
    }
    if (!panicking_ && !at("=")) fail(peek().where, "abstract types are not in the subset: `=` and a type must follow");
    expect("=", "after the name of a type");
    def.type = type();
}

void Parser::document(Part& part, SourceRange begin) {
    if (panicking_ || begin.file >= sources_.files.size()) return;
    part.doc = part_doc(sources_.files[begin.file].text, begin.begin, since(begin).end);
}

Part Parser::enum_member() {
    Part part;
    part.where = peek().where;
    part.name = name("the name of an enum member");
    if (at("=>")) fail(peek().where, "enum members with values are not in the subset");
    document(part, part.where);
    return part;
}

Part Parser::typed_part() {
    Part part;
    part.where = peek().where;
    part.name = name("the name of a field or constructor");
    expect(":", "and a type after the name");
    part.type = type();
    document(part, part.where);
    return part;
}

void Parser::enumeration(Def& def) {
    const bool is_clause = accept("clause");
    def.kind = is_clause ? DefKind::enum_clause : DefKind::enumeration;
    def.where = peek().where;
    def.name = name("the name of an enum");
    expect("=", "after the name of an enum");
    if (is_clause) {
        def.parts.push_back(enum_member());
    } else if (accept("{")) {
        while (!panicking_ && !at("}")) {
            def.parts.push_back(enum_member());
            if (!accept(",")) break;
        }
        expect("}", "or `,` after an enum member");
    } else {
        do {
            def.parts.push_back(enum_member());
        } while (accept("|"));
    }
}

void Parser::structure(Def& def) {
    def.kind = DefKind::structure;
    def.where = peek().where;
    def.name = name("the name of a struct");
    if (at("(")) fail(peek().where, "structs with type parameters are not in the subset");
    expect("=", "after the name of a struct");
    expect("{", "before the fields of a struct");
    while (!panicking_ && !at("}")) {
        def.parts.push_back(typed_part());
        if (!accept(",")) break;
    }
    expect("}", "or `,` after a field");
}

void Parser::union_type(Def& def) {
    const SourceRange keyword = tokens_[at_ - 1].where;
    const bool is_clause = accept("clause");
    def.kind = is_clause ? DefKind::union_clause : DefKind::union_type;
    def.where = peek().where;
    def.name = name("the name of a union");
    if (at("(")) fail(peek().where, "unions with type parameters are not in the subset; there is `option`");
    expect("=", "after the name of a union");
    if (is_clause) {
        def.parts.push_back(typed_part());
        document(def.parts.back(), keyword);
        return;
    }
    expect("{", "before the constructors of a union");
    while (!panicking_ && !at("}")) {
        def.parts.push_back(typed_part());
        if (!accept(",")) break;
    }
    expect("}", "or `,` after a constructor");
}

void Parser::bitfield(Def& def) {
    def.kind = DefKind::bitfield;
    def.where = peek().where;
    def.name = name("the name of a bitfield");
    expect(":", "and a type after the name of a bitfield");
    def.type = type();
    expect("=", "after the type of a bitfield");
    expect("{", "before the fields of a bitfield");
    while (!panicking_ && !at("}")) {
        Part part;
        part.where = peek().where;
        part.name = name("the name of a field");
        expect(":", "and a range of bits after the name");
        part.high = type();
        part.low = accept("..") ? type() : part.high;
        if (at("@")) fail(peek().where, "concatenated ranges in bitfields are not in the subset");
        document(part, part.where);
        def.parts.push_back(std::move(part));
        if (!accept(",")) break;
    }
    expect("}", "or `,` after a field");
}

void Parser::let_definition(Def& def) {
    def.kind = DefKind::let;
    def.where = peek().where;
    def.pattern = pattern();
    def.where = def.pattern->where;
    if (def.pattern->kind == Kind::name) def.name = def.pattern->text;
    if (def.pattern->kind == Kind::typed && def.pattern->kids[0]->kind == Kind::name) {
        def.where = def.pattern->kids[0]->where;
        def.name = def.pattern->kids[0]->text;
        def.type = def.pattern->kids[1];
    }
    if (def.name.empty()) fail(def.where, "a global `let` binds one name: `let x : T = e`");
    expect("=", "after the name of a `let`");
    def.body = expression();
}

void Parser::register_definition(Def& def) {
    def.kind = DefKind::reg;
    def.where = peek().where;
    def.name = name("the name of a register");
    expect(":", "and a type after the name of a register");
    def.type = type();
    if (accept("=")) def.body = expression();
}

void Parser::val(Def& def) {
    def.kind = DefKind::val;
    def.where = peek().where;
    if (at("operator") || peek().kind == TokenKind::string) {
        fail(peek().where, "a `val` for an operator is not in the subset; use `overload operator`");
    }
    def.name = name("the name of a function or mapping");
    if (at("=")) {
        fail(peek().where, "external functions are not in the subset");
    }
    expect(":", "and a type after the name");
    def.type = signature();
    if (at("effect")) fail(peek().where, "effects are not in the subset");
}

void Parser::function(Def& def) {
    if (accept("clause")) {
        def.kind = DefKind::function_clause;
    } else {
        def.kind = DefKind::function;
    }
    def.where = peek().where;
    def.name = name("the name of a function");
    def.pattern = at("(") ? arguments() : make(Kind::tuple, peek().where, {}, {pattern()});
    if (accept("->")) def.result = type();
    if (at("if")) fail(peek().where, "guards on function clauses are not in the subset; use `match`");
    expect("=", "before the body of a function");
    def.body = expression();
    if (at("and")) fail(peek().where, "clauses joined by `and` are not in the subset; use `scattered function`");
}

void Parser::mapping(Def& def) {
    const SourceRange keyword = tokens_[at_ - 1].where;
    if (accept("clause")) {
        def.kind = DefKind::mapping_clause;
        def.where = peek().where;
        def.name = name("the name of a mapping");
        expect("=", "after the name of a mapping");
        def.clauses.push_back(mapping_clause());
        ast::MappingClause& clause = def.clauses.back();
        Part part;
        document(part, keyword);
        clause.doc = part.doc.empty() ? def.doc : part.doc;
        return;
    }
    def.kind = DefKind::mapping;
    def.where = peek().where;
    def.name = name("the name of a mapping");
    if (accept(":")) def.type = signature();
    expect("=", "before the clauses of a mapping");
    expect("{", "before the clauses of a mapping");
    while (!panicking_ && !at("}")) {
        def.clauses.push_back(mapping_clause());
        if (!accept(",")) break;
    }
    expect("}", "or `,` after a clause");
}

ast::MappingClause Parser::mapping_clause() {
    ast::MappingClause clause;
    const SourceRange begin = peek().where;
    if (at("forwards") || at("backwards")) {
        clause.kind = take().text == "forwards" ? ClauseKind::forwards : ClauseKind::backwards;
        clause.left = pattern();
        if (accept("if")) clause.left_guard = expression();
        expect("=>", "after the pattern");
        clause.right = expression();
    } else {
        clause.left = pattern();
        if (accept("if")) clause.left_guard = expression();
        expect("<->", "between the sides of a clause");
        clause.right = pattern();
        if (at("when")) fail(peek().where, "guards are written with `if`, behind each side");
        if (accept("if")) clause.right_guard = expression();
    }
    clause.where = since(begin);
    Part part;
    document(part, begin);
    clause.doc = std::move(part.doc);
    return clause;
}

void Parser::overload(Def& def) {
    def.kind = DefKind::overload;
    def.where = peek().where;
    if (accept("operator")) {
        if (peek().kind != TokenKind::symbol) fail_expected("an operator");
        def.where = peek().where;
        def.name = take().text;
    } else {
        def.name = name("the name of a function");
    }
    expect("=", "after what is overloaded");
    expect("{", "before the alternatives");
    while (!panicking_ && !at("}")) {
        Part part;
        part.where = peek().where;
        part.name = name("the name of a function");
        def.names.push_back(std::move(part));
        if (!accept(",")) break;
    }
    expect("}", "after the alternatives");
}

void Parser::scattered(Def& def) {
    constexpr std::array kinds =
        std::to_array<std::pair<std::string_view, DefKind>>({{"union", DefKind::scattered_union},
                                                             {"enum", DefKind::scattered_enum},
                                                             {"function", DefKind::scattered_function},
                                                             {"mapping", DefKind::scattered_mapping}});
    for (const auto& [word, kind] : kinds) {
        if (!accept(word)) continue;
        def.kind = kind;
        def.where = peek().where;
        def.name = name("the name of a scattered definition");
        if (kind == DefKind::scattered_mapping && accept(":")) def.type = signature();
        return;
    }
    fail_expected("`union`, `enum`, `function` or `mapping` after `scattered`");
}

}  // namespace eciscope::sailgen
