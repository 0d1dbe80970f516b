// What is kept of every cache line: 24 bytes in a hash table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "eciscope/conformance/tables.hpp"
#include "large_array.hpp"

namespace eciscope::conformance {

/// A line: its aliased index, then one bit for the home node.
using LineKey = std::uint64_t;
inline constexpr unsigned line_key_bits = 34;

[[nodiscard]] constexpr LineKey line_key(std::uint64_t aliased_cli, std::uint8_t home) {
    return aliased_cli << 1U | home;
}

/// The low halves of message numbers: messages that far apart are told from each other by what is stored of them.
using ShortNumber = std::uint32_t;

struct LineState {
    static constexpr std::uint8_t id_known = 0x80;  ///< in open_id: there is an open one

    std::uint64_t identity = 0;  ///< key, four flags, then the epoch in which the rest was written
    ShortNumber last = 0;        ///< the line's last message
    std::array<ShortNumber, 2>
        open{};             ///< the open forward, which comes from the home, and the open request, which goes to it
    StateNumber state = 0;  ///< of the observer
    std::array<std::uint8_t, 2> open_id{};

    static constexpr std::size_t forward = 0;
    static constexpr std::size_t request = 1;

    [[nodiscard]] LineKey key() const { return identity & ((std::uint64_t{1} << line_key_bits) - 1); }
    [[nodiscard]] bool in_use() const { return (identity & used_bit) != 0; }
    [[nodiscard]] bool reported() const { return (identity & reported_bit) != 0; }
    /// After a violation the line began again in any configuration.
    [[nodiscard]] bool restarted() const { return (identity & restarted_bit) != 0; }
    [[nodiscard]] std::uint32_t epoch() const { return static_cast<std::uint32_t>(identity >> epoch_shift); }

    /// Whether this is the line's entry, written in the epoch: one comparison for both.
    [[nodiscard]] bool is(std::uint64_t wanted) const { return (identity & ~flag_bits) == wanted; }
    [[nodiscard]] static constexpr std::uint64_t wanted(LineKey key, std::uint32_t epoch) {
        return key | used_bit | std::uint64_t{epoch} << epoch_shift;
    }

    void begin(LineKey key, std::uint32_t epoch, StateNumber begins_as) {
        identity = key | used_bit | first_bit | (identity & (reported_bit | restarted_bit)) |
                   std::uint64_t{epoch} << epoch_shift;
        state = begins_as;
        open_id = {};
    }
    void set_reported() { identity |= reported_bit; }
    void clear_reported() { identity &= ~reported_bit; }
    void set_restarted() { identity |= restarted_bit; }

    static constexpr std::uint64_t used_bit = std::uint64_t{1} << line_key_bits;
    static constexpr std::uint64_t reported_bit = std::uint64_t{1} << (line_key_bits + 1);
    static constexpr std::uint64_t restarted_bit = std::uint64_t{1} << (line_key_bits + 2);
    static constexpr std::uint64_t first_bit = std::uint64_t{1} << (line_key_bits + 3);  ///< no message yet
    static constexpr std::uint64_t flag_bits = reported_bit | restarted_bit | first_bit;
    static constexpr unsigned epoch_shift = line_key_bits + 4;
    static constexpr std::uint32_t epochs = std::uint32_t{1} << (64 - epoch_shift);
};
static_assert(sizeof(LineState) == 24);

class LineTable {
 public:
    LineTable() : slots_(std::size_t{1} << first_bits) {}

    /// Multiplicative: the upper bits are well mixed, and the index is taken from them.
    [[nodiscard]] static constexpr std::uint64_t hash(LineKey key) { return key * 0x9E3779B97F4A7C15U; }

    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash >> shift_], 1); }

    /// Where the search for a line begins.
    [[nodiscard]] LineState& first(std::uint64_t hash) { return slots_[hash >> shift_]; }

    /// The line's entry; one that is not in_use() if the line is new. The reference holds until the next call.
    [[nodiscard]] LineState& find(LineKey key, std::uint64_t hash) {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = hash >> shift_;; at = (at + 1) & mask) {
            LineState& slot = slots_[at];
            if (!slot.in_use() || slot.key() == key) {
                return slot;
            }
        }
    }

    /// Must follow the begin() of every new entry.
    void added() {
        if (++count_ * 2 > slots_.size()) {
            grow();
        }
    }

    [[nodiscard]] std::size_t size() const { return count_; }

    template <class Visit>
    void for_each(Visit&& visit) {
        for (LineState& slot : slots_) {
            if (slot.in_use()) {
                visit(slot);
            }
        }
    }

 private:
    static constexpr unsigned first_bits = 12;

    void grow() {
        --shift_;
        LargeArray<LineState> old(slots_.size() * 2);
        std::swap(old, slots_);
        for (const LineState& slot : old) {
            if (slot.in_use()) {
                find(slot.key(), hash(slot.key())) = slot;
            }
        }
    }

    LargeArray<LineState> slots_;
    unsigned shift_ = 64 - first_bits;
    std::size_t count_ = 0;
};

}  // namespace eciscope::conformance
