// types.hpp: enums, structs and unions, each after those it is made of.
#include <algorithm>

#include "backend_cpp.hpp"
#include "walk.hpp"

namespace eciscope::sailgen::cpp {

namespace {

// `text  ///< doc`, all comments of a block in one column where they fit.
struct DocumentedLine {
    std::string text;
    std::string_view doc;
};

void write_documented(Writer& out, const std::vector<DocumentedLine>& lines) {
    std::size_t width = 0;
    for (const DocumentedLine& line : lines) width = std::max(width, line.text.size());
    for (const DocumentedLine& line : lines) {
        if (line.doc.empty()) {
            out.line(line.text);
        } else if (line.doc.find('\n') != std::string_view::npos ||
                   out.column() + width + 7 + line.doc.size() > line_width) {
            out.doc(line.doc);
            out.line(line.text);
        } else {
            out.line(line.text + std::string(width + 2 - line.text.size(), ' ') + "///< " + std::string(line.doc));
        }
    }
}

// A member may have the name of its own type in Sail; C++ then wants the type's name in full.
std::string member_type(const Unit& unit, TypeRef type, const std::string& member_name) {
    const std::string name = type_name(type);
    return name == member_name ? "::" + unit.space + "::" + name : name;
}

template <class Member>
void write_member_info(Writer& out, const std::string& type, const std::vector<const Member*>& members) {
    out.line("template <>");
    out.line("inline constexpr std::array<member_info, " + std::to_string(members.size()) + "> members_of<" + type +
             ">{{");
    out.indent();
    for (const Member* each : members) out.line("{" + quoted(each->name) + ", " + quoted(each->doc) + "},");
    out.dedent();
    out.line("}};");
    out.line();
}

void write_enum(Writer& out, const EnumDef& def) {
    const std::string name = identifier(def.name);
    out.doc(def.doc);
    out.open("enum class " + name + " : std::uint8_t");
    std::vector<DocumentedLine> lines;
    for (const EnumMember* each : def.members) lines.push_back({identifier(each->name) + ",", each->doc});
    write_documented(out, lines);
    out.close(";");
    write_member_info(out, name, def.members);
}

void write_struct(Writer& out, Unit& unit, const StructDef& def) {
    const std::string name = identifier(def.name);
    out.doc(def.doc);
    out.open("struct " + name);
    std::vector<DocumentedLine> lines;
    for (const StructField* each : def.fields) {
        const std::string member_name = identifier(each->name);
        lines.push_back({member_type(unit, each->type, member_name) + " " + member_name + "{};", each->doc});
    }
    write_documented(out, lines);
    out.line();
    out.line("friend constexpr bool operator==(const " + name + "&, const " + name + "&) = default;");
    out.close(";");
    out.line();
}

void write_bitfield(Writer& out, const BitfieldDef& def) {
    const std::string name = identifier(def.name);
    Type bits;
    bits.kind = TypeKind::bits;
    bits.width = def.width;
    out.doc(def.doc);
    out.open("struct " + name);
    out.line(type_name(&bits) + " bits{};");
    out.line();
    for (const BitfieldField* each : def.fields) {
        out.doc(each->doc);
        const std::string range = std::to_string(each->high) + ", " + std::to_string(each->low);
        out.open("[[nodiscard]] constexpr auto " + identifier(each->name) + "() const noexcept");
        out.line("return field<" + range + ">(bits);");
        out.close();
    }
    out.line("friend constexpr bool operator==(const " + name + "&, const " + name + "&) = default;");
    out.close(";");
    out.line();
}

bool has_payload(const UnionConstructor& constructor) {
    return constructor.payload->kind != TypeKind::unit;
}

void write_union_members(Writer& out, Unit& unit, const UnionDef& def) {
    std::vector<DocumentedLine> lines;
    bool first = true;
    for (const UnionConstructor* each : def.constructors) {
        if (!has_payload(*each)) continue;
        const std::string name = identifier(each->name);
        lines.push_back({member_type(unit, each->payload, name) + " " + name + (first ? "{};" : ";"), each->doc});
        first = false;
    }
    if (lines.empty()) return;
    out.open("union");
    write_documented(out, lines);
    out.close(";");
}

void write_union_makers(Writer& out, const UnionDef& def) {
    std::string first;
    for (const UnionConstructor* each : def.constructors) {
        if (has_payload(*each) && first.empty()) first = identifier(each->name);
    }
    for (const UnionConstructor* each : def.constructors) {
        const std::string name = identifier(each->name);
        const bool payload = has_payload(*each);
        const std::string parameter = payload ? "const " + type_name(each->payload) + "& value" : "";
        const std::string rest = payload ? ", ." + name + " = value" : first.empty() ? "" : ", ." + first + " = {}";
        out.open("[[nodiscard]] static constexpr " + identifier(def.name) + " make_" + name + "(" + parameter +
                 ") noexcept");
        out.line("return {.which = kind::" + name + rest + "};");
        out.close();
    }
}

void write_union_equality(Writer& out, const UnionDef& def) {
    const std::string name = identifier(def.name);
    out.open("friend constexpr bool operator==(const " + name + "& a, const " + name + "& b) noexcept");
    out.line("if (a.which != b.which) return false;");
    out.open("switch (a.which)");
    for (const UnionConstructor* each : def.constructors) {
        const std::string constructor = identifier(each->name);
        const std::string equal = has_payload(*each) ? "a." + constructor + " == b." + constructor : "true";
        out.line("case kind::" + constructor + ": return " + equal + ";");
    }
    out.close();
    out.line("return false;");
    out.close();
}

void write_visit(Writer& out, const UnionDef& def) {
    const std::string name = identifier(def.name);
    out.doc("Calls f with the payload of u; that of a constructor without one is std::monostate.");
    out.line("template <class F>");
    out.open("constexpr decltype(auto) visit(const " + name + "& u, F&& f)");
    out.open("switch (u.which)");
    for (const UnionConstructor* each : def.constructors) {
        const std::string constructor = identifier(each->name);
        const std::string label = each == def.constructors.back() ? "default" : "case " + kind(*each);
        out.line(label + ": return f(" + (has_payload(*each) ? "u." + constructor : "std::monostate{}") + ");");
    }
    out.close();
    out.close();
    out.line();
}

void write_union(Writer& out, Unit& unit, const UnionDef& def) {
    const std::string name = identifier(def.name);
    out.doc(def.doc);
    out.open("struct " + name);
    out.open("enum class kind : std::uint8_t");
    std::vector<DocumentedLine> lines;
    for (const UnionConstructor* each : def.constructors) lines.push_back({identifier(each->name) + ",", each->doc});
    write_documented(out, lines);
    out.close(";");
    out.line();
    out.line("kind which{};");
    write_union_members(out, unit, def);
    out.line();
    write_union_makers(out, def);
    out.line();
    write_union_equality(out, def);
    out.close(";");
    write_member_info(out, name + "::kind", def.constructors);
    write_visit(out, def);
}

// Definitions of types in an order in which each follows those it holds by value.
class TypeOrder {
 public:
    TypeOrder(Writer& out, Unit& unit) : out_(out), unit_(unit) {}

    void write(TypeRef type) {
        for (TypeRef element : type->elements) write(element);
        const void* def = type->struct_def != nullptr  ? static_cast<const void*>(type->struct_def)
                          : type->union_def != nullptr ? static_cast<const void*>(type->union_def)
                          : type->enum_def != nullptr  ? static_cast<const void*>(type->enum_def)
                                                       : static_cast<const void*>(type->bitfield_def);
        if (def == nullptr || !done_.insert(def).second) return;
        if (type->enum_def != nullptr) {
            write_enum(out_, *type->enum_def);
        } else if (type->struct_def != nullptr) {
            for (const StructField* each : type->struct_def->fields) write(each->type);
            write_struct(out_, unit_, *type->struct_def);
        } else if (type->union_def != nullptr) {
            for (const UnionConstructor* each : type->union_def->constructors) write(each->payload);
            write_union(out_, unit_, *type->union_def);
        } else {
            write_bitfield(out_, *type->bitfield_def);
        }
    }

 private:
    Writer& out_;
    Unit& unit_;
    std::set<const void*> done_;
};

}  // namespace

void write_types(Writer& out, Unit& unit) {
    TypeOrder order(out, unit);
    for (const Definition& definition : unit.program.definitions) {
        std::visit(Overloaded{
                       [&](const EnumDef* def) { order.write(def->type); },
                       [&](const StructDef* def) { order.write(def->type); },
                       [&](const UnionDef* def) { order.write(def->type); },
                       [&](const BitfieldDef* def) { order.write(def->type); },
                       [](const auto*) {},
                   },
                   definition);
    }
}

}  // namespace eciscope::sailgen::cpp
