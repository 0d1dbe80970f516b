// From a trace buffer's samples, in the order in which they were written, to messages in order of time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "eciscope/capture/dma.hpp"

namespace eciscope::capture {

/// A sample that is a message's, or a marker.
struct DmaSample {
    std::uint64_t cycles = 0;  ///< what the sample was late taken off
    std::uint64_t order = 0;   ///< in time stamps as they were written
    std::uint64_t word = 0;    ///< header or word; of a marker the number of lost samples
    std::uint64_t vc = 0;
    const DmaSource* source = nullptr;
    std::uint64_t losses = 0;  ///< markers before it, as they were written
    Position where;
    bool accepted = true;

    [[nodiscard]] std::tuple<std::uint64_t, std::size_t, std::uint64_t> key() const {
        return {cycles, source->stream.index(), order};
    }
};

/// Sources are late by different numbers of cycles, so that samples wait until none can come before them any more.
class DmaMessages {
 public:
    DmaMessages(const DmaMap& map, TraceSink& sink, Diagnostics& diagnostics, DmaAccounts& accounts)
        : map_(map), sink_(sink), diagnostics_(diagnostics), accounts_(accounts) {}

    /// The dump begins somewhere in the traffic.
    void begins_within(bool within) { unsure_ = within; }
    void push(const DmaSample& sample) { waiting_.push(sample); }
    /// Nothing older than this will be pushed, but for what its source was late.
    void up_to(std::uint64_t cycles);
    void finish();
    [[nodiscard]] bool stopped() const { return stopped_; }

 private:
    /// More than that never wait: a dump whose time stands still is handed out as it comes.
    static constexpr std::size_t most_waiting = std::size_t{1} << 20;
    static constexpr std::size_t batch_messages = 4096;

    struct Later {
        bool operator()(const DmaSample& a, const DmaSample& b) const { return a.key() > b.key(); }
    };
    /// A message of which words are still to come.
    struct Begun {
        std::vector<std::uint64_t> words;
        std::uint64_t first_cycles = 0;
        std::uint64_t last_cycles = 0;
        Position where;
        std::uint8_t vc = 0;
        std::uint8_t wanted = 0;
    };
    struct Channel {
        std::optional<DmaSample> offer;  ///< presented and not yet accepted
        std::map<std::uint8_t, Begun> begun;
        std::uint64_t losses = 0;
        bool any = false;  ///< since the beginning or the last loss
    };

    void take(const DmaSample& sample);
    void take_lost(const DmaSample& sample);
    void take_offer(const DmaSample& sample, Channel& channel);
    void take_word(const DmaSample& sample, Channel& channel);
    void give_up(const DmaSource& source, Channel& channel, bool at_end);
    void emit(const Begun& message, Stream stream);
    void flush(std::size_t at_least);
    [[nodiscard]] Picoseconds time_of(std::uint64_t cycles) const;

    const DmaMap& map_;
    TraceSink& sink_;
    Diagnostics& diagnostics_;
    DmaAccounts& accounts_;
    std::priority_queue<DmaSample, std::vector<DmaSample>, Later> waiting_;
    std::map<const DmaSource*, Channel> channels_;
    TraceBatch batch_;
    std::uint64_t newest_ = 0;  ///< cycles of the completion handed out last
    bool unsure_ = false;
    bool stopped_ = false;
};

}  // namespace eciscope::capture
