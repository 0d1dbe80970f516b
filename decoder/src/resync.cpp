#include "resync.hpp"

#include <algorithm>
#include <bit>

#include "spec_shim.hpp"

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
    size_ = 0;
}

void Resync::now_between() {
    possible_ = 1;
}

Resync::Step Resync::push(const PlacedWord& word) {
    const std::uint8_t length = eci::plausible_header(vc_, word.word) ? eci::message_words(vc_, word.word) : 0;
    words_[size_] = word;
    before_[size_] = possible_;
    words_if_header_[size_] = length;
    ++size_;
    possible_ = possible_ >> 1 | ((possible_ & 1) != 0 && length != 0 ? RemainingSet{1} << (length - 1) : 0);
    if (possible_ == 0) {
        possible_ = any_remaining(vc_);
        return Step::refuted;
    }
    // One state alone may also be what is left of traffic that is not as documented; a header must be among it.
    return std::has_single_bit(possible_) && first_proved_start() < size_ ? Step::proved : Step::open;
}

std::size_t Resync::first_proved_start() const {
    std::size_t first = size_;
    RemainingSet leading = possible_;  // states after word i that lead to the one that is true now
    for (std::size_t i = size_; i-- > 0;) {
        const std::uint8_t length = words_if_header_[i];
        const bool header = length != 0 && (leading >> (length - 1) & 1) != 0;
        leading = (leading << 1 | (header ? 1U : 0U)) & before_[i];
        if (leading == 1) {
            first = i;
        }
    }
    return first;
}

void Resync::drop(std::size_t count) {
    std::copy(words_.begin() + static_cast<std::ptrdiff_t>(count), words_.begin() + static_cast<std::ptrdiff_t>(size_),
              words_.begin());
    std::copy(before_.begin() + static_cast<std::ptrdiff_t>(count),
              before_.begin() + static_cast<std::ptrdiff_t>(size_), before_.begin());
    std::copy(words_if_header_.begin() + static_cast<std::ptrdiff_t>(count),
              words_if_header_.begin() + static_cast<std::ptrdiff_t>(size_), words_if_header_.begin());
    size_ -= count;
}

}  // namespace eciscope
