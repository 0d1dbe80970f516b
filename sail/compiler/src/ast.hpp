// The syntax tree: names not yet resolved. Expressions, patterns and types share one node, since Sail writes them
// alike: `f(x)` is a call, a constructor pattern or a type.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sailgen/source.hpp"

namespace eciscope::sailgen::ast {

enum class Kind : std::uint8_t {
    error,
    name,
    wildcard,
    type_variable,
    number,
    bits,  // text: binary digits
    string,
    unit,
    boolean,  // text: true, false
    bit,      // text: bitzero, bitone
    apply,    // text(kids…)
    tuple,
    typed,        // kid : type
    as,           // kid as text
    index,        // kids: base, index
    slice,        // kids: base, high, low
    field,        // kid.text
    infix,        // kids: left, right; text: operator
    concat,       // kids: parts
    conditional,  // kids: condition, then, else (may be null)
    match,        // kids: scrutinee, arms
    arm,          // kids: pattern, guard (may be null), body
    block,        // kids: statements
    let,          // kids: pattern, value, body (may be null)
    var,          // text: name; kids: type (may be null), value, body (may be null)
    assign,       // kids: place, value
    foreach,      // text: variable; kids: from, to, step (may be null), body; is_down
    while_loop,   // kids: condition, body
    repeat_loop,  // kids: body, condition
    returning,
    assertion,       // kids: condition, message (may be null)
    struct_literal,  // kids: field_init, wildcard
    struct_update,   // kids: base, field_init…
    field_init,      // text = kid
    vector,          // [kids]
    vector_update,   // kids: base, then changes: assign of index/slice/name
    function_type,   // kids: argument, result
    mapping_type,    // kids: left, right
};

struct Node {
    Kind kind = Kind::error;
    SourceRange where;
    std::string text;
    std::vector<Node*> kids;
    bool is_down = false;
    bool in_parentheses = false;
    unsigned depth = 1;
};

// A member, field, constructor, clause: whatever a definition lists.
struct Part {
    std::string name;
    SourceRange where;  // of the name; of a mapping or function clause
    std::string doc;
    Node* type = nullptr;  // field, constructor
    Node* high = nullptr;  // bitfield
    Node* low = nullptr;
};

enum class ClauseKind : std::uint8_t { both, forwards, backwards };

struct MappingClause {
    ClauseKind kind = ClauseKind::both;
    SourceRange where;
    std::string doc;
    Node* left = nullptr;  // for one direction: its pattern
    Node* left_guard = nullptr;
    Node* right = nullptr;  // for one direction: its expression
    Node* right_guard = nullptr;
};

enum class DefKind : std::uint8_t {
    default_order,
    synonym,
    enumeration,
    structure,
    union_type,
    bitfield,
    let,
    reg,
    val,
    function,
    mapping,
    overload,
    scattered_union,
    scattered_enum,
    scattered_function,
    scattered_mapping,
    union_clause,
    enum_clause,
    function_clause,
    mapping_clause,
    end,
    include_prelude,
    include_equality,
};

struct Def {
    DefKind kind = DefKind::end;
    std::string name;
    SourceRange where;  // of the name
    std::string doc;
    bool is_partial = false;
    bool is_property = false;
    bool is_counterexample = false;
    std::vector<Part> parts;
    std::vector<Part> parameters;  // of a synonym: type variables
    bool is_int = false;           // synonym of kind Int
    Node* type = nullptr;          // synonym, bitfield, val, mapping
    Node* pattern = nullptr;       // let; a function's arguments as tuple
    Node* result = nullptr;        // function with a result type
    Node* body = nullptr;
    std::vector<MappingClause> clauses;
    std::vector<Part> names;  // overload
};

struct Tree {
    std::deque<Node> nodes;
    std::vector<Def> defs;
    // Names of definitions that could not be parsed: using them is no further error.
    std::vector<std::string> broken_names;
};

}  // namespace eciscope::sailgen::ast
