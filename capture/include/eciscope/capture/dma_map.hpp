// The map of a trace buffer's dump: what the bits of a sample are, and what each source is. It is the JSON that the
// trace buffer's generator (LauberhornTraceDma of enzian-pio-nic) writes beside the hardware; no position of a dump
// stands in this program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <tl/expected.hpp>

#include "eciscope/decoder/block.hpp"

namespace eciscope::capture {

/// The same message passes several places at which it is traced. One of them makes a trace.
enum class TracePoint : std::uint8_t {
    sys,       ///< at the directory, in the clock of the links
    app,       ///< at the directory, in the application's clock
    boundary,  ///< where messages leave for a link
};

inline constexpr std::uint64_t dma_usual_cycle_ps = 5'000;  ///< the trace buffer's clock, where the map does not say
inline constexpr std::size_t dma_longest_sample = 64;
inline constexpr std::size_t dma_longest_map = std::size_t{16} << 20;
inline constexpr std::uint64_t dma_most_stages = 1U << 16;

struct DmaField {
    unsigned offset = 0;  ///< bits from the lowest of the payload
    unsigned width = 0;   ///< 1 to 64
};

struct DmaSource {
    enum class Use : std::uint8_t {
        message,    ///< of the trace point asked for
        elsewhere,  ///< of another point, or no messages at all
        marker,     ///< lost samples and bubbles
    };
    Use use = Use::elsewhere;
    Stream stream;
    std::uint64_t stages = 0;  ///< cycles that a sample was late
    bool every_word = false;   ///< a sample a word, not a message
    std::string channel;
};

struct DmaMap {
    std::size_t sample_bytes = 0;
    DmaField payload;  ///< its width may exceed 64, it is never read as a whole
    DmaField source;   ///< offsets of this and the next from the lowest bit of the sample
    DmaField timestamp;
    DmaField lost_count;
    DmaField header;
    DmaField vc;
    std::optional<DmaField> accepted;  ///< none: every sample is of an accepted message
    std::uint64_t cycle_ps = dma_usual_cycle_ps;
    std::uint64_t most_stages = 0;  ///< of all sources used
    bool tells_links = false;       ///< every source used says its link
    std::unordered_map<std::uint64_t, DmaSource> sources;
};

/// The error says what of the map cannot be used.
[[nodiscard]] tl::expected<DmaMap, std::string> parse_dma_map(std::string_view json, TracePoint point);

}  // namespace eciscope::capture
