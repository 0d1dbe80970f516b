// The last blocks of a stream that count in sequence numbers, and what became of each: a replay is matched with it.
#pragma once

#include <array>
#include <cstdint>

namespace eciscope {

enum class Fate : std::uint8_t {
    unseen,      ///< before the capture: a copy is news
    taken,       ///< its words were accepted: a copy is a repetition
    damaged,     ///< waits for evidence: a copy takes its place
    held,        ///< good, waits behind a damaged one
    superseded,  ///< was held, and the far end did not take it: a copy takes its place
    given_up,    ///< later blocks were accepted already: a copy comes too late
    lost_track,  ///< before a loss of unknown size: it cannot be told which block a copy repeats
};

class History {
 public:
    /// More than any sender can repeat: sequence numbers have eight bits.
    static constexpr std::uint64_t length = 256;

    [[nodiscard]] Fate fate(std::uint64_t index) const { return fates_[index % length]; }
    [[nodiscard]] std::uint64_t control(std::uint64_t index) const { return controls_[index % length]; }
    void set(std::uint64_t index, Fate fate) { fates_[index % length] = fate; }
    void set(std::uint64_t index, Fate fate, std::uint64_t control) {
        fates_[index % length] = fate;
        controls_[index % length] = control;
    }
    void fill(Fate fate) {
        fates_.fill(fate);
        controls_.fill(0);
    }

 private:
    std::array<std::uint64_t, length> controls_{};
    std::array<Fate, length> fates_{};
};

}  // namespace eciscope
