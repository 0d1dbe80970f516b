// Library functions and operators as SMT-LIB terms.
#include <utility>

#include <fmt/format.h>

#include "backend_smt.hpp"

namespace eciscope::sailgen::smt {
namespace {

// The checker bounds the result, so 64 bits are enough.
bool is_bounded(TypeRef type) {
    return type->low.has_value() && type->high.has_value();
}

bool is_not_negative(TypeRef type) {
    return type->low.has_value() && *type->low >= 0;
}

std::string widened(const std::string& term, unsigned by) {
    return fmt::format("((_ sign_extend {}) {})", by, term);
}

// That `op` on integers does not leave 64 bits: the same in `extra` more bits gives the same.
std::string stays_in_range(std::string_view op, const Term& left, const Term& right, unsigned extra) {
    return fmt::format("(= {} ({} {} {}))", widened(fmt::format("({} {} {})", op, left.value, right.value), extra), op,
                       widened(left.value, extra), widened(right.value, extra));
}

std::string extended(std::string_view how, unsigned by, const std::string& term) {
    return by == 0 ? term : fmt::format("((_ {} {}) {})", how, by, term);
}

std::string shortened(const std::string& term, unsigned width) {
    return width == 64 ? term : extract(term, width - 1, 0);
}

std::string_view plain_operator(Builtin builtin) {
    switch (builtin) {
        case Builtin::lt_int:
            return "bvslt";
        case Builtin::le_int:
            return "bvsle";
        case Builtin::gt_int:
            return "bvsgt";
        case Builtin::ge_int:
            return "bvsge";
        case Builtin::equal:
            return "=";
        case Builtin::not_equal:
            return "distinct";
        case Builtin::not_bool:
            return "not";
        case Builtin::and_bits:
            return "bvand";
        case Builtin::or_bits:
            return "bvor";
        case Builtin::xor_bits:
            return "bvxor";
        case Builtin::add_bits:
            return "bvadd";
        case Builtin::sub_bits:
            return "bvsub";
        case Builtin::not_bits:
            return "bvnot";
        default:
            return {};
    }
}

Term logic(Builtin builtin, const Term& left, const Term& right) {
    const bool is_and = builtin == Builtin::and_bool;
    const std::vector<std::string> both = {left.value, right.value};
    const std::string needed = is_and ? left.value : negation(left.value);
    return {is_and ? conjunction(both) : disjunction(both),
            conjunction({left.defined, implication(needed, right.defined)})};
}

}  // namespace

Term Translator::node(const Expr& expr, const BuiltinCall& builtin_call) {
    const Builtin builtin = builtin_call.builtin;
    if (builtin >= Builtin::print) return refuse(expr.where, "`" + std::string(to_string(builtin)) + "`");
    std::vector<Term> terms;
    std::vector<std::string> all_defined;
    for (const ExprRef argument : builtin_call.arguments) {
        terms.push_back(expression(argument));
        all_defined.push_back(terms.back().defined);
    }
    if (builtin == Builtin::and_bool || builtin == Builtin::or_bool) return logic(builtin, terms[0], terms[1]);
    std::string defined = conjunction(all_defined);
    if (const std::string_view head = plain_operator(builtin); !head.empty()) {
        std::string text = fmt::format("({}", head);
        for (const Term& term : terms) text += " " + term.value;
        return {text + ")", std::move(defined)};
    }
    if (builtin == Builtin::is_some || builtin == Builtin::is_none) {
        const std::string element = shape(builtin_call.arguments.front()->type->elements.front());
        const std::string_view name = builtin == Builtin::is_some ? "some" : "none";
        return {fmt::format("(is.{}.{} {})", name, element, terms[0].value), std::move(defined)};
    }
    if (builtin <= Builtin::abs_int) {
        return integer_builtin(expr, builtin, builtin_call.arguments, terms, std::move(defined));
    }
    return bits_builtin(expr, builtin, builtin_call.arguments, terms, std::move(defined));
}

Term Translator::integer_builtin(const Expr& expr, Builtin builtin, const std::vector<ExprRef>& arguments,
                                 const std::vector<Term>& terms, std::string defined) {
    const std::string& left = terms[0].value;
    const std::string right = terms.size() > 1 ? terms[1].value : std::string();
    const auto ranged = [&](std::string_view op, unsigned extra) {
        std::string in_range = is_bounded(expr.type) ? "true" : stays_in_range(op, terms[0], terms[1], extra);
        return Term{fmt::format("({} {} {})", op, left, right), conjunction({defined, std::move(in_range)})};
    };
    const auto smaller = [&](std::string_view op) {
        return Term{fmt::format("(ite ({0} {1} {2}) {1} {2})", op, left, right), defined};
    };
    const auto divided = [&](std::string_view op) {
        return Term{fmt::format("({} {} {})", op, left, right),
                    conjunction({defined, fmt::format("(distinct {} {})", right, int_literal(0)),
                                 fmt::format("(not (and (= {} {}) (= {} {})))", left, int_literal(INT64_MIN), right,
                                             int_literal(-1))})};
    };
    const std::string not_smallest = fmt::format("(distinct {} {})", left, int_literal(INT64_MIN));
    switch (builtin) {
        case Builtin::add_int:
            return ranged("bvadd", 1);
        case Builtin::sub_int:
            return ranged("bvsub", 1);
        case Builtin::mul_int:
            return ranged("bvmul", 64);
        case Builtin::div_int:
            return divided("bvsdiv");
        case Builtin::mod_int:
            return divided("bvsrem");
        case Builtin::min_int:
            return smaller("bvsle");
        case Builtin::max_int:
            return smaller("bvsge");
        case Builtin::neg_int:
            return {fmt::format("(bvneg {})", left), conjunction({defined, not_smallest})};
        case Builtin::abs_int:
            return {fmt::format("(ite (bvslt {0} {1}) (bvneg {0}) {0})", left, int_literal(0)),
                    conjunction({defined, not_smallest})};
        default:
            break;
    }
    // A power: of two, or nothing we can say.
    if (arguments.front()->type->low == 2 && arguments.front()->type->high == 2) {
        return {fmt::format("(bvshl {} {})", int_literal(1), right),
                conjunction({defined, fmt::format("(bvult {} {})", right, int_literal(63))})};
    }
    return refuse(expr.where, "a power of anything but 2");
}

Term Translator::shift(const Expr& expr, Builtin builtin, const std::vector<ExprRef>& arguments,
                       const std::vector<Term>& terms, std::string defined) {
    const unsigned width = expr.type->width;
    const bool is_arithmetic = builtin == Builtin::arith_shift_right;
    const std::string_view op = builtin == Builtin::shift_left ? "bvshl" : is_arithmetic ? "bvashr" : "bvlshr";
    // In 64 bits any distance is right: 64 and more give zeros, or copies of the top bit.
    const std::string wide = extended(is_arithmetic ? "sign_extend" : "zero_extend", 64 - width, terms[0].value);
    if (!is_not_negative(arguments[1]->type)) {
        defined = conjunction({defined, fmt::format("(bvsge {} {})", terms[1].value, int_literal(0))});
    }
    return {shortened(fmt::format("({} {} {})", op, wide, terms[1].value), width), std::move(defined)};
}

Term Translator::bits_builtin(const Expr& expr, Builtin builtin, const std::vector<ExprRef>& arguments,
                              const std::vector<Term>& terms, std::string defined) {
    const unsigned width = expr.type->width;
    const unsigned from = arguments.empty() ? 0 : arguments[0]->type->width;
    switch (builtin) {
        case Builtin::add_bits_int:
            return {fmt::format("(bvadd {} {})", terms[0].value, shortened(terms[1].value, width)), defined};
        case Builtin::shift_left:
        case Builtin::shift_right:
        case Builtin::arith_shift_right:
            return shift(expr, builtin, arguments, terms, std::move(defined));
        case Builtin::zero_extend:
            return {extended("zero_extend", width - from, terms[0].value), defined};
        case Builtin::sign_extend:
            return {extended("sign_extend", width - from, terms[0].value), defined};
        case Builtin::truncate:
            return {extract(terms[0].value, width - 1, 0), defined};
        case Builtin::replicate:
            return {fmt::format("((_ repeat {}) {})", width / from, terms[0].value), defined};
        case Builtin::zeros:
            return {bits_literal(width, 0), defined};
        case Builtin::ones:
            return {fmt::format("(bvnot {})", bits_literal(width, 0)), defined};
        case Builtin::unsigned_of: {
            const std::string fits = from < 64 ? "true" : fmt::format("(= {} #b0)", extract(terms[0].value, 63, 63));
            return {extended("zero_extend", 64 - from, terms[0].value), conjunction({defined, fits})};
        }
        case Builtin::signed_of:
            return {extended("sign_extend", 64 - from, terms[0].value), defined};
        case Builtin::slice_of_int: {
            const std::string positive = is_not_negative(arguments[1]->type)
                                             ? "true"
                                             : fmt::format("(bvsge {} {})", terms[1].value, int_literal(0));
            return {shortened(fmt::format("(bvashr {} {})", terms[0].value, terms[1].value), width),
                    conjunction({defined, positive})};
        }
        case Builtin::num_of_enum: {
            std::string text;
            for (const EnumMember* member : arguments[0]->type->enum_def->members) {
                const std::string number = int_literal(static_cast<std::int64_t>(member->index));
                text = text.empty()
                           ? number
                           : fmt::format("(ite (= {} {}) {} {})", terms[0].value, member_symbol(*member), number, text);
            }
            return {text, defined};
        }
        case Builtin::enum_of_num: {
            sort(expr.type);
            const auto& members = expr.type->enum_def->members;
            std::string text = member_symbol(*members.front());
            for (std::size_t i = 1; i < members.size(); ++i) {
                text = fmt::format("(ite (= {} {}) {} {})", terms[0].value, int_literal(static_cast<std::int64_t>(i)),
                                   member_symbol(*members[i]), text);
            }
            const std::string count = int_literal(static_cast<std::int64_t>(members.size()));
            return {text, conjunction({defined, fmt::format("(bvult {} {})", terms[0].value, count)})};
        }
        default:
            return refuse(expr.where, "`" + std::string(to_string(builtin)) + "`");
    }
}

}  // namespace eciscope::sailgen::smt
