// Numbers as text, straight into a buffer. Every function returns the end of what it wrote.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "eciscope/decoder/time.hpp"

namespace eciscope::ewf::detail {

inline char* put(char* out, std::string_view text) {
    return std::copy(text.begin(), text.end(), out);
}

/// A literal: its length is known to the compiler.
template <std::size_t N>
inline char* put(char* out, const char (&text)[N]) {
    std::memcpy(out, text, N - 1);
    return out + N - 1;
}

inline constexpr std::array<char, 200> two_digits = [] {
    std::array<char, 200> table{};
    for (std::size_t i = 0; i < 100; ++i) {
        table[2 * i] = static_cast<char>('0' + i / 10);
        table[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return table;
}();

/// Exactly `count` digits, an even number.
template <std::size_t count>
inline char* put_fixed(char* out, std::uint64_t value) {
    static_assert(count % 2 == 0);
    for (std::size_t at = count; at > 0; at -= 2) {
        std::memcpy(out + at - 2, &two_digits[value % 100 * 2], 2);
        value /= 100;
    }
    return out + count;
}

inline char* put_decimal(char* out, std::uint64_t value) {
    if (value < 10) {
        *out = static_cast<char>('0' + value);
        return out + 1;
    }
    std::array<char, 20> digits;
    std::size_t at = digits.size();
    while (value >= 10) {
        at -= 2;
        std::memcpy(&digits[at], &two_digits[value % 100 * 2], 2);
        value /= 100;
    }
    if (value != 0) {
        digits[--at] = static_cast<char>('0' + value);
    }
    std::memcpy(out, &digits[at], digits.size() - at);
    return out + (digits.size() - at);
}

/// Eight lower-case hexadecimal digits: nibbles are spread over the bytes of a word and turned into letters together.
inline char* put_hex8(char* out, std::uint32_t value) {
    std::uint64_t x = value;
    x = (x << 16 | x) & 0x0000ffff0000ffff;
    x = (x << 8 | x) & 0x00ff00ff00ff00ff;
    x = (x << 4 | x) & 0x0f0f0f0f0f0f0f0f;
    const std::uint64_t letters = (x + 0x0606060606060606) >> 4 & 0x0101010101010101;
    x += 0x3030303030303030 + letters * ('a' - '0' - 10);
    if constexpr (std::endian::native == std::endian::little) {
        x = __builtin_bswap64(x);
    }
    std::memcpy(out, &x, 8);
    return out + 8;
}

inline char* put_hex16(char* out, std::uint64_t value) {
    return put_hex8(put_hex8(out, static_cast<std::uint32_t>(value >> 32)), static_cast<std::uint32_t>(value));
}

/// "0x" and as many digits as are needed.
inline char* put_hex(char* out, std::uint64_t value) {
    std::array<char, 16> digits;
    put_hex16(digits.data(), value);
    const auto skipped = static_cast<std::size_t>(std::countl_zero(value | 1)) / 4;
    out = put(out, "0x");
    std::memcpy(out, &digits[skipped], digits.size() - skipped);
    return out + (digits.size() - skipped);
}

/// Whole seconds and the rest of a time, rounded down: the rest is never negative.
struct SplitTime {
    std::int64_t seconds = 0;
    Picoseconds rest = 0;
};
constexpr SplitTime split(Picoseconds time) {
    std::int64_t seconds = time / picoseconds_per_second;
    Picoseconds rest = time % picoseconds_per_second;
    if (rest < 0) {
        rest += picoseconds_per_second;
        --seconds;
    }
    return {seconds, rest};
}

/// Bases beyond this are refused: whatever a trace's times are then, their seconds fit 64 bits.
inline constexpr std::int64_t max_base_seconds = std::int64_t{1} << 62;
constexpr bool usable(TimeBase base) {
    return base.unix_seconds >= -max_base_seconds && base.unix_seconds <= max_base_seconds;
}

/// Seconds with 12 digits behind the point, e.g. 1700000000.000005000000. Remembers the second's text.
class TimeFormat {
 public:
    explicit TimeFormat(TimeBase base = {}) : base_(base.unix_seconds) { remember(0); }

    char* put_time(char* out, Picoseconds time) {
        std::uint64_t rest = static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(start_);
        if (rest >= static_cast<std::uint64_t>(picoseconds_per_second)) {
            const SplitTime parts = split(time);
            remember(parts.seconds);
            rest = static_cast<std::uint64_t>(parts.rest);
        }
        if (negative_) {
            return put_negative(out, rest);
        }
        std::memcpy(out, text_.data(), text_.size());
        return put_fixed<12>(out + length_, rest);
    }

 private:
    void remember(std::int64_t seconds) {
        start_ = static_cast<Picoseconds>(static_cast<std::uint64_t>(seconds) *
                                          static_cast<std::uint64_t>(picoseconds_per_second));
        total_ = base_ + seconds;
        negative_ = total_ < 0;
        if (!negative_) {
            char* end = put_decimal(text_.data(), static_cast<std::uint64_t>(total_));
            *end++ = '.';
            length_ = static_cast<std::size_t>(end - text_.data());
        }
    }
    /// Before the epoch sign and magnitude are written: a rest after second -1 is -0.something.
    char* put_negative(char* out, std::uint64_t rest) const {
        std::uint64_t whole = std::uint64_t{0} - static_cast<std::uint64_t>(total_);
        if (rest != 0) {
            --whole;
            rest = static_cast<std::uint64_t>(picoseconds_per_second) - rest;
        }
        *out++ = '-';
        out = put_decimal(out, whole);
        *out++ = '.';
        return put_fixed<12>(out, rest);
    }

    std::int64_t base_;
    Picoseconds start_ = 0;  ///< of the remembered second
    std::int64_t total_ = 0;
    std::size_t length_ = 0;
    std::array<char, 24> text_{};
    bool negative_ = false;
};

}  // namespace eciscope::ewf::detail
