// The C++ back end: the files, and functions.hpp.
//
// `-o folder/eci.hpp` names the header that includes the others; these lie beside it. Setting: `namespace`, if it is
// not to be that name.
#include <algorithm>

#include "backend_cpp.hpp"
#include "walk.hpp"

namespace eciscope::sailgen {

namespace cpp {

namespace {

// Writes constants, mappings and functions in the order of the source; what is used before it stands is declared first.
class Functions {
 public:
    Functions(Writer& out, Unit& unit) : out_(out), unit_(unit) {}

    void write() {
        for (const Definition& definition : unit_.program.definitions) {
            std::visit(Overloaded{
                           [&](const LetDef* def) { let(*def); },
                           [&](const FunctionDef* def) { function(*def); },
                           [&](const MappingDef* def) { mapping(*def); },
                           [](const auto*) {},
                       },
                       definition);
        }
    }

 private:
    void let(const LetDef& def) {
        declare_used(def.value);
        std::string text;
        Writer lines;
        Body body(lines, unit_.globals, unit_.problems);
        body.count_uses(def.value);
        text = body.value(def.value, def.type);
        out_.doc(def.doc);
        out_.line("inline constexpr " + type_name(def.type) + " " + identifier(def.name) + " = " + text + ";");
        out_.line();
    }

    std::string head(const FunctionDef& def, Body& body) {
        std::vector<std::string> parameters;
        for (const Local* parameter : def.parameters) {
            const bool unused = body_uses_.find(parameter) == body_uses_.end();
            const TypeKind kind = parameter->type->kind;
            const bool by_reference = kind == TypeKind::structure || kind == TypeKind::union_type ||
                                      kind == TypeKind::tuple || kind == TypeKind::vector;
            const std::string type = type_name(parameter->type);
            parameters.push_back((unused ? "[[maybe_unused]] " : "") +
                                 (by_reference ? "const " + type + "& " : type + " ") + body.declare(*parameter));
        }
        const std::string result = def.result->kind == TypeKind::unit ? "void" : type_name(def.result);
        return "[[nodiscard]] constexpr " + result + " " + identifier(def.name) + "(" + joined(parameters, ", ") +
               ") noexcept";
    }

    void find_uses(ExprRef root) {
        body_uses_.clear();
        for_each_node(root, Overloaded{[&](ExprRef expr) {
                                           if (const auto* use = std::get_if<LocalRef>(&expr->node)) {
                                               body_uses_.insert(use->local);
                                           }
                                       },
                                       [](PatternRef) {}});
    }

    void function(const FunctionDef& def) {
        if (def.is_property || def.is_counterexample) return;  // for the prover, not for programs
        if (!def.is_pure) {
            out_.comment(def.name + " is left out: it prints or uses registers.");
            out_.line();
            return;
        }
        declare_used(def.body);
        find_uses(def.body);
        Body body(out_, unit_.globals, unit_.problems);
        body.count_uses(def.body);
        out_.doc(def.doc);
        out_.open(head(def, body));
        body.returned(def.body, def.result);
        out_.close();
        out_.line();
        done_.insert(&def);
    }

    void mapping(const MappingDef& def) {
        if (!def.is_pure) return;
        for (const MappingClause& clause : def.clauses) {
            for (const auto& arm : {clause.forwards, clause.backwards}) {
                if (!arm) continue;
                declare_used(arm->pattern);
                declare_used(arm->guard);
                declare_used(arm->body);
            }
        }
        write_mapping(out_, unit_, def);
        done_.insert(&def);
    }

    template <class Node>
    void declare_used(const Node* root) {
        for_each_node(root, Overloaded{[&](ExprRef expr) {
                                           if (const auto* call = std::get_if<Call>(&expr->node)) need(*call->function);
                                           if (const auto* m = std::get_if<MappingCall>(&expr->node)) need(*m->mapping);
                                       },
                                       [&](PatternRef pattern) {
                                           if (const auto* m = std::get_if<MappingPattern>(&pattern->node))
                                               need(*m->mapping);
                                       }});
    }

    void need(const FunctionDef& def) {
        if (!done_.insert(&def).second) return;
        find_uses(def.body);
        Body body(out_, unit_.globals, unit_.problems);
        out_.line(head(def, body) + ";");
    }

    void need(const MappingDef& def) {
        if (!done_.insert(&def).second) return;
        for (const Direction direction : {Direction::forwards, Direction::backwards}) {
            const bool forwards = direction == Direction::forwards;
            const TypeRef from = forwards ? def.left : def.right;
            const bool by_reference = from->kind == TypeKind::structure || from->kind == TypeKind::union_type;
            const std::string parameter = by_reference ? "const " + type_name(from) + "&" : type_name(from);
            const std::string result = type_name(forwards ? def.right : def.left);
            out_.line("[[nodiscard]] constexpr " + result + " " + mapping_function(def, direction) + "(" + parameter +
                      ") noexcept;");
            out_.line("[[nodiscard]] constexpr bool " + mapping_function(def, direction, true) + "(" + parameter +
                      ") noexcept;");
        }
    }

    Writer& out_;
    Unit& unit_;
    std::set<const void*> done_;  // defined or declared
    std::set<const Local*> body_uses_;
};

std::set<std::string> global_names(const Program& program) {
    std::set<std::string> names;
    for (const Definition& definition : program.definitions) {
        std::visit(Overloaded{[&](const MappingDef* def) {
                                  for (const Direction direction : {Direction::forwards, Direction::backwards}) {
                                      names.insert(mapping_function(*def, direction));
                                      names.insert(mapping_function(*def, direction, true));
                                  }
                              },
                              [](const SynonymDef*) {}, [&](const auto* def) { names.insert(identifier(def->name)); }},
                   definition);
    }
    return names;
}

struct File {
    std::string_view name;
    std::string_view summary;
    std::vector<std::string_view> includes;
};

std::string file_text(const File& file, const std::string& space, std::string_view content) {
    std::string text =
        "// " + std::string(file.summary) + " Generated by sailgen from the specification.\n#pragma once\n\n";
    for (const std::string_view include : file.includes) {
        text += include.empty() ? "\n" : "#include " + std::string(include) + "\n";
    }
    while (!content.empty() && content.back() == '\n') content.remove_suffix(1);
    if (content.empty()) return text;
    return text + "\nnamespace " + space + " {\n\n" + std::string(content) + "\n\n}  // namespace " + space + "\n";
}

// `folder/eci.hpp` is about `eci`.
std::string stem_of(const std::string& path) {
    const std::string name = path.substr(path.find_last_of('/') + 1);
    return name.substr(0, name.find('.'));
}

}  // namespace

}  // namespace cpp

BackendResult generate_cpp(const Program& program, const BackendOptions& options) {
    using namespace cpp;
    const auto setting = options.settings.find("namespace");
    const std::string space = setting != options.settings.end() ? setting->second : identifier(stem_of(options.output));
    Unit unit{program, space, global_names(program), {}};
    Writer types;
    write_types(types, unit);
    Writer functions;
    Functions(functions, unit).write();
    Writer fields;
    write_fields(fields, unit);

    BackendResult result;
    const auto add = [&](const File& file, std::string_view content) {
        result.files.push_back({std::string(file.name), file_text(file, space, content)});
    };
    add({"", "Everything.", {"\"fields.hpp\"", "\"functions.hpp\"", "\"types.hpp\""}}, "");
    add({"support.hpp",
         "What generated code is written with.",
         {"<algorithm>", "<array>", "<concepts>", "<cstddef>", "<cstdint>", "<optional>", "<string_view>",
          "<type_traits>", "<variant>"}},
        support_text());
    add({"types.hpp", "Enums, structs and unions.", {"\"support.hpp\""}}, types.text());
    add({"functions.hpp", "Constants, mappings and functions.", {"\"types.hpp\""}}, functions.text());
    add({"fields.hpp", "Where each field of a message lies.", {"<span>", "", "\"types.hpp\""}}, fields.text());
    result.diagnostics = std::move(unit.problems);
    if (!result.diagnostics.empty()) result.files.clear();
    return result;
}

}  // namespace eciscope::sailgen
