// Parts of the C++ back end. Generated code consists of
//   support.hpp    the helpers that the rest is written with, the same for every specification
//   types.hpp      enums, structs and unions with their names and documentation
//   functions.hpp  constants, mappings and functions
//   fields.hpp     where each field of a message lies
// and a header of the specification's name that includes them all.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sailgen/backends.hpp"
#include "sailgen/ir.hpp"

namespace eciscope::sailgen::cpp {

// Lines of C++ with indentation.
class Writer {
 public:
    // Of lines that will stand that far to the right.
    explicit Writer(std::size_t offset = 0) : offset_(offset) {}

    void line(std::string_view text = {});  // may hold '\n'; every line is indented
    void open(std::string_view text);       // `text {`
    void close(std::string_view after = {});
    void doc(std::string_view text);      // `///` lines, wrapped
    void comment(std::string_view text);  // `//` lines, wrapped
    void indent() { ++depth_; }
    void dedent() { --depth_; }
    [[nodiscard]] std::string take() { return std::move(text_); }
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::size_t column() const { return offset_ + depth_ * 4; }

 private:
    void wrapped(std::string_view marker, std::string_view text);

    std::string text_;
    std::size_t offset_ = 0;
    std::size_t depth_ = 0;
};

inline constexpr std::size_t line_width = 120;

// How tightly the outermost operator of a piece of C++ binds; smaller binds tighter.
enum class Precedence : std::uint8_t {
    primary,
    unary,
    product,
    sum,
    shift,
    relation,
    equality,
    bit_op,
    logic,
    conditional
};

// A piece of C++ for a Sail value.
struct Code {
    std::string text;
    Precedence precedence = Precedence::primary;
    // Its C++ type is the one that type_name() gives. Otherwise it is a number of another C++ type with the right
    // value.
    bool exact = true;
    bool literal = false;        // converts without loss
    std::string_view type = {};  // the C++ type, where it is not exact but known
    char sign = 0;               // the outermost operator, if it is & | ^ or a(nd), o(r)
};

// A number of another C++ type with the right value.
[[nodiscard]] inline Code loose(std::string text, Precedence precedence = Precedence::primary) {
    return {.text = std::move(text), .precedence = precedence, .exact = false};
}

[[nodiscard]] std::string identifier(std::string_view sail_name);
[[nodiscard]] std::string type_name(TypeRef type);
[[nodiscard]] std::string quoted(std::string_view text);
[[nodiscard]] std::string joined(const std::vector<std::string>& parts, std::string_view separator);
[[nodiscard]] Code constant(const Constant& value);
[[nodiscard]] std::string in_parentheses(const Code& code, Precedence loosest);
[[nodiscard]] std::string cast_to(TypeRef type, const Code& code);
// The value as a C++ expression of the target's type; `from` is the Sail type of `code`.
[[nodiscard]] std::string converted(const Code& code, TypeRef from, TypeRef target);
[[nodiscard]] bool is_number(TypeRef type);  // held in a C++ integer
[[nodiscard]] std::string member(const EnumMember& member);
[[nodiscard]] std::string kind(const UnionConstructor& constructor);

// One thing that must hold for a row of a match.
struct Test {
    enum class Kind : std::uint8_t { member, constructor, literal, some, none, mapping };
    Kind kind = Kind::literal;
    Code value;  // what is tested
    TypeRef type = nullptr;
    const EnumMember* member = nullptr;
    const UnionConstructor* constructor = nullptr;
    Constant constant;
    const MappingDef* mapping = nullptr;
    Direction direction = Direction::forwards;
};

// What a variable of a pattern stands for.
struct Binding {
    const Local* local = nullptr;
    Code value;
    TypeRef type = nullptr;  // of the value
};

struct LocalSlice {
    const Local* local = nullptr;
    unsigned low = 0;
    Code value;
};

// A match arm with its pattern taken apart.
struct Row {
    std::vector<Test> tests;
    std::vector<Binding> bindings;
    std::vector<LocalSlice> slices;
    ExprRef guard = nullptr;
    ExprRef body = nullptr;
};
using Rows = std::vector<Row>;

// Bits of a word that decide which clause of a mapping takes it, and that clause for each of their values.
struct Selector {
    unsigned high = 0;
    unsigned low = 0;
    std::vector<std::optional<std::size_t>> clause_of_value;
};
inline constexpr unsigned widest_selector = 12;
// None if a clause asks for more than literals and images of simple mappings within so many neighbouring bits.
[[nodiscard]] std::optional<Selector> selector_of(const MappingDef& mapping);

// The parts of a concatenation and their bits, counted from the least significant.
struct Part {
    PatternRef pattern = nullptr;
    unsigned high = 0;
    unsigned low = 0;
};
[[nodiscard]] std::vector<Part> parts_of(PatternRef pattern);
[[nodiscard]] std::string mapping_function(const MappingDef& mapping, Direction direction, bool only_matches = false);
[[nodiscard]] bool mentions(std::string_view text, std::string_view name);  // as a whole word
// C++ that asks whether a number is one of the values, for a line that begins at that column.
[[nodiscard]] std::string one_of(const std::string& number, unsigned width, const std::vector<std::size_t>& values,
                                 std::size_t column);
[[nodiscard]] std::string indented(std::string_view text);  // the lines after the first by one step
// `{.a = x, .b = y}`, on one line or on one each.
[[nodiscard]] std::string braced(const std::vector<std::string>& parts, std::size_t column);

// Writes the statements of one function. Locals keep their names where these are free.
class Body {
 public:
    Body(Writer& out, const std::set<std::string>& taken, std::vector<Diagnostic>& problems)
        : out_(&out), names_(taken), problems_(problems) {}

    std::string declare(const Local& local);   // gives it a name that is free from then on in the scope
    std::string fresh(std::string_view wish);  // takes a name for the scope
    void alias(const Local& local, Code code) { locals_.insert_or_assign(&local, std::move(code)); }
    void count_uses(ExprRef root);  // of locals, to know which ones are worth a variable
    void count_uses(const MappingDef& mapping, Direction direction);

    // `return expr;`, in as many statements as reads well.
    void returned(ExprRef expr, TypeRef result);
    void discarded(ExprRef expr);
    [[nodiscard]] Code expression(ExprRef expr);
    [[nodiscard]] std::string value(ExprRef expr, TypeRef target);  // of the C++ type of `target`

    [[nodiscard]] Row row(PatternRef pattern, const Code& value, ExprRef guard, ExprRef body);
    // Each row returns, the first that fits. True if control can come out at the end.
    bool rows(Rows rows, TypeRef result, bool exhaustive);
    void bind(const Row& row);
    // What `write` writes, without indentation and the last end of line; names it takes are free again.
    [[nodiscard]] std::string written(const std::function<void()>& write);

 private:
    struct Case {
        std::string labels;
        std::string text;
        bool falls = false;
    };
    class Scope;

    void flatten(PatternRef pattern, const Code& value, Row& row);
    void join_slices(Row& row);
    bool switched(Rows group, Rows& rest, TypeRef result, bool last);
    void write_switch(const Test& subject, std::vector<Case> cases, const std::string& after, bool last);
    bool tested(Row row, TypeRef result);
    bool row_body(const Row& row, TypeRef result);
    [[nodiscard]] static std::string condition(const Test& test);
    [[nodiscard]] static std::string label(const Test& test);
    void match(const Match& match, TypeRef result);
    bool match_table(const Match& match, TypeRef result);
    void write_if(const std::string& condition, const std::string& body);
    [[nodiscard]] Rows rows_of(const Match& match);

    void returned_if(const If& node, TypeRef result);
    void discarded_if(const If& node);
    void statement(const Statement& statement);
    void let(const LetStatement& statement);
    void assign(const Assign& assign);
    void loop(const Foreach& loop);

    [[nodiscard]] Code node(const Expr& expr);
    [[nodiscard]] Code construct(const Construct& node, bool with_type);
    [[nodiscard]] Code structure(const StructLiteral& node, bool with_type);
    [[nodiscard]] Code vector(const VectorLiteral& node, TypeRef type);
    [[nodiscard]] Code concat(const Concat& node);
    [[nodiscard]] Code conditional(const If& node, TypeRef type);
    [[nodiscard]] Code index(const Index& node);
    [[nodiscard]] Code changed(const Expr& expr);  // copies with a change
    [[nodiscard]] Code in_lambda(const Expr& expr);
    [[nodiscard]] Code builtin(const BuiltinCall& call, TypeRef type);
    [[nodiscard]] Code arithmetic(std::string_view sign, Precedence precedence, const BuiltinCall& call, TypeRef type);
    [[nodiscard]] Code compared(std::string_view sign, const BuiltinCall& call);
    [[nodiscard]] Code bitwise(std::string_view sign, const BuiltinCall& call, TypeRef type);
    [[nodiscard]] static bool is_simple(ExprRef expr);
    void problem(SourceRange where, std::string message);

    Writer* out_;
    std::set<std::string> names_;
    std::vector<Diagnostic>& problems_;
    std::map<const Local*, Code> locals_;
    std::map<const Local*, std::size_t> uses_;
    TypeRef result_ = nullptr;  // of the function
    unsigned lambdas_ = 0;
};

// A message layout: one clause of a mapping from a union to words whose payload is a struct.
struct LayoutField {
    const StructField* field = nullptr;
    unsigned high = 0;
    unsigned low = 0;
};
struct Layout {
    const MappingDef* mapping = nullptr;  // null if the layout follows from the struct alone
    const UnionConstructor* constructor = nullptr;
    const StructDef* structure = nullptr;
    std::string doc;
    std::vector<LayoutField> fields;  // most significant first
};
[[nodiscard]] std::vector<Layout> layouts_of(const Program& program);

// What all files need to know.
struct Unit {
    const Program& program;
    std::string space;              // the namespace
    std::set<std::string> globals;  // names of functions, mappings, constants and types
    std::vector<Diagnostic> problems;
};

[[nodiscard]] std::string support_text();
void write_types(Writer& out, Unit& unit);
void write_functions(Writer& out, Unit& unit);
void write_mapping(Writer& out, Unit& unit, const MappingDef& mapping);
void write_fields(Writer& out, Unit& unit);

}  // namespace eciscope::sailgen::cpp
