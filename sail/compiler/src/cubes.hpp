// Sets of words as unions of cubes: the words that agree with `value` where `mask` has ones.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace eciscope::sailgen {

struct Cube {
    std::uint64_t mask = 0;
    std::uint64_t value = 0;
};

struct CubeSet {
    std::vector<Cube> cubes;
    bool is_exact = true;       // every word of the cubes is in the set; else the set may be smaller
    bool is_too_large = false;  // the cubes are incomplete
};

inline constexpr std::size_t most_cubes = 4096;

// Words of `high` above words of `low`, which are `low_width` wide.
[[nodiscard]] CubeSet concatenated(const CubeSet& high, const CubeSet& low, unsigned low_width);

// A word in both.
[[nodiscard]] std::optional<std::uint64_t> common_word(const CubeSet& a, const CubeSet& b);

// A word of `width` bits in none of the cubes. `is_too_large` is set, and nothing returned, when that is beyond the
// budget.
[[nodiscard]] std::optional<std::uint64_t> missing_word(const std::vector<Cube>& cubes, unsigned width,
                                                        bool& is_too_large);

}  // namespace eciscope::sailgen
