// A dump of the trace buffer of Lauberhorn (enzian-pio-nic): fixed-width samples from a ring in memory, each with a
// payload, the number of its source and a time stamp, laid out as a DmaMap says. What it holds of messages becomes a
// trace: headers, with data words only where they were traced word by word.
#pragma once

#include <cstdint>
#include <functional>

#include <tl/expected.hpp>

#include "eciscope/capture/dma_map.hpp"
#include "eciscope/capture/input.hpp"
#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/decoder/message.hpp"

namespace eciscope::capture {

/// Where every sample of a dump went.
struct DmaAccounts {
    std::uint64_t samples = 0;
    std::uint64_t words = 0;      ///< accepted: headers, and what was traced word by word
    std::uint64_t offers = 0;     ///< presented and not accepted in that cycle
    std::uint64_t lost = 0;       ///< markers of lost samples
    std::uint64_t bubbles = 0;    ///< padding
    std::uint64_t unwritten = 0;  ///< all zero: memory that the ring had not reached
    std::uint64_t elsewhere = 0;  ///< other trace points, directory events, credits
    std::uint64_t unknown = 0;    ///< of sources that the map does not have, or of circuits that do not exist
    std::uint64_t unread = 0;     ///< the sink asked to stop

    std::uint64_t samples_lost = 0;  ///< as the markers say
    std::uint64_t bytes_left = 0;    ///< behind the last whole sample
    bool wrapped = false;            ///< the oldest sample was not the first of the dump

    [[nodiscard]] bool sums_agree() const {
        return samples == words + offers + lost + bubbles + unwritten + elsewhere + unknown + unread;
    }
};

/// Begins the dump anew each time: a ring is read twice, first to find its oldest sample.
using DmaOpener = std::function<tl::expected<Input, std::string>()>;

/// Hands the messages to `sink` in order of time. Times count from the time stamp 0. An error is the operating
/// system's, from opening.
[[nodiscard]] tl::expected<DmaAccounts, std::string> read_dma(const DmaOpener& open, const DmaMap& map,
                                                              std::uint32_t source, TraceSink& sink,
                                                              Diagnostics& diagnostics);

}  // namespace eciscope::capture
