// Times of a series, searched in the mapped file: how many messages come before a time is two searches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "index_format.hpp"

namespace eciscope::view {

class Series {
 public:
    /// None unless every leaf and segment lies where it may: later searches rely on it. Times and values may be
    /// anything.
    static std::optional<Series> in(std::span<const std::uint8_t> file, const SeriesEntry& entry);

    [[nodiscard]] std::uint64_t count() const { return entry_.count; }
    [[nodiscard]] const SeriesEntry& entry() const { return entry_; }

    /// Messages before `time`.
    [[nodiscard]] std::uint64_t rank(Picoseconds time) const;
    /// The same for each of several times, which rise.
    void ranks(std::span<const Picoseconds> times, std::span<std::uint64_t> out) const;
    [[nodiscard]] Picoseconds time(std::uint64_t number) const;

    /// Sum of the values of the first messages (SeriesKind::messages).
    [[nodiscard]] std::uint64_t sum_before(std::uint64_t rank) const;
    /// SeriesKind::latency.
    [[nodiscard]] std::uint64_t latency(std::uint64_t number) const;
    /// Of messages from `from` until before `to`.
    [[nodiscard]] std::uint64_t greatest(std::uint64_t from, std::uint64_t to) const;

 private:
    struct Leaf {
        const std::uint32_t* distances = nullptr;
        std::uint64_t start = 0;
        std::size_t count = 0;
    };

    /// Where the time before was found.
    struct Cursor {
        Leaf leaf;
        std::size_t leaf_number = 0;
        std::size_t rank = 0;
    };

    Series() = default;
    [[nodiscard]] std::size_t find_leaves(std::span<const Picoseconds> times, std::size_t from,
                                          std::span<std::size_t> leaves) const;
    [[nodiscard]] std::uint64_t rank_in(std::size_t leaf_number, Picoseconds time, Cursor& cursor) const;
    [[nodiscard]] bool lies_well(std::size_t file_bytes) const;
    [[nodiscard]] Leaf leaf(std::size_t number) const;
    [[nodiscard]] std::size_t leaf_of(std::uint64_t number) const;
    [[nodiscard]] std::size_t leaves_before(Picoseconds time, std::size_t from) const;
    [[nodiscard]] const std::uint8_t* value(std::uint64_t number, std::size_t size) const;

    SeriesEntry entry_;
    const std::uint8_t* file_ = nullptr;
    std::span<const Picoseconds> bases_;
    std::span<const std::uint64_t> starts_;
    std::span<const std::uint64_t> sums_;
    std::span<const std::uint64_t> segments_;
};

/// A number of values at an offset of the file; none where they do not lie in it whole.
template <class T>
std::optional<std::span<const T>> values_at(std::span<const std::uint8_t> file, std::uint64_t at, std::uint64_t count) {
    if (at % alignof(T) != 0 || at > file.size() || count > (file.size() - at) / sizeof(T)) {
        return std::nullopt;
    }
    return std::span<const T>(reinterpret_cast<const T*>(file.data() + at), count);
}

}  // namespace eciscope::view
