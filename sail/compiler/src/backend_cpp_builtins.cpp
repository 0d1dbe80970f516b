// Library functions and operators of Sail in C++.
#include "backend_cpp.hpp"
#include "walk.hpp"

namespace eciscope::sailgen::cpp {

namespace {

bool fits_int(TypeRef type) {
    constexpr std::int64_t limit = std::int64_t{1} << 31;
    return type->low && type->high && *type->low >= -limit && *type->high < limit;
}

// C++ computes with values of these types in `int`, which is exact as long as the result fits.
bool promotes_to_int(TypeRef type) {
    return fits_int(type) && *type->low >= -0x8000 && *type->high <= 0xffff;
}

constexpr std::string_view int64 = "std::int64_t";

bool is_int64(const Code& code, TypeRef type) {
    return code.exact ? !code.literal && type_name(type) == int64 : code.type == int64;
}

// The number as an operand of 64 bits. A literal becomes one beside another that is.
std::string wide(const Code& code, TypeRef type, Precedence loosest = Precedence::unary, bool beside_int64 = false) {
    if (code.literal) return beside_int64 ? code.text : "std::int64_t{" + code.text + "}";
    if (is_int64(code, type)) return in_parentheses(code, loosest);
    return "static_cast<std::int64_t>(" + code.text + ")";
}

std::string mask(unsigned width) {
    const BitsValue ones{width, width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width)};
    return constant(ones).text;
}

Code exact(std::string text, Precedence precedence = Precedence::primary) {
    return {.text = std::move(text), .precedence = precedence};
}

}  // namespace

Code Body::arithmetic(std::string_view sign, Precedence precedence, const BuiltinCall& call, TypeRef type) {
    const Precedence tighter = precedence == Precedence::product ? Precedence::unary : Precedence::product;
    const ExprRef left = call.arguments[0];
    const ExprRef right = call.arguments[1];
    const Code a = expression(left);
    const Code b = expression(right);
    const auto in_int = [](const Code& code, TypeRef of) {
        return code.exact ? promotes_to_int(of) : code.type == "int";
    };
    const bool small = fits_int(type) && in_int(a, left->type) && in_int(b, right->type);
    // The left operand may be a chain of operators that bind alike.
    const auto side = [&](const Code& code, TypeRef of, Precedence loosest) {
        return small ? in_parentheses(code, loosest) : wide(code, of, loosest, !a.literal || !b.literal);
    };
    Code code = loose(side(a, left->type, precedence) + " " + std::string(sign) + " " + side(b, right->type, tighter),
                      precedence);
    code.type = small ? "int" : int64;
    return code;
}

Code Body::compared(std::string_view sign, const BuiltinCall& call) {
    const ExprRef left = call.arguments[0];
    const ExprRef right = call.arguments[1];
    const Code a = expression(left);
    const Code b = expression(right);
    const bool equality = sign == "==" || sign == "!=";
    if (equality && b.literal && (b.text == "true" || b.text == "false")) {
        if ((b.text == "true") == (sign == "==")) return a;
        return exact("!" + in_parentheses(a, Precedence::unary), Precedence::unary);
    }
    const bool same =
        left->type->kind != TypeKind::integer || (promotes_to_int(left->type) && promotes_to_int(right->type));
    const Precedence tighter = Precedence::shift;
    const std::string text =
        same ? in_parentheses(a, tighter) + " " + std::string(sign) + " " + in_parentheses(b, tighter)
             : wide(a, left->type, tighter, !b.literal) + " " + std::string(sign) + " " +
                   wide(b, right->type, tighter, !a.literal);
    return exact(text, equality ? Precedence::equality : Precedence::relation);
}

// Bitwise operators and wrapping sums; `type` is the type of both sides.
Code Body::bitwise(std::string_view sign, const BuiltinCall& call, TypeRef type) {
    const bool sum = sign == "+" || sign == "-";
    const auto side = [&](ExprRef argument) {
        const Code code = expression(argument);
        return !sum && code.sign == sign.front() ? code.text : in_parentheses(code, Precedence::unary);
    };
    const std::string text = side(call.arguments[0]) + " " + std::string(sign) + " " + side(call.arguments[1]);
    if (sum && type->width < 64) return loose("(" + text + ") & " + mask(type->width), Precedence::bit_op);
    Code code = loose(text, Precedence::bit_op);
    code.sign = sign.front();
    return code;
}

namespace {

Code number(std::string text) {
    Code code = loose(std::move(text));
    code.type = int64;
    return code;
}

struct Sign {
    Builtin builtin;
    std::string_view text;
};

constexpr Sign comparisons[] = {{Builtin::lt_int, "<"},  {Builtin::le_int, "<="}, {Builtin::gt_int, ">"},
                                {Builtin::ge_int, ">="}, {Builtin::equal, "=="},  {Builtin::not_equal, "!="}};
constexpr Sign sums[] = {{Builtin::add_int, "+"}, {Builtin::sub_int, "-"}};
constexpr Sign products[] = {{Builtin::mul_int, "*"}, {Builtin::div_int, "/"}, {Builtin::mod_int, "%"}};
constexpr Sign bit_operators[] = {{Builtin::and_bits, "&"},
                                  {Builtin::or_bits, "|"},
                                  {Builtin::xor_bits, "^"},
                                  {Builtin::add_bits, "+"},
                                  {Builtin::sub_bits, "-"}};

template <std::size_t n>
const Sign* find(const Sign (&table)[n], Builtin builtin) {
    for (const Sign& each : table) {
        if (each.builtin == builtin) return &each;
    }
    return nullptr;
}

// Helpers of support.hpp and std with the width as a template argument or none at all.
Code helper(Builtin builtin, const std::vector<Code>& a, const std::vector<ExprRef>& arguments, TypeRef type) {
    const auto width = [&] { return std::to_string(arguments[0]->type->width); };
    switch (builtin) {
        case Builtin::shift_left:
            return loose("shift_left<" + width() + ">(" + a[0].text + ", " + a[1].text + ")");
        case Builtin::shift_right:
            return loose("shift_right<" + width() + ">(" + a[0].text + ", " + a[1].text + ")");
        case Builtin::arith_shift_right:
            return loose("arith_shift_right<" + width() + ">(" + a[0].text + ", " + a[1].text + ")");
        case Builtin::sign_extend:
            return loose("sign_extend<" + width() + ", " + std::to_string(type->width) + ">(" + a[0].text + ")");
        case Builtin::signed_of:
            return number("static_cast<std::int64_t>(sign_extend<" + width() + ", 64>(" + a[0].text + "))");
        case Builtin::replicate:
            return loose("replicate<" + width() + ", " + std::to_string(type->width / arguments[0]->type->width) +
                         ">(" + a[0].text + ")");
        case Builtin::truncate:
            return exact("field<" + std::to_string(type->width - 1) + ", 0>(" + a[0].text + ")");
        case Builtin::min_int:
            return number("std::min<std::int64_t>(" + a[0].text + ", " + a[1].text + ")");
        case Builtin::max_int:
            return number("std::max<std::int64_t>(" + a[0].text + ", " + a[1].text + ")");
        case Builtin::pow_int:
            return number("power(" + a[0].text + ", " + a[1].text + ")");
        case Builtin::abs_int:
            return number("absolute(" + a[0].text + ")");
        case Builtin::neg_int:
            return loose("-" + wide(a[0], arguments[0]->type, Precedence::primary), Precedence::unary);
        case Builtin::num_of_enum:
            return number("static_cast<std::int64_t>(" + a[0].text + ")");
        case Builtin::enum_of_num:
            return exact(cast_to(type, a[0]));
        case Builtin::is_some:
            return exact(in_parentheses(a[0], Precedence::primary) + ".has_value()");
        case Builtin::is_none:
            return exact("!" + in_parentheses(a[0], Precedence::primary) + ".has_value()", Precedence::unary);
        case Builtin::zeros:
            return {.text = "0", .literal = true};
        case Builtin::ones:
            return {.text = mask(type->width), .literal = true};
        case Builtin::slice_of_int:
            return loose("shift_right<64>(static_cast<std::uint64_t>(" + a[0].text + "), " + a[1].text + ") & " +
                             mask(type->width),
                         Precedence::bit_op);
        default:
            return {};
    }
}

}  // namespace

Code Body::builtin(const BuiltinCall& call, TypeRef type) {
    if (const Sign* sign = find(comparisons, call.builtin)) return compared(sign->text, call);
    if (const Sign* sign = find(sums, call.builtin)) return arithmetic(sign->text, Precedence::sum, call, type);
    if (const Sign* sign = find(products, call.builtin)) return arithmetic(sign->text, Precedence::product, call, type);
    if (const Sign* sign = find(bit_operators, call.builtin)) return bitwise(sign->text, call, type);

    std::vector<Code> a;
    for (ExprRef argument : call.arguments) a.push_back(expression(argument));
    switch (call.builtin) {
        case Builtin::and_bool:
        case Builtin::or_bool: {
            const bool both = call.builtin == Builtin::and_bool;
            const char sign = both ? 'a' : 'o';
            const auto side = [&](const Code& code) {
                return code.sign == sign ? code.text : in_parentheses(code, Precedence::equality);
            };
            Code code = exact(side(a[0]) + (both ? " && " : " || ") + side(a[1]), Precedence::logic);
            code.sign = sign;
            return code;
        }
        case Builtin::not_bool:
            return exact("!" + in_parentheses(a[0], Precedence::unary), Precedence::unary);
        case Builtin::not_bits: {
            const std::string inverted = "~" + in_parentheses(a[0], Precedence::unary);
            if (type->width == 64) return loose(inverted, Precedence::unary);
            return loose(inverted + " & " + mask(type->width), Precedence::bit_op);
        }
        case Builtin::add_bits_int: {
            const std::string sum = "static_cast<std::uint64_t>(" + a[0].text + ") + static_cast<std::uint64_t>(" +
                                    wide(a[1], call.arguments[1]->type) + ")";
            return loose("(" + sum + ") & " + mask(type->width), Precedence::bit_op);
        }
        case Builtin::zero_extend: {
            Code code = a[0];
            code.exact = code.exact && type_name(call.arguments[0]->type) == type_name(type);
            return code;
        }
        case Builtin::unsigned_of: {
            Code code = a[0];
            if (call.arguments[0]->type->width == 64) code = loose("static_cast<std::int64_t>(" + code.text + ")");
            code.exact = code.exact && type_name(call.arguments[0]->type) == type_name(type);
            return code;
        }
        default:
            return helper(call.builtin, a, call.arguments, type);
    }
}

}  // namespace eciscope::sailgen::cpp
