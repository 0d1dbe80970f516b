// When the trace itself is in doubt: losses are often told only after they happened, and what a link sent again has two
// times.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "eciscope/decoder/block.hpp"
#include "eciscope/decoder/message.hpp"
#include "eciscope/decoder/time.hpp"

namespace eciscope::conformance {

/// How far each stream is known to be whole. A loss is told with the next block that came through, so everything since
/// the stream's message before it may have been judged without messages that were there.
class Continuity {
 public:
    Continuity() { until_.fill(never); }

    void seen(Stream stream, Picoseconds time) { until_[stream.index()] = time; }

    /// The stream's last message: what is missing came after it.
    [[nodiscard]] Picoseconds whole_until(Stream stream) const { return until_[stream.index()]; }

    /// Nothing can be missing before this any more.
    [[nodiscard]] Picoseconds settled() const {
        Picoseconds least = until_[0];
        for (const Picoseconds time : until_) {
            least = time < least ? time : least;
        }
        return least;
    }

 private:
    static constexpr Picoseconds never = std::numeric_limits<Picoseconds>::min();
    std::array<Picoseconds, stream_count> until_{};
};

/// The times between a retry request and the end of what is sent again. Which copy the far end acted upon can be told
/// from the trace only in part, so that the order of messages is not sure.
class Retries {
 public:
    /// A retry takes less; without this bound a stream that falls silent would stay in doubt.
    static constexpr Picoseconds longest = 10'000'000;

    void take(const Event& event) {
        State& state = states_[event.stream.index()];
        if (event.kind == EventKind::retry) {
            open_ += state.open ? 0U : 1U;
            state = {true, event.time + longest, ~std::uint64_t{0}};
        } else if (event.kind == EventKind::replayed && state.open) {
            state.ends = event.time + longest;
            state.resumes = event.block + event.count;
        }
    }

    [[nodiscard]] bool any() const { return open_ != 0; }

    /// Whether a message falls into such a time. Call it only if there is any().
    [[nodiscard]] bool covers(const MessageHead& head) {
        State& own = states_[head.stream.index()];
        close(own, own.open && head.first_block >= own.resumes);
        for (State& state : states_) {
            close(state, state.open && head.last > state.ends);
        }
        return any();
    }

 private:
    struct State {
        bool open = false;
        Picoseconds ends = 0;
        std::uint64_t resumes = 0;  ///< first block after those that came again
    };
    void close(State& state, bool over) {
        if (over) {
            state.open = false;
            --open_;
        }
    }

    std::array<State, stream_count> states_{};
    unsigned open_ = 0;
};

}  // namespace eciscope::conformance
