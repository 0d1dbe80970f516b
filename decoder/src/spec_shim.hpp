// The part of the specification that the decoder uses, under the names of the generated header.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

namespace eci {

enum class block_type : std::uint8_t {
    LO,
    HI,
    SYNC,
    IDLE_BLOCK,
    RESERVED_BLOCK
};  // NOLINT: names of the specification

inline constexpr std::uint32_t crc24_polynomial = 0x328b63;

constexpr block_type block_type_of(std::uint64_t control) {
    constexpr block_type types[8] = {block_type::RESERVED_BLOCK,
                                     block_type::RESERVED_BLOCK,
                                     block_type::RESERVED_BLOCK,
                                     block_type::RESERVED_BLOCK,
                                     block_type::LO,
                                     block_type::HI,
                                     block_type::SYNC,
                                     block_type::IDLE_BLOCK};
    return types[control >> 61];
}
constexpr bool is_sequenced(std::uint64_t control) {
    return control >> 62 == 2;
}
constexpr std::uint8_t control_ack(std::uint64_t control) {
    return static_cast<std::uint8_t>(control >> 60 & 1);
}
constexpr std::uint8_t control_credits(std::uint64_t control) {
    return static_cast<std::uint8_t>(control >> 52);
}
constexpr std::uint8_t control_req(std::uint64_t control) {
    return static_cast<std::uint8_t>(control >> 52 & 3);
}
constexpr std::uint8_t control_tx_seq(std::uint64_t control) {
    return static_cast<std::uint8_t>(control >> 44);
}
constexpr std::uint8_t control_rx_seq(std::uint64_t control) {
    return static_cast<std::uint8_t>(control >> 36);
}
constexpr std::uint32_t control_crc(std::uint64_t control) {
    return static_cast<std::uint32_t>(control & 0xffffff);
}
constexpr std::uint32_t control_vcs(std::uint64_t control) {
    return static_cast<std::uint32_t>(control >> 24 & 0xfffffff);
}
/// Circuit of word `slot` + 1 of a block, from control_vcs().
constexpr std::uint8_t slot_vc(std::uint32_t vcs, std::uint8_t slot) {
    return static_cast<std::uint8_t>(vcs >> (24 - 4 * slot) & 15);
}

inline constexpr std::uint8_t empty_slot = 15;
inline constexpr int credit_unit_words = 8;
constexpr std::optional<std::uint8_t> credited_vc(std::uint8_t high, std::uint8_t bit_number) {
    if (high == 0) {
        return bit_number;
    }
    return bit_number < 5 ? std::optional<std::uint8_t>(static_cast<std::uint8_t>(8 + bit_number)) : std::nullopt;
}
constexpr bool is_credited_vc(std::uint8_t vc) {
    return vc <= 12;
}

constexpr std::uint8_t opcode_of(std::uint64_t header) {
    return static_cast<std::uint8_t>(header >> 59);
}
constexpr std::uint8_t sublines_of(std::uint64_t header) {
    return static_cast<std::uint8_t>(std::popcount(header >> 46 & 15));
}

constexpr bool is_one_word_vc(std::uint8_t vc) {
    return (vc >= 6 && vc <= 11) || vc >= 13;
}

/// Longest message of a circuit.
constexpr std::uint8_t max_words_of_vc(std::uint8_t vc) {
    constexpr std::uint8_t longest[16] = {15, 2, 19, 19, 17, 17, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1};
    return longest[vc & 15];
}

constexpr std::uint8_t mreq_words(std::uint64_t header) {
    constexpr std::uint8_t by_size[8] = {3, 3, 4, 4, 5, 5, 6, 6};
    const std::uint8_t sublines = sublines_of(header);
    switch (opcode_of(header)) {
        case 8:
        case 9:
            return static_cast<std::uint8_t>(1 + 4 * sublines);
        case 10:
            return static_cast<std::uint8_t>(1 + 4 * sublines + (sublines + 1) / 2);
        case 19:
        case 21:
        case 22:
        case 23:
        case 25:
        case 26:
            return by_size[header >> 56 & 7];
        default:
            return 1;
    }
}

constexpr std::uint8_t ireq_words(std::uint64_t header) {
    const std::uint8_t stsz = static_cast<std::uint8_t>(header >> 36 & 15);
    switch (opcode_of(header)) {
        case 2:
        case 3:
        case 29:
            return 2;
        case 8:
        case 9:
            return stsz == 0 ? 1 : stsz;
        default:
            return 1;
    }
}

constexpr std::uint8_t irsp_words(std::uint64_t header) {
    return opcode_of(header) == 0 || opcode_of(header) == 2 ? 2 : 1;
}

/// Total length of the message that this header begins, 1..19.
constexpr std::uint8_t message_words(std::uint8_t vc, std::uint64_t header) {
    switch (vc) {
        case 0:
            return ireq_words(header);
        case 1:
            return irsp_words(header);
        case 2:
        case 3:
            return mreq_words(header);
        case 4:
        case 5:
            return static_cast<std::uint8_t>(1 + 4 * sublines_of(header));
        case 12:
            return 2;
        default:
            return 1;
    }
}

/// Whether documented traffic may have this word as a header on this circuit. Never false for a true header.
constexpr bool plausible_header(std::uint8_t vc, std::uint64_t header) {
    const std::uint8_t opcode = opcode_of(header);
    const bool parity = (vc & 1) == (~header >> 7 & 1);
    switch (vc) {
        case 0:
            return opcode <= 9 || opcode == 16 || (opcode >= 18 && opcode <= 21) || opcode == 28 || opcode == 29 ||
                   opcode == 31;
        case 1:
            return opcode <= 2 || opcode == 31;
        case 2:
        case 3:
            return (parity && opcode >= 8 && opcode <= 10 && sublines_of(header) != 0) || opcode == 11 ||
                   (opcode >= 13 && opcode <= 30 && opcode != 24);
        case 4:
        case 5:
            return sublines_of(header) != 0 &&
                   ((parity && (opcode == 0 || (opcode >= 3 && opcode <= 10))) || (opcode >= 11 && opcode <= 13));
        default:
            return true;
    }
}

}  // namespace eci
