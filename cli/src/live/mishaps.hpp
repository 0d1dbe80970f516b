// What a network does to datagrams, on request and repeatably.
#pragma once

#include <cstdint>
#include <random>

namespace eciscope::cli {

struct Mishaps {
    double loss = 0;       ///< probabilities, each drawn for every record
    double reorder = 0;    ///< the record is sent after the one that follows it
    double duplicate = 0;  ///< the record is sent twice
    std::uint64_t seed = 1;
};

/// Draws that are the same for the same seed everywhere; the standard library's distributions are not.
class Dice {
 public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}
    [[nodiscard]] bool falls(double probability) {
        if (probability <= 0) {
            return false;
        }
        return static_cast<double>(random_() >> 11) * 0x1p-53 < probability;
    }

 private:
    std::mt19937_64 random_;
};

}  // namespace eciscope::cli
