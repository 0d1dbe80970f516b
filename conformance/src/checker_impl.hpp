#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <eciscope/spec/eci.hpp>
#include <optional>
#include <string>
#include <vector>

#include "doubt.hpp"
#include "eciscope/conformance/checker.hpp"
#include "explain.hpp"
#include "header_facts.hpp"
#include "line_table.hpp"
#include "other_exchanges.hpp"
#include "recent.hpp"

namespace eciscope::conformance {

class Checker::Impl {
 public:
    Impl(const CheckOptions& options, FindingSink& sink);

    void batch(const TraceBatch& batch);
    void lost();
    /// While it is on, nothing is judged.
    void distrust(bool on) {
        distrusted_ = on;
        settle_special();
    }
    Summary finish();

 private:
    static constexpr std::size_t ahead = 32;
    static constexpr std::uint32_t all_streams = (1U << stream_count) - 1;

    struct Place {
        const HeaderFact* fact = nullptr;
        LineKey key = 0;
        std::uint64_t hash = 0;
    };

    /// A finding that a loss told later may still take back.
    struct Pending {
        Violation violation;
        Picoseconds time = 0;  ///< when its message was complete
        LineKey key = 0;
        bool can_be_withdrawn = false;
    };

    void run(const TraceBatch& batch, std::size_t from, std::size_t to);
    void note_progress(const TraceBatch& batch, std::size_t from, std::size_t to);
    void find_place(const MessageHead& head, std::uint64_t header, Place& place) const;
    void message(const MessageHead& head, std::uint64_t header, const Place& place);
    [[nodiscard]] LineState& entry(const Place& place);
    [[nodiscard]] static Seen seen_of(const MessageHead& head, std::uint64_t header, std::uint64_t number) {
        return {number, head.first, header, static_cast<std::uint8_t>(head.vc % vc_count), head.stream};
    }
    void close(const MessageHead& head, std::uint64_t header, std::uint64_t number, const Place& place,
               LineState& line);
    void look_at_answer(const Seen& seen, const Seen& request, bool same_id, const Place& place, LineState& line);
    void look_at_header(const Seen& seen, const Place& place, LineState& line);
    void past_the_caches(const Seen& seen, const Place& place, LineState& line);
    bool is_usual(const MessageHead& head, std::uint64_t header, const Place& place);
    void settle_special() {
        special_ = rested_streams_ != all_streams || retries_.any() || !others_.empty() || distrusted_;
    }
    [[nodiscard]] bool is_mine(const Place& place) const {
        return (place.hash >> 16U) % options_.shares == options_.share;
    }
    bool closes_other(const Seen& seen, const Place& place);
    void without_line(const Seen& seen, const HeaderFact& fact);
    [[nodiscard]] static ExchangeKey key_of(const eci::exchange& exchange, std::uint8_t asker, std::uint64_t line);
    void take(const Event& event);
    void missing(Stream stream);
    [[nodiscard]] bool is_blind() const;
    void first_of_stream(Stream stream);

    [[nodiscard]] LineRecord record_of(const Place& place, const LineState& line) const;
    void refuse(const Seen& seen, const Place& place, LineState& line, SymbolNumber symbol);
    void forget(const Place& place, LineState& line);
    void broken(Rule rule, const Seen& seen, const Place& place, LineState& line, std::string explanation);
    void broken(Rule rule, const Seen& seen, std::string explanation);
    void hand_over(Violation violation, LineKey key);
    void withdraw_since(Picoseconds time);
    void deliver(Picoseconds settled);
    [[nodiscard]] const Explainer& explainer();
    void report_owed();
    void owed_of_lines(std::vector<OwedReply>& all);
    void owed_of_line(const LineState& line, std::vector<OwedReply>& all) const;
    void add_owed(std::vector<OwedReply>& all, Rule rule, const std::optional<Seen>& request,
                  std::optional<CheckedLine> line, std::uint8_t owed_by) const;

    CheckOptions options_;
    FindingSink& sink_;
    const Profile& profile_;
    const ObserverTable& table_;
    const StateNumber* next_;  ///< the table's transitions
    std::size_t symbols_;
    HeaderFacts facts_;
    std::uint64_t line_mask_;
    std::uint64_t dirty_mask_;

    LineTable lines_;
    RecentMessages recent_;
    OtherExchanges others_;
    std::optional<Explainer> explainer_;
    Continuity continuity_;
    Retries retries_;
    std::deque<Pending> pending_;

    /// Lines that were begun since nothing was known of any, while they are few: so that frequent losses do not each
    /// cost a pass over all lines.
    static constexpr std::size_t most_begun = std::size_t{1} << 16U;
    std::vector<LineKey> begun_;

    std::uint64_t number_ = 0;          ///< of the next message
    Picoseconds now_ = 0;               ///< completion of the message that is looked at
    Picoseconds end_ = 0;               ///< of what was observed
    std::uint32_t epoch_ = 0;           ///< goes up whenever nothing is known of any line any more
    std::uint32_t rested_streams_ = 0;  ///< by stream: it began with the power-on handshake, or that is settled
    bool special_ = true;               ///< is_usual() has to be asked
    std::uint32_t seen_streams_ = 0;    ///< that messages or events tell of
    bool distrusted_ = false;
    bool saw_everything_ = true;  ///< from the power-on handshake on
    bool began_at_rest_ = false;
    std::uint64_t lost_at_ = ~std::uint64_t{0};
    std::uint64_t restarted_at_ = ~std::uint64_t{0};

    std::vector<std::uint64_t> transitions_;
    std::vector<LatencyHistogram> latencies_;
    std::array<std::uint64_t, rule_count> by_rule_{};
    std::uint64_t of_lines_ = 0;
    std::uint64_t refused_ = 0;
    std::uint64_t not_judged_ = 0;
    std::uint64_t without_line_ = 0;
    std::uint64_t unmatched_ = 0;
    std::uint64_t losses_ = 0;
    std::uint64_t suppressed_ = 0;
    std::uint64_t withdrawn_ = 0;
    std::uint64_t explained_ = 0;
};

}  // namespace eciscope::conformance
