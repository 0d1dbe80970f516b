#include "crc24.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "spec_shim.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#define ECISCOPE_HAS_CLMUL 1
#endif

namespace eciscope {
namespace {

constexpr int width = 24;
constexpr std::uint32_t all_ones = (1U << width) - 1;

/// value · x^bits mod P.
constexpr std::uint32_t times_x(std::uint32_t value, int bits) {
    for (int i = 0; i < bits; ++i) {
        const bool carry = (value >> (width - 1) & 1) != 0;
        value = (value << 1 & all_ones) ^ (carry ? eci::crc24_polynomial : 0U);
    }
    return value;
}

/// slices[k][b]: what byte b adds to the checksum with k more bytes behind it.
constexpr auto slices = [] {
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t value = times_x(byte << (width - 8), 8);
        for (auto& table : tables) {
            table[byte] = value;
            value = times_x(value, 8);
        }
    }
    return tables;
}();

/// The checksum's field within the control word, found by asking the specification about each bit.
constexpr std::uint64_t crc_field = [] {
    std::uint64_t mask = 0;
    for (int bit = 0; bit < 64; ++bit) {
        const std::uint64_t one = std::uint64_t{1} << bit;
        mask |= eci::control_crc(one) != 0 ? one : 0;
    }
    return mask;
}();

std::uint64_t load_word(const std::uint8_t* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return std::endian::native == std::endian::little ? __builtin_bswap64(word) : word;
}

#ifdef ECISCOPE_HAS_CLMUL

/// x^exponent mod P.
constexpr std::uint32_t power(int exponent) { return times_x(1, exponent); }

/// floor(x^88 / P) without its leading x^64: the factor of Barrett's reduction of 88 bits.
constexpr std::uint64_t barrett = [] {
    std::uint64_t quotient = 0;
    std::uint32_t rest = 1U << (width - 1);  // x^23; each step multiplies by x and takes one bit of the quotient
    for (int i = 0; i < 65; ++i) {
        quotient = quotient << 1 | (rest >> (width - 1) & 1);
        rest = times_x(rest, 1);
    }
    return quotient;
}();

// The block is the sum of its words w_i · x^(64·(7-i)), and its checksum that sum times x^24 mod P: eight products with
// constants of 24 bits, whose sum of 88 bits is then reduced. The checksum's initial value is added to the first bits.
__attribute__((target("pclmul,ssse3,sse4.1"))) std::uint32_t load_block_clmul(const std::uint8_t* bytes,
                                                                              std::uint64_t* words) {
    const __m128i swap = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    const auto load = [&](int pair) __attribute__((target("pclmul,ssse3,sse4.1"))) {
        const __m128i raw = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * pair));
        const __m128i value = _mm_shuffle_epi8(raw, swap);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(words + 2 * pair), value);
        return value;
    };
    const auto fold = [](__m128i value, __m128i factors) __attribute__((target("pclmul,ssse3,sse4.1"))) {
        return _mm_xor_si128(_mm_clmulepi64_si128(value, factors, 0x00), _mm_clmulepi64_si128(value, factors, 0x11));
    };
    const __m128i initial = _mm_set_epi64x(0, static_cast<long long>(std::uint64_t{all_ones} << (64 - width)));
    const __m128i keep = _mm_set_epi64x(static_cast<long long>(~crc_field), -1);
    const __m128i a = fold(_mm_xor_si128(load(0), initial), _mm_set_epi64x(power(408), power(472)));
    const __m128i b = fold(load(1), _mm_set_epi64x(power(280), power(344)));
    const __m128i c = fold(load(2), _mm_set_epi64x(power(152), power(216)));
    const __m128i d = fold(_mm_and_si128(load(3), keep), _mm_set_epi64x(power(24), power(88)));
    const __m128i sum = _mm_xor_si128(_mm_xor_si128(a, b), _mm_xor_si128(c, d));

    const std::uint64_t low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(sum));
    const std::uint64_t high = static_cast<std::uint64_t>(_mm_extract_epi64(sum, 1));
    const std::uint64_t upper = high << (64 - width) | low >> width;
    const __m128i factor = _mm_set_epi64x(eci::crc24_polynomial, static_cast<long long>(barrett));
    const __m128i estimate = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(upper)), factor, 0x00);
    const std::uint64_t quotient = upper ^ static_cast<std::uint64_t>(_mm_extract_epi64(estimate, 1));
    const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(quotient)), factor, 0x10);
    return static_cast<std::uint32_t>(low ^ static_cast<std::uint64_t>(_mm_cvtsi128_si64(product)) ^ all_ones) &
           all_ones;
}

#endif

}  // namespace

std::uint32_t crc24_reference(std::span<const std::uint8_t> bytes) {
    std::uint32_t crc = all_ones;
    for (const std::uint8_t byte : bytes) {
        crc = (crc << 8 & all_ones) ^ slices[0][crc >> (width - 8) ^ byte];
    }
    return crc ^ all_ones;
}

std::uint32_t load_block_portable(const std::uint8_t* bytes, std::uint64_t* words) {
    std::uint32_t crc = all_ones;
    for (std::size_t i = 0; i < block_words; ++i) {
        words[i] = load_word(bytes + 8 * i);
        std::uint64_t value = i + 1 == block_words ? words[i] & ~crc_field : words[i];
        value ^= std::uint64_t{crc} << (64 - width);
        crc = 0;
        for (const auto& slice : slices) {
            crc ^= slice[value & 0xff];
            value >>= 8;
        }
    }
    return crc ^ all_ones;
}

LoadBlock fastest_load_block() {
#ifdef ECISCOPE_HAS_CLMUL
    if (__builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("ssse3") != 0 &&
        __builtin_cpu_supports("sse4.1") != 0) {
        return load_block_clmul;
    }
#endif
    return load_block_portable;
}

}  // namespace eciscope
