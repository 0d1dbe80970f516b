// What the headers of live records say: how much came, and what was lost before it could come.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "eciscope/capture/input.hpp"
#include "eciscope/decoder/block.hpp"
#include "eciscope/decoder/diagnostic.hpp"

namespace eciscope::cli {

struct StreamCount {
    std::uint64_t records = 0;  ///< all that came, duplicates included
    std::uint64_t blocks = 0;
    std::uint64_t missing = 0;       ///< records whose sequence number has not come
    std::uint64_t late = 0;          ///< records that came after their successors
    std::uint64_t duplicate = 0;     ///< records that came again
    std::uint64_t restarts = 0;      ///< of the interposer's numbering
    std::uint64_t lost_blocks = 0;   ///< as the interposer says
    std::uint64_t lost_unknown = 0;  ///< times that it lost blocks and does not know how many

    StreamCount& operator+=(const StreamCount& other);
};

/// Follows the sequence numbers of one stream. Looks at each header once and decides at once: unlike the merger, which
/// can wait, it counts a number as missing until it comes.
class StreamCounter {
 public:
    void take(capture::Bytes record);
    [[nodiscard]] const StreamCount& count() const { return count_; }

 private:
    /// So far behind the youngest a number is remembered.
    static constexpr std::uint32_t window = 4096;

    void arrive(std::uint32_t sequence, std::uint64_t time_ns);
    void begin(std::uint32_t sequence);
    void ahead(std::uint32_t sequence, std::uint32_t distance);
    bool behind(std::uint32_t sequence, std::uint32_t distance, std::uint64_t time_ns);

    StreamCount count_;
    bool started_ = false;
    std::uint32_t first_ = 0;  ///< lowest number since numbering began
    std::uint32_t next_ = 0;
    std::uint64_t newest_ns_ = 0;
    std::bitset<window> seen_;
};

/// All streams, from Ethernet frames.
class StreamCounts {
 public:
    /// False if the frame holds no record whose header can be read; it is counted as foreign.
    bool frame(capture::Bytes frame);

    [[nodiscard]] const StreamCount& of(std::size_t stream) const { return streams_[stream].count(); }
    [[nodiscard]] StreamCount total() const;
    [[nodiscard]] std::uint64_t foreign() const { return foreign_; }

 private:
    std::array<StreamCounter, stream_count> streams_;
    std::uint64_t foreign_ = 0;
    Diagnostics diagnostics_;  ///< of packets; a decode of the capture says them all
};

}  // namespace eciscope::cli
