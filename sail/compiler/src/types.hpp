// Interned types and the relations between them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "sailgen/ir.hpp"

namespace eciscope::sailgen {

inline constexpr unsigned widest_bits = 64;
// Values of a type are at most this many parts: keeps tables, messages and the evaluator bounded.
inline constexpr std::uint64_t largest_type_weight = 4096;

class TypeTable {
 public:
    explicit TypeTable(Arenas& arenas);

    [[nodiscard]] TypeRef error() const { return error_; }
    [[nodiscard]] TypeRef unit() const { return unit_; }
    [[nodiscard]] TypeRef boolean() const { return boolean_; }
    [[nodiscard]] TypeRef bit() const { return bit_; }
    [[nodiscard]] TypeRef string() const { return string_; }
    [[nodiscard]] TypeRef integer(std::optional<std::int64_t> low = {}, std::optional<std::int64_t> high = {});
    [[nodiscard]] TypeRef bits(unsigned width);
    [[nodiscard]] TypeRef tuple(std::vector<TypeRef> elements);
    [[nodiscard]] TypeRef vector(std::uint64_t length, TypeRef element);
    [[nodiscard]] TypeRef option(TypeRef element);
    [[nodiscard]] TypeRef named(const EnumDef* def);
    [[nodiscard]] TypeRef named(const StructDef* def);
    [[nodiscard]] TypeRef named(const UnionDef* def);
    [[nodiscard]] TypeRef named(const BitfieldDef* def);

    // The number of parts a value has, with the largest constructor of a union; not counted far beyond the limit.
    [[nodiscard]] std::uint64_t weight(TypeRef type);
    // To be called when a scattered union gets a constructor: what contains it weighs more.
    void forget_weights() { weights_.clear(); }

    // A value of `from` may stand where `to` is wanted.
    [[nodiscard]] bool is_subtype(TypeRef from, TypeRef to) const;
    // The least type both may stand for, or null.
    [[nodiscard]] TypeRef join(TypeRef a, TypeRef b);

 private:
    using Key = std::tuple<TypeKind, unsigned, std::optional<std::int64_t>, std::optional<std::int64_t>, std::uint64_t,
                           std::vector<TypeRef>, const void*>;
    TypeRef intern(Type type);

    Arenas& arenas_;
    std::map<Key, TypeRef> known_;
    std::unordered_map<TypeRef, std::uint64_t> weights_;
    TypeRef error_;
    TypeRef unit_;
    TypeRef boolean_;
    TypeRef bit_;
    TypeRef string_;
};

// The single value an integer type allows, if it is one.
[[nodiscard]] std::optional<std::int64_t> single_value(TypeRef type);

// `type` occurs inside `container`, as a part of its values.
[[nodiscard]] bool contains_type(TypeRef container, TypeRef type);

}  // namespace eciscope::sailgen
