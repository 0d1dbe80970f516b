// Types, lets, registers, overloads and the bookkeeping of names.
#include <algorithm>
#include <array>

#include "checker.hpp"

namespace eciscope::sailgen {

using ast::DefKind;

std::string quoted(std::string_view name) {
    return "`" + std::string(name) + "`";
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
    constexpr std::size_t longest_compared = 64;
    if (name.size() > longest_compared) return {};
    std::string best;
    // One slip in a short name, two in a longer one.
    std::size_t best_distance = name.size() < 3 ? 1 : name.size() < 6 ? 2 : 3;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > longest_compared || candidate == name) continue;
        const std::size_t gap = std::max(candidate.size(), name.size()) - std::min(candidate.size(), name.size());
        if (gap >= best_distance) continue;
        std::vector<std::size_t> row(candidate.size() + 1);
        for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
        for (std::size_t i = 1; i <= name.size(); ++i) {
            std::size_t diagonal = std::exchange(row[0], i);
            for (std::size_t j = 1; j < row.size(); ++j) {
                const std::size_t changed = diagonal + (name[i - 1] == candidate[j - 1] ? 0 : 1);
                diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
            }
        }
        if (row.back() < best_distance || (row.back() == best_distance && candidate < best)) {
            best = candidate;
            best_distance = row.back();
        }
    }
    return best;
}

Checker::Checker(Program& program, std::vector<Diagnostic>& diagnostics, const CompileOptions& options)
    : program_(program), diagnostics_(diagnostics), options_(options), types_(program.arenas) {}

void Checker::error(SourceRange where, std::string message, std::vector<Note> notes) {
    diagnostics_.push_back({where, std::move(message), std::move(notes)});
}

void Checker::unknown_name(SourceRange where, const std::string& name, std::string_view what,
                           const std::vector<std::string>& candidates) {
    if (broken_names_.contains(name) || !reported_names_.insert(name).second) return;
    const std::string near = nearest_name(name, candidates);
    error(where, "unknown " + std::string(what) + " " + quoted(name) +
                     (near.empty() ? "" : "; did you mean " + quoted(near) + "?"));
}

std::vector<std::string> Checker::value_names() const {
    std::vector<std::string> names;
    names.reserve(symbols_.size() + scope_.size());
    for (const auto& [name, entry] : symbols_) names.push_back(name);
    for (const auto& [name, local] : scope_) names.push_back(name);
    return names;
}

std::vector<std::string> Checker::type_names() const {
    std::vector<std::string> names{"bits", "bit", "bool", "unit", "int", "nat", "range", "string", "vector", "option"};
    for (const auto& [name, symbol] : type_symbols_) names.push_back(name);
    return names;
}

const Checker::Symbol* Checker::find_symbol(const std::string& name) const {
    const auto found = symbols_.find(name);
    return found == symbols_.end() ? nullptr : &found->second.symbol;
}

bool Checker::declare(const std::string& name, SourceRange where, Symbol symbol) {
    const auto [entry, is_new] = symbols_.try_emplace(name, SymbolEntry{symbol, where});
    if (is_new) return true;
    error(where, quoted(name) + " is defined twice", {{entry->second.where, "the first definition is here"}});
    return false;
}

bool Checker::declare_type(const std::string& name, SourceRange where, TypeSymbol symbol) {
    symbol.where = where;
    constexpr std::string_view taken[] = {"bits", "bit",   "bool",   "unit",   "int",
                                          "nat",  "range", "string", "vector", "option"};
    if (std::find(std::begin(taken), std::end(taken), name) != std::end(taken)) {
        error(where, quoted(name) + " is a type of the language and cannot be defined");
        return false;
    }
    const auto [entry, is_new] = type_symbols_.try_emplace(name, symbol);
    if (is_new) return true;
    error(where, "the type " + quoted(name) + " is defined twice",
          {{entry->second.where, "the first definition is here"}});
    return false;
}

bool Checker::need_prelude(SourceRange where, const std::string& what) {
    if (has_prelude_) return true;
    if (reported_names_.insert("<prelude.sail>").second) {
        error(where, quoted(what) + " needs `$include <prelude.sail>` before it");
    }
    return false;
}

void Checker::check_program(const ast::Tree& tree) {
    broken_names_.insert(tree.broken_names.begin(), tree.broken_names.end());
    for (const ast::Def& def : tree.defs) definition(def);
    report_left_open();
    if (options_.check_mappings) report_partial_calls();
    mark_impure();
}

void Checker::definition(const ast::Def& def) {
    type_steps_ = 0;
    if (!has_order_ && def.kind != DefKind::default_order) {
        error(def.where, "`default Order dec` must come first");
        has_order_ = true;
    }
    if (def.kind == DefKind::default_order) {
        if (has_order_) error(def.where, "`default Order dec` may stand only once, on the first line of the program");
        has_order_ = true;
        return;
    }
    has_prelude_ = has_prelude_ || def.kind == DefKind::include_prelude;
    has_equality_ = has_equality_ || def.kind == DefKind::include_equality;
    using Rule = void (Checker::*)(const ast::Def&);
    constexpr std::array rules =
        std::to_array<std::pair<DefKind, Rule>>({{DefKind::synonym, &Checker::synonym},
                                                 {DefKind::enumeration, &Checker::enumeration},
                                                 {DefKind::enum_clause, &Checker::enum_clause},
                                                 {DefKind::structure, &Checker::structure},
                                                 {DefKind::union_type, &Checker::union_type},
                                                 {DefKind::union_clause, &Checker::union_clause},
                                                 {DefKind::bitfield, &Checker::bitfield},
                                                 {DefKind::let, &Checker::let_definition},
                                                 {DefKind::reg, &Checker::register_definition},
                                                 {DefKind::val, &Checker::val},
                                                 {DefKind::function, &Checker::function},
                                                 {DefKind::function_clause, &Checker::function_clause},
                                                 {DefKind::mapping, &Checker::mapping},
                                                 {DefKind::mapping_clause, &Checker::mapping_clause},
                                                 {DefKind::overload, &Checker::overload},
                                                 {DefKind::scattered_union, &Checker::open_scattered},
                                                 {DefKind::scattered_enum, &Checker::open_scattered},
                                                 {DefKind::scattered_function, &Checker::open_scattered},
                                                 {DefKind::scattered_mapping, &Checker::open_scattered},
                                                 {DefKind::end, &Checker::end_scattered}});
    for (const auto& [kind, rule] : rules) {
        if (kind == def.kind) (this->*rule)(def);
    }
}

void Checker::synonym(const ast::Def& def) {
    SynonymDef& result = program_.arenas.synonyms.emplace_back();
    static_cast<Named&>(result) = {def.name, def.doc, def.where};
    TypeSymbol symbol;
    if (!def.parameters.empty()) {
        symbol.parametric = &def;
    } else if (def.is_int) {
        result.length = resolve_length(*def.type);
        symbol.length = result.length;
        if (!result.length) symbol.type = types_.error();
    } else {
        result.type = resolve_type(*def.type);
        symbol.type = result.type;
    }
    if (declare_type(def.name, def.where, symbol)) program_.definitions.emplace_back(&result);
}

void Checker::enumeration(const ast::Def& def) {
    EnumDef& result = program_.arenas.enums.emplace_back();
    static_cast<Named&>(result) = {def.name, def.doc, def.where};
    result.type = types_.named(&result);
    TypeSymbol symbol;
    symbol.type = result.type;
    if (!declare_type(def.name, def.where, symbol)) return;
    if (def.parts.empty()) error(def.where, "an enum needs at least one member");
    for (const ast::Part& part : def.parts) add_member(result, part);
    program_.definitions.emplace_back(&result);
}

void Checker::enum_clause(const ast::Def& def) {
    const auto found = type_symbols_.find(def.name);
    if (!open_enums_.contains(def.name) || found == type_symbols_.end()) {
        if (!broken_names_.contains(def.name)) error(def.where, "there is no open scattered enum " + quoted(def.name));
        return;
    }
    for (EnumDef& candidate : program_.arenas.enums) {
        if (candidate.type != found->second.type) continue;
        for (const ast::Part& part : def.parts) add_member(candidate, part);
    }
}

void Checker::add_member(EnumDef& target, const ast::Part& part) {
    EnumMember& member = program_.arenas.enum_members.emplace_back();
    static_cast<Named&>(member) = {part.name, part.doc, part.where};
    member.owner = &target;
    member.index = target.members.size();
    if (declare(part.name, part.where, &member)) target.members.push_back(&member);
}

void Checker::structure(const ast::Def& def) {
    StructDef& result = program_.arenas.structs.emplace_back();
    static_cast<Named&>(result) = {def.name, def.doc, def.where};
    result.type = types_.named(&result);
    if (def.parts.empty()) error(def.where, "a struct needs at least one field");
    for (const ast::Part& part : def.parts) {
        const TypeRef type = resolve_type(*part.type);
        const auto same = std::find_if(result.fields.begin(), result.fields.end(),
                                       [&](const StructField* field) { return field->name == part.name; });
        if (same != result.fields.end()) {
            error(part.where, "the field " + quoted(part.name) + " is there twice",
                  {{(*same)->where, "the first is here"}});
            continue;
        }
        StructField& field = program_.arenas.struct_fields.emplace_back();
        static_cast<Named&>(field) = {part.name, part.doc, part.where};
        field.owner = &result;
        field.index = result.fields.size();
        field.type = type;
        result.fields.push_back(&field);
    }
    TypeSymbol symbol;
    symbol.type = limited(result.type, def.where);
    if (declare_type(def.name, def.where, symbol)) program_.definitions.emplace_back(&result);
}

void Checker::union_type(const ast::Def& def) {
    UnionDef& result = program_.arenas.unions.emplace_back();
    static_cast<Named&>(result) = {def.name, def.doc, def.where};
    result.type = types_.named(&result);
    TypeSymbol symbol;
    symbol.type = result.type;
    if (!declare_type(def.name, def.where, symbol)) return;
    if (def.parts.empty()) error(def.where, "a union needs at least one constructor");
    for (const ast::Part& part : def.parts) add_constructor(result, part);
    program_.definitions.emplace_back(&result);
}

void Checker::union_clause(const ast::Def& def) {
    const auto found = type_symbols_.find(def.name);
    if (!open_unions_.contains(def.name) || found == type_symbols_.end()) {
        if (!broken_names_.contains(def.name)) error(def.where, "there is no open scattered union " + quoted(def.name));
        return;
    }
    for (UnionDef& candidate : program_.arenas.unions) {
        if (candidate.type != found->second.type) continue;
        for (ast::Part part : def.parts) {
            if (part.doc.empty()) part.doc = def.doc;
            add_constructor(candidate, part);
        }
    }
}

void Checker::add_constructor(UnionDef& target, const ast::Part& part) {
    UnionConstructor& constructor = program_.arenas.constructors.emplace_back();
    static_cast<Named&>(constructor) = {part.name, part.doc, part.where};
    constructor.owner = &target;
    constructor.index = target.constructors.size();
    constructor.payload = resolve_type(*part.type);
    if (contains_type(constructor.payload, target.type)) {
        error(part.type->where, "recursive types are not in the subset: " + quoted(target.name) + " contains itself");
        constructor.payload = types_.error();
    }
    constructor.payload = limited(constructor.payload, part.type->where);
    if (part.name == "Some" || part.name == "None") {
        error(part.where, quoted(part.name) + " is a constructor of `option` and cannot be defined");
        return;
    }
    if (declare(part.name, part.where, &constructor)) target.constructors.push_back(&constructor);
    types_.forget_weights();
}

void Checker::bitfield(const ast::Def& def) {
    BitfieldDef& result = program_.arenas.bitfields.emplace_back();
    static_cast<Named&>(result) = {def.name, def.doc, def.where};
    const TypeRef type = resolve_type(*def.type);
    TypeSymbol symbol;
    symbol.type = types_.error();
    if (type->kind == TypeKind::bits) {
        result.width = type->width;
        result.type = types_.named(&result);
        symbol.type = result.type;
        for (const ast::Part& part : def.parts) add_bitfield_field(result, part);
    } else if (type->kind != TypeKind::error) {
        error(def.type->where, "a bitfield is made of bits(n), not " + to_string(type));
    }
    if (declare_type(def.name, def.where, symbol)) program_.definitions.emplace_back(&result);
}

void Checker::add_bitfield_field(BitfieldDef& target, const ast::Part& part) {
    const auto high = resolve_length(*part.high);
    const auto low = resolve_length(*part.low);
    if (!high || !low) return;
    if (*low < 0 || *high < *low || *high >= static_cast<std::int64_t>(target.width)) {
        error(part.where, "the field " + quoted(part.name) + " is " + std::to_string(*high) + " .. " +
                              std::to_string(*low) + ", but the bits are " + std::to_string(target.width - 1) +
                              " .. 0, highest first");
        return;
    }
    for (const BitfieldField* other : target.fields) {
        if (other->name != part.name) continue;
        error(part.where, "the field " + quoted(part.name) + " is there twice", {{other->where, "the first is here"}});
        return;
    }
    BitfieldField& field = program_.arenas.bitfield_fields.emplace_back();
    static_cast<Named&>(field) = {part.name, part.doc, part.where};
    field.owner = &target;
    field.index = target.fields.size();
    field.high = static_cast<unsigned>(*high);
    field.low = static_cast<unsigned>(*low);
    target.fields.push_back(&field);
}

void Checker::begin_body(Locals& locals, const void* owner, TypeRef return_type) {
    locals_ = &locals;
    scope_.clear();
    return_type_ = return_type;
    current_effects_ = &effects_[owner];
}

void Checker::let_definition(const ast::Def& def) {
    LetDef& result = program_.arenas.lets.emplace_back();
    static_cast<Named&>(result) = {def.name, def.doc, def.where};
    begin_body(result.locals, &result, nullptr);
    if (def.type != nullptr) {
        result.type = resolve_type(*def.type);
        result.value = check(*def.body, result.type);
    } else {
        result.value = infer(*def.body);
        result.type = result.value->type;
    }
    if (declare(def.name, def.where, &result)) program_.definitions.emplace_back(&result);
}

void Checker::register_definition(const ast::Def& def) {
    RegisterDef& result = program_.arenas.registers.emplace_back();
    static_cast<Named&>(result) = {def.name, def.doc, def.where};
    result.type = resolve_type(*def.type);
    begin_body(result.locals, &result, nullptr);
    if (def.body != nullptr) result.initial = check(*def.body, result.type);
    if (declare(def.name, def.where, &result)) program_.definitions.emplace_back(&result);
}

void Checker::overload(const ast::Def& def) {
    OverloadSymbol symbol;
    for (const ast::Part& part : def.names) symbol.alternatives.push_back(part.name);
    // An overload written again adds its alternatives to those before.
    OverloadSymbol* target = nullptr;
    if (!def.name.empty() && !std::isalpha(static_cast<unsigned char>(def.name[0])) && def.name[0] != '_') {
        target = &operators_[def.name];
    } else if (const auto found = symbols_.find(def.name); found != symbols_.end()) {
        OverloadSymbol** known = std::get_if<OverloadSymbol*>(&found->second.symbol);
        if (known == nullptr) {
            declare(def.name, def.where, BrokenSymbol{});
            return;
        }
        target = *known;
    } else {
        target = &overloads_.emplace_back();
        declare(def.name, def.where, target);
    }
    target->alternatives.insert(target->alternatives.end(), symbol.alternatives.begin(), symbol.alternatives.end());
}

}  // namespace eciscope::sailgen
