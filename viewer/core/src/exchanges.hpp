// Which message answers which, by the rules of sail/exchange.sail: by line and id. A request that comes before the one
// before it was answered retires that one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <eciscope/spec/eci.hpp>
#include <optional>
#include <unordered_map>
#include <vector>

#include "eciscope/decoder/message.hpp"

namespace eciscope::view {

/// What tells exchanges apart, in one number.
using ExchangeKey = std::uint64_t;

/// What a message does to exchanges.
struct ExchangePart {
    enum class Role : std::uint8_t { none, opens, closes };
    Role role = Role::none;
    bool is_queue = false;  ///< a node can have several open that nothing tells apart
    ExchangeKey key = 0;
};
[[nodiscard]] ExchangePart exchange_part(Stream stream, const eci::message& message);

/// A request that waits for its answer.
struct OpenRequest {
    std::uint64_t number = 0;
    Picoseconds time = 0;  ///< of its header
    std::uint64_t header = 0;
    std::uint8_t vc = 0;
};

/// Holds a bounded number of open requests: where there are too many, the oldest that are in the way are forgotten.
class Exchanges {
 public:
    Exchanges() : slots_(slot_count) {}

    /// The request that this message answers, if it is one that was seen.
    std::optional<OpenRequest> take(const MessageHead& head, std::uint64_t header, std::uint64_t number);
    /// Answers may be missing from here on: no request waits for one any longer.
    void forget();

 private:
    static constexpr std::size_t ways = 4;
    static constexpr std::size_t slot_count = std::size_t{1} << 15;
    static constexpr std::size_t most_queued = std::size_t{1} << 16;

    struct Slot {
        ExchangeKey key = 0;
        OpenRequest request;
        std::uint32_t epoch = 0;  ///< of another one: nothing is here
    };

    [[nodiscard]] Slot* bucket(ExchangeKey key);
    void open(const ExchangePart& part, const OpenRequest& request);
    std::optional<OpenRequest> close(const ExchangePart& part, const eci::message& answer);
    std::optional<OpenRequest> close_queued(const ExchangePart& part, const eci::message& answer);

    std::vector<Slot> slots_;
    std::uint32_t epoch_ = 1;
    std::unordered_map<ExchangeKey, std::deque<OpenRequest>> queues_;
    std::size_t queued_ = 0;
};

}  // namespace eciscope::view
