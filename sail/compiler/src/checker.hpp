// Name resolution and type checking: the syntax tree becomes the typed program.
//
// The type of what was reported wrong is the error type, which agrees with every other: one mistake, one diagnostic.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "ast.hpp"
#include "cubes.hpp"
#include "sailgen/compiler.hpp"
#include "sailgen/ir.hpp"
#include "types.hpp"

namespace eciscope::sailgen {

struct BuiltinSignature;

class Checker {
 public:
    Checker(Program& program, std::vector<Diagnostic>& diagnostics, const CompileOptions& options);

    void check_program(const ast::Tree& tree);

 private:
    using Node = ast::Node;

    // ------------------------------------------------------------------------------------------------- names

    struct FunctionSymbol {
        FunctionDef* def = nullptr;
        std::vector<TypeRef> parameters;
        std::vector<const ast::Def*> clauses;  // of a scattered function
        bool is_open = false;                  // scattered, `end` not yet seen
        bool has_body = false;
    };
    struct MappingSymbol {
        MappingDef* def = nullptr;
        std::vector<const ast::MappingClause*> clauses;
        bool is_open = false;
        bool has_body = false;
        bool is_complete = false;  // its clauses are checked
    };
    struct OverloadSymbol {
        std::vector<std::string> alternatives;
    };
    // A name whose definition was refused.
    struct BrokenSymbol {};
    using Symbol = std::variant<BrokenSymbol, const EnumMember*, const UnionConstructor*, FunctionSymbol*,
                                MappingSymbol*, const LetDef*, const RegisterDef*, OverloadSymbol*>;

    struct TypeSymbol {
        TypeRef type = nullptr;              // null for an Int synonym or one with parameters
        std::optional<std::int64_t> length;  // Int synonym
        const ast::Def* parametric = nullptr;
        SourceRange where;
    };

    struct SymbolEntry {
        Symbol symbol;
        SourceRange where;
    };

    void error(SourceRange where, std::string message, std::vector<Note> notes = {});
    void unknown_name(SourceRange where, const std::string& name, std::string_view what,
                      const std::vector<std::string>& candidates);
    [[nodiscard]] std::vector<std::string> value_names() const;
    [[nodiscard]] std::vector<std::string> type_names() const;
    [[nodiscard]] const Symbol* find_symbol(const std::string& name) const;
    bool declare(const std::string& name, SourceRange where, Symbol symbol);
    bool declare_type(const std::string& name, SourceRange where, TypeSymbol symbol);
    [[nodiscard]] bool need_prelude(SourceRange where, const std::string& what);

    // ----------------------------------------------------------------------------------------------- definitions

    void definition(const ast::Def& def);
    void synonym(const ast::Def& def);
    void enumeration(const ast::Def& def);
    void enum_clause(const ast::Def& def);
    void add_member(EnumDef& target, const ast::Part& part);
    void structure(const ast::Def& def);
    void union_type(const ast::Def& def);
    void union_clause(const ast::Def& def);
    void add_constructor(UnionDef& target, const ast::Part& part);
    void bitfield(const ast::Def& def);
    void add_bitfield_field(BitfieldDef& target, const ast::Part& part);
    void let_definition(const ast::Def& def);
    void register_definition(const ast::Def& def);
    void val(const ast::Def& def);
    void overload(const ast::Def& def);
    void open_scattered(const ast::Def& def);
    void end_scattered(const ast::Def& def);
    void report_left_open();
    void report_partial_calls();
    void mark_impure();

    FunctionSymbol* declare_function(const ast::Def& def, std::vector<TypeRef> parameters, TypeRef result);
    FunctionSymbol* function_for_body(const ast::Def& def);
    void function(const ast::Def& def);
    void function_clause(const ast::Def& def);
    void function_body(FunctionSymbol& symbol, const std::vector<const ast::Def*>& clauses);
    void direct_parameters(FunctionSymbol& symbol, const ast::Def& clause);
    ExprRef clauses_as_match(FunctionSymbol& symbol, const std::vector<const ast::Def*>& clauses);
    [[nodiscard]] std::vector<Node*> clause_arguments(const FunctionSymbol& symbol, const ast::Def& clause) const;

    MappingSymbol* declare_mapping(const ast::Def& def, TypeRef left, TypeRef right);
    void mapping(const ast::Def& def);
    void mapping_clause(const ast::Def& def);
    [[nodiscard]] std::pair<TypeRef, TypeRef> mapping_sides(const Node& signature);

    // ----------------------------------------------------------------------------------------------------- types

    using TypeArguments = std::map<std::string, const Node*>;
    TypeRef resolve_type(const Node& node);
    TypeRef resolve_named_type(const Node& node);
    TypeRef resolve_applied_type(const Node& node);
    TypeRef resolve_parametric(const Node& node, const ast::Def& def);
    TypeRef bits_type(const Node& node);
    TypeRef limited(TypeRef type, SourceRange where);
    std::optional<std::int64_t> resolve_length(const Node& node);

    // ----------------------------------------------------------------------------------------------- expressions

    // What an enclosing construct wants; null is anything. The result's type may differ: check() reports that.
    ExprRef synth(const Node& node, TypeRef wanted);
    ExprRef leaf(const Node& node);
    ExprRef infer(const Node& node) { return synth(node, nullptr); }
    ExprRef check(const Node& node, TypeRef wanted);
    ExprRef check_agrees(ExprRef expr, TypeRef wanted);

    ExprRef make(TypeRef type, SourceRange where, ExprNode node);
    ExprRef broken(SourceRange where);
    ExprRef unit_literal(SourceRange where);

    ExprRef number(const Node& node);
    ExprRef bits_literal(const Node& node);
    ExprRef name(const Node& node);
    ExprRef symbol_value(const Node& node, const Symbol& symbol);
    ExprRef tuple(const Node& node, TypeRef wanted);
    ExprRef typed(const Node& node);
    ExprRef conditional(const Node& node, TypeRef wanted);
    ExprRef match(const Node& node, TypeRef wanted);
    ExprRef block(const Node& node, TypeRef wanted);
    ExprRef local_definition(const Node& node, TypeRef wanted);
    Statement let_statement(const Node& node);
    Statement var_statement(const Node& node);
    ExprRef assign(const Node& node);
    TypeRef place(const Node& node, Assign& target);
    TypeRef place_root(const Node& node, Assign& target);
    ExprRef foreach (const Node& node);
    ExprRef loop(const Node& node);
    ExprRef returning(const Node& node, TypeRef wanted);
    ExprRef assertion(const Node& node);
    ExprRef struct_literal(const Node& node, TypeRef wanted);
    ExprRef struct_update(const Node& node, TypeRef wanted);
    ExprRef field(const Node& node);
    ExprRef vector(const Node& node, TypeRef wanted);
    ExprRef vector_update(const Node& node, TypeRef wanted);
    ExprRef vector_change(const Node& change, ExprRef base);
    ExprRef bitfield_update(const Node& node, ExprRef base);
    ExprRef index(const Node& node);
    ExprRef slice(const Node& node);
    ExprRef concat(const Node& node);
    ExprRef checked_index(const Node& node, TypeRef base);
    std::optional<std::pair<unsigned, unsigned>> slice_bounds(const Node& high, const Node& low, TypeRef base,
                                                              SourceRange where);
    const StructDef* struct_of(const Node& node, TypeRef wanted);
    const StructField* find_field(const StructDef& def, const std::string& name, SourceRange where);
    const BitfieldField* find_bitfield_field(const BitfieldDef& def, const std::string& name, SourceRange where);

    // Calls and operators.
    ExprRef apply(const Node& node, TypeRef wanted);
    ExprRef call_symbol(const Node& node, const Symbol& symbol);
    ExprRef call_function(const Node& node, FunctionSymbol& symbol);
    ExprRef construct(const Node& node, const UnionConstructor& constructor);
    ExprRef make_option(const Node& node, TypeRef wanted);
    ExprRef call_mapping(const Node& node, MappingSymbol& symbol);
    ExprRef call_helper(const Node& node, TypeRef wanted);
    ExprRef call_mapping_helper(const Node& node);
    ExprRef call_overload(const Node& node, const OverloadSymbol& overload);
    ExprRef call_alternative(const Node& node, const std::string& name, const std::vector<ExprRef>& arguments);
    ExprRef call_builtin(SourceRange where, const BuiltinSignature& signature, const std::vector<ExprRef>& arguments);
    ExprRef infix(const Node& node);
    ExprRef builtin_operator(const Node& node, ExprRef left, ExprRef right);
    ExprRef equality(const Node& node, ExprRef left, ExprRef right);
    ExprRef arithmetic(const Node& node, ExprRef left, ExprRef right);
    ExprRef logic(const Node& node, ExprRef left, ExprRef right);
    ExprRef power(const Node& node, ExprRef left, ExprRef right);
    ExprRef int_builtin(Builtin builtin, SourceRange where, std::vector<ExprRef> arguments);
    [[nodiscard]] bool builtin_accepts(const BuiltinSignature& signature, const std::vector<ExprRef>& arguments) const;
    bool check_arity(const Node& node, std::size_t wanted);

    // -------------------------------------------------------------------------------------------------- patterns

    PatternRef pattern(const Node& node, TypeRef type);
    PatternRef pattern_of_kind(const Node& node, TypeRef type);
    PatternRef make_pattern(TypeRef type, SourceRange where, PatternNode node);
    PatternRef broken_pattern(SourceRange where);
    PatternRef name_pattern(const Node& node, TypeRef type);
    PatternRef literal_pattern(const Node& node, TypeRef type);
    PatternRef apply_pattern(const Node& node, TypeRef type);
    PatternRef constructor_pattern(const Node& node, const UnionConstructor& constructor, TypeRef type);
    PatternRef option_pattern(const Node& node, TypeRef type);
    PatternRef mapping_pattern(const Node& node, const MappingSymbol& symbol, TypeRef type);
    PatternRef payload_pattern(const Node& node, TypeRef payload);
    PatternRef tuple_pattern(const Node& node, const std::vector<Node*>& kids, TypeRef type);
    PatternRef struct_pattern(const Node& node, TypeRef type);
    PatternRef bitfield_pattern(const Node& node, TypeRef type);
    PatternRef vector_pattern(const Node& node, TypeRef type);
    PatternRef concat_pattern(const Node& node, TypeRef type);
    PatternRef slice_pattern(const Node& node, TypeRef type);
    PatternRef bind(const std::string& name, SourceRange where, TypeRef type);
    PatternRef mismatch(const Node& node, TypeRef type, const std::string& what);
    void report_width(const Node& node, unsigned wanted, const std::vector<std::optional<unsigned>>& widths);
    std::optional<unsigned> part_width(const Node& node);
    Local* add_local(const std::string& name, SourceRange where, TypeRef type, bool is_mutable);
    [[nodiscard]] const Local* find_local(const std::string& name) const;
    void check_always_matches(PatternRef pattern, std::string_view what);

    // -------------------------------------------------------------------------------------------------- mappings

    // How one side of a clause uses a variable.
    struct VariableUse {
        SourceRange where;
        bool is_whole = false;
        std::uint64_t bits = 0;  // those its slices cover
    };
    struct ClauseVariable {
        Local* local = nullptr;
        TypeRef type = nullptr;     // from where it stands whole, or its annotation
        unsigned sliced_width = 0;  // else: one above the highest bit of a slice
        std::optional<VariableUse> use[2];
    };
    struct ClauseScope {
        std::map<std::string, ClauseVariable> variables;
        std::size_t side = 0;
    };

    void mapping_body(MappingSymbol& symbol);
    void check_clause(MappingSymbol& symbol, const ast::MappingClause& clause);
    void two_way_clause(MappingSymbol& symbol, const ast::MappingClause& clause, MappingClause& result);
    void one_way_clause(MappingSymbol& symbol, const ast::MappingClause& clause, MappingClause& result);
    void gather(const Node& node, TypeRef type);
    void gather_parts(const std::vector<Node*>& parts, const std::vector<TypeRef>& types);
    void gather_variable(const std::string& name, TypeRef type);
    void gather_apply(const Node& node, TypeRef type);
    void gather_struct(const Node& node, TypeRef type);
    PatternRef use_variable(const std::string& name, SourceRange where, TypeRef type);
    Local* clause_local(ClauseVariable& variable, const std::string& name, SourceRange where);
    void check_variables();
    void check_sides_agree(const std::string& name, const ClauseVariable& variable);

    ExprRef build(PatternRef pattern);
    void check_overlaps(const MappingDef& def, bool on_left);
    void check_coverage(MappingDef& def, bool on_left);
    [[nodiscard]] CubeSet cubes_of(PatternRef pattern) const;
    [[nodiscard]] CubeSet cubes_of_mapping(const MappingPattern& pattern) const;

    // ------------------------------------------------------------------------------------------------- state

    struct Effects {
        bool is_impure = false;
        std::set<const void*> callees;  // FunctionDef or MappingDef
    };
    struct PartialCall {
        const MappingSymbol* mapping = nullptr;
        Direction direction = Direction::forwards;
        SourceRange where;
    };
    // Locals, return type and effects belong to the definition being checked.
    void begin_body(Locals& locals, const void* owner, TypeRef return_type);

    Program& program_;
    std::vector<Diagnostic>& diagnostics_;
    CompileOptions options_;
    TypeTable types_;
    std::unordered_map<std::string, SymbolEntry> symbols_;
    std::unordered_map<std::string, TypeSymbol> type_symbols_;
    std::deque<FunctionSymbol> functions_;
    std::deque<MappingSymbol> mappings_;
    std::deque<OverloadSymbol> overloads_;
    std::map<std::string, OverloadSymbol> operators_;
    std::map<std::string, SourceRange> open_enums_;
    std::map<std::string, SourceRange> open_unions_;
    std::set<std::string> broken_names_;
    std::set<std::string> reported_names_;
    std::map<const void*, Effects> effects_;
    std::vector<PartialCall> partial_calls_;
    // Per mapping, side (left is 0) and clause: the words it takes, for sides that are bit vectors.
    std::map<const MappingDef*, std::array<std::vector<CubeSet>, 2>> images_;
    TypeArguments type_arguments_;
    unsigned type_depth_ = 0;
    std::size_t type_steps_ = 0;
    bool has_order_ = false;
    bool has_prelude_ = false;
    bool has_equality_ = false;

    Locals* locals_ = nullptr;
    std::vector<std::pair<std::string, const Local*>> scope_;
    TypeRef return_type_ = nullptr;
    Effects* current_effects_ = nullptr;
    ClauseScope* clause_ = nullptr;
    unsigned pattern_depth_ = 0;
    std::size_t pattern_scope_ = 0;  // where the names of the pattern being checked begin in scope_
};

// A near name for a mistyped one, or empty.
[[nodiscard]] std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

// `name` or `name1, name2 and name3` in backquotes.
[[nodiscard]] std::string quoted(std::string_view name);

}  // namespace eciscope::sailgen
