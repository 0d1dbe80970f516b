#include "heavy_hitters.hpp"

#include <algorithm>
#include <bit>

namespace eciscope::cli {

HeavyHitters::HeavyHitters(std::size_t capacity) : slots_(std::bit_ceil(2 * capacity)), capacity_(capacity) {}

std::size_t HeavyHitters::slot_of(std::uint64_t key) const {
    const std::uint64_t hash = (key ^ (key >> 29)) * 0x9e37'79b9'7f4a'7c15U;
    std::size_t slot = (hash >> 20) & (slots_.size() - 1);
    while (slots_[slot].count != 0 && slots_[slot].key != key) {
        slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
}

void HeavyHitters::add(std::uint64_t key) {
    std::size_t slot = slot_of(key);
    if (slots_[slot].count == 0) {
        if (used_ == capacity_) {
            age();
            slot = slot_of(key);
        }
        slots_[slot].key = key;
        ++used_;
    }
    ++slots_[slot].count;
}

// Takes the median count from every key and drops those that reach zero: at least half of them, so that the cost is
// spread over as many additions.
void HeavyHitters::age() {
    std::vector<Entry> kept;
    kept.reserve(used_);
    std::copy_if(slots_.begin(), slots_.end(), std::back_inserter(kept), [](const Entry& e) { return e.count != 0; });
    const auto middle = kept.begin() + static_cast<std::ptrdiff_t>(kept.size() / 2);
    std::nth_element(kept.begin(), middle, kept.end(),
                     [](const Entry& a, const Entry& b) { return a.count < b.count; });
    const std::uint64_t median = middle->count;
    error_ += median;
    used_ = 0;
    std::fill(slots_.begin(), slots_.end(), Entry{});
    for (const Entry& entry : kept) {
        if (entry.count > median) {
            slots_[slot_of(entry.key)] = {entry.key, entry.count - median};
            ++used_;
        }
    }
}

std::vector<HeavyHitters::Entry> HeavyHitters::top(std::size_t wanted) const {
    std::vector<Entry> entries;
    std::copy_if(slots_.begin(), slots_.end(), std::back_inserter(entries),
                 [](const Entry& e) { return e.count != 0; });
    wanted = std::min(wanted, entries.size());
    std::partial_sort(
        entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(wanted), entries.end(),
        [](const Entry& a, const Entry& b) { return a.count != b.count ? a.count > b.count : a.key < b.key; });
    entries.resize(wanted);
    return entries;
}

}  // namespace eciscope::cli
