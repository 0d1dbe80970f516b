// What an observer knows of one sender's credits and acknowledgements.
//
// The tap sees a credit before the sender has it and a word after the sender has spent for it, so an honest sender
// never looks overdrawn here. After a loss, damage that was never repaired, or a start in mid-traffic nothing is known
// until the link is initialised again; so it is, for one circuit or for the acknowledgements, after a contradiction:
// each is reported once.
#pragma once

#include <array>
#include <cstdint>

#include <eciscope/spec/eci.hpp>

namespace eciscope {

/// The circuit of each credit bit of the lower and of the upper circuits; the number after the last where it has none.
inline constexpr auto credited_circuits = [] {
    constexpr std::uint8_t none = 16;
    std::array<std::array<std::uint8_t, 8>, 2> circuits{};
    for (std::uint8_t high = 0; high < circuits.size(); ++high) {
        for (std::uint8_t bit = 0; bit < circuits[high].size(); ++bit) {
            circuits[high][bit] = eci::credited_vc(high, bit).value_or(none);
        }
    }
    return circuits;
}();

class Ledger {
 public:
    [[nodiscard]] bool known() const { return known_; }
    void forget() { known_ = false; }
    void link_initialised() {
        known_ = true;
        words_.fill(0);
        unacknowledged_ = 0;
        acks_known_ = true;
    }

    /// The receiver returned buffers: `credits` as its block says, for the upper or lower circuits.
    void granted(std::uint8_t high, std::uint8_t credits) {
        if (credits == 0) {
            return;
        }
        // Which bits are set is hard to foresee, so all are added.
        const auto& circuits = credited_circuits[high & 1U];
        for (std::size_t bit = 0; bit < circuits.size(); ++bit) {
            words_[circuits[bit]] += (credits >> bit & 1) * eci::credit_unit_words;
        }
    }

    /// The sender sent words on a circuit. False if it has no credit left for them.
    bool spend(std::uint8_t vc, unsigned words) {
        words_[vc] -= words;
        if (words_[vc] >= 0 || !eci::is_credited_vc(vc)) {
            return true;
        }
        words_[vc] = unlimited;
        return false;
    }

    void sent_block() { ++unacknowledged_; }
    /// The receiver acknowledged a group of blocks. False if that many were not sent.
    bool acknowledged() {
        unacknowledged_ -= eci::blocks_per_ack;
        const bool fits = unacknowledged_ >= 0 || !acks_known_;
        acks_known_ = acks_known_ && fits;
        return fits;
    }

 private:
    /// More than any capture can spend.
    static constexpr std::int64_t unlimited = std::int64_t{1} << 62;

    std::array<std::int64_t, 17> words_{};  ///< the last one counts for nothing
    std::int64_t unacknowledged_ = 0;
    bool acks_known_ = false;
    bool known_ = false;
};

}  // namespace eciscope
