// Declarations and bodies of functions and the frame of mappings.
#include <algorithm>

#include "checker.hpp"
#include "exhaustiveness.hpp"

namespace eciscope::sailgen {

using ast::Kind;

namespace {

bool is_plain_argument(const ast::Node& node) {
    const ast::Node& inner = node.kind == Kind::typed ? *node.kids[0] : node;
    return inner.kind == Kind::name || inner.kind == Kind::wildcard;
}

}  // namespace

void Checker::val(const ast::Def& def) {
    const Node& type = *def.type;
    if (type.kind == Kind::mapping_type) {
        const auto [left, right] = mapping_sides(type);
        if (MappingSymbol* symbol = declare_mapping(def, left, right)) {
            symbol->def->doc = def.doc;
            symbol->def->is_partial = def.is_partial;
        }
        return;
    }
    std::vector<TypeRef> parameters;
    const Node& argument = *type.kids[0];
    if (argument.kind == Kind::tuple && !argument.in_parentheses) {
        for (const Node* kid : argument.kids) parameters.push_back(resolve_type(*kid));
    } else if (argument.kind != Kind::name || argument.text != "unit") {
        parameters.push_back(resolve_type(argument));
    }
    if (FunctionSymbol* symbol = declare_function(def, std::move(parameters), resolve_type(*type.kids[1]))) {
        symbol->def->doc = def.doc;
    }
}

Checker::FunctionSymbol* Checker::declare_function(const ast::Def& def, std::vector<TypeRef> parameters,
                                                   TypeRef result) {
    if (def.name == "Some" || def.name == "None") {
        error(def.where, quoted(def.name) + " is a constructor of `option` and cannot be defined");
        return nullptr;
    }
    FunctionDef& function = program_.arenas.functions.emplace_back();
    static_cast<Named&>(function) = {def.name, {}, def.where};
    function.result = result;
    FunctionSymbol& symbol = functions_.emplace_back();
    symbol.def = &function;
    symbol.parameters = std::move(parameters);
    if (declare(def.name, def.where, &symbol)) return &symbol;
    symbol.has_body = true;
    return nullptr;
}

Checker::MappingSymbol* Checker::declare_mapping(const ast::Def& def, TypeRef left, TypeRef right) {
    MappingDef& mapping = program_.arenas.mappings.emplace_back();
    static_cast<Named&>(mapping) = {def.name, {}, def.where};
    mapping.left = left;
    mapping.right = right;
    MappingSymbol& symbol = mappings_.emplace_back();
    symbol.def = &mapping;
    if (declare(def.name, def.where, &symbol)) return &symbol;
    symbol.has_body = true;
    return nullptr;
}

std::pair<TypeRef, TypeRef> Checker::mapping_sides(const Node& signature) {
    if (signature.kind != Kind::mapping_type) {
        if (signature.kind != Kind::error) error(signature.where, "a mapping has a type of the form A <-> B");
        return {types_.error(), types_.error()};
    }
    const TypeRef left = resolve_type(*signature.kids[0]);
    const TypeRef right = resolve_type(*signature.kids[1]);
    const auto refuse_string = [this](TypeRef type, SourceRange where) {
        if (type->kind != TypeKind::string) return type;
        error(where, "mappings of strings are not in the subset");
        return types_.error();
    };
    const TypeRef checked_left = refuse_string(left, signature.kids[0]->where);
    const TypeRef checked_right = refuse_string(right, signature.kids[1]->where);
    if (checked_left == checked_right && checked_left->kind != TypeKind::error) {
        error(signature.where,
              "both sides of a mapping are " + to_string(left) + ", but the direction of a call is chosen by type");
        return {types_.error(), types_.error()};
    }
    return {checked_left, checked_right};
}

// The symbol a `function` definition gives a body to: declared by a `val`, or by the types in its own head.
Checker::FunctionSymbol* Checker::function_for_body(const ast::Def& def) {
    if (const Symbol* known = find_symbol(def.name)) {
        FunctionSymbol* const* symbol = std::get_if<FunctionSymbol*>(known);
        if (symbol == nullptr || (*symbol)->has_body) {
            declare(def.name, def.where, BrokenSymbol{});
            return nullptr;
        }
        if (def.result != nullptr) {
            const TypeRef result = resolve_type(*def.result);
            if (!types_.is_subtype(result, (*symbol)->def->result)) {
                error(def.result->where, "the `val` of " + quoted(def.name) + " says " +
                                             to_string((*symbol)->def->result) + ", not " + to_string(result));
            }
        }
        return *symbol;
    }
    std::vector<TypeRef> parameters;
    bool has_types = def.result != nullptr;
    for (const Node* argument : def.pattern->kids) {
        if (argument->kind == Kind::typed) {
            parameters.push_back(resolve_type(*argument->kids[1]));
        } else if (argument->kind == Kind::unit) {
            parameters.push_back(types_.unit());
        } else {
            has_types = false;
        }
    }
    if (!has_types) {
        if (broken_names_.insert(def.name).second) {
            error(def.where, "the function " + quoted(def.name) +
                                 " needs a `val` before it, or the types of its arguments and result");
        }
        return nullptr;
    }
    return declare_function(def, std::move(parameters), resolve_type(*def.result));
}

void Checker::function(const ast::Def& def) {
    FunctionSymbol* symbol = function_for_body(def);
    if (symbol == nullptr) return;
    symbol->has_body = true;
    FunctionDef& target = *symbol->def;
    if (target.doc.empty()) target.doc = def.doc;
    target.where = def.where;
    target.is_property = def.is_property;
    target.is_counterexample = def.is_counterexample;
    function_body(*symbol, {&def});
    program_.definitions.emplace_back(&target);
}

void Checker::function_clause(const ast::Def& def) {
    const Symbol* known = find_symbol(def.name);
    FunctionSymbol* const* symbol = known == nullptr ? nullptr : std::get_if<FunctionSymbol*>(known);
    if (symbol != nullptr && (*symbol)->is_open) {
        (*symbol)->clauses.push_back(&def);
    } else if (!broken_names_.contains(def.name)) {
        error(def.where, "there is no open scattered function " + quoted(def.name));
    }
}

// `f()` takes no arguments, also when written with a unit pattern; `f(p)` of one argument may be written as tuple.
std::vector<ast::Node*> Checker::clause_arguments(const FunctionSymbol& symbol, const ast::Def& clause) const {
    std::vector<Node*> arguments = clause.pattern->kids;
    if (symbol.parameters.empty() && arguments.size() == 1 && arguments[0]->kind == Kind::unit) arguments.clear();
    return arguments;
}

void Checker::function_body(FunctionSymbol& symbol, const std::vector<const ast::Def*>& clauses) {
    FunctionDef& def = *symbol.def;
    begin_body(def.locals, &def, def.result);
    bool fits = !clauses.empty();
    if (clauses.empty()) error(def.where, "the scattered function " + quoted(def.name) + " has no clause");
    for (const ast::Def* clause : clauses) {
        const std::size_t count = clause_arguments(symbol, *clause).size();
        if (count == symbol.parameters.size()) continue;
        error(clause->where, quoted(def.name) + " is declared with " + std::to_string(symbol.parameters.size()) +
                                 (symbol.parameters.size() == 1 ? " argument" : " arguments") + ", but has " +
                                 std::to_string(count) + " here");
        fits = false;
    }
    if (!fits) {
        for (const TypeRef type : symbol.parameters) def.parameters.push_back(add_local("_", def.where, type, false));
        def.body = broken(def.where);
        return;
    }
    const std::vector<Node*> arguments = clause_arguments(symbol, *clauses.front());
    const bool is_plain = clauses.size() == 1 && std::all_of(arguments.begin(), arguments.end(), [this](const Node* a) {
                              const Node& inner = a->kind == Kind::typed ? *a->kids[0] : *a;
                              return is_plain_argument(*a) && find_symbol(inner.text) == nullptr;
                          });
    if (is_plain) {
        direct_parameters(symbol, *clauses.front());
        def.body = check(*clauses.front()->body, def.result);
    } else {
        def.body = clauses_as_match(symbol, clauses);
    }
}

void Checker::direct_parameters(FunctionSymbol& symbol, const ast::Def& clause) {
    FunctionDef& def = *symbol.def;
    const std::vector<Node*> arguments = clause_arguments(symbol, clause);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Node& argument = *arguments[i];
        const Node& inner = argument.kind == Kind::typed ? *argument.kids[0] : argument;
        if (argument.kind == Kind::typed) {
            const TypeRef annotation = resolve_type(*argument.kids[1]);
            if (!types_.is_subtype(symbol.parameters[i], annotation)) {
                error(argument.kids[1]->where, "the `val` of " + quoted(def.name) + " says " +
                                                   to_string(symbol.parameters[i]) + ", not " + to_string(annotation));
            }
        }
        if (inner.kind == Kind::wildcard) {
            def.parameters.push_back(add_local("arg" + std::to_string(i), inner.where, symbol.parameters[i], false));
            scope_.pop_back();  // it has no name in the source
            continue;
        }
        for (const Local* other : def.parameters) {
            if (other->name == inner.text) error(inner.where, "the argument " + quoted(inner.text) + " is there twice");
        }
        def.parameters.push_back(add_local(inner.text, inner.where, symbol.parameters[i], false));
    }
}

ExprRef Checker::clauses_as_match(FunctionSymbol& symbol, const std::vector<const ast::Def*>& clauses) {
    FunctionDef& def = *symbol.def;
    std::vector<ExprRef> arguments;
    for (std::size_t i = 0; i < symbol.parameters.size(); ++i) {
        const TypeRef type = symbol.parameters[i];
        def.parameters.push_back(add_local("arg" + std::to_string(i), def.where, type, false));
        scope_.pop_back();
        arguments.push_back(make(type, def.where, LocalRef{def.parameters.back()}));
    }
    const auto as_tuple = [&] { return types_.tuple(symbol.parameters); };
    Match match;
    if (arguments.empty()) {
        match.scrutinee = unit_literal(def.where);
    } else {
        match.scrutinee = arguments.size() == 1 ? arguments[0] : make(as_tuple(), def.where, Tuple{arguments});
    }
    std::vector<MatchRow> rows;
    for (const ast::Def* clause : clauses) {
        scope_.clear();
        const std::vector<Node*> patterns = clause_arguments(symbol, *clause);
        PatternRef head = nullptr;
        if (patterns.empty()) {
            head = make_pattern(types_.unit(), clause->where, WildcardPattern{});
        } else if (patterns.size() == 1) {
            head = pattern(*patterns[0], symbol.parameters[0]);
        } else {
            head = pattern(*clause->pattern, as_tuple());
        }
        match.arms.push_back({head, nullptr, check(*clause->body, def.result)});
        rows.push_back({head, false, clause->where});
    }
    check_match(rows, match.scrutinee->type, def.where, "the clauses of " + quoted(def.name), diagnostics_);
    return make(def.result, def.where, std::move(match));
}

void Checker::mapping(const ast::Def& def) {
    MappingSymbol* symbol = nullptr;
    if (const Symbol* known = find_symbol(def.name)) {
        MappingSymbol* const* found = std::get_if<MappingSymbol*>(known);
        if (found == nullptr || (*found)->has_body) {
            declare(def.name, def.where, BrokenSymbol{});
            return;
        }
        symbol = *found;
    } else if (def.type == nullptr) {
        if (broken_names_.insert(def.name).second) {
            error(def.where, "the mapping " + quoted(def.name) + " needs a `val` before it, or its type here");
        }
        return;
    } else {
        const auto [left, right] = mapping_sides(*def.type);
        symbol = declare_mapping(def, left, right);
        if (symbol == nullptr) return;
    }
    symbol->has_body = true;
    if (symbol->def->doc.empty()) symbol->def->doc = def.doc;
    symbol->def->where = def.where;
    symbol->def->is_partial = symbol->def->is_partial || def.is_partial;
    for (const ast::MappingClause& clause : def.clauses) symbol->clauses.push_back(&clause);
    mapping_body(*symbol);
    program_.definitions.emplace_back(symbol->def);
}

void Checker::mapping_clause(const ast::Def& def) {
    const Symbol* known = find_symbol(def.name);
    MappingSymbol* const* symbol = known == nullptr ? nullptr : std::get_if<MappingSymbol*>(known);
    if (symbol != nullptr && (*symbol)->is_open) {
        (*symbol)->clauses.push_back(&def.clauses.front());
    } else if (!broken_names_.contains(def.name)) {
        error(def.where, "there is no open scattered mapping " + quoted(def.name));
    }
}

}  // namespace eciscope::sailgen
