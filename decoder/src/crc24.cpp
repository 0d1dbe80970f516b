#include "crc24.hpp"

#include <array>
#include <bit>
#include <cstring>

#include <eciscope/spec/eci.hpp>

#if defined(__x86_64__)
// g++ 12 takes the deliberately undefined registers of its own AVX-512 header for uninitialised variables.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#define ECISCOPE_HAS_CLMUL 1
#endif

namespace eciscope {
namespace {

/// The checksum's field within the control word, found by asking the specification about each bit.
constexpr std::uint64_t crc_field = [] {
    std::uint64_t mask = 0;
    for (int bit = 0; bit < 64; ++bit) {
        const std::uint64_t one = std::uint64_t{1} << bit;
        mask |= eci::control_crc(one) != 0 ? one : 0;
    }
    return mask;
}();

constexpr int width = std::popcount(crc_field);
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

std::uint64_t load_word(const std::uint8_t* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return std::endian::native == std::endian::little ? __builtin_bswap64(word) : word;
}

#ifdef ECISCOPE_HAS_CLMUL

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

#define ECISCOPE_CLMUL __attribute__((target("pclmul,ssse3,sse4.1")))
#define ECISCOPE_VCLMUL __attribute__((target("pclmul,ssse3,sse4.1,avx512f,avx512bw,vpclmulqdq")))

/// Factor of each word.
alignas(64) constexpr auto factors = [] {
    std::array<std::uint64_t, block_words> table{};
    for (int i = 0; i < 8; ++i) {
        table[static_cast<std::size_t>(i)] = times_x(1, 64 * (7 - i) + width);
    }
    return table;
}();
constexpr auto initial = std::bit_cast<long long>(std::uint64_t{eci::crc24_initial} << (64 - width));
constexpr auto keep = std::bit_cast<long long>(~crc_field);

/// The remainder of 88 bits, by Barrett.
ECISCOPE_CLMUL inline std::uint32_t reduce(__m128i sum) {
    const std::uint64_t low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(sum));
    const std::uint64_t high = static_cast<std::uint64_t>(_mm_extract_epi64(sum, 1));
    const std::uint64_t upper = high << (64 - width) | low >> width;
    const __m128i factor = _mm_set_epi64x(eci::crc24_polynomial, static_cast<long long>(barrett));
    const __m128i estimate = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(upper)), factor, 0x00);
    const std::uint64_t quotient = upper ^ static_cast<std::uint64_t>(_mm_extract_epi64(estimate, 1));
    const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(quotient)), factor, 0x10);
    const std::uint64_t rest = low ^ static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
    return static_cast<std::uint32_t>(~rest) & all_ones;
}

ECISCOPE_CLMUL inline __m128i load_pair(const std::uint8_t* bytes, std::uint64_t* words, int pair) {
    const __m128i swap = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    const __m128i raw = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * pair));
    const __m128i value = _mm_shuffle_epi8(raw, swap);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(words + 2 * pair), value);
    return value;
}

ECISCOPE_CLMUL inline __m128i multiply(__m128i value, int pair) {
    const __m128i factor = _mm_load_si128(reinterpret_cast<const __m128i*>(factors.data() + 2 * pair));
    return _mm_xor_si128(_mm_clmulepi64_si128(value, factor, 0x00), _mm_clmulepi64_si128(value, factor, 0x11));
}

ECISCOPE_CLMUL std::uint32_t load_block_clmul(const std::uint8_t* bytes, std::uint64_t* words) {
    const __m128i a = multiply(_mm_xor_si128(load_pair(bytes, words, 0), _mm_set_epi64x(0, initial)), 0);
    const __m128i b = multiply(load_pair(bytes, words, 1), 1);
    const __m128i c = multiply(load_pair(bytes, words, 2), 2);
    const __m128i d = multiply(_mm_and_si128(load_pair(bytes, words, 3), _mm_set_epi64x(keep, -1)), 3);
    return reduce(_mm_xor_si128(_mm_xor_si128(a, b), _mm_xor_si128(c, d)));
}

void load_blocks_clmul(std::span<const BlockItem> items, std::uint64_t* words, std::uint32_t* checksums) {
    for (const BlockItem& item : items) {
        *checksums++ = load_block_clmul(item.bytes, words);
        words += block_words;
    }
}

/// One block in one register: the products of its words with their factors, to be added up.
ECISCOPE_VCLMUL inline __m512i multiply_block(const std::uint8_t* bytes, std::uint64_t* words) {
    const __m512i swap = _mm512_broadcast_i32x4(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    const __m512i factor = _mm512_load_si512(factors.data());
    __m512i value = _mm512_shuffle_epi8(_mm512_loadu_si512(bytes), swap);
    _mm512_storeu_si512(words, value);
    value = _mm512_xor_si512(value, _mm512_set_epi64(0, 0, 0, 0, 0, 0, 0, initial));
    value = _mm512_and_si512(value, _mm512_set_epi64(keep, -1, -1, -1, -1, -1, -1, -1));
    return _mm512_xor_si512(_mm512_clmulepi64_epi128(value, factor, 0x00),
                            _mm512_clmulepi64_epi128(value, factor, 0x11));
}

/// Adds the quarters of a in the lower half of the result and those of b in the upper, by two.
ECISCOPE_VCLMUL inline __m512i add_quarters(__m512i a, __m512i b) {
    return _mm512_xor_si512(_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(a, b, 0xdd));
}

/// Four blocks, whose reductions by Barrett share one register.
ECISCOPE_VCLMUL void load_four(const BlockItem* items, std::uint64_t* words, std::uint32_t* checksums) {
    const __m512i a = multiply_block(items[0].bytes, words);
    const __m512i b = multiply_block(items[1].bytes, words + block_words);
    const __m512i c = multiply_block(items[2].bytes, words + 2 * block_words);
    const __m512i d = multiply_block(items[3].bytes, words + 3 * block_words);
    const __m512i sum = add_quarters(add_quarters(a, b), add_quarters(c, d));
    const __m512i factor =
        _mm512_broadcast_i32x4(_mm_set_epi64x(eci::crc24_polynomial, static_cast<long long>(barrett)));
    const __m512i upper = _mm512_bsrli_epi128(sum, width / 8);
    const __m512i estimate = _mm512_clmulepi64_epi128(upper, factor, 0x00);
    const __m512i quotient = _mm512_xor_si512(estimate, _mm512_bslli_epi128(upper, 8));
    const __m512i rest = _mm512_xor_si512(sum, _mm512_clmulepi64_epi128(quotient, factor, 0x11));
    alignas(64) std::array<std::uint64_t, 8> rests;
    _mm512_store_si512(rests.data(), rest);
    for (std::size_t i = 0; i < 4; ++i) {
        checksums[i] = static_cast<std::uint32_t>(~rests[2 * i]) & all_ones;
    }
}

ECISCOPE_VCLMUL void load_blocks_vclmul(std::span<const BlockItem> items, std::uint64_t* words,
                                        std::uint32_t* checksums) {
    std::size_t i = 0;
    for (; i + 4 <= items.size(); i += 4) {
        load_four(items.data() + i, words + i * block_words, checksums + i);
    }
    load_blocks_clmul(items.subspan(i), words + i * block_words, checksums + i);
}

bool has_clmul() {
    return __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("ssse3") != 0 &&
           __builtin_cpu_supports("sse4.1") != 0;
}

bool has_vclmul() {
    return has_clmul() && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("vpclmulqdq") != 0;
}

#endif

}  // namespace

std::uint32_t crc24_reference(std::span<const std::uint8_t> bytes) {
    std::uint32_t crc = eci::crc24_initial;
    for (const std::uint8_t byte : bytes) {
        crc = (crc << 8 & all_ones) ^ slices[0][crc >> (width - 8) ^ byte];
    }
    return crc ^ all_ones;
}

namespace {

std::uint32_t load_block_portable(const std::uint8_t* bytes, std::uint64_t* words) {
    std::uint32_t crc = eci::crc24_initial;
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

void load_blocks_portable(std::span<const BlockItem> items, std::uint64_t* words, std::uint32_t* checksums) {
    for (const BlockItem& item : items) {
        *checksums++ = load_block_portable(item.bytes, words);
        words += block_words;
    }
}

}  // namespace

std::vector<LoadBlocks> load_blocks_versions() {
    std::vector<LoadBlocks> versions;
#ifdef ECISCOPE_HAS_CLMUL
    if (has_vclmul()) {
        versions.push_back(load_blocks_vclmul);
    }
    if (has_clmul()) {
        versions.push_back(load_blocks_clmul);
    }
#endif
    versions.push_back(load_blocks_portable);
    return versions;
}

}  // namespace eciscope
