// The last message of each line: one table looked up for every message, so without a node of memory a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "facts.hpp"

namespace eciscope::shark {

class LineEnds {
 public:
    LineEnds() : slots_(std::size_t{1} << 10) {}

    /// Null for a line that is new; to be set then.
    MessageFacts*& operator[](std::uint64_t line) {
        if (2 * used_ >= slots_.size()) {
            grow();
        }
        Slot& slot = find(line);
        if (slot.last == nullptr) {
            slot.line = line;
            ++used_;
        }
        return slot.last;
    }

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(used_); }

 private:
    struct Slot {
        std::uint64_t line = 0;
        MessageFacts* last = nullptr;
    };

    Slot& find(std::uint64_t line) {
        constexpr std::uint64_t spread = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
        std::size_t at = static_cast<std::size_t>(line * spread >> 32) & (slots_.size() - 1);
        while (slots_[at].last != nullptr && slots_[at].line != line) {
            at = (at + 1) & (slots_.size() - 1);
        }
        return slots_[at];
    }

    void grow() {
        std::vector<Slot> before(2 * slots_.size());
        std::swap(before, slots_);
        for (const Slot& slot : before) {
            if (slot.last != nullptr) {
                find(slot.line) = slot;
            }
        }
    }

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};

}  // namespace eciscope::shark
