// The order of records within one stream, told by their sequence numbers.
#pragma once

#include <array>
#include <cstdint>

#include "eciscope/decoder/time.hpp"

namespace eciscope::capture {

/// How far behind the youngest record another may come and still find its place: a record spans up to 4.295 ms, and a
/// datagram is allowed the rest.
inline constexpr Picoseconds merge_wait = 10'000'000'000;

enum class Arrival : std::uint8_t {
    next,       ///< the number that was expected, or nothing is known yet of what to expect
    ahead,      ///< numbers before it have not come yet
    duplicate,  ///< same number and time as a record that has been passed on
    late,       ///< its place was given up
    restart,    ///< numbers begin again
};

/// Before or after in a numbering that wraps.
[[nodiscard]] inline std::int32_t sequence_distance(std::uint32_t from, std::uint32_t to) {
    return static_cast<std::int32_t>(to - from);
}

class SequenceTracker {
 public:
    /// `time` lies within bounds that let differences be computed; the merger refuses others before.
    [[nodiscard]] Arrival classify(std::uint32_t sequence, Picoseconds time) const;

    /// A record was passed on: the next number is expected now.
    void pass(std::uint32_t sequence, Picoseconds time);

    /// Forgets everything.
    void reset() { *this = SequenceTracker(); }

    [[nodiscard]] bool started() const { return started_; }
    /// From the expected number to this one: positive while numbers before it are missing.
    [[nodiscard]] std::int32_t distance_to(std::uint32_t sequence) const { return sequence_distance(next_, sequence); }
    /// Time of the record passed last.
    [[nodiscard]] Picoseconds newest() const { return newest_; }

 private:
    struct Seen {
        std::uint32_t sequence = 0;
        bool is_set = false;
        Picoseconds time = 0;
    };
    static constexpr std::size_t remembered = 1024;

    bool started_ = false;
    std::uint32_t first_ = 0;
    std::uint32_t next_ = 0;
    Picoseconds newest_ = 0;
    std::array<Seen, remembered> seen_{};
};

}  // namespace eciscope::capture
