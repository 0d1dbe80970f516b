#include "builtins.hpp"

#include <algorithm>
#include <limits>

namespace eciscope::sailgen {
namespace {

using P = Parameter;
using R = BuiltinResult;

const std::vector<BuiltinSignature>& table() {
    static const std::vector<BuiltinSignature> rows = {
        {"unsigned", Builtin::unsigned_of, R::integer, {P::bits}},
        {"signed", Builtin::signed_of, R::integer, {P::bits}},
        {"length", Builtin::zeros, R::length, {P::any_vector}},
        {"not_bool", Builtin::not_bool, R::boolean, {P::boolean}},
        {"and_bool", Builtin::and_bool, R::boolean, {P::boolean, P::boolean}},
        {"or_bool", Builtin::or_bool, R::boolean, {P::boolean, P::boolean}},
        {"not_vec", Builtin::not_bits, R::same, {P::bits}},
        {"and_vec", Builtin::and_bits, R::same, {P::bits, P::same_bits}},
        {"or_vec", Builtin::or_bits, R::same, {P::bits, P::same_bits}},
        {"xor_vec", Builtin::xor_bits, R::same, {P::bits, P::same_bits}},
        {"add_bits", Builtin::add_bits, R::same, {P::bits, P::same_bits}},
        {"sub_bits", Builtin::sub_bits, R::same, {P::bits, P::same_bits}},
        {"add_bits_int", Builtin::add_bits_int, R::same, {P::bits, P::integer}},
        {"sail_zero_extend", Builtin::zero_extend, R::fixed, {P::bits, P::fixed}},
        {"sail_sign_extend", Builtin::sign_extend, R::fixed, {P::bits, P::fixed}},
        {"truncate", Builtin::truncate, R::fixed, {P::bits, P::fixed}},
        {"sail_mask", Builtin::truncate, R::masked, {P::fixed, P::bits}},
        {"sail_zeros", Builtin::zeros, R::fixed, {P::fixed}},
        {"sail_ones", Builtin::ones, R::fixed, {P::fixed}},
        {"replicate_bits", Builtin::replicate, R::repeated, {P::bits, P::fixed}},
        {"sail_shiftleft", Builtin::shift_left, R::same, {P::bits, P::integer}},
        {"sail_shiftright", Builtin::shift_right, R::same, {P::bits, P::integer}},
        {"sail_arith_shiftright", Builtin::arith_shift_right, R::same, {P::bits, P::integer}},
        {"get_slice_int", Builtin::slice_of_int, R::fixed, {P::fixed, P::integer, P::integer}},
        {"add_int", Builtin::add_int, R::integer, {P::integer, P::integer}},
        {"sub_int", Builtin::sub_int, R::integer, {P::integer, P::integer}},
        {"mult_int", Builtin::mul_int, R::integer, {P::integer, P::integer}},
        {"tdiv_int", Builtin::div_int, R::integer, {P::integer, P::integer}},
        {"tmod_int", Builtin::mod_int, R::integer, {P::integer, P::integer}},
        {"min_int", Builtin::min_int, R::integer, {P::integer, P::integer}},
        {"max_int", Builtin::max_int, R::integer, {P::integer, P::integer}},
        {"negate", Builtin::neg_int, R::integer, {P::integer}},
        {"abs_int", Builtin::abs_int, R::integer, {P::integer}},
        {"is_some", Builtin::is_some, R::boolean, {P::option}},
        {"is_none", Builtin::is_none, R::boolean, {P::option}},
        {"print", Builtin::print, R::unit, {P::string}},
        {"print_endline", Builtin::print_endline, R::unit, {P::string}},
        {"print_int", Builtin::print_int, R::unit, {P::string, P::integer}},
        {"print_bits", Builtin::print_bits, R::unit, {P::string, P::bits}},
    };
    return rows;
}

__extension__ using Wide = __int128;  // holds every sum and product of two 64-bit bounds

std::optional<std::int64_t> narrow(std::optional<Wide> value) {
    if (!value || *value < std::numeric_limits<std::int64_t>::min() ||
        *value > std::numeric_limits<std::int64_t>::max()) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*value);
}

struct WideBounds {
    std::optional<Wide> low;
    std::optional<Wide> high;
};

WideBounds widen(TypeRef type) {
    WideBounds result;
    if (type->low) result.low = *type->low;
    if (type->high) result.high = *type->high;
    return result;
}

template <typename Operation>
std::optional<Wide> both(std::optional<Wide> a, std::optional<Wide> b, Operation operation) {
    if (!a || !b) return std::nullopt;
    return operation(*a, *b);
}

WideBounds multiply(WideBounds a, WideBounds b) {
    if (!a.low || !a.high || !b.low || !b.high) {
        if (a.low && *a.low >= 0 && b.low && *b.low >= 0) return {*a.low * *b.low, std::nullopt};
        return {};
    }
    const auto [low, high] = std::minmax({*a.low * *b.low, *a.low * *b.high, *a.high * *b.low, *a.high * *b.high});
    return {low, high};
}

WideBounds negated(WideBounds a) {
    WideBounds result;
    if (a.high) result.low = -*a.high;
    if (a.low) result.high = -*a.low;
    return result;
}

WideBounds minimum(WideBounds a, WideBounds b) {
    const auto least = [](Wide x, Wide y) { return std::min(x, y); };
    WideBounds result{both(a.low, b.low, least), both(a.high, b.high, least)};
    if (!result.high) result.high = a.high ? a.high : b.high;
    return result;
}

WideBounds binary(Builtin builtin, WideBounds a, WideBounds b) {
    const auto add = [](Wide x, Wide y) { return x + y; };
    switch (builtin) {
        case Builtin::add_int:
            return {both(a.low, b.low, add), both(a.high, b.high, add)};
        case Builtin::sub_int:
            return binary(Builtin::add_int, a, negated(b));
        case Builtin::mul_int:
            return multiply(a, b);
        case Builtin::min_int:
            return minimum(a, b);
        case Builtin::max_int:
            return negated(minimum(negated(a), negated(b)));
        // Sail knows no more than this either.
        case Builtin::mod_int:
            return b.low && *b.low >= 1 ? WideBounds{Wide{0}, std::nullopt} : WideBounds{};
        default:
            return {};
    }
}

WideBounds of_width(Builtin builtin, unsigned width) {
    if (builtin == Builtin::unsigned_of) return {Wide{0}, (Wide{1} << width) - 1};
    return {-(Wide{1} << (width - 1)), (Wide{1} << (width - 1)) - 1};
}

}  // namespace

const BuiltinSignature* find_builtin(std::string_view name) {
    const auto found = std::find_if(table().begin(), table().end(), [&](const auto& row) { return row.name == name; });
    return found == table().end() ? nullptr : &*found;
}

std::vector<std::string> builtin_names() {
    std::vector<std::string> names;
    for (const BuiltinSignature& row : table()) names.emplace_back(row.name);
    return names;
}

Bounds result_bounds(Builtin builtin, const std::vector<TypeRef>& arguments) {
    WideBounds bounds;
    if (builtin == Builtin::unsigned_of || builtin == Builtin::signed_of) {
        bounds = of_width(builtin, arguments[0]->width);
    } else if (builtin == Builtin::neg_int) {
        bounds = negated(widen(arguments[0]));
    } else if (builtin == Builtin::abs_int) {
        bounds.low = 0;
    } else {
        bounds = binary(builtin, widen(arguments[0]), widen(arguments[1]));
    }
    return {narrow(bounds.low), narrow(bounds.high)};
}

}  // namespace eciscope::sailgen
