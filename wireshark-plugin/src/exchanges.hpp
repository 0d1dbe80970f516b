// Which message answers which, by the rules of sail/exchange.sail: by line and id, not by id alone, since ids are used
// again within microseconds. A request that comes before the one before it was answered retires that one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <eciscope/spec/eci.hpp>

#include "eciscope/decoder/block.hpp"
#include "facts.hpp"

namespace eciscope::shark {

/// A message as the matching needs it.
struct Exchanged {
    eci::message message;
    std::uint64_t header = 0;
    Picoseconds time = 0;
    Stream stream;
    std::uint8_t vc = 0;
};

class Exchanges {
 public:
    /// Fills in the facts of this message, and of the request that it answers or retires.
    void take(const Exchanged& exchanged, MessageFacts& facts);
    /// Answers may be missing from here on: no request waits for one any longer.
    void forget() { open_.clear(); }

 private:
    /// More are not waited for: requests that nobody answers must not fill the memory.
    static constexpr std::size_t most_open = std::size_t{1} << 16;

    struct Open {
        MessageFacts* facts;
        std::uint64_t header;
        Picoseconds time;
        std::uint8_t vc;
    };

    void open(const eci::exchange& exchange, const Exchanged& exchanged, MessageFacts& facts);
    void close(const eci::exchange& exchange, const Exchanged& exchanged, MessageFacts& facts);

    std::unordered_map<std::uint64_t, std::vector<Open>> open_;
};

}  // namespace eciscope::shark
