// Stands in for the headers generated from sail/*.sail.
#pragma once

#include <cstdint>

namespace eci {

inline std::uint64_t opcode_of(std::uint64_t header) {
    return header >> 59U;
}

inline bool has_line(std::uint8_t vc, std::uint64_t header) {
    const std::uint64_t opcode = opcode_of(header);
    return vc >= 2 && vc <= 11 && opcode != 24 && opcode != 31;
}

inline std::uint64_t aliased_cli_of(std::uint64_t header) {
    return (header >> 7U) & 0x1ffffffffU;
}

inline std::uint8_t home_of(std::uint8_t from, std::uint8_t vc, std::uint64_t header) {
    const auto other = static_cast<std::uint8_t>(1 - from);
    if (vc == 8 || vc == 9) {
        return from;
    }
    const bool response = vc == 4 || vc == 5 || vc == 10 || vc == 11;
    return response && opcode_of(header) >= 9 ? from : other;
}

}  // namespace eci
