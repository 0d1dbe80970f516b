// Requests that have nothing to do with who holds a line: barriers, I/O, and loads and stores past the caches.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "eciscope/conformance/finding.hpp"

namespace eciscope::conformance {

/// What identifies an exchange: its kind and id, who asked, and the line if it is about one.
struct ExchangeKey {
    std::uint64_t line = no_line;
    std::uint16_t id = 0;
    std::uint8_t kind = 0;
    std::uint8_t asker = 0;

    static constexpr std::uint64_t no_line = ~std::uint64_t{0};

    friend bool operator<(const ExchangeKey& a, const ExchangeKey& b) {
        return std::tie(a.line, a.id, a.kind, a.asker) < std::tie(b.line, b.id, b.kind, b.asker);
    }
};

class OtherExchanges {
 public:
    /// More than these are not remembered: requests that nobody answers must not fill the memory.
    static constexpr std::size_t most_open = std::size_t{1} << 16U;

    /// False if one with this key is open already. It is remembered all the same.
    bool open(const ExchangeKey& key, const Seen& request);

    /// The oldest open request with this key, which is closed now.
    std::optional<Seen> close(const ExchangeKey& key);

    [[nodiscard]] bool empty() const { return count_ == 0; }
    /// Some requests were not remembered: an answer without one proves nothing any more.
    [[nodiscard]] bool overflowed() const { return overflowed_; }
    void forget();

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const auto& [key, requests] : open_) {
            for (const Seen& request : requests) {
                visit(key, request);
            }
        }
    }

 private:
    std::map<ExchangeKey, std::deque<Seen>> open_;
    std::size_t count_ = 0;
    bool overflowed_ = false;
};

}  // namespace eciscope::conformance
