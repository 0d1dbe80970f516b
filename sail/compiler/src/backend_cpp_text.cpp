// How names, types and constants of Sail look in C++, and the writer of lines.
#include <algorithm>
#include <cctype>
#include <cstdio>

#include "backend_cpp.hpp"
#include "walk.hpp"

namespace eciscope::sailgen::cpp {

void Writer::line(std::string_view text) {
    if (text.empty()) {
        text_ += '\n';
        return;
    }
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (end != 0) text_.append(depth_ * 4, ' ');
        text_.append(text.substr(0, end)) += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void Writer::open(std::string_view text) {
    line(std::string(text) + " {");
    indent();
}

void Writer::close(std::string_view after) {
    dedent();
    line("}" + std::string(after));
}

void Writer::doc(std::string_view text) {
    wrapped("/// ", text);
}

void Writer::comment(std::string_view text) {
    wrapped("// ", text);
}

void Writer::wrapped(std::string_view marker, std::string_view text) {
    const std::size_t room = line_width - column() - marker.size();
    std::string current;
    const auto flush = [&] {
        if (!current.empty()) line(std::string(marker) + current);
        current.clear();
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (word.empty()) continue;
        if (!current.empty() && current.size() + 1 + word.size() > room) flush();
        if (!current.empty()) current += ' ';
        current += word;
    }
    flush();
}

namespace {

// Words of C++ and names of the generated support code, none of them free for names of Sail.
constexpr std::string_view taken_names[] = {
    "alignas",      "alignof",
    "and",          "and_eq",
    "asm",          "auto",
    "bitand",       "bitor",
    "bool",         "break",
    "case",         "catch",
    "char",         "class",
    "co_await",     "co_return",
    "co_yield",     "compl",
    "concept",      "const",
    "consteval",    "constexpr",
    "constinit",    "continue",
    "decltype",     "default",
    "delete",       "do",
    "double",       "else",
    "enum",         "explicit",
    "export",       "extern",
    "false",        "float",
    "for",          "friend",
    "goto",         "if",
    "inline",       "int",
    "long",         "mutable",
    "namespace",    "new",
    "noexcept",     "not",
    "not_eq",       "nullptr",
    "operator",     "or",
    "or_eq",        "private",
    "protected",    "public",
    "register",     "requires",
    "return",       "short",
    "signed",       "sizeof",
    "static",       "static_assert",
    "static_cast",  "struct",
    "switch",       "template",
    "this",         "throw",
    "true",         "try",
    "typedef",      "typeid",
    "typename",     "union",
    "unsigned",     "using",
    "virtual",      "void",
    "volatile",     "while",
    "xor",          "xor_eq",
    "std",          "place",
    "field",        "name",
    "doc",          "visit",
    "which",        "kind",
    "with_field",   "with_bit",
    "bit_at",       "shift_left",
    "shift_right",  "arith_shift_right",
    "sign_extend",  "replicate",
    "fields_of",    "layouts",
    "layout_of",    "for_each_field",
    "visit_struct", "bits",
    "field_info",   "field_type",
    "layout_info",  "member_info",
    "members_of",   "all_of",
    "tagged_union", "absolute",
    "power",        "one_of",
    "smallest",     "EOF",
    "NULL",         "errno",
    "assert",       "unix",
    "linux",
};

std::string hex(const BitsValue& bits) {
    char text[20];
    const int digits = static_cast<int>((bits.width + 3) / 4);
    std::snprintf(text, sizeof text, "0x%0*llx", digits, static_cast<unsigned long long>(bits.value));
    return text;
}

std::string binary(const BitsValue& bits) {
    std::string text = "0b";
    for (unsigned i = bits.width; i-- > 0;) text += ((bits.value >> i) & 1) != 0 ? '1' : '0';
    return text;
}

std::string integer_type(const Type& type) {
    if (!type.low || !type.high) return "std::int64_t";
    if (*type.low >= 0) {
        if (*type.high <= 0xff) return "std::uint8_t";
        if (*type.high <= 0xffff) return "std::uint16_t";
        return *type.high <= 0xffffffff ? "std::uint32_t" : "std::int64_t";
    }
    for (const unsigned width : {8U, 16U, 32U}) {
        const std::int64_t limit = std::int64_t{1} << (width - 1);
        if (*type.low >= -limit && *type.high < limit) return "std::int" + std::to_string(width) + "_t";
    }
    return "std::int64_t";
}

}  // namespace

std::string identifier(std::string_view sail_name) {
    std::string text;
    for (const char c : sail_name) {
        if (c == '\'')
            text += "_prime";
        else if (c == '?')
            text += "_p";
        else
            text += c;
    }
    if (std::ranges::find(taken_names, text) != std::ranges::end(taken_names)) text += '_';
    return text;
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (const std::string& part : parts) {
        if (!text.empty()) text += separator;
        text += part;
    }
    return text;
}

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            (result += '\\') += c;
        else if (c == '\n')
            result += "\\n";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(c)));
            result += escape;
        } else
            result += c;
    }
    return result += '"';
}

std::string type_name(TypeRef type) {
    switch (type->kind) {
        case TypeKind::boolean:
        case TypeKind::bit:
            return "bool";
        case TypeKind::integer:
            return integer_type(*type);
        case TypeKind::bits:
            return type->width <= 8    ? "std::uint8_t"
                   : type->width <= 16 ? "std::uint16_t"
                   : type->width <= 32 ? "std::uint32_t"
                                       : "std::uint64_t";
        case TypeKind::string:
            return "std::string_view";
        case TypeKind::tuple: {
            std::vector<std::string> parts;
            for (TypeRef element : type->elements) parts.push_back(type_name(element));
            return "tuple" + std::to_string(parts.size()) + "<" + joined(parts, ", ") + ">";
        }
        case TypeKind::vector:
            return "std::array<" + type_name(type->elements[0]) + ", " + std::to_string(type->length) + ">";
        case TypeKind::option:
            return "std::optional<" + type_name(type->elements[0]) + ">";
        case TypeKind::enumeration:
            return identifier(type->enum_def->name);
        case TypeKind::structure:
            return identifier(type->struct_def->name);
        case TypeKind::union_type:
            return identifier(type->union_def->name);
        case TypeKind::bitfield:
            return identifier(type->bitfield_def->name);
        case TypeKind::unit:
        case TypeKind::error:
            break;
    }
    return "std::monostate";
}

bool is_number(TypeRef type) {
    return type->kind == TypeKind::bits || type->kind == TypeKind::integer;
}

Code constant(const Constant& value) {
    Code code;
    code.literal = true;
    code.text = std::visit(Overloaded{
                               [](UnitValue) { return std::string("std::monostate{}"); },
                               [](bool set) { return std::string(set ? "true" : "false"); },
                               [](BitValue bit) { return std::string(bit.set ? "true" : "false"); },
                               [](std::int64_t number) { return std::to_string(number); },
                               [](const BitsValue& bits) {
                                   return bits.width != 0 && (bits.width < 4 || bits.width % 4 != 0) && bits.width < 10
                                              ? binary(bits)
                                              : hex(bits);
                               },
                               [](const std::string& text) { return quoted(text); },
                           },
                           value);
    if (const auto* number = std::get_if<std::int64_t>(&value); number != nullptr && *number < 0) {
        code.precedence = Precedence::unary;
        if (*number == INT64_MIN) code = {.text = "INT64_MIN", .literal = true};
    }
    return code;
}

std::string in_parentheses(const Code& code, Precedence loosest) {
    return code.precedence <= loosest ? code.text : "(" + code.text + ")";
}

std::string cast_to(TypeRef type, const Code& code) {
    return "static_cast<" + type_name(type) + ">(" + code.text + ")";
}

std::string converted(const Code& code, TypeRef from, TypeRef target) {
    if (!is_number(target) || code.literal) return code.text;
    if (code.exact && type_name(from) == type_name(target)) return code.text;
    if (!code.exact && code.type == type_name(target)) return code.text;
    return cast_to(target, code);
}

std::string mapping_function(const MappingDef& mapping, Direction direction, bool only_matches) {
    return identifier(mapping.name) + (direction == Direction::forwards ? "_forwards" : "_backwards") +
           (only_matches ? "_matches" : "");
}

bool mentions(std::string_view text, std::string_view name) {
    const auto part_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        const bool starts = at == 0 || (!part_of_word(text[at - 1]) && text[at - 1] != '.');
        if (starts && (end == text.size() || !part_of_word(text[end]))) return true;
    }
    return false;
}

std::string one_of(const std::string& number, unsigned width, const std::vector<std::size_t>& values,
                   std::size_t column) {
    const auto text = [&](std::size_t value) { return constant(BitsValue{width, value}).text; };
    if (values.size() == 1) return number + " == " + text(values.front());
    std::string result = "one_of<";
    std::size_t start = 0;  // of the line
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i != 0) result += ",";
        if (i != 0 && column + 4 + result.size() - start + 26 > line_width) {
            result += "\n           ";
            start = result.size() - 11;
        } else if (i != 0) {
            result += " ";
        }
        result += text(values[i]);
    }
    return result + ">(" + number + ")";
}

std::string indented(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        result += text[i];
        if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] != '\n') result.append(4, ' ');
    }
    return result;
}

std::string braced(const std::vector<std::string>& parts, std::size_t column) {
    std::string text = "{" + joined(parts, ", ") + "}";
    if (column + text.size() <= line_width && text.find('\n') == std::string::npos) return text;
    text = "{\n";
    for (const std::string& part : parts) text += "    " + indented(part) + ",\n";
    return text + "}";
}

std::string member(const EnumMember& member) {
    return identifier(member.owner->name) + "::" + identifier(member.name);
}

std::string kind(const UnionConstructor& constructor) {
    return identifier(constructor.owner->name) + "::kind::" + identifier(constructor.name);
}

}  // namespace eciscope::sailgen::cpp
