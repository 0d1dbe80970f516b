// How the SMT back end is made up: sorts for types, terms for expressions, and proofs for mappings and properties.
//
// Every expression becomes two terms: its value, and whether evaluating it succeeds ("defined": a clause fits, no
// division by zero, integers stay in 64 bits). Everything is a bit vector: integers of 64 bits, structs and tuples
// their parts joined, unions and options a tag and a payload, zeros between; z3 decides that many times faster than the
// same with datatypes. Functions and mappings become `define-fun`s, made as needed, so that each proof is a script of
// its own.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sailgen/ir.hpp"
#include "sailgen/proofs.hpp"

namespace eciscope::sailgen::smt {

struct Term {
    std::string value;
    std::string defined = "true";
};

// A pattern applied to a term: when it matches, and what its variables are then.
using Bindings = std::map<const Local*, std::string>;

[[nodiscard]] std::string conjunction(const std::vector<std::string>& terms);
[[nodiscard]] std::string disjunction(const std::vector<std::string>& terms);
[[nodiscard]] std::string negation(const std::string& term);
[[nodiscard]] std::string implication(const std::string& premise, const std::string& conclusion);
[[nodiscard]] std::string conditional(const std::string& condition, const std::string& yes, const std::string& no);
[[nodiscard]] std::string bits_literal(unsigned width, std::uint64_t value);
[[nodiscard]] std::string int_literal(std::int64_t value);
// Empty for a string.
[[nodiscard]] std::string constant_term(const Constant& value);
[[nodiscard]] std::string extract(const std::string& term, unsigned high, unsigned low);

// Symbols. A dot keeps them apart from SMT-LIB's own words.
[[nodiscard]] std::string symbol(std::string_view prefix, std::string_view name);
[[nodiscard]] std::string constructor_symbol(const UnionConstructor& constructor);
[[nodiscard]] std::string payload_symbol(const UnionConstructor& constructor);
[[nodiscard]] std::string maker_symbol(const StructDef& def);
[[nodiscard]] std::string field_symbol(const StructField& field);
[[nodiscard]] std::string member_symbol(const EnumMember& member);
[[nodiscard]] std::string mapping_symbol(const MappingDef& mapping, Direction direction, std::string_view what);
// A name for the shape of a type, the same for integers of any bounds: `bits5`, `option.t.mreq`.
[[nodiscard]] std::string shape(TypeRef type);
// Bits of a value of the type, and of the tag of one among `count`.
[[nodiscard]] unsigned width_of(TypeRef type);
[[nodiscard]] unsigned tag_width(std::uint64_t count);
// Types of the parts of a tuple, vector or struct, in the order in which they are joined, the first one highest.
[[nodiscard]] std::vector<TypeRef> parts_of(TypeRef type);

class Translator {
 public:
    Translator() = default;

    // The sort of a type, declared in this script.
    std::string sort(TypeRef type);
    Term expression(ExprRef expr);
    std::string call(const FunctionDef& function, const std::vector<std::string>& arguments);
    std::string call_defined(const FunctionDef& function, const std::vector<std::string>& arguments);
    // The mapping as functions: `value`, `defined` (value succeeds) and `takes` (some clause fits).
    std::string apply(const MappingDef& mapping, Direction direction, const std::string& argument);
    std::string apply_defined(const MappingDef& mapping, Direction direction, const std::string& argument);
    std::string takes(const MappingDef& mapping, Direction direction, const std::string& argument);
    // Whether one clause alone fits; "false" for a clause of the other direction only.
    std::string clause_takes(const MappingClause& clause, Direction direction, const std::string& argument);
    // What holds of every value of the type though its sort has more: bounds, tags, zeros between. "true" if nothing.
    std::string invariant(TypeRef type, const std::string& term);
    // What a variable is in expressions translated from here on.
    void bind(const Local* local, const std::string& term) { bindings_[local] = term; }

    [[nodiscard]] const std::vector<std::string>& script() const { return script_; }
    [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
    struct Arm {
        PatternRef pattern = nullptr;
        ExprRef guard = nullptr;
        ExprRef body = nullptr;
    };
    struct Chain {
        std::string value;
        std::string defined;
        std::string takes;
    };

    Term refuse(SourceRange where, const std::string& what);
    std::string fresh(std::string_view stem);
    void define(const std::string& name, const std::string& parameters, const std::string& result,
                const std::string& body);
    void require(const FunctionDef& function);
    void require(const LetDef& let);
    void require(const MappingDef& mapping, Direction direction);
    void declare(TypeRef type, const std::string& name);
    struct Choice {
        unsigned tag_width = 0;
        std::uint64_t tag = 0;
        unsigned payload_width = 0;  // room for the widest
        bool has_payload = false;
    };
    void declare_product(TypeRef type, const std::string& name, const std::vector<std::string>& sorts);
    void declare_choice(const std::string& name, Choice choice, const std::string& maker, const std::string& selector,
                        TypeRef payload);

    // First arm that fits. The subject must be a symbol.
    Chain arms(const std::vector<Arm>& list, const std::string& subject);
    // Adds the conditions under which the pattern matches the subject; binds its variables in `bindings_`.
    void match(PatternRef pattern, const std::string& subject, std::vector<std::string>& conditions);
    void match_concat(const ConcatPattern& pattern, unsigned width, const std::string& subject,
                      std::vector<std::string>& conditions);
    void bind_slices();

    Term node(const Expr& expr, const Literal& literal);
    Term node(const Expr& expr, const EnumRef& ref);
    Term node(const Expr& expr, const LocalRef& ref);
    Term node(const Expr& expr, const GlobalRef& ref);
    Term node(const Expr& expr, const RegisterRef& ref);
    Term node(const Expr& expr, const Call& call);
    Term node(const Expr& expr, const MappingCall& call);
    Term node(const Expr& expr, const BuiltinCall& call);
    Term node(const Expr& expr, const Construct& construct);
    Term node(const Expr& expr, const MakeSome& some);
    Term node(const Expr& expr, const MakeNone& none);
    Term node(const Expr& expr, const Tuple& tuple);
    Term node(const Expr& expr, const VectorLiteral& vector);
    Term node(const Expr& expr, const StructLiteral& literal);
    Term node(const Expr& expr, const StructUpdate& update);
    Term node(const Expr& expr, const FieldAccess& access);
    Term node(const Expr& expr, const BitfieldMake& make);
    Term node(const Expr& expr, const BitfieldBits& bits);
    Term node(const Expr& expr, const BitfieldGet& get);
    Term node(const Expr& expr, const BitfieldUpdate& update);
    Term node(const Expr& expr, const Index& index);
    Term node(const Expr& expr, const Slice& slice);
    Term node(const Expr& expr, const IndexUpdate& update);
    Term node(const Expr& expr, const SliceUpdate& update);
    Term node(const Expr& expr, const Concat& concat);
    Term node(const Expr& expr, const If& choice);
    Term node(const Expr& expr, const Match& match);
    Term node(const Expr& expr, const Block& block);
    Term node(const Expr& expr, const Assign& assign);
    Term node(const Expr& expr, const Foreach& loop);
    Term node(const Expr& expr, const While& loop);
    Term node(const Expr& expr, const Repeat& loop);
    Term node(const Expr& expr, const Return& value);
    Term node(const Expr& expr, const Assert& assertion);

    Term apply_to(const std::string& head, const std::vector<ExprRef>& arguments);
    Term statements(const Block& block, std::size_t first);
    Term integer_builtin(const Expr& expr, Builtin builtin, const std::vector<ExprRef>& arguments,
                         const std::vector<Term>& terms, std::string defined);
    Term bits_builtin(const Expr& expr, Builtin builtin, const std::vector<ExprRef>& arguments,
                      const std::vector<Term>& terms, std::string defined);
    Term shift(const Expr& expr, Builtin builtin, const std::vector<ExprRef>& arguments, const std::vector<Term>& terms,
               std::string defined);

    std::vector<std::string> script_;
    std::vector<Diagnostic> diagnostics_;
    std::set<std::string> declared_;              // sorts, by shape
    std::set<std::string> open_;                  // being declared or defined: meeting one again is recursion
    std::map<std::string, bool> always_defined_;  // functions and mappings made so far, by symbol
    Bindings bindings_;
    // Slices of a variable met in the pattern at work, by low bit.
    std::map<const Local*, std::map<unsigned, std::string>> slices_;
    std::size_t fresh_count_ = 0;
};

}  // namespace eciscope::sailgen::smt
