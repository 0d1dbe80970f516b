// `sailgen markdown`: the reference for engineers. A chapter for each file, in the order of the program: its operations
// with their codes, its layouts bit by bit, its functions, tabulated where their arguments are few, its constants. Then
// what is not known, and what is proved.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "markdown.hpp"
#include "sailgen/backends.hpp"

namespace eciscope::sailgen {
namespace {

using namespace markdown;  // NOLINT(google-build-using-namespace)

// The definitions of one file.
struct Chapter {
    std::uint32_t file = 0;
    std::string title;
    std::string introduction;
    std::vector<Definition> definitions;
};

template <class Def>
std::vector<const Def*> all_of(const Chapter& chapter) {
    std::vector<const Def*> found;
    for (const Definition& definition : chapter.definitions) {
        if (const auto* def = std::get_if<const Def*>(&definition)) found.push_back(*def);
    }
    return found;
}

const Named& named(const Definition& definition) {
    return std::visit([](const auto* def) -> const Named& { return *def; }, definition);
}

// The text of the plain comment that a file begins with.
std::string opening_comment(std::string_view text) {
    if (!text.starts_with("/*") || text.starts_with("/*!")) return {};
    std::string_view rest = text.substr(2, text.find("*/") == std::string_view::npos ? 0 : text.find("*/") - 2);
    std::string comment;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        while (line.starts_with(' ') || line.starts_with('*')) line.remove_prefix(1);
        comment += comment.empty() ? "" : "\n";
        comment += line;
    }
    return comment;
}

// The first words of the comment, up to a colon or full stop, are the title.
void name_chapter(Chapter& chapter, const SourceFile& file) {
    const std::string comment = opening_comment(file.text);
    const auto is_end = [&comment](std::size_t at) {
        return (comment[at] == ':' || comment[at] == '.') &&
               (at + 1 == comment.size() || comment[at + 1] == ' ' || comment[at + 1] == '\n');
    };
    std::size_t end = 0;
    while (end < comment.size() && !is_end(end)) ++end;
    chapter.title = prose(comment.substr(0, end));
    if (chapter.title.empty()) chapter.title = file.name.substr(file.name.rfind('/') + 1);
    std::string rest = end < comment.size() ? comment.substr(end + 1) : std::string();
    for (std::size_t at = 0; at < rest.size();) {
        const std::size_t stop = std::min(rest.find("\n\n", at), rest.size());
        const std::string paragraph = prose(rest.substr(at, stop - at), true);
        if (!paragraph.empty()) chapter.introduction += paragraph + "\n\n";
        at = stop + 2;
    }
}

std::vector<Chapter> chapters_of(const Program& program) {
    std::vector<Chapter> chapters;
    for (const Definition& definition : program.definitions) {
        const std::uint32_t file = named(definition).where.file;
        auto chapter = std::ranges::find(chapters, file, &Chapter::file);
        if (chapter == chapters.end()) {
            chapters.push_back({file, {}, {}, {}});
            chapter = chapters.end() - 1;
            name_chapter(*chapter, program.sources.files[file]);
        }
        chapter->definitions.push_back(definition);
    }
    return chapters;
}

// What GitHub makes of a heading for links to it.
std::string anchor(std::string_view heading) {
    std::string text;
    for (const char c : heading) {
        if (c == ' ') text += '-';
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') {
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return text;
}

std::string bit_range(unsigned high, unsigned low) {
    return high == low ? fmt::format("{}", high) : fmt::format("{}:{}", high, low);
}

class Writer {
 public:
    explicit Writer(const Program& program) : program_(program), chapters_(chapters_of(program)) {
        // Enums with a code and structs with a layout are shown with it.
        for (const Definition& definition : program.definitions) {
            const auto* mapping = std::get_if<const MappingDef*>(&definition);
            if (mapping == nullptr) continue;
            for (const Layout& layout : layouts_of(**mapping)) {
                if (layout.def != nullptr) shown_.insert(layout.def);
                for (const LayoutField& field : layout.fields) {
                    if (field.type->kind == TypeKind::enumeration) shown_.insert(field.type->enum_def);
                }
            }
        }
    }

    std::string write() {
        Chapter front;
        if (!program_.sources.files.empty()) name_chapter(front, program_.sources.files.front());
        text_ = fmt::format("# {}: reference\n\n{}", front.title, front.introduction);
        text_ +=
            "This page is generated from the specification in `sail/` by `sailgen markdown`; a change belongs there. "
            "Bits "
            "are numbered from 0, the least significant.\n\n## Contents\n\n";
        for (const Chapter& chapter : chapters_) {
            if (is_shown(chapter)) text_ += fmt::format("- [{}](#{})\n", chapter.title, anchor(chapter.title));
        }
        text_ += fmt::format("- [{0}](#{1})\n- [{2}](#{3})\n\n", unknown_title, anchor(unknown_title), proofs_title,
                             anchor(proofs_title));
        for (const Chapter& chapter : chapters_) {
            if (is_shown(chapter)) write_chapter(chapter);
        }
        write_unknown();
        write_properties();
        while (text_.ends_with("\n\n")) text_.pop_back();
        return std::move(text_);
    }

 private:
    static constexpr std::string_view unknown_title = "Not known, inferred or disputed";
    static constexpr std::string_view proofs_title = "What is proved";

    static bool is_shown(const Chapter& chapter) {
        return std::ranges::any_of(chapter.definitions, [](const Definition& definition) {
            const auto* function = std::get_if<const FunctionDef*>(&definition);
            return function == nullptr || !((*function)->is_property || (*function)->is_counterexample);
        });
    }

    void heading(unsigned level, std::string_view text) {
        text_ += std::string(level, '#') + fmt::format(" {}\n\n", text);
    }

    void paragraph(std::string_view doc) {
        if (!doc.empty()) text_ += prose(doc, true) + "\n\n";
    }

    void write_chapter(const Chapter& chapter) {
        heading(2, chapter.title);
        text_ += chapter.introduction;
        for (const MappingDef* mapping : all_of<MappingDef>(chapter)) write_messages(*mapping);
        for (const EnumDef* def : all_of<EnumDef>(chapter)) write_enum(*def);
        for (const StructDef* def : all_of<StructDef>(chapter)) write_struct(*def);
        for (const UnionDef* def : all_of<UnionDef>(chapter)) write_union(*def);
        for (const BitfieldDef* def : all_of<BitfieldDef>(chapter)) write_bitfield(*def);
        write_functions(chapter);
        write_constants(chapter);
    }

    void write_messages(const MappingDef& mapping) {
        const std::vector<Layout> layouts = layouts_of(mapping);
        if (layouts.empty()) return;
        write_codes(mapping, layouts);
        for (const Layout& layout : layouts) write_layout(layout);
    }

    static std::string name_of(const Layout& layout) {
        if (layout.constructor != nullptr) return layout.constructor->name;
        return layout.def == nullptr ? std::string() : layout.def->name;
    }

    static std::string_view doc_of(const Layout& layout) {
        if (layout.constructor != nullptr && !layout.constructor->doc.empty()) return layout.constructor->doc;
        return layout.def == nullptr ? std::string_view(layout.clause->doc) : std::string_view(layout.def->doc);
    }

    // All codes of a class in one table, sorted, if the layouts have them.
    void write_codes(const MappingDef& mapping, const std::vector<Layout>& layouts) {
        std::map<std::pair<std::uint64_t, std::string>, Row> rows;
        std::set<std::string> places;
        for (const Layout& layout : layouts) {
            for (const LayoutField& field : layout.fields) {
                if (field.mapping == nullptr) continue;
                places.insert(bit_range(field.high, field.low));
                for (const auto& [member, bits] : codes_of(*field.mapping)) {
                    rows[{bits.value, member->name}] = {fmt::format("{}", bits.value),
                                                        code(hex(bits.width, bits.value)), "**" + member->name + "**",
                                                        code(name_of(layout)), prose(member->doc)};
                }
            }
        }
        if (rows.empty()) return;
        std::string bits;
        for (const std::string& place : places) bits += (bits.empty() ? "" : ", ") + place;
        heading(3, fmt::format("Operations of `{}`", type_name(mapping.left)));
        const bool has_one_place = places.size() == 1 && places.begin()->find(':') == std::string::npos;
        text_ += fmt::format("The operation is bit{} {}.", has_one_place ? "" : "s", bits);
        if (const Layout& last = layouts.back(); last.clause->is_catch_all) {
            text_ += fmt::format(" Every other word is `{}`: {}", name_of(last), prose(doc_of(last)));
        }
        text_ += "\n\n";
        std::vector<Row> sorted;
        for (auto& [key, row] : rows) sorted.push_back(std::move(row));
        text_ += table({"Code", "Bits", "Name", "Layout", "Meaning"}, sorted);
    }

    void write_layout(const Layout& layout) {
        heading(3, fmt::format("Layout `{}`", name_of(layout)));
        paragraph(doc_of(layout));
        std::vector<Row> rows;
        for (const LayoutField& field : layout.fields) {
            std::string shown = field.name.empty() ? std::string() : code(field.name);
            if (field.slice) shown += fmt::format(" bits {}", bit_range(field.slice->first, field.slice->second));
            std::string type = code(type_name(field.type));
            std::string meaning = field.field == nullptr ? std::string() : prose(field.field->doc);
            if (field.fixed) {
                const unsigned width = field.high - field.low + 1;
                type = code(fmt::format("0b{:0{}b}", *field.fixed, width));
                meaning = "always so";
            }
            rows.push_back({bit_range(field.high, field.low), shown, type, meaning});
        }
        text_ += table({"Bits", "Field", "Type", "Meaning"}, rows);
    }

    static std::string type_name(TypeRef type) { return to_string(type); }

    void write_enum(const EnumDef& def) {
        if (shown_.contains(&def)) return;
        heading(3, fmt::format("`{}`", def.name));
        paragraph(def.doc);
        std::vector<Row> rows;
        for (const EnumMember* member : def.members) rows.push_back({code(member->name), prose(member->doc)});
        text_ += table({"Name", "Meaning"}, rows);
    }

    void write_struct(const StructDef& def) {
        if (shown_.contains(&def)) return;
        heading(3, fmt::format("`{}`", def.name));
        paragraph(def.doc);
        std::vector<Row> rows;
        for (const StructField* field : def.fields) {
            rows.push_back({code(field->name), code(type_name(field->type)), prose(field->doc)});
        }
        text_ += table({"Field", "Type", "Meaning"}, rows);
    }

    void write_union(const UnionDef& def) {
        // Messages have been shown by layout.
        for (const Definition& definition : program_.definitions) {
            const auto* mapping = std::get_if<const MappingDef*>(&definition);
            if (mapping != nullptr && (*mapping)->left == def.type && !layouts_of(**mapping).empty()) return;
        }
        heading(3, fmt::format("`{}`", def.name));
        paragraph(def.doc);
        std::vector<Row> rows;
        for (const UnionConstructor* constructor : def.constructors) {
            rows.push_back({code(constructor->name), code(type_name(constructor->payload)), prose(constructor->doc)});
        }
        text_ += table({"One of", "With", "Meaning"}, rows);
    }

    void write_bitfield(const BitfieldDef& def) {
        heading(3, fmt::format("`{}`", def.name));
        paragraph(def.doc);
        std::vector<Row> rows;
        for (const BitfieldField* field : def.fields) {
            rows.push_back({bit_range(field->high, field->low), code(field->name), prose(field->doc)});
        }
        text_ += table({"Bits", "Field", "Meaning"}, rows);
    }

    static std::string signature(const FunctionDef& function) {
        std::string text = function.name + "(";
        for (std::size_t i = 0; i < function.parameters.size(); ++i) {
            const Local& parameter = *function.parameters[i];
            text += fmt::format("{}{} : {}", i == 0 ? "" : ", ", parameter.name, type_name(parameter.type));
        }
        return text + ") -> " + type_name(function.result);
    }

    void write_functions(const Chapter& chapter) {
        std::vector<const FunctionDef*> functions = all_of<FunctionDef>(chapter);
        std::erase_if(functions,
                      [](const FunctionDef* function) { return function->is_property || function->is_counterexample; });
        if (functions.empty()) return;
        heading(3, fmt::format("Functions of {}", code(file_name(chapter))));
        for (const FunctionDef* function : functions) {
            text_ += fmt::format("- {}", code(signature(*function)));
            text_ += function->doc.empty() ? "\n" : "<br>\n  " + prose(function->doc, true) + "\n";
        }
        text_ += "\n";
        for (const std::string& one : tabulate(program_, functions)) text_ += one;
    }

    std::string file_name(const Chapter& chapter) const {
        const std::string& name = program_.sources.files[chapter.file].name;
        return name.substr(name.rfind('/') + 1);
    }

    void write_constants(const Chapter& chapter) {
        std::vector<Row> rows;
        for (const LetDef* let : all_of<LetDef>(chapter)) {
            rows.push_back(
                {code(let->name), code(constant_text(program_, *let)), code(type_name(let->type)), prose(let->doc)});
        }
        if (rows.empty()) return;
        heading(3, fmt::format("Constants of {}", code(file_name(chapter))));
        text_ += table({"Name", "Value", "Type", "Meaning"}, rows);
    }

    static bool is_doubtful(const Named& named_thing) {
        constexpr std::array marks = {"not known", "isputed",      "inferred", "ot documented",
                                      "not seen",  "ot confirmed", "disagree", "one source"};
        return named_thing.name.starts_with("unknown_") || std::ranges::any_of(marks, [&](const char* mark) {
                   return prose(named_thing.doc).find(mark) != std::string::npos;
               });
    }

    void doubt(std::vector<Row>& rows, const Named& owner, const Named& part) const {
        if (!is_doubtful(part)) return;
        const std::string name = &owner == &part ? code(part.name) : code(owner.name + "." + part.name);
        rows.push_back({name, prose(part.doc)});
    }

    void write_unknown() {
        std::vector<Row> rows;
        for (const Definition& definition : program_.definitions) {
            const Named& owner = named(definition);
            doubt(rows, owner, owner);
            if (const auto* def = std::get_if<const EnumDef*>(&definition)) {
                for (const EnumMember* member : (*def)->members) doubt(rows, owner, *member);
            } else if (const auto* structure = std::get_if<const StructDef*>(&definition)) {
                for (const StructField* field : (*structure)->fields) doubt(rows, owner, *field);
            } else if (const auto* choice = std::get_if<const UnionDef*>(&definition)) {
                for (const UnionConstructor* constructor : (*choice)->constructors) doubt(rows, owner, *constructor);
            }
        }
        heading(2, unknown_title);
        text_ += "Decoding keeps all of these bits; nothing is made of them.\n\n";
        text_ += table({"What", "State of knowledge"}, rows);
    }

    void write_properties() {
        heading(2, proofs_title);
        text_ +=
            "For every word and message, by `sailgen prove`. Each mapping between messages and words is lossless "
            "(encoding "
            "what was decoded gives the same word), unambiguous (no word fits two layouts, the last one of a class "
            "aside, which takes what the others leave) and complete (every word decodes). Beside these:\n\n";
        for (const Chapter& chapter : chapters_) {
            for (const FunctionDef* function : all_of<FunctionDef>(chapter)) {
                if (!function->is_property) continue;
                text_ += fmt::format("- {} ({})\n", prose(function->doc, true), code(function->name));
            }
        }
    }

    const Program& program_;
    std::vector<Chapter> chapters_;
    std::set<const Named*> shown_;
    std::string text_;
};

}  // namespace

BackendResult generate_markdown(const Program& program, const BackendOptions& /*options*/) {
    BackendResult result;
    result.files.push_back({"", Writer(program).write()});
    return result;
}

}  // namespace eciscope::sailgen
