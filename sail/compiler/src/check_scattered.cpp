// Scattered definitions, and what can be said only at the end of the program.
#include <algorithm>

#include "checker.hpp"

namespace eciscope::sailgen {

using ast::DefKind;

void Checker::open_scattered(const ast::Def& def) {
    if (def.kind == DefKind::scattered_enum || def.kind == DefKind::scattered_union) {
        TypeSymbol symbol;
        if (def.kind == DefKind::scattered_enum) {
            EnumDef& result = program_.arenas.enums.emplace_back();
            static_cast<Named&>(result) = {def.name, def.doc, def.where};
            result.type = symbol.type = types_.named(&result);
            if (!declare_type(def.name, def.where, symbol)) return;
            program_.definitions.emplace_back(&result);
            open_enums_[def.name] = def.where;
        } else {
            UnionDef& result = program_.arenas.unions.emplace_back();
            static_cast<Named&>(result) = {def.name, def.doc, def.where};
            result.type = symbol.type = types_.named(&result);
            if (!declare_type(def.name, def.where, symbol)) return;
            program_.definitions.emplace_back(&result);
            open_unions_[def.name] = def.where;
        }
        return;
    }
    if (def.kind == DefKind::scattered_mapping && def.type != nullptr && find_symbol(def.name) == nullptr) val(def);
    const Symbol* symbol = find_symbol(def.name);
    if (symbol == nullptr) {
        if (!broken_names_.insert(def.name).second) return;
        error(def.where, "the scattered definition of " + quoted(def.name) + " needs a `val` with its type before it");
        return;
    }
    FunctionSymbol* const* function = std::get_if<FunctionSymbol*>(symbol);
    MappingSymbol* const* mapping = std::get_if<MappingSymbol*>(symbol);
    if (def.kind == DefKind::scattered_function && function != nullptr && !(*function)->has_body) {
        (*function)->is_open = (*function)->has_body = true;
        if (!def.doc.empty()) (*function)->def->doc = def.doc;
    } else if (def.kind == DefKind::scattered_mapping && mapping != nullptr && !(*mapping)->has_body) {
        (*mapping)->is_open = (*mapping)->has_body = true;
        (*mapping)->def->is_partial = (*mapping)->def->is_partial || def.is_partial;
        if (!def.doc.empty()) (*mapping)->def->doc = def.doc;
    } else if (!std::holds_alternative<BrokenSymbol>(*symbol)) {
        declare(def.name, def.where, BrokenSymbol{});
    }
}

void Checker::end_scattered(const ast::Def& def) {
    if (broken_names_.contains(def.name)) return;
    if (open_enums_.erase(def.name) > 0 || open_unions_.erase(def.name) > 0) {
        const TypeRef type = type_symbols_[def.name].type;
        const bool is_empty =
            type->enum_def != nullptr ? type->enum_def->members.empty() : type->union_def->constructors.empty();
        if (is_empty) error(def.where, "the scattered type " + quoted(def.name) + " has no clause");
        return;
    }
    if (const Symbol* symbol = find_symbol(def.name)) {
        FunctionSymbol* const* function = std::get_if<FunctionSymbol*>(symbol);
        if (function != nullptr && (*function)->is_open) {
            (*function)->is_open = false;
            function_body(**function, (*function)->clauses);
            program_.definitions.emplace_back((*function)->def);
            return;
        }
        MappingSymbol* const* mapping = std::get_if<MappingSymbol*>(symbol);
        if (mapping != nullptr && (*mapping)->is_open) {
            (*mapping)->is_open = false;
            mapping_body(**mapping);
            program_.definitions.emplace_back((*mapping)->def);
            return;
        }
    }
    error(def.where, "there is no open scattered definition " + quoted(def.name));
}

void Checker::report_left_open() {
    for (const auto& [name, where] : open_enums_) error(where, "`end " + name + "` is missing");
    for (const auto& [name, where] : open_unions_) error(where, "`end " + name + "` is missing");
    // A union may have grown after what it stands in was seen.
    for (const UnionDef& def : program_.arenas.unions) (void)limited(def.type, def.where);
    const auto missing = [this](const auto& symbol, std::string_view what) {
        const Named& def = *symbol.def;
        if (broken_names_.contains(def.name)) return;
        if (symbol.is_open) {
            error(def.where, "`end " + def.name + "` is missing");
        } else if (!symbol.has_body) {
            error(def.where, "the " + std::string(what) + " " + quoted(def.name) + " is declared but never defined");
        }
    };
    for (const FunctionSymbol& symbol : functions_) missing(symbol, "function");
    for (const MappingSymbol& symbol : mappings_) missing(symbol, "mapping");
}

void Checker::report_partial_calls() {
    for (const PartialCall& call : partial_calls_) {
        const MappingDef& def = *call.mapping->def;
        const bool forwards = call.direction == Direction::forwards;
        if (!call.mapping->has_body || def.clauses.empty() || def.is_partial) continue;
        if (forwards ? def.left_total : def.right_total) continue;
        const std::string helper = def.name + (forwards ? "_forwards" : "_backwards");
        error(call.where, "the mapping " + quoted(def.name) + " does not take every value of " +
                              to_string(forwards ? def.left : def.right) +
                              ": use it in a pattern with a `_` arm, or call " + quoted(helper) + " behind " +
                              quoted(helper + "_matches"));
    }
}

// Whatever calls something impure is impure itself.
void Checker::mark_impure() {
    bool changed = true;
    while (changed) {
        changed = false;
        for (auto& [owner, effects] : effects_) {
            if (effects.is_impure) continue;
            effects.is_impure = std::any_of(effects.callees.begin(), effects.callees.end(), [this](const void* callee) {
                const auto found = effects_.find(callee);
                return found != effects_.end() && found->second.is_impure;
            });
            changed = changed || effects.is_impure;
        }
    }
    for (FunctionDef& def : program_.arenas.functions) def.is_pure = !effects_[&def].is_impure;
    for (MappingDef& def : program_.arenas.mappings) def.is_pure = !effects_[&def].is_impure;
}

}  // namespace eciscope::sailgen
