// Parts of words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sailgen/ir.hpp"

namespace eciscope::sailgen {

[[nodiscard]] inline std::uint64_t low_ones(unsigned width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

[[nodiscard]] inline BitsValue slice_of(BitsValue bits, unsigned high, unsigned low) {
    const unsigned width = high - low + 1;
    return {width, (bits.value >> low) & low_ones(width)};
}

inline void set_slice(BitsValue& bits, unsigned high, unsigned low, std::uint64_t value) {
    const std::uint64_t mask = low_ones(high - low + 1) << low;
    bits.value = (bits.value & ~mask) | ((value << low) & mask);
}

// `high` above `low`; together at most 64 bits.
[[nodiscard]] inline BitsValue joined(BitsValue high, BitsValue low) {
    if (high.width == 0) return low;
    return {high.width + low.width, high.value << low.width | low.value};
}

// As Sail prints it: in hexadecimal where that is exact.
[[nodiscard]] inline std::string to_literal(BitsValue bits) {
    std::string digits;
    if (bits.width % 4 == 0 && bits.width > 0) {
        constexpr std::string_view hex = "0123456789ABCDEF";
        for (unsigned at = bits.width; at > 0; at -= 4) digits += hex[(bits.value >> (at - 4)) & 0xFU];
        return "0x" + digits;
    }
    for (unsigned bit = bits.width; bit-- > 0;) digits += ((bits.value >> bit) & 1U) != 0 ? '1' : '0';
    return "0b" + digits;
}

[[nodiscard]] inline std::int64_t as_signed(BitsValue bits) {
    const std::uint64_t sign = std::uint64_t{1} << (bits.width - 1);
    return static_cast<std::int64_t>((bits.value ^ sign) - sign);
}

}  // namespace eciscope::sailgen
