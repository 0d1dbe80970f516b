// What an observer knows of one sender's credits and acknowledgements.
//
// The tap sees a credit before the sender has it and a word after the sender has spent for it, so an honest sender
// never looks overdrawn here. After a loss, damage that was never repaired, or a start in mid-traffic nothing is known
// until the link is initialised again; so it is, for one circuit or for the acknowledgements, after a contradiction:
// each is reported once.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <eciscope/spec/eci.hpp>

namespace eciscope {

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
        for (unsigned rest = credits; rest != 0; rest &= rest - 1) {
            if (const auto vc = eci::credited_vc(high, static_cast<std::uint8_t>(std::countr_zero(rest)))) {
                words_[*vc] += eci::credit_unit_words;
            }
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

    std::array<std::int64_t, 16> words_{};
    std::int64_t unacknowledged_ = 0;
    bool acks_known_ = false;
    bool known_ = false;
};

}  // namespace eciscope
