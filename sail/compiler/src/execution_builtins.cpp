// The library functions.
#include <algorithm>
#include <limits>

#include "bit_operations.hpp"
#include "execution.hpp"

namespace eciscope::sailgen {
namespace {

// Truncates to the width.
Value bits_value(unsigned width, std::uint64_t value) {
    return {BitsValue{width, value & low_ones(width)}};
}

Value shifted(Builtin builtin, BitsValue bits, std::int64_t distance) {
    const bool copies_sign = builtin == Builtin::arith_shift_right && as_signed(bits) < 0;
    if (distance >= static_cast<std::int64_t>(bits.width)) {
        return bits_value(bits.width, copies_sign ? ~std::uint64_t{0} : 0);
    }
    if (builtin == Builtin::shift_left) return bits_value(bits.width, bits.value << distance);
    const std::uint64_t filled = copies_sign ? bits.value | ~low_ones(bits.width) : bits.value;
    const std::uint64_t above = copies_sign && distance > 0 ? ~(~std::uint64_t{0} >> distance) : 0;
    return bits_value(bits.width, filled >> distance | above);
}

std::uint64_t replicated(BitsValue bits, unsigned width) {
    std::uint64_t result = 0;
    for (unsigned at = 0; at < width; at += bits.width) result |= bits.value << at;
    return result;
}

}  // namespace

Value Execution::builtin(const BuiltinCall& node, const Expr& expr, const std::vector<Value>& arguments) {
    switch (node.builtin) {
        case Builtin::equal:
            return {arguments[0] == arguments[1]};
        case Builtin::not_equal:
            return {!(arguments[0] == arguments[1])};
        case Builtin::not_bool:
            return {!std::get<bool>(arguments[0].data)};
        case Builtin::is_some:
            return {!std::get<OptionValue>(arguments[0].data).payload.empty()};
        case Builtin::is_none:
            return {std::get<OptionValue>(arguments[0].data).payload.empty()};
        case Builtin::num_of_enum:
            return {static_cast<std::int64_t>(std::get<EnumValue>(arguments[0].data).member->index)};
        case Builtin::enum_of_num:
            return {EnumValue{expr.type->enum_def->members[static_cast<std::size_t>(as_int(arguments[0]))]}};
        case Builtin::print:
        case Builtin::print_endline:
        case Builtin::print_int:
        case Builtin::print_bits:
            print(node.builtin, arguments);
            return {};
        default:
            break;
    }
    if (std::optional<Value> result = bits_builtin(node.builtin, arguments, expr)) return std::move(*result);
    if (std::optional<Value> result = int_builtin(node.builtin, arguments, expr.where)) return std::move(*result);
    if (!error_) fail(EvalErrorKind::overflow, expr.where, "an integer leaves 64 bits");
    return {};
}

std::optional<Value> Execution::bits_builtin(Builtin builtin, const std::vector<Value>& arguments, const Expr& expr) {
    const unsigned width = expr.type->width;
    const BitsValue* first = arguments.empty() ? nullptr : std::get_if<BitsValue>(&arguments[0].data);
    switch (builtin) {
        case Builtin::zeros:
            return bits_value(width, 0);
        case Builtin::ones:
            return bits_value(width, ~std::uint64_t{0});
        case Builtin::not_bits:
            return bits_value(width, ~first->value);
        case Builtin::and_bits:
            return bits_value(width, first->value & as_bits(arguments[1]).value);
        case Builtin::or_bits:
            return bits_value(width, first->value | as_bits(arguments[1]).value);
        case Builtin::xor_bits:
            return bits_value(width, first->value ^ as_bits(arguments[1]).value);
        case Builtin::add_bits:
            return bits_value(width, first->value + as_bits(arguments[1]).value);
        case Builtin::sub_bits:
            return bits_value(width, first->value - as_bits(arguments[1]).value);
        case Builtin::add_bits_int:
            return bits_value(width, first->value + static_cast<std::uint64_t>(as_int(arguments[1])));
        case Builtin::zero_extend:
        case Builtin::truncate:
            return bits_value(width, first->value);
        case Builtin::sign_extend:
            return bits_value(width, static_cast<std::uint64_t>(as_signed(*first)));
        case Builtin::replicate:
            return bits_value(width, replicated(*first, width));
        case Builtin::shift_left:
        case Builtin::shift_right:
        case Builtin::arith_shift_right:
            if (as_int(arguments[1]) >= 0) return shifted(builtin, *first, as_int(arguments[1]));
            fail(EvalErrorKind::bad_operand, expr.where, "a shift by " + to_string(arguments[1]));
            return std::nullopt;
        case Builtin::slice_of_int: {
            const std::int64_t low = as_int(arguments[1]);
            if (low >= 0) {
                const std::int64_t distance = std::min<std::int64_t>(low, 63);
                return bits_value(width, static_cast<std::uint64_t>(as_int(arguments[0]) >> distance));
            }
            fail(EvalErrorKind::bad_operand, expr.where, "a slice from bit " + to_string(arguments[1]));
            return std::nullopt;
        }
        case Builtin::unsigned_of:
            if (first->value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                return std::nullopt;
            return Value{static_cast<std::int64_t>(first->value)};
        case Builtin::signed_of:
            return Value{as_signed(*first)};
        default:
            return std::nullopt;
    }
}

// Nothing for what leaves 64 bits.
std::optional<Value> Execution::int_builtin(Builtin builtin, const std::vector<Value>& arguments, SourceRange where) {
    const std::int64_t* first = arguments.empty() ? nullptr : std::get_if<std::int64_t>(&arguments[0].data);
    if (first == nullptr || error_) return std::nullopt;
    const std::int64_t a = *first;
    const std::int64_t b = arguments.size() > 1 ? as_int(arguments[1]) : 0;
    constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    // By reference: the value is there only once the first argument is worked out, whichever the compiler does first.
    const auto unless = [](bool overflows, const std::int64_t& value) {
        return overflows ? std::nullopt : std::optional(Value{value});
    };
    std::int64_t result = 0;
    switch (builtin) {
        case Builtin::add_int:
            return unless(__builtin_add_overflow(a, b, &result), result);
        case Builtin::sub_int:
            return unless(__builtin_sub_overflow(a, b, &result), result);
        case Builtin::mul_int:
            return unless(__builtin_mul_overflow(a, b, &result), result);
        case Builtin::neg_int:
            return unless(__builtin_sub_overflow(std::int64_t{0}, a, &result), result);
        case Builtin::abs_int:
            return unless(a == lowest, a < 0 && a != lowest ? -a : a);
        case Builtin::min_int:
            return Value{std::min(a, b)};
        case Builtin::max_int:
            return Value{std::max(a, b)};
        case Builtin::lt_int:
            return Value{a < b};
        case Builtin::le_int:
            return Value{a <= b};
        case Builtin::gt_int:
            return Value{a > b};
        case Builtin::ge_int:
            return Value{a >= b};
        case Builtin::pow_int:
            return unless(b > 62, b > 62 ? 0 : std::int64_t{1} << b);
        case Builtin::div_int:
        case Builtin::mod_int:
            if (b == 0) {
                fail(EvalErrorKind::division_by_zero, where, "division by zero");
                return std::nullopt;
            }
            if (b == -1)
                return builtin == Builtin::mod_int ? Value{std::int64_t{0}} : unless(a == lowest, a == lowest ? 0 : -a);
            return Value{builtin == Builtin::div_int ? a / b : a % b};
        default:
            return std::nullopt;
    }
}

void Execution::print(Builtin builtin, const std::vector<Value>& arguments) {
    std::string* output = evaluator_.options_.output;
    if (output == nullptr) return;
    *output += std::get<std::string>(arguments[0].data);
    if (builtin == Builtin::print_int || builtin == Builtin::print_bits) *output += to_string(arguments[1]);
    if (builtin != Builtin::print) *output += '\n';
}

}  // namespace eciscope::sailgen
