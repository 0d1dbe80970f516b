// Values in z3's words, and the same in Sail's.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "backend_smt.hpp"
#include "prover.hpp"
#include "sailgen/prover.hpp"

namespace eciscope::sailgen {
namespace {

constexpr unsigned deepest_value = 200;

bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

class SexprReader {
 public:
    explicit SexprReader(const std::string& text) : text_(text) {}

    std::optional<Sexpr> read(unsigned depth = 0) {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] == ')' || depth > deepest_value) return std::nullopt;
        if (text_[at_] != '(') return Sexpr{atom(), {}};
        ++at_;
        Sexpr list;
        for (skip_blanks(); at_ < text_.size() && text_[at_] != ')'; skip_blanks()) {
            std::optional<Sexpr> part = read(depth + 1);
            if (!part) return std::nullopt;
            list.parts.push_back(std::move(*part));
        }
        if (at_ == text_.size()) return std::nullopt;
        ++at_;
        return list;
    }

 private:
    void skip_blanks() {
        while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    }

    std::string atom() {
        const std::size_t begin = at_;
        const char quote = text_[at_];
        if (quote == '|' || quote == '"') {
            at_ = std::min(text_.find(quote, at_ + 1), text_.size() - 1) + 1;
        } else {
            while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '(' && text_[at_] != ')') ++at_;
        }
        return text_.substr(begin, at_ - begin);
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

std::optional<std::uint64_t> number(const std::string& atom) {
    const bool is_hex = atom.starts_with("#x");
    if (atom.size() < 3 || (!is_hex && !atom.starts_with("#b")) || atom.size() > (is_hex ? 18 : 66))
        return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : atom.substr(2)) {
        const auto digit = static_cast<unsigned>(c >= 'a' ? c - 'a' + 10 : c >= 'A' ? c - 'A' + 10 : c - '0');
        if (digit >= (is_hex ? 16U : 2U)) return std::nullopt;
        value = (value << (is_hex ? 4U : 1U)) | digit;
    }
    return value;
}

std::string bits_text(unsigned width, std::uint64_t value) {
    if (width % 4 == 0) return fmt::format("0x{:0{}X}", value, width / 4);
    // Sail has no hexadecimal literal of this width.
    return fmt::format("0b{:0{}b}", value, width);
}

std::optional<std::string> render(const Sexpr& value, TypeRef type);

std::optional<std::string> render_list(const Sexpr& value, const std::vector<TypeRef>& types) {
    std::string text;
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (i + 1 >= value.parts.size()) return std::nullopt;
        const std::optional<std::string> part = render(value.parts[i + 1], types[i]);
        if (!part) return std::nullopt;
        text += (i == 0 ? "" : ", ") + *part;
    }
    return text;
}

std::optional<std::string> render_struct(const Sexpr& value, const StructDef& def) {
    std::string text = "struct { ";
    for (std::size_t i = 0; i < def.fields.size(); ++i) {
        if (i + 1 >= value.parts.size()) return std::nullopt;
        const std::optional<std::string> field = render(value.parts[i + 1], def.fields[i]->type);
        if (!field) return std::nullopt;
        text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", def.fields[i]->name, *field);
    }
    return text + " }";
}

std::optional<std::string> render_union(const Sexpr& value, const UnionDef& def) {
    const std::string& head = value.parts.empty() ? value.atom : value.parts.front().atom;
    for (const UnionConstructor* constructor : def.constructors) {
        if (smt::constructor_symbol(*constructor) != head) continue;
        if (constructor->payload->kind == TypeKind::unit) return constructor->name + "()";
        if (value.parts.size() < 2) return std::nullopt;
        const std::optional<std::string> payload = render(value.parts[1], constructor->payload);
        if (!payload) return std::nullopt;
        const bool has_parentheses = constructor->payload->kind == TypeKind::tuple;
        return has_parentheses ? constructor->name + *payload : fmt::format("{}({})", constructor->name, *payload);
    }
    return std::nullopt;
}

std::optional<std::string> render_number(const Sexpr& value, TypeRef type) {
    const std::optional<std::uint64_t> read = number(value.atom);
    if (!read) return std::nullopt;
    if (type == nullptr || type->kind == TypeKind::integer) {
        return fmt::format("{}", static_cast<std::int64_t>(*read));
    }
    if (type->kind == TypeKind::bit) return *read == 0 ? "bitzero" : "bitone";
    return bits_text(type->kind == TypeKind::bits ? type->width : type->bitfield_def->width, *read);
}

std::optional<std::string> render(const Sexpr& value, TypeRef type) {
    switch (type == nullptr ? TypeKind::integer : type->kind) {
        case TypeKind::unit:
            return "()";
        case TypeKind::boolean:
            return value.atom == "true" || value.atom == "false" ? std::optional(value.atom) : std::nullopt;
        case TypeKind::bit:
        case TypeKind::integer:
        case TypeKind::bits:
        case TypeKind::bitfield:
            return render_number(value, type);
        case TypeKind::enumeration:
            for (const EnumMember* member : type->enum_def->members) {
                if (smt::member_symbol(*member) == value.atom) return member->name;
            }
            return std::nullopt;
        case TypeKind::structure:
            return render_struct(value, *type->struct_def);
        case TypeKind::union_type:
            return render_union(value, *type->union_def);
        case TypeKind::option: {
            if (value.parts.size() < 2) return "None()";
            const std::optional<std::string> payload = render(value.parts[1], type->elements.front());
            return payload ? std::optional("Some(" + *payload + ")") : std::nullopt;
        }
        case TypeKind::tuple: {
            const std::optional<std::string> list = render_list(value, type->elements);
            return list ? std::optional("(" + *list + ")") : std::nullopt;
        }
        case TypeKind::vector: {
            // Item 0 is made first; Sail writes it last.
            Sexpr turned = value;
            if (!turned.parts.empty()) std::reverse(turned.parts.begin() + 1, turned.parts.end());
            const std::vector<TypeRef> types(type->length, type->elements.front());
            const std::optional<std::string> list = render_list(turned, types);
            return list ? std::optional("[" + *list + "]") : std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<Sexpr> read_sexpr(const std::string& text) {
    return SexprReader(text).read();
}

std::string sail_value(const Sexpr& value, TypeRef type) {
    return render(value, type).value_or("?");
}

std::string sail_value(const std::string& text, TypeRef type) {
    const std::optional<Sexpr> value = read_sexpr(text);
    return value ? render(*value, type).value_or(text) : text;
}

}  // namespace eciscope::sailgen
