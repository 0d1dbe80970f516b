#include "resync.hpp"

#include <algorithm>
#include <bit>

#include <eciscope/spec/eci.hpp>

namespace eciscope {

RemainingSet any_remaining(std::uint8_t vc) {
    return (RemainingSet{1} << eci::max_words_of_vc(vc)) - 1;
}

RemainingSet after_unseen(std::uint8_t vc, RemainingSet before, std::uint64_t words) {
    const RemainingSet any = any_remaining(vc);
    if (words >= eci::max_words_of_vc(vc)) {
        return any;
    }
    for (std::uint64_t i = 0; i < words; ++i) {
        before |= before >> 1 | ((before & 1) != 0 ? any : 0);
    }
    return before;
}

void Resync::start(std::uint8_t vc, RemainingSet possible) {
    vc_ = vc;
    possible_ = possible;
    held_.clear();
}

void Resync::now_between() {
    possible_ = 1;
}

Resync::Step Resync::push(const PlacedWord& word) {
    const std::uint8_t length = eci::plausible_header(vc_, word.word) ? eci::message_words(vc_, word.word) : 0;
    held_.push_back({word, possible_, length});
    possible_ = possible_ >> 1 | ((possible_ & 1) != 0 && length != 0 ? RemainingSet{1} << (length - 1) : 0);
    if (possible_ == 0) {
        possible_ = any_remaining(vc_);
        return Step::refuted;
    }
    // One state alone may also be what is left of traffic that is not as documented; a header must be among it.
    return std::has_single_bit(possible_) && first_proved_start() < held_.size() ? Step::proved : Step::open;
}

std::size_t Resync::first_proved_start() const {
    std::size_t first = held_.size();
    RemainingSet leading = possible_;  // states after word i that lead to the one that is true now
    for (std::size_t i = held_.size(); i-- > 0;) {
        const std::uint8_t length = held_[i].words_if_header;
        const bool header = length != 0 && (leading >> (length - 1) & 1) != 0;
        leading = (leading << 1 | (header ? 1U : 0U)) & held_[i].before;
        if (leading == 1) {
            first = i;
        }
    }
    return first;
}

void Resync::drop(std::size_t count) {
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(count));
}

}  // namespace eciscope
