// Texts of the JSON form back into numbers. All of the text must be the number, in the form in which it is written.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "export/digits.hpp"

namespace eciscope::ewf::detail {

inline std::optional<std::uint64_t> parse_decimal(std::string_view text) {
    if (text.empty() || text.size() > 20 || (text.size() > 1 && text.front() == '0')) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    for (const char c : text) {
        const auto digit = static_cast<std::uint64_t>(c) - '0';
        if (digit > 9 || __builtin_mul_overflow(value, std::uint64_t{10}, &value) ||
            __builtin_add_overflow(value, digit, &value)) {
            return std::nullopt;
        }
    }
    return value;
}

inline std::optional<std::int64_t> parse_signed(std::string_view text) {
    const bool negative = text.starts_with('-');
    const auto magnitude = parse_decimal(text.substr(negative ? 1 : 0));
    if (!magnitude || *magnitude > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return std::nullopt;
    }
    return negative ? -static_cast<std::int64_t>(*magnitude) : static_cast<std::int64_t>(*magnitude);
}

/// 0 to 15, or 16 for what is no hexadecimal digit.
inline constexpr std::array<std::uint8_t, 256> hex_values = [] {
    std::array<std::uint8_t, 256> table{};
    table.fill(16);
    for (std::uint8_t i = 0; i < 10; ++i) {
        table[std::size_t{'0'} + i] = i;
    }
    for (std::uint8_t i = 0; i < 6; ++i) {
        table[std::size_t{'a'} + i] = static_cast<std::uint8_t>(10 + i);
        table[std::size_t{'A'} + i] = static_cast<std::uint8_t>(10 + i);
    }
    return table;
}();

inline std::optional<std::uint64_t> parse_hex_digits(std::string_view digits) {
    std::uint64_t value = 0;
    std::uint8_t all = 0;
    for (const char c : digits) {
        const std::uint8_t digit = hex_values[static_cast<std::uint8_t>(c)];
        all |= digit;
        value = value << 4 | (digit & 15);
    }
    return digits.empty() || digits.size() > 16 || all > 15 ? std::nullopt : std::optional(value);
}

/// Exactly 16 digits.
inline std::optional<std::uint64_t> parse_word(std::string_view text) {
    return text.size() == 16 ? parse_hex_digits(text) : std::nullopt;
}

/// "0x" and digits.
inline std::optional<std::uint64_t> parse_hex(std::string_view text) {
    return text.starts_with("0x") ? parse_hex_digits(text.substr(2)) : std::nullopt;
}

/// Seconds and picoseconds; the latter are not negative.
inline std::optional<SplitTime> parse_time(std::string_view text) {
    constexpr std::size_t behind_point = 12;
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative ? 1 : 0);
    if (text.size() < behind_point + 2 || text[text.size() - behind_point - 1] != '.') {
        return std::nullopt;
    }
    const auto whole = parse_signed(text.substr(0, text.size() - behind_point - 1));
    Picoseconds rest = 0;
    for (const char c : text.substr(text.size() - behind_point)) {
        if (c < '0' || c > '9') {
            return std::nullopt;
        }
        rest = rest * 10 + (c - '0');
    }
    if (!whole || *whole < 0) {
        return std::nullopt;
    }
    if (!negative) {
        return SplitTime{*whole, rest};
    }
    return rest == 0 ? SplitTime{-*whole, 0} : SplitTime{-*whole - 1, picoseconds_per_second - rest};
}

/// The time as picoseconds from `base`; none where they do not fit.
inline std::optional<Picoseconds> relative_to(TimeBase base, SplitTime time) {
    std::int64_t seconds = 0;
    Picoseconds result = 0;
    if (__builtin_sub_overflow(time.seconds, base.unix_seconds, &seconds)) {
        return std::nullopt;
    }
    // Below zero the last second is taken together with its rest: the earliest time has a product that does not fit.
    const bool below = seconds < 0;
    if (__builtin_mul_overflow(seconds + (below ? 1 : 0), picoseconds_per_second, &result) ||
        __builtin_add_overflow(result, time.rest - (below ? picoseconds_per_second : 0), &result)) {
        return std::nullopt;
    }
    return result;
}

}  // namespace eciscope::ewf::detail
