// Long traces of legal traffic, with one message in the middle that breaks the protocol.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/error.hpp"

namespace eciscope::view {

/// Makes traffic batch by batch: reads of random lines, their grants with data, drops of the copies; bursts and pauses.
class MadeUpTraffic {
 public:
    explicit MadeUpTraffic(std::uint64_t seed, std::uint64_t lines = std::uint64_t{1} << 14);
    /// At least so many messages; the first batch begins with the handshakes of power-on.
    void next(TraceBatch& batch, std::size_t messages);
    /// Drops a copy that nobody has.
    void break_protocol(TraceBatch& batch);

 private:
    void exchange(TraceBatch& batch);
    void add(TraceBatch& batch, Stream stream, std::uint8_t vc, std::uint64_t header, std::uint8_t words);
    std::uint64_t random();

    std::uint64_t state_;
    std::uint64_t lines_;
    Picoseconds now_ = 1'000'000;
    bool powered_on_ = false;
};

/// An EWF file; the message that breaks the protocol is the one of number `messages` / 2, or follows it closely.
bool write_made_up_traffic(const std::string& path, std::uint64_t messages, std::uint64_t seed = 1);

}  // namespace eciscope::view
