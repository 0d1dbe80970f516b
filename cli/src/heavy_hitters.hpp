// The most frequent keys of a stream in bounded memory (Misra and Gries, with the whole table aged at once): exact
// while there are no more different keys than the table holds, afterwards short by at most error().
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace eciscope::cli {

class HeavyHitters {
 public:
    static constexpr std::size_t default_capacity = std::size_t{1} << 17;

    struct Entry {
        std::uint64_t key = 0;
        std::uint64_t count = 0;  ///< the true count lies between this and count + error()
    };

    explicit HeavyHitters(std::size_t capacity = default_capacity);

    void add(std::uint64_t key);
    /// The `wanted` largest, ties by key.
    [[nodiscard]] std::vector<Entry> top(std::size_t wanted) const;
    [[nodiscard]] std::uint64_t error() const { return error_; }
    [[nodiscard]] std::size_t distinct() const { return used_; }  ///< exact while error() is 0

 private:
    [[nodiscard]] std::size_t slot_of(std::uint64_t key) const;
    void age();

    std::vector<Entry> slots_;  ///< open addressing, twice the capacity; a count of 0 is an empty slot
    std::size_t capacity_;
    std::size_t used_ = 0;
    std::uint64_t error_ = 0;
};

}  // namespace eciscope::cli
