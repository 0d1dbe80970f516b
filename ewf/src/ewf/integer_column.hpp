// Integers as a column of size symbols, which compress well, and a column of the bits below, which do not
// (docs/ewf.md, "Integer columns").
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "layout.hpp"

namespace eciscope::ewf {

inline constexpr unsigned plain_symbols = 8;         ///< values below stand for themselves
inline constexpr unsigned symbol_mantissa_bits = 3;  ///< of larger ones: leading one and two more bits
inline constexpr unsigned largest_symbol = 251;      ///< of a value with 64 bits
inline constexpr std::size_t padding_bytes = 16;     ///< readable behind a column in memory

constexpr std::uint64_t zigzag(std::uint64_t difference) {
    return (difference << 1U) ^ (0 - (difference >> 63U));
}
constexpr std::uint64_t unzigzag(std::uint64_t value) {
    return (value >> 1U) ^ (0 - (value & 1U));
}

class IntegerWriter {
 public:
    void clear() {
        symbols.clear();
        bits.clear();
        pending_ = 0;
        pending_bits_ = 0;
    }

    /// `difference` is one modulo 2^64: differences of any two values are stored exactly.
    void put_signed(std::uint64_t difference) { put(zigzag(difference)); }

    void put(std::uint64_t value) {
        if (value < plain_symbols) {
            symbols.push_back(static_cast<std::uint8_t>(value));
        } else {
            put_large(value);
        }
    }

    /// Call once, after the last value.
    void flush() {
        while (pending_bits_ > 0) {
            bits.push_back(static_cast<std::uint8_t>(pending_));
            pending_ >>= 8U;
            pending_bits_ = pending_bits_ > 8 ? pending_bits_ - 8 : 0;
        }
    }

    std::vector<std::uint8_t> symbols;
    std::vector<std::uint8_t> bits;

 private:
    void put_large(std::uint64_t value) {
        const auto width = static_cast<unsigned>(std::bit_width(value));
        const unsigned low = width - symbol_mantissa_bits;
        symbols.push_back(static_cast<std::uint8_t>(plain_symbols + (width - 4) * 4 + ((value >> low) & 3U)));
        if (low > 32) {
            append(value & 0xffffffffU, 32);
            append((value >> 32U) & ((std::uint64_t{1} << (low - 32)) - 1), low - 32);
        } else {
            append(value & ((std::uint64_t{1} << low) - 1), low);
        }
    }

    void append(std::uint64_t value, unsigned count) {
        pending_ |= value << pending_bits_;
        pending_bits_ += count;
        if (pending_bits_ >= 32) {
            const auto at = bits.size();
            bits.resize(at + 4);
            store_le(bits.data() + at, static_cast<std::uint32_t>(pending_));
            pending_ >>= 32U;
            pending_bits_ -= 32;
        }
    }

    std::uint64_t pending_ = 0;  // fewer than 32 bits between calls
    unsigned pending_bits_ = 0;
};

/// What a symbol says: the value is `base` with `low` bits of the bit column added.
struct SymbolMeaning {
    std::uint64_t base = 0;
    std::uint8_t low = 0;
};
inline constexpr std::uint8_t no_such_symbol = 255;
inline constexpr std::array<SymbolMeaning, 256> symbol_meanings = [] {
    std::array<SymbolMeaning, 256> all{};
    for (std::uint64_t symbol = 0; symbol < all.size(); ++symbol) {
        const std::uint64_t step = symbol - plain_symbols;
        const std::uint64_t low = step / 4 + 1;
        if (symbol < plain_symbols) {
            all[symbol] = {symbol, 0};
        } else if (symbol <= largest_symbol) {
            all[symbol] = {(std::uint64_t{4} | (step & 3U)) << low, static_cast<std::uint8_t>(low)};
        } else {
            all[symbol] = {0, no_such_symbol};
        }
    }
    return all;
}();

/// Reads what IntegerWriter wrote. Past the end, and for symbols that do not exist, it yields 0 and remembers.
class IntegerReader {
 public:
    IntegerReader() = default;
    /// The byte behind `symbols` must be no_such_symbol, so that the end needs no look of its own, and `bits` be
    /// followed by padding_bytes of readable memory.
    IntegerReader(Bytes symbols, Bytes bits)
        : symbol_(symbols.data()),
          end_(symbols.data() + symbols.size()),
          bits_(bits.empty() ? none.data() : bits.data()),
          size_(bits.size() * 8) {}

    std::uint64_t get_signed() { return unzigzag(get()); }

    /// The same, for columns where nearly every value is small: there the branch is foretold, and saves the rest.
    std::uint64_t get_small_signed() {
        if (*symbol_ < plain_symbols) [[likely]] {
            return unzigzag(*symbol_++);
        }
        return get_signed();
    }

    std::uint64_t get() {
        // No branch on the size of a value: it would be mispredicted all the time.
        const SymbolMeaning meaning = symbol_meanings[*symbol_];
        if (size_ - position_ < meaning.low) {
            return get_none();
        }
        if (meaning.low > 56) {  // more than one load yields
            if (meaning.low == no_such_symbol) {
                return get_none();
            }
            ++symbol_;
            const std::uint64_t low = take(32);
            return meaning.base | low | take(meaning.low - 32U) << 32U;
        }
        ++symbol_;
        return meaning.base | take(meaning.low);
    }

    /// The next symbol, no_such_symbol at the end, for columns that have symbols beyond those of integers.
    [[nodiscard]] std::uint8_t peek() const { return *symbol_; }
    /// Only if peek() did not give no_such_symbol.
    void skip_if(bool condition) { symbol_ += static_cast<std::ptrdiff_t>(condition); }

    /// True if every value was there and nothing is left over.
    [[nodiscard]] bool exhausted() const { return !bad_ && symbol_ == end_ && (position_ + 7) / 8 == (size_ + 7) / 8; }

 private:
    static constexpr std::array<std::uint8_t, padding_bytes> none{};  // read for values without bits
    static constexpr std::uint8_t no_symbols = no_such_symbol;

    std::uint64_t get_none() {
        bad_ = true;
        size_ = 0;
        position_ = 0;
        return 0;
    }

    std::uint64_t take(unsigned count) {
        const auto word = load_le<std::uint64_t>(bits_ + position_ / 8) >> (position_ % 8);
        position_ += count;
        return word & ((std::uint64_t{1} << count) - 1);
    }

    const std::uint8_t* symbol_ = &no_symbols;
    const std::uint8_t* end_ = &no_symbols;
    const std::uint8_t* bits_ = none.data();
    std::uint64_t size_ = 0;
    std::uint64_t position_ = 0;
    bool bad_ = false;
};

}  // namespace eciscope::ewf
