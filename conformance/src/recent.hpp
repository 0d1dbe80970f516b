// The last messages of the trace, chained by line, and every request that is still open however long ago it came.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "eciscope/conformance/finding.hpp"
#include "eciscope/decoder/message.hpp"
#include "large_array.hpp"
#include "line_table.hpp"

namespace eciscope::conformance {

class RecentMessages {
 public:
    /// `kept` is rounded up to a power of two.
    explicit RecentMessages(std::size_t kept) : slots_(std::bit_ceil(kept)), mask_(slots_.size() - 1) {}

    /// `number` is higher than that of every message before.
    void add(const MessageHead& head, std::uint64_t header, std::uint64_t number, ShortNumber previous, bool opens) {
        __builtin_prefetch(&slots_[(number + ahead) & mask_], 1);
        Slot& slot = slots_[number & mask_];
        if (slot.open && slot.number >= open_from_) {
            old_open_.emplace(slot.number, slot);
        }
        slot.number = number;
        slot.time = head.first;
        slot.header = header;
        slot.previous = previous;
        slot.vc = head.vc % vc_count;
        slot.stream = head.stream;
        slot.open = opens;
        newest_ = number;
    }

    struct Slot {
        std::uint64_t number = ~std::uint64_t{0};
        Picoseconds time = 0;
        std::uint64_t header = 0;
        ShortNumber previous = 0;
        std::uint8_t vc = 0;
        Stream stream;
        bool open = false;

        [[nodiscard]] Seen seen() const { return {number, time, header, vc, stream}; }
        [[nodiscard]] LineKey key() const {
            const HeaderShape& shape = header_shapes[vc * opcode_count + opcode_field.of(header)];
            const std::uint8_t home = shape.sent_by_home ? stream.from : 1 - stream.from;
            return line_key(header >> shape.line_shift & ((std::uint64_t{1} << line_bits) - 1), home);
        }
    };
    static_assert(sizeof(Slot) == 32);

    /// An open request is answered. Returns it, until the next call; null if it is not at hand any more.
    const Slot* close(ShortNumber number) {
        Slot& slot = slots_[number & mask_];
        const std::uint64_t whole = whole_number(number);
        if (slot.number == whole) {
            slot.open = false;
            return &slot;
        }
        const auto old = old_open_.find(whole);
        if (old == old_open_.end()) {
            return nullptr;
        }
        closed_ = old->second;
        old_open_.erase(old);
        return &closed_;
    }

    /// An open request, or any message that is recent; nothing if it is not at hand or not of that line.
    [[nodiscard]] std::optional<Seen> find(ShortNumber number, LineKey key) const {
        const Slot* slot = find_slot(number, key);
        return slot == nullptr ? std::nullopt : std::optional(slot->seen());
    }

    /// A line's messages from `last` back, oldest first.
    struct Chain {
        std::vector<Seen> messages;
        bool whole = true;  ///< nothing is missing before the first
    };
    [[nodiscard]] Chain chain(ShortNumber last, LineKey key) const {
        Chain chain;
        for (const Slot* slot = find_slot(last, key);; slot = find_slot(slot->previous, key)) {
            if (slot == nullptr) {
                chain.whole = false;
                break;
            }
            chain.messages.push_back(slot->seen());
            if (slot->previous == static_cast<ShortNumber>(slot->number)) {
                break;  // the first of the line
            }
        }
        std::reverse(chain.messages.begin(), chain.messages.end());
        return chain;
    }

    /// Nothing that came before counts as open any more.
    void forget_open() {
        open_from_ = newest_ + 1;
        old_open_.clear();
    }

 private:
    static constexpr std::uint64_t ahead = 32;  ///< messages; by then a slot is in the cache

    [[nodiscard]] std::uint64_t whole_number(ShortNumber number) const {
        return newest_ - static_cast<ShortNumber>(static_cast<ShortNumber>(newest_) - number);
    }

    [[nodiscard]] const Slot* find_slot(ShortNumber number, LineKey key) const {
        const std::uint64_t whole = whole_number(number);
        const Slot& slot = slots_[number & mask_];
        if (slot.number == whole && slot.key() == key) {
            return &slot;
        }
        const auto old = old_open_.find(whole);
        return old == old_open_.end() || old->second.key() != key ? nullptr : &old->second;
    }

    LargeArray<Slot> slots_;
    std::uint64_t mask_;
    std::unordered_map<std::uint64_t, Slot> old_open_;
    Slot closed_;
    std::uint64_t newest_ = 0;
    std::uint64_t open_from_ = 0;  ///< what came before is not open, whatever its slot says
};

}  // namespace eciscope::conformance
