// Texts, tables and layouts of the Markdown back end.
#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "markdown.hpp"

namespace eciscope::sailgen::markdown {
namespace {

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Which local of the clause stands for which field.
using Fields = std::map<const Local*, const StructField*>;

PatternRef plain(PatternRef pattern) {
    while (const auto* bits = std::get_if<BitfieldPattern>(&pattern->node)) pattern = bits->bits;
    return pattern;
}

void collect_fields(const StructPattern& structure, Fields& fields) {
    for (std::size_t i = 0; i < structure.fields.size(); ++i) {
        if (const auto* bind = std::get_if<BindPattern>(&plain(structure.fields[i])->node)) {
            fields[bind->local] = structure.def->fields[i];
        }
    }
}

void name(LayoutField& field, const Local* local, const Fields& fields) {
    const auto found = fields.find(local);
    field.field = found == fields.end() ? nullptr : found->second;
    field.name = field.field == nullptr ? local->name : field.field->name;
}

LayoutField layout_field(PatternRef part, const Fields& fields) {
    LayoutField field;
    field.type = part->type;
    part = plain(part);
    if (const auto* literal = std::get_if<LiteralPattern>(&part->node)) {
        if (const auto* bits = std::get_if<BitsValue>(&literal->value)) field.fixed = bits->value;
    } else if (const auto* bind = std::get_if<BindPattern>(&part->node)) {
        name(field, bind->local, fields);
    } else if (const auto* slice = std::get_if<SlicePattern>(&part->node)) {
        name(field, slice->local, fields);
        field.slice = std::pair{slice->high, slice->low};
    } else if (const auto* through = std::get_if<MappingPattern>(&part->node)) {
        field.mapping = through->mapping;
        field.type = through->inner->type;
        if (const auto* inner = std::get_if<BindPattern>(&through->inner->node)) name(field, inner->local, fields);
    }
    return field;
}

Layout layout_of(const MappingClause& clause) {
    Layout layout;
    layout.clause = &clause;
    Fields fields;
    PatternRef left = clause.left;
    if (const auto* constructed = std::get_if<ConstructorPattern>(&left->node)) {
        layout.constructor = constructed->constructor;
        left = constructed->payload;
    }
    if (const auto* structure = std::get_if<StructPattern>(&left->node)) {
        layout.def = structure->def;
        collect_fields(*structure, fields);
    }
    std::vector<PatternRef> parts = {clause.right};
    if (const auto* concat = std::get_if<ConcatPattern>(&clause.right->node)) parts = concat->parts;
    unsigned high = clause.right->type->width;
    for (const PatternRef part : parts) {
        layout.fields.push_back(layout_field(part, fields));
        layout.fields.back().high = high - 1;
        high -= part->type->width;
        layout.fields.back().low = high;
    }
    return layout;
}

}  // namespace

std::string table(const Row& head, const std::vector<Row>& rows) {
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < head.size(); ++column) {
        std::size_t width = std::max<std::size_t>(3, width_of(head[column]));
        for (const Row& row : rows) width = std::max(width, width_of(row[column]));
        widths.push_back(width);
    }
    const auto line = [&widths](const Row& row) {
        std::string text = "|";
        for (std::size_t column = 0; column < row.size(); ++column) {
            text += " " + row[column] + std::string(widths[column] - width_of(row[column]), ' ') + " |";
        }
        return text + "\n";
    };
    std::string text = line(head);
    text += "|";
    for (const std::size_t width : widths) text += " " + std::string(width, '-') + " |";
    text += "\n";
    for (const Row& row : rows) text += line(row);
    return text + "\n";
}

std::string code(std::string_view text) {
    return fmt::format("`{}`", text);
}

std::string prose(std::string_view doc, bool is_sentence) {
    std::string text;
    bool is_code = false;
    for (const char c : doc) {
        is_code = is_code != (c == '`');
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            if (!text.empty() && text.back() != ' ') text += ' ';
        } else if (c == '|') {
            text += "\\|";
        } else if (c == '<' && !is_code) {
            text += "&lt;";
        } else {
            text += c;
        }
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    if (!is_sentence || text.empty()) return text;
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    if (text.back() != '.') text += '.';
    return text;
}

std::string hex(unsigned width, std::uint64_t value) {
    if (width % 4 == 0) return fmt::format("0x{:0{}X}", value, width / 4);
    return fmt::format("0b{:0{}b}", value, width);
}

std::vector<Layout> layouts_of(const MappingDef& mapping) {
    std::vector<Layout> layouts;
    const bool is_message = mapping.left->kind == TypeKind::union_type || mapping.left->kind == TypeKind::structure;
    if (!is_message || mapping.right->kind != TypeKind::bits) return layouts;
    for (const MappingClause& clause : mapping.clauses) {
        if (clause.left != nullptr && clause.right != nullptr) layouts.push_back(layout_of(clause));
    }
    return layouts;
}

std::map<const EnumMember*, BitsValue> codes_of(const MappingDef& mapping) {
    std::map<const EnumMember*, BitsValue> codes;
    for (const MappingClause& clause : mapping.clauses) {
        if (clause.left == nullptr || clause.right == nullptr) continue;
        const auto* member = std::get_if<EnumPattern>(&clause.left->node);
        const auto* literal = std::get_if<LiteralPattern>(&clause.right->node);
        const auto* bits = literal == nullptr ? nullptr : std::get_if<BitsValue>(&literal->value);
        if (member != nullptr && bits != nullptr) codes[member->member] = *bits;
    }
    return codes;
}

}  // namespace eciscope::sailgen::markdown
