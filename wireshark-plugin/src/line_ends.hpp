// Where each line stands: one table looked up for every message, so without a node of memory a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "facts.hpp"

namespace eciscope::shark {

struct LineEnd {
    std::uint64_t line = 0;
    MessageFacts* last = nullptr;  ///< facts of its last message; null for a line that is new, to be set then
    conformance::LineStates::Mark mark;
    std::uint32_t number = 0;  ///< lines are numbered as they appear
};

class LineEnds {
 public:
    LineEnds() : slots_(std::size_t{1} << 10) {}

    LineEnd& operator[](std::uint64_t line) {
        if (2 * used_ >= slots_.size()) {
            grow();
        }
        LineEnd& slot = slots_[find(line)];
        if (slot.last == nullptr) {
            slot.line = line;
            slot.number = static_cast<std::uint32_t>(used_++);
        }
        return slot;
    }

    /// The line will be asked for soon.
    void expect(std::uint64_t line) const { __builtin_prefetch(&slots_[place(line)]); }
    /// The same, when its entry is there.
    void expect_last(std::uint64_t line) const { __builtin_prefetch(slots_[place(line)].last, 1); }

 private:
    [[nodiscard]] std::size_t place(std::uint64_t line) const {
        constexpr std::uint64_t spread = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
        return static_cast<std::size_t>(line * spread >> 32) & (slots_.size() - 1);
    }

    [[nodiscard]] std::size_t find(std::uint64_t line) const {
        std::size_t at = place(line);
        while (slots_[at].last != nullptr && slots_[at].line != line) {
            at = (at + 1) & (slots_.size() - 1);
        }
        return at;
    }

    void grow() {
        std::vector<LineEnd> before(2 * slots_.size());
        std::swap(before, slots_);
        for (const LineEnd& slot : before) {
            if (slot.last != nullptr) {
                slots_[find(slot.line)] = slot;
            }
        }
    }

    std::vector<LineEnd> slots_;
    std::size_t used_ = 0;
};

}  // namespace eciscope::shark
