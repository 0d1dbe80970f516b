// Finds the next provable message start of one circuit. docs/resynchronisation.md derives the rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "context.hpp"

namespace eciscope {

/// Set of the numbers of words that may still be missing of the message in progress: bit r stands for r words;
/// bit 0 says that the next word may be a header.
using RemainingSet = std::uint32_t;

/// All that is possible when nothing is known.
[[nodiscard]] RemainingSet any_remaining(std::uint8_t vc);

/// What is possible after up to `words` unseen words of this circuit.
[[nodiscard]] RemainingSet after_unseen(std::uint8_t vc, RemainingSet before, std::uint64_t words);

/// A word of a circuit and where it came from.
struct PlacedWord {
    std::uint64_t word = 0;
    KeptPlace place;
    std::uint8_t slot = 0;
};

class Resync {
 public:
    static constexpr std::size_t capacity = 128;

    /// Begins a search on circuit `vc` with what is possible now. Forgets what it held.
    void start(std::uint8_t vc, RemainingSet possible);

    enum class Step : std::uint8_t {
        open,     ///< several states are possible
        proved,   ///< one state is left, and a message start is proved: see first_proved_start()
        refuted,  ///< none is: the traffic is not as documented; everything is possible again
    };
    /// Takes the next word. There must be room.
    Step push(const PlacedWord& word);

    [[nodiscard]] bool full() const { return held_.size() == capacity; }
    [[nodiscard]] bool empty() const { return held_.empty(); }
    [[nodiscard]] std::size_t size() const { return held_.size(); }
    [[nodiscard]] const PlacedWord& operator[](std::size_t i) const { return held_[i].placed; }
    [[nodiscard]] RemainingSet possible() const { return possible_; }
    [[nodiscard]] bool may_be_between() const { return (possible_ & 1) != 0; }

    /// It is known from elsewhere that the circuit is between messages now. Only where may_be_between().
    void now_between();

    /// When one state is left: index of the first word that every surviving hypothesis takes for a header; size() where
    /// there is none.
    [[nodiscard]] std::size_t first_proved_start() const;

    /// Forgets the oldest `count` words.
    void drop(std::size_t count);
    void clear() { held_.clear(); }

 private:
    struct Held {
        PlacedWord placed;
        RemainingSet before = 0;           ///< what was possible before this word
        std::uint8_t words_if_header = 0;  ///< the length it would declare; 0 where it is no header
    };

    std::uint8_t vc_ = 0;
    RemainingSet possible_ = 0;
    std::vector<Held> held_;  ///< allocated with the first word; never more than `capacity`
};

}  // namespace eciscope
