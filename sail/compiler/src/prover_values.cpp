// What z3 prints, as Sail values.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "backend_smt.hpp"
#include "prover.hpp"
#include "sailgen/value.hpp"

namespace eciscope::sailgen {
namespace {

constexpr unsigned deepest_list = 100;

bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

class SexprReader {
 public:
    explicit SexprReader(const std::string& text) : text_(text) {}

    std::optional<Sexpr> read(unsigned depth = 0) {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] == ')' || depth > deepest_list) return std::nullopt;
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
        while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '(' && text_[at_] != ')') ++at_;
        return text_.substr(begin, at_ - begin);
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

// The digits of `#x1F`, `#b01`, `true` and `false` in base 2; empty for anything else.
std::string binary(const std::string& atom) {
    if (atom == "true") return "1";
    if (atom == "false") return "0";
    if (atom.starts_with("#b")) return atom.substr(2);
    std::string digits;
    if (!atom.starts_with("#x")) return digits;
    for (const char c : atom.substr(2)) {
        const auto value = static_cast<unsigned>(c >= 'a' ? c - 'a' + 10 : c - '0');
        for (unsigned bit = 4; bit-- > 0;) digits += ((value >> bit) & 1U) != 0 ? '1' : '0';
    }
    return digits;
}

std::uint64_t number(std::string_view bits) {
    std::uint64_t value = 0;
    for (const char c : bits) value = value << 1U | (c == '1' ? 1U : 0U);
    return value;
}

std::optional<Value> unpack(std::string_view bits, TypeRef type);

std::optional<std::vector<Value>> unpack_parts(std::string_view bits, TypeRef type) {
    std::vector<Value> values;
    for (const TypeRef part : smt::parts_of(type)) {
        const std::size_t width = smt::width_of(part);
        std::optional<Value> value = unpack(bits.substr(0, width), part);
        if (!value) return std::nullopt;
        values.push_back(std::move(*value));
        bits.remove_prefix(width);
    }
    return values;
}

std::optional<Value> unpack_union(std::string_view bits, const UnionDef& def) {
    const std::size_t tag = number(bits.substr(0, smt::tag_width(def.constructors.size())));
    if (tag >= def.constructors.size()) return std::nullopt;
    const UnionConstructor* constructor = def.constructors[tag];
    if (constructor->payload->kind == TypeKind::unit) return Value{UnionValue{constructor, {Value{UnitValue{}}}}};
    std::optional<Value> payload =
        unpack(bits.substr(bits.size() - smt::width_of(constructor->payload)), constructor->payload);
    if (!payload) return std::nullopt;
    return Value{UnionValue{constructor, {std::move(*payload)}}};
}

std::optional<Value> unpack(std::string_view bits, TypeRef type) {
    switch (type->kind) {
        case TypeKind::unit:
            return Value{UnitValue{}};
        case TypeKind::boolean:
            return Value{bits == "1"};
        case TypeKind::bit:
            return Value{BitValue{bits == "1"}};
        case TypeKind::integer:
            return Value{static_cast<std::int64_t>(number(bits))};
        case TypeKind::bits:
        case TypeKind::bitfield:
            return Value{BitsValue{smt::width_of(type), number(bits)}};
        case TypeKind::enumeration: {
            const std::size_t index = number(bits);
            if (index >= type->enum_def->members.size()) return std::nullopt;
            return Value{EnumValue{type->enum_def->members[index]}};
        }
        case TypeKind::option: {
            if (bits.front() == '0') return Value{OptionValue{}};
            std::optional<Value> payload = unpack(bits.substr(1), type->elements.front());
            return payload ? std::optional(Value{OptionValue{{std::move(*payload)}}}) : std::nullopt;
        }
        case TypeKind::union_type:
            return unpack_union(bits, *type->union_def);
        case TypeKind::tuple:
        case TypeKind::vector:
        case TypeKind::structure: {
            std::optional<std::vector<Value>> parts = unpack_parts(bits, type);
            if (!parts) return std::nullopt;
            if (type->kind == TypeKind::tuple) return Value{TupleValue{std::move(*parts)}};
            if (type->kind == TypeKind::vector) return Value{VectorValue{std::move(*parts)}};
            return Value{StructValue{type->struct_def, std::move(*parts)}};
        }
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<Sexpr> read_sexpr(const std::string& text) {
    return SexprReader(text).read();
}

std::optional<Value> sail_value(const std::string& atom, TypeRef type) {
    const std::string bits = binary(atom);
    if (type == nullptr) return Value{static_cast<std::int64_t>(number(bits))};
    return bits.size() == smt::width_of(type) ? unpack(bits, type) : std::nullopt;
}

}  // namespace eciscope::sailgen
