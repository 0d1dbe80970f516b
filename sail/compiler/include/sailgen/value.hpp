// Values of Sail programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sailgen/ir.hpp"

namespace eciscope::sailgen {

struct Value;

struct EnumValue {
    const EnumMember* member = nullptr;
};
struct TupleValue {
    std::vector<Value> elements;
};
struct VectorValue {
    std::vector<Value> elements;  // index 0 first
};
struct StructValue {
    const StructDef* def = nullptr;
    std::vector<Value> fields;  // in the order of declaration
};
struct UnionValue {
    const UnionConstructor* constructor = nullptr;
    std::vector<Value> payload;  // one, unit for `C()`
};
struct OptionValue {
    std::vector<Value> payload;  // one or none
};

// A bitfield's value is that of its bits.
struct Value {
    std::variant<UnitValue, bool, BitValue, std::int64_t, BitsValue, std::string, EnumValue, TupleValue, VectorValue,
                 StructValue, UnionValue, OptionValue>
        data;
};

[[nodiscard]] bool operator==(const Value& a, const Value& b);

// Of a value that is known to be one, as the checker guarantees.
[[nodiscard]] inline std::int64_t as_int(const Value& value) {
    return std::get<std::int64_t>(value.data);
}
[[nodiscard]] inline BitsValue as_bits(const Value& value) {
    return std::get<BitsValue>(value.data);
}

// As Sail writes it: `Reply(ReplyOwned, 0b000001)`, `struct { next = R_I, sends = None() }`.
[[nodiscard]] std::string to_string(const Value& value);

// All-zero bits, 0 or the nearest bound, the first member or constructor, None.
[[nodiscard]] Value default_value(TypeRef type);

// How many values a type has; none if that is more than `limit` (int and string always).
[[nodiscard]] std::optional<std::uint64_t> count_values(TypeRef type, std::uint64_t limit);

// The index-th value of a type that count_values() counts: enums by member, bits and integers by number, the first
// element of a tuple or field of a struct varying slowest, None before Some.
[[nodiscard]] Value value_at(TypeRef type, std::uint64_t index);

// The value has the shape and bounds of the type.
[[nodiscard]] bool has_type(const Value& value, TypeRef type);

}  // namespace eciscope::sailgen
