// Which message answers which, by the rules of sail/exchange.sail: by line and id. A request that comes before the one
// before it was answered retires that one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "eciscope/decoder/message.hpp"

namespace eciscope::view {

/// What tells exchanges apart, in one number.
using ExchangeKey = std::uint64_t;

/// A request that waits for its answer.
struct OpenRequest {
    std::uint64_t number = 0;
    Picoseconds time = 0;  ///< of its header
    std::uint64_t header = 0;
    std::uint8_t vc = 0;
};

/// What a message does to exchanges.
struct ExchangePart {
    enum class Role : std::uint8_t { none, opens, closes };
    Role role = Role::none;
    bool is_queue = false;  ///< a node can have several open that nothing tells apart
    ExchangeKey key = 0;
};
[[nodiscard]] ExchangePart exchange_part(Stream stream, std::uint8_t vc, std::uint64_t header);
/// Whether a message can answer a request, ids and line apart.
[[nodiscard]] bool can_answer(std::uint8_t vc, std::uint64_t answer, const OpenRequest& request);

/// Holds a bounded number of open requests: where there are too many, the oldest that are in the way are forgotten.
class Exchanges {
 public:
    Exchanges() : buckets_(slot_count / ways), requests_(slot_count) {}

    /// The request that this message answers, if it is one that was seen.
    std::optional<OpenRequest> take(const MessageHead& head, std::uint64_t header, std::uint64_t number);
    /// Answers may be missing from here on: no request waits for one any longer.
    void forget();

 private:
    // Some hundred requests are open at once; a table that stays in the nearest caches holds them.
    static constexpr std::size_t ways = 4;
    static constexpr std::size_t slot_count = std::size_t{1} << 12;
    static constexpr std::size_t most_queued = std::size_t{1} << 16;

    /// Keys and ages of four requests in one line of the cache.
    struct alignas(64) Bucket {
        std::array<ExchangeKey, ways> keys{};
        std::array<std::uint32_t, ways> epochs{};  ///< of another one: nothing is here
        std::array<std::uint32_t, ways> ages{};    ///< low bits of the request's number
    };

    [[nodiscard]] static std::size_t bucket_of(ExchangeKey key);
    void open(const ExchangePart& part, const OpenRequest& request);
    std::optional<OpenRequest> close(const ExchangePart& part, std::uint8_t vc, std::uint64_t answer);
    std::optional<OpenRequest> close_queued(const ExchangePart& part, std::uint8_t vc, std::uint64_t answer);

    std::vector<Bucket> buckets_;
    std::vector<OpenRequest> requests_;  ///< by bucket, then way
    std::uint32_t epoch_ = 1;
    std::unordered_map<ExchangeKey, std::deque<OpenRequest>> queues_;
    std::size_t queued_ = 0;
};

}  // namespace eciscope::view
