// fields.hpp: where each field of each message lies, from the mapping clauses.
#include <algorithm>

#include "backend_cpp.hpp"
#include "walk.hpp"

namespace eciscope::sailgen::cpp {

namespace {

const Local* bound_local(PatternRef pattern) {
    if (const auto* mapping = std::get_if<MappingPattern>(&pattern->node)) return bound_local(mapping->inner);
    const auto* bind = std::get_if<BindPattern>(&pattern->node);
    return bind == nullptr ? nullptr : bind->local;
}

// The layout that a clause `C(struct { f = a, … }) <-> a @ …` gives; none for clauses of another shape.
std::optional<Layout> layout_of(const MappingDef& mapping, const MappingClause& clause) {
    if (clause.left == nullptr || clause.right == nullptr || mapping.right->kind != TypeKind::bits) return std::nullopt;
    const auto* constructor = std::get_if<ConstructorPattern>(&clause.left->node);
    if (constructor == nullptr) return std::nullopt;
    const auto* structure = std::get_if<StructPattern>(&constructor->payload->node);
    if (structure == nullptr) return std::nullopt;
    std::map<const Local*, Part> parts;
    for (const Part& part : parts_of(clause.right)) {
        if (const Local* local = bound_local(part.pattern)) parts[local] = part;
    }
    Layout layout{&mapping, constructor->constructor, structure->def, clause.doc, {}};
    for (std::size_t i = 0; i < structure->fields.size(); ++i) {
        const Local* local = bound_local(structure->fields[i]);
        const auto found = parts.find(local);
        if (local == nullptr || found == parts.end()) return std::nullopt;
        layout.fields.push_back({structure->def->fields[i], found->second.high, found->second.low});
    }
    std::ranges::sort(layout.fields, std::greater{}, &LayoutField::high);
    return layout;
}

// A struct of bits alone that fill a word, where it stands in a union without a mapping.
std::optional<Layout> layout_of(const UnionConstructor& constructor) {
    if (constructor.payload->kind != TypeKind::structure) return std::nullopt;
    const StructDef* def = constructor.payload->struct_def;
    Layout layout{nullptr, &constructor, def, {}, {}};
    unsigned top = 64;
    for (const StructField* field : def->fields) {
        const unsigned width = field->type->width;
        if (field->type->kind != TypeKind::bits || width == 0 || width > top) return std::nullopt;
        layout.fields.push_back({field, top - 1, top - width});
        top -= width;
    }
    if (top != 0) return std::nullopt;
    return layout;
}

bool same_fields(const Layout& a, const Layout& b) {
    return std::ranges::equal(a.fields, b.fields, [](const LayoutField& x, const LayoutField& y) {
        return x.field == y.field && x.high == y.high && x.low == y.low;
    });
}

}  // namespace

std::vector<Layout> layouts_of(const Program& program) {
    std::vector<Layout> layouts;
    std::set<const StructDef*> mapped;
    for (const Definition& definition : program.definitions) {
        const auto* mapping = std::get_if<const MappingDef*>(&definition);
        if (mapping == nullptr) continue;
        for (const MappingClause& clause : (*mapping)->clauses) {
            auto layout = layout_of(**mapping, clause);
            if (!layout) continue;
            mapped.insert(layout->structure);
            layouts.push_back(std::move(*layout));
        }
    }
    for (const Definition& definition : program.definitions) {
        const auto* def = std::get_if<const UnionDef*>(&definition);
        if (def == nullptr) continue;
        for (const UnionConstructor* constructor : (*def)->constructors) {
            auto layout = layout_of(*constructor);
            if (layout && mapped.insert(layout->structure).second) layouts.push_back(std::move(*layout));
        }
    }
    return layouts;
}

namespace {

constexpr std::string_view field_types =
    R"text(enum class field_type : std::uint8_t { bits, boolean, enumeration, other };

/// A run of bits of a word and what it holds.
struct field_info {
    std::string_view name;
    std::uint8_t high = 0;
    std::uint8_t low = 0;
    field_type type = field_type::bits;
    std::string_view type_name;  ///< as the specification writes it
    std::string_view doc;
};

/// One kind of message.
struct layout_info {
    std::string_view mapping;      ///< that relates it to words; empty if the struct alone says it
    std::string_view constructor;  ///< of the union that the mapping is about
    std::string_view structure;
    std::string_view doc;
    std::span<const field_info> fields;  ///< most significant first
};

/// The fields of a struct S, most significant first. Where several mappings place them differently, by the
/// first one.
template <class S>
inline constexpr std::array<field_info, 0> fields_of{};

template <class S>
concept laid_out = (fields_of<S>.size() > 0);
)text";

constexpr std::string_view generic_functions = R"text(
/// Calls f with the struct that a message in the end is, whatever unions it is wrapped in.
template <tagged_union U, class F>
constexpr decltype(auto) visit_struct(const U& u, F&& f) {
    return visit(u, [&]<class P>(const P& payload) -> decltype(auto) {
        if constexpr (tagged_union<P>) {
            return visit_struct(payload, f);
        } else {
            return f(payload);
        }
    });
}

/// Calls f(field_info, value) for each field of the message, most significant first.
template <tagged_union U, class F>
constexpr void for_each_field(const U& u, F&& f) {
    visit_struct(u, [&]<class S>(const S& s) {
        if constexpr (laid_out<S>) for_each_field(s, f);
    });
}
)text";

std::string field_type_of(TypeRef type) {
    switch (type->kind) {
        case TypeKind::bits:
            return "field_type::bits";
        case TypeKind::bit:
        case TypeKind::boolean:
            return "field_type::boolean";
        case TypeKind::enumeration:
            return "field_type::enumeration";
        default:
            return "field_type::other";
    }
}

void write_field_array(Writer& out, const Layout& layout, const std::string& head) {
    out.line("inline constexpr std::array<field_info, " + std::to_string(layout.fields.size()) + "> " + head + "{{");
    out.indent();
    for (const LayoutField& each : layout.fields) {
        out.line("{" + quoted(each.field->name) + ", " + std::to_string(each.high) + ", " + std::to_string(each.low) +
                 ", " + field_type_of(each.field->type) + ", " + quoted(to_string(each.field->type)) + ",\n " +
                 quoted(each.field->doc) + "},");
    }
    out.dedent();
    out.line("}};");
    out.line();
}

void write_for_each_field(Writer& out, const Layout& layout) {
    const std::string name = identifier(layout.structure->name);
    out.line("template <class F>");
    out.open("constexpr void for_each_field(const " + name + "& s, F&& f)");
    for (std::size_t i = 0; i < layout.fields.size(); ++i) {
        out.line("f(fields_of<" + name + ">[" + std::to_string(i) + "], s." + identifier(layout.fields[i].field->name) +
                 ");");
    }
    out.close();
    out.line();
}

std::string fields_name(const Layout& layout) {
    return identifier(layout.mapping->name) + "_" + identifier(layout.constructor->name) + "_fields";
}

void write_layout_table(Writer& out, const std::vector<Layout>& layouts,
                        const std::map<const Layout*, std::string>& field_names) {
    out.doc("All kinds of messages, mapping after mapping, in the order of the specification.");
    out.line("inline constexpr std::array<layout_info, " + std::to_string(layouts.size()) + "> layouts{{");
    out.indent();
    for (const Layout& each : layouts) {
        const std::string& doc = !each.doc.empty()                ? each.doc
                                 : !each.constructor->doc.empty() ? each.constructor->doc
                                                                  : each.structure->doc;
        out.line("{" + quoted(each.mapping == nullptr ? "" : each.mapping->name) + ", " +
                 quoted(each.constructor->name) + ", " + quoted(each.structure->name) + ",\n " + quoted(doc) + ",\n " +
                 field_names.at(&each) + "},");
    }
    out.dedent();
    out.line("}};");
}

// The layout of the payload that a union has at the moment, for unions all of whose payloads have one.
void write_layout_of(Writer& out, const UnionDef& def, const std::vector<Layout>& layouts) {
    std::vector<std::string> lines;
    for (const UnionConstructor* constructor : def.constructors) {
        const auto found = std::ranges::find(layouts, constructor, &Layout::constructor);
        const std::string label = "case " + kind(*constructor) + ": return ";
        if (found != layouts.end()) {
            lines.push_back(label + "layouts[" + std::to_string(found - layouts.begin()) + "];");
        } else if (constructor->payload->kind == TypeKind::union_type) {
            lines.push_back(label + "layout_of(u." + identifier(constructor->name) + ");");
        } else {
            return;
        }
    }
    const std::string name = identifier(def.name);
    out.line();
    out.open("[[nodiscard]] constexpr const layout_info& layout_of(const " + name + "& u) noexcept");
    out.open("switch (u.which)");
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = lines[i];
        out.line(i + 1 < lines.size() ? line : "default: " + line.substr(line.find("return")));
    }
    out.close();
    out.close();
}

}  // namespace

void write_fields(Writer& out, Unit& unit) {
    const std::vector<Layout> layouts = layouts_of(unit.program);
    out.line(field_types);
    std::map<const StructDef*, const Layout*> first;
    std::map<const Layout*, std::string> field_names;
    for (const Layout& each : layouts) {
        const auto [known, is_new] = first.emplace(each.structure, &each);
        const std::string name = identifier(each.structure->name);
        if (is_new) {
            out.line("template <>");
            write_field_array(out, each, "fields_of<" + name + ">");
            write_for_each_field(out, each);
        }
        if (same_fields(*known->second, each)) {
            field_names[&each] = "fields_of<" + name + ">";
        } else {
            field_names[&each] = fields_name(each);
            write_field_array(out, each, fields_name(each));
        }
    }
    write_layout_table(out, layouts, field_names);
    for (const Definition& definition : unit.program.definitions) {
        const auto* def = std::get_if<const UnionDef*>(&definition);
        if (def != nullptr && !layouts.empty()) write_layout_of(out, **def, layouts);
    }
    out.line(generic_functions);
}

}  // namespace eciscope::sailgen::cpp
