// Whether a value of the generated code and one of the evaluator are the same value.
#pragma once

#include <eciscope/spec/eci.hpp>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "sailgen/evaluator.hpp"

namespace eciscope::spec_test {

inline std::uint64_t number(const sailgen::Value& value) {
    if (const auto* bits = std::get_if<sailgen::BitsValue>(&value.data)) return bits->value;
    return static_cast<std::uint64_t>(std::get<std::int64_t>(value.data));
}

inline const sailgen::Value* field_of(const sailgen::StructValue& value, std::string_view name) {
    for (std::size_t i = 0; i < value.fields.size(); ++i) {
        if (value.def->fields[i]->name == name) return &value.fields[i];
    }
    return nullptr;
}

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
bool same(const sailgen::Value& expected, const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        return std::get<bool>(expected.data) == value;
    } else if constexpr (std::is_integral_v<T>) {
        return number(expected) == static_cast<std::uint64_t>(value);
    } else if constexpr (eci::documented_enum<T>) {
        return std::get<sailgen::EnumValue>(expected.data).member->name == eci::name(value);
    } else if constexpr (IsOptional<T>::value) {
        const auto& payload = std::get<sailgen::OptionValue>(expected.data).payload;
        return payload.size() == (value ? 1U : 0U) && (!value || same(payload[0], *value));
    } else if constexpr (eci::tagged_union<T>) {
        const auto& made = std::get<sailgen::UnionValue>(expected.data);
        return made.constructor->name == eci::name(value.which) &&
               visit(value, [&](const auto& payload) { return same(made.payload[0], payload); });
    } else {
        const auto& fields = std::get<sailgen::StructValue>(expected.data);
        bool equal = fields.fields.size() == eci::fields_of<T>.size();
        eci::for_each_field(value, [&](const eci::field_info& info, const auto& field) {
            const sailgen::Value* counterpart = field_of(fields, info.name);
            equal = equal && counterpart != nullptr && same(*counterpart, field);
        });
        return equal;
    }
}

}  // namespace eciscope::spec_test
