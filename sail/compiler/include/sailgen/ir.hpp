// The typed form of a Sail program that the evaluator and all back ends share.
//
// Everything is resolved: names are pointers to what they name, type synonyms are gone from types, every bit vector has
// its width, every mapping call its direction. All nodes live in the Program's arenas and are immutable after
// compile(); pointers stay valid while the Program lives, also when it is moved. Types are interned: equal types are
// the same pointer.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sailgen/source.hpp"

namespace eciscope::sailgen {

struct Type;
struct Expr;
struct Pattern;
struct EnumDef;
struct StructDef;
struct UnionDef;
struct BitfieldDef;
struct FunctionDef;
struct MappingDef;
struct LetDef;
struct RegisterDef;

using TypeRef = const Type*;
using ExprRef = const Expr*;
using PatternRef = const Pattern*;

// ---------------------------------------------------------------------------------------------------------- types

enum class TypeKind : std::uint8_t {
    error,  // never in a finished Program
    unit,
    boolean,
    bit,      // Sail's `bit`, which is not bits(1)
    integer,  // int, nat and range(a, b), told apart by the bounds
    bits,
    string,
    tuple,
    vector,
    option,
    enumeration,
    structure,
    union_type,
    bitfield,
};

struct Type {
    TypeKind kind = TypeKind::error;
    unsigned width = 0;                // bits: 1 .. 64 (and 0 for an empty vector)
    std::optional<std::int64_t> low;   // integer: the inclusive lower bound; none is unbounded (held in 64 bits)
    std::optional<std::int64_t> high;  // integer: the inclusive upper bound
    std::uint64_t length = 0;          // vector
    std::vector<TypeRef> elements;     // tuple: the parts; vector and option: one element
    const EnumDef* enum_def = nullptr;
    const StructDef* struct_def = nullptr;
    const UnionDef* union_def = nullptr;
    const BitfieldDef* bitfield_def = nullptr;
};

// The type as Sail writes it: `bits(5)`, `(msg, bool)`, `range(0, 4)`.
[[nodiscard]] std::string to_string(TypeRef type);

// ---------------------------------------------------------------------------------------------------- definitions

// What every definition and part of one carries. `doc` is the text of the `/*! */` before it, or for a part the `//!`
// comments on its line or the lines before it: markers removed, lines joined by '\n', ends trimmed.
struct Named {
    std::string name;
    std::string doc;
    SourceRange where;  // of the name
};

struct EnumMember : Named {
    const EnumDef* owner = nullptr;
    std::size_t index = 0;
};

struct EnumDef : Named {
    TypeRef type = nullptr;
    std::vector<const EnumMember*> members;
};

struct StructField : Named {
    const StructDef* owner = nullptr;
    std::size_t index = 0;
    TypeRef type = nullptr;
};

struct StructDef : Named {
    TypeRef type = nullptr;
    std::vector<const StructField*> fields;
};

struct UnionConstructor : Named {
    const UnionDef* owner = nullptr;
    std::size_t index = 0;
    TypeRef payload = nullptr;  // `B : (T, U)` has the tuple, `C : unit` has unit
};

struct UnionDef : Named {
    TypeRef type = nullptr;
    std::vector<const UnionConstructor*> constructors;
};

struct BitfieldField : Named {
    const BitfieldDef* owner = nullptr;
    std::size_t index = 0;
    unsigned high = 0;
    unsigned low = 0;
};

struct BitfieldDef : Named {
    TypeRef type = nullptr;
    unsigned width = 0;
    std::vector<const BitfieldField*> fields;  // may overlap and leave gaps
};

// `type word = bits(64)` or, with `length` set instead of `type`, `type n : Int = 4`. Kept for documentation: types in
// the rest of the program never refer to it. A synonym with parameters has neither.
struct SynonymDef : Named {
    TypeRef type = nullptr;
    std::optional<std::int64_t> length;
};

struct Local {
    std::string name;  // as written; made ones (an argument bound by a pattern) are `arg0`, `arg1`, …
    TypeRef type = nullptr;
    std::size_t id = 0;  // index in the `locals` of the definition or mapping clause it belongs to
    bool is_mutable = false;
    SourceRange where;
};

using Locals = std::vector<const Local*>;

struct LetDef : Named {
    TypeRef type = nullptr;
    ExprRef value = nullptr;
    Locals locals;
};

struct RegisterDef : Named {
    TypeRef type = nullptr;
    ExprRef initial = nullptr;  // may be null: starts as zero, false, the first member, …
    Locals locals;
};

// A function has plain locals as parameters. Arguments written as patterns, and the clauses of a scattered function,
// are a Match over the parameters (a Tuple of LocalRef when there are several). `f()` has no parameters.
struct FunctionDef : Named {
    std::vector<const Local*> parameters;
    TypeRef result = nullptr;
    ExprRef body = nullptr;
    Locals locals;  // parameters included
    // Calls no print function, reads or writes no register, directly or through others.
    bool is_pure = true;
    // Marked for SMT by a `$property` or `$counterexample` line before it.
    bool is_property = false;
    bool is_counterexample = false;
};

enum class Direction : std::uint8_t { forwards, backwards };

// One direction of a clause as a match arm: if `pattern` matches and `guard` (may be null) holds, the result is `body`.
struct MappingArm {
    PatternRef pattern = nullptr;
    ExprRef guard = nullptr;
    ExprRef body = nullptr;
};

struct MappingClause {
    std::string doc;
    SourceRange where;
    // Both sides as written; null in a `forwards p => e` or `backwards p => e` clause. The variables of the two sides
    // are the same Locals.
    PatternRef left = nullptr;
    PatternRef right = nullptr;
    // The same, lowered for execution: first arm that fits, in clause order. At least one is there.
    std::optional<MappingArm> forwards;
    std::optional<MappingArm> backwards;
    Locals locals;
    // The last clause, of variables only: it takes what the clauses above leave.
    bool is_catch_all = false;
};

struct MappingDef : Named {
    TypeRef left = nullptr;
    TypeRef right = nullptr;
    std::vector<MappingClause> clauses;
    // Every value of the side is taken by some clause (shown by the checker; guards count as failing).
    bool left_total = false;
    bool right_total = false;
    bool is_partial = false;  // `$[partial]`: may leave constructors or words out
    bool is_pure = true;
};

using Definition =
    std::variant<const SynonymDef*, const EnumDef*, const StructDef*, const UnionDef*, const BitfieldDef*,
                 const LetDef*, const RegisterDef*, const FunctionDef*, const MappingDef*>;

// -------------------------------------------------------------------------------------------------------- constants

struct UnitValue {};

struct BitValue {
    bool set = false;
};

struct BitsValue {
    unsigned width = 0;
    std::uint64_t value = 0;  // bits above width are zero
};

using Constant = std::variant<UnitValue, bool, BitValue, std::int64_t, BitsValue, std::string>;

// ------------------------------------------------------------------------------------------------------ expressions

// Library functions and operators. Argument types are in the arguments, the result type in the Expr. Integers are
// signed 64-bit: leaving that range is an error of evaluation, never a wrap.
enum class Builtin : std::uint8_t {
    // int, int -> int
    add_int,
    sub_int,
    mul_int,
    div_int,  // towards zero
    mod_int,  // sign of the dividend
    pow_int,  // exponent not negative
    min_int,
    max_int,
    neg_int,  // int -> int
    abs_int,
    // int, int -> bool
    lt_int,
    le_int,
    gt_int,
    ge_int,
    // T, T -> bool, both of the same type (integers with any bounds), structural
    equal,
    not_equal,
    // bool
    and_bool,  // the right side is evaluated only if needed
    or_bool,
    not_bool,
    // bits(n), bits(n) -> bits(n), wrapping
    and_bits,
    or_bits,
    xor_bits,
    add_bits,
    sub_bits,
    // bits(n) -> bits(n)
    not_bits,
    // bits(n), int -> bits(n), wrapping
    add_bits_int,
    // bits(n), int -> bits(n): by n or more gives zeros; a negative distance is an error
    shift_left,
    shift_right,
    arith_shift_right,  // copies the top bit in
    // bits(n) -> bits(m), m in the result type; the second argument of the Sail function is gone
    zero_extend,
    sign_extend,
    truncate,
    replicate,     // bits(n), int -> bits(n * k), k in the result type and gone
    zeros,         // () -> bits(m)
    ones,          // () -> bits(m)
    unsigned_of,   // bits(n) -> int
    signed_of,     // bits(n) -> int
    slice_of_int,  // get_slice_int(n, i, lo): bits lo + n - 1 .. lo of i in two's complement; arguments i, lo
    num_of_enum,   // E -> int, from 0
    enum_of_num,   // int -> E, out of range is an error
    is_some,       // option(T) -> bool
    is_none,
    // -> unit, to the evaluator's sink
    print,          // string
    print_endline,  // string
    print_int,      // string, int
    print_bits,     // string, bits(n)
};

[[nodiscard]] std::string_view to_string(Builtin builtin);

struct Literal {
    Constant value;
};
struct EnumRef {
    const EnumMember* member = nullptr;
};
struct LocalRef {
    const Local* local = nullptr;
};
struct GlobalRef {
    const LetDef* let = nullptr;
};
struct RegisterRef {
    const RegisterDef* reg = nullptr;
};
struct Call {
    const FunctionDef* function = nullptr;
    std::vector<ExprRef> arguments;
};
// m(x), with `only_matches` m_forwards_matches(x) or m_backwards_matches(x) : bool.
struct MappingCall {
    const MappingDef* mapping = nullptr;
    Direction direction = Direction::forwards;
    bool only_matches = false;
    ExprRef argument = nullptr;
};
struct BuiltinCall {
    Builtin builtin = Builtin::equal;
    std::vector<ExprRef> arguments;
};
// B(x, y) has a Tuple as payload, C() the unit literal.
struct Construct {
    const UnionConstructor* constructor = nullptr;
    ExprRef payload = nullptr;
};
struct MakeSome {
    ExprRef payload = nullptr;
};
struct MakeNone {};
struct Tuple {
    std::vector<ExprRef> elements;
};
// [a, b, c], first element at the highest index. Of type vector(n, T), or bits(n) when the elements are `bit`.
struct VectorLiteral {
    std::vector<ExprRef> elements;
};
struct StructLiteral {
    const StructDef* def = nullptr;
    std::vector<ExprRef> fields;  // in the order of declaration, all of them
};
struct FieldUpdate {
    const StructField* field = nullptr;
    ExprRef value = nullptr;
};
struct StructUpdate {
    ExprRef base = nullptr;
    std::vector<FieldUpdate> updates;
};
struct FieldAccess {
    ExprRef base = nullptr;
    const StructField* field = nullptr;
};
struct BitfieldMake {  // Mk_F(v), struct { bits = v }
    const BitfieldDef* def = nullptr;
    ExprRef bits = nullptr;
};
struct BitfieldBits {  // x.bits
    ExprRef base = nullptr;
};
struct BitfieldGet {  // x[field] : bits(high - low + 1)
    ExprRef base = nullptr;
    const BitfieldField* field = nullptr;
};
struct BitfieldChange {
    const BitfieldField* field = nullptr;
    ExprRef value = nullptr;
};
struct BitfieldUpdate {  // [x with field = e, …], from left to right
    ExprRef base = nullptr;
    std::vector<BitfieldChange> updates;
};
struct Index {  // base is bits(n), giving bit, or vector(n, T), giving T; the index is proved to be inside
    ExprRef base = nullptr;
    ExprRef index = nullptr;
};
struct Slice {  // base is bits(n), n > high >= low
    ExprRef base = nullptr;
    unsigned high = 0;
    unsigned low = 0;
};
struct IndexUpdate {  // [base with index = value]
    ExprRef base = nullptr;
    ExprRef index = nullptr;
    ExprRef value = nullptr;
};
struct SliceUpdate {  // [base with high .. low = value]
    ExprRef base = nullptr;
    unsigned high = 0;
    unsigned low = 0;
    ExprRef value = nullptr;
};
struct Concat {  // a @ b @ c, flattened, most significant first; bits only
    std::vector<ExprRef> parts;
};
struct If {
    ExprRef condition = nullptr;
    ExprRef then_value = nullptr;
    ExprRef else_value = nullptr;  // the unit literal when not written
};
struct MatchArm {
    PatternRef pattern = nullptr;
    ExprRef guard = nullptr;  // may be null
    ExprRef body = nullptr;
};
struct Match {  // exhaustive, no arm unreachable
    ExprRef scrutinee = nullptr;
    std::vector<MatchArm> arms;
};
struct LetStatement {  // the pattern always matches
    PatternRef pattern = nullptr;
    ExprRef value = nullptr;
};
struct VarStatement {
    const Local* local = nullptr;
    ExprRef value = nullptr;
};
using Statement = std::variant<ExprRef, LetStatement, VarStatement>;  // an ExprRef is of type unit
struct Block {
    std::vector<Statement> statements;
    ExprRef result = nullptr;  // the unit literal when the block ends in a let or var
};
// What an assignment writes to: a variable or register, then steps from the outside in (`x.f[3]` is field f, index 3).
struct FieldStep {
    const StructField* field = nullptr;
};
struct IndexStep {
    ExprRef index = nullptr;
};
struct SliceStep {
    unsigned high = 0;
    unsigned low = 0;
};
struct BitfieldStep {
    const BitfieldField* field = nullptr;
};
struct BitfieldBitsStep {};
using PlaceStep = std::variant<FieldStep, IndexStep, SliceStep, BitfieldStep, BitfieldBitsStep>;
struct Assign {
    std::variant<const Local*, const RegisterDef*> root;
    std::vector<PlaceStep> steps;
    ExprRef value = nullptr;
};
struct Foreach {  // both bounds included; `step` is positive also when downwards
    const Local* variable = nullptr;
    ExprRef from = nullptr;
    ExprRef to = nullptr;
    ExprRef step = nullptr;
    bool downwards = false;
    ExprRef body = nullptr;
};
struct While {
    ExprRef condition = nullptr;
    ExprRef body = nullptr;
};
struct Repeat {  // until the condition holds
    ExprRef body = nullptr;
    ExprRef condition = nullptr;
};
struct Return {  // its own type is whatever the place wants
    ExprRef value = nullptr;
};
struct Assert {
    ExprRef condition = nullptr;
    ExprRef message = nullptr;  // of type string
};

using ExprNode =
    std::variant<Literal, EnumRef, LocalRef, GlobalRef, RegisterRef, Call, MappingCall, BuiltinCall, Construct,
                 MakeSome, MakeNone, Tuple, VectorLiteral, StructLiteral, StructUpdate, FieldAccess, BitfieldMake,
                 BitfieldBits, BitfieldGet, BitfieldUpdate, Index, Slice, IndexUpdate, SliceUpdate, Concat, If, Match,
                 Block, Assign, Foreach, While, Repeat, Return, Assert>;

struct Expr {
    TypeRef type = nullptr;
    SourceRange where;
    ExprNode node;
};

// --------------------------------------------------------------------------------------------------------- patterns

struct WildcardPattern {};
struct BindPattern {
    const Local* local = nullptr;
};
struct LiteralPattern {
    Constant value;
};
struct EnumPattern {
    const EnumMember* member = nullptr;
};
struct ConstructorPattern {  // the payload of `C()` is the unit literal, of `B(p, q)` a tuple pattern
    const UnionConstructor* constructor = nullptr;
    PatternRef payload = nullptr;
};
struct SomePattern {
    PatternRef payload = nullptr;
};
struct NonePattern {};
struct TuplePattern {
    std::vector<PatternRef> elements;
};
struct StructPattern {
    const StructDef* def = nullptr;
    std::vector<PatternRef> fields;  // in the order of declaration; those left to `_` are wildcards
};
struct BitfieldPattern {  // struct { bits = p }
    const BitfieldDef* def = nullptr;
    PatternRef bits = nullptr;
};
struct AsPattern {
    PatternRef pattern = nullptr;
    const Local* local = nullptr;
};
struct VectorPattern {  // [p, q], first at the highest index; the value is vector(n, T) or bits(n)
    std::vector<PatternRef> elements;
};
struct ConcatPattern {  // p @ q, flattened, most significant first; each part's width is in its type
    std::vector<PatternRef> parts;
};
// m(p): the value is put through m in `direction`; if some clause takes it, p is matched with the result. For a decoder
// `encdec : msg <-> word` matched with a word the direction is backwards.
struct MappingPattern {
    const MappingDef* mapping = nullptr;
    Direction direction = Direction::forwards;
    PatternRef inner = nullptr;
};
// x[high .. low] in a mapping clause: the value becomes these bits of x. All slices of x in the pattern cover x
// exactly.
struct SlicePattern {
    const Local* local = nullptr;
    unsigned high = 0;
    unsigned low = 0;
};

using PatternNode = std::variant<WildcardPattern, BindPattern, LiteralPattern, EnumPattern, ConstructorPattern,
                                 SomePattern, NonePattern, TuplePattern, StructPattern, BitfieldPattern, AsPattern,
                                 VectorPattern, ConcatPattern, MappingPattern, SlicePattern>;

struct Pattern {
    TypeRef type = nullptr;
    SourceRange where;
    PatternNode node;
};

// ---------------------------------------------------------------------------------------------------------- program

// Owner of every node. Deques keep addresses when they grow and when the Program is moved.
struct Arenas {
    std::deque<Type> types;
    std::deque<Expr> exprs;
    std::deque<Pattern> patterns;
    std::deque<Local> locals;
    std::deque<EnumMember> enum_members;
    std::deque<EnumDef> enums;
    std::deque<StructField> struct_fields;
    std::deque<StructDef> structs;
    std::deque<UnionConstructor> constructors;
    std::deque<UnionDef> unions;
    std::deque<BitfieldField> bitfield_fields;
    std::deque<BitfieldDef> bitfields;
    std::deque<SynonymDef> synonyms;
    std::deque<LetDef> lets;
    std::deque<RegisterDef> registers;
    std::deque<FunctionDef> functions;
    std::deque<MappingDef> mappings;
};

struct Program {
    Program() = default;
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    Program(Program&&) = default;
    Program& operator=(Program&&) = default;
    ~Program() = default;

    SourceMap sources;
    // In the order of the source, included files where they are included. A scattered union or enum stands where it is
    // opened, a scattered function or mapping where it is ended, a function with an earlier `val` where its body is.
    std::vector<Definition> definitions;
    Arenas arenas;

    [[nodiscard]] const FunctionDef* find_function(std::string_view name) const;
    [[nodiscard]] const MappingDef* find_mapping(std::string_view name) const;
    [[nodiscard]] const EnumDef* find_enum(std::string_view name) const;
    [[nodiscard]] const StructDef* find_struct(std::string_view name) const;
    [[nodiscard]] const UnionDef* find_union(std::string_view name) const;
};

}  // namespace eciscope::sailgen
