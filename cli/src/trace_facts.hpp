// What there is to say about a trace as a whole, gathered in one pass and in bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bars.hpp"
#include "eciscope/decoder/message.hpp"
#include "heavy_hitters.hpp"

namespace eciscope::cli {

/// Of one stream, from the events.
struct LinkState {
    enum class State : std::uint8_t { unknown, up, up_from_power_on, down };

    State state = State::unknown;  ///< at the end of the trace; unknown where the trace says nothing
    Picoseconds since = 0;
    std::uint64_t messages = 0;
    std::uint64_t ups = 0;
    std::uint64_t retries = 0;
    std::uint64_t replayed_blocks = 0;
    std::uint64_t damaged_blocks = 0;
    std::uint64_t lost_blocks = 0;
    std::uint64_t unknown_losses = 0;
    std::uint64_t restarts = 0;
};

class TraceFacts final : public TraceSink {
 public:
    static constexpr std::size_t vc_count = 16;
    static constexpr std::size_t last_event_kind = static_cast<std::size_t>(EventKind::capture_ends);

    struct Operation {
        std::string_view of_class;
        std::string_view name;
        auto operator<=>(const Operation&) const = default;
    };

    bool batch(const TraceBatch& batch) override;

    [[nodiscard]] std::uint64_t messages() const { return messages_; }
    [[nodiscard]] std::uint64_t words() const { return words_; }
    [[nodiscard]] std::uint64_t events() const { return events_; }
    [[nodiscard]] bool empty() const { return messages_ == 0 && events_ == 0; }
    [[nodiscard]] Picoseconds first() const { return first_; }
    [[nodiscard]] Picoseconds last() const { return last_; }
    [[nodiscard]] const std::array<std::uint64_t, vc_count>& by_vc() const { return by_vc_; }
    [[nodiscard]] std::map<Operation, std::uint64_t> by_operation() const;
    [[nodiscard]] const std::array<std::uint64_t, last_event_kind + 1>& by_event() const { return by_event_; }
    [[nodiscard]] const std::array<LinkState, stream_count>& links() const { return links_; }
    [[nodiscard]] const HeavyHitters& lines() const { return lines_; }
    [[nodiscard]] std::uint64_t words_discarded() const { return words_discarded_; }

    [[nodiscard]] static std::uint64_t key_of(std::uint8_t home, std::uint64_t aliased_cli) {
        return std::uint64_t{home} << 33U | aliased_cli;
    }

 private:
    void count(const TraceBatch& batch, const MessageHead& message);
    void count(const Event& event);
    void extend(Picoseconds first, Picoseconds last);

    std::uint64_t messages_ = 0;
    std::uint64_t words_ = 0;
    std::uint64_t events_ = 0;
    std::uint64_t words_discarded_ = 0;
    Picoseconds first_ = 0;
    Picoseconds last_ = 0;
    bool started_ = false;
    std::array<std::uint64_t, vc_count> by_vc_{};
    std::array<std::uint64_t, last_event_kind + 1> by_event_{};
    std::array<std::array<std::uint64_t, 32>, vc_count> by_opcode_{};
    std::array<std::array<std::uint64_t, 32>, vc_count> example_{};  ///< a header of each, to name it by
    std::map<Operation, std::uint64_t> others_;                      ///< of circuits whose headers have no opcode
    std::array<LinkState, stream_count> links_{};
    HeavyHitters lines_;
};

}  // namespace eciscope::cli
