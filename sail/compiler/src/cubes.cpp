#include "cubes.hpp"

#include <bit>

namespace eciscope::sailgen {
namespace {

constexpr std::size_t most_steps = 2'000'000;

bool agree(const Cube& a, const Cube& b) {
    return ((a.value ^ b.value) & a.mask & b.mask) == 0;
}

// Splits on the bits the cubes test until one cube covers all that is left, or none is left.
std::optional<std::uint64_t> search(const std::vector<Cube>& cubes, const Cube& fixed, std::size_t& steps) {
    steps += cubes.size() + 1;
    if (steps > most_steps) return std::nullopt;
    if (cubes.empty()) return fixed.value;
    std::uint64_t tested = 0;
    for (const Cube& cube : cubes) {
        const std::uint64_t open = cube.mask & ~fixed.mask;
        if (open == 0) return std::nullopt;
        if (tested == 0) tested = open;
    }
    const std::uint64_t bit = std::uint64_t{1} << (std::bit_width(tested) - 1);
    for (const std::uint64_t value : {std::uint64_t{0}, bit}) {
        const Cube half{fixed.mask | bit, fixed.value | value};
        std::vector<Cube> rest;
        for (const Cube& cube : cubes) {
            if (agree(cube, half)) rest.push_back(cube);
        }
        if (const auto found = search(rest, half, steps)) return found;
    }
    return std::nullopt;
}

}  // namespace

CubeSet concatenated(const CubeSet& high, const CubeSet& low, unsigned low_width) {
    CubeSet result;
    result.is_exact = high.is_exact && low.is_exact;
    result.is_too_large = high.is_too_large || low.is_too_large || high.cubes.size() * low.cubes.size() > most_cubes;
    if (result.is_too_large) return result;
    // A shift by 64 happens only when there is nothing above.
    const auto shifted = [low_width](std::uint64_t v) { return low_width >= 64 ? 0 : v << low_width; };
    for (const Cube& above : high.cubes) {
        for (const Cube& below : low.cubes) {
            result.cubes.push_back({shifted(above.mask) | below.mask, shifted(above.value) | below.value});
        }
    }
    return result;
}

std::optional<std::uint64_t> common_word(const CubeSet& a, const CubeSet& b) {
    for (const Cube& left : a.cubes) {
        for (const Cube& right : b.cubes) {
            if (agree(left, right)) return left.value | right.value;
        }
    }
    return std::nullopt;
}

std::optional<std::uint64_t> missing_word(const std::vector<Cube>& cubes, unsigned width, bool& is_too_large) {
    std::size_t steps = 0;
    // Bits above the width are fixed from the start.
    const std::uint64_t above = width >= 64 ? 0 : ~((std::uint64_t{1} << width) - 1);
    const auto found = search(cubes, {above, 0}, steps);
    is_too_large = steps > most_steps;
    return is_too_large ? std::nullopt : found;
}

}  // namespace eciscope::sailgen
