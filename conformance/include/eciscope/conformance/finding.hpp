// What a check finds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eciscope/conformance/rules.hpp"
#include "eciscope/conformance/tables.hpp"
#include "eciscope/decoder/block.hpp"
#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/decoder/time.hpp"

namespace eciscope::conformance {

/// A message, as far as the rules look at it.
struct Seen {
    std::uint64_t number = 0;  ///< in the trace, from 0
    Picoseconds time = 0;      ///< of the block with its header
    std::uint64_t header = 0;
    std::uint8_t vc = 0;
    Stream stream;
};

struct CheckedLine {
    std::uint8_t home = 0;
    std::uint64_t aliased_cli = 0;
};

/// A message of the violating line's past, and what it meant.
struct HistoryEntry {
    Seen message;
    std::string meaning;         ///< steps, "A11|A21"; empty where it has none
    std::size_t hypotheses = 0;  ///< configurations that were possible after it
};

struct Violation {
    Rule rule{};
    RuleSeverity severity{};
    Seen message;
    std::optional<CheckedLine> line;
    std::string explanation;               ///< a sentence or two
    std::optional<std::uint8_t> at_fault;  ///< node, where it can be told
    std::vector<HistoryEntry> history;     ///< oldest first, without the message itself
    bool history_is_whole = false;         ///< from the line at rest, or from when nothing was known of it
    std::vector<std::string> expected;     ///< messages that would have been possible, as steps
    std::vector<std::string> hypotheses;   ///< configurations before the message; the first few
    std::size_t hypothesis_count = 0;
    std::string assumptions;
};

/// A request whose answer the trace does not hold.
struct OwedReply {
    Rule rule{};
    RuleSeverity severity{};
    Seen request;
    std::optional<CheckedLine> line;
    Picoseconds age = 0;       ///< from the request to the end of what was observed
    std::uint8_t owed_by = 0;  ///< node
};

/// Times from request to answer. Buckets double, each in eight steps: a percentile is at most an eighth too high.
struct LatencyHistogram {
    static constexpr std::size_t steps = 8;
    std::array<std::uint64_t, 64 * steps> buckets{};
    std::uint64_t count = 0;
    Picoseconds least = 0;
    Picoseconds most = 0;

    void add(Picoseconds latency);
    void merge(const LatencyHistogram& other);
    /// An upper bound of the share's quantile, 0 < share <= 1.
    [[nodiscard]] Picoseconds quantile(double share) const;
};

struct LatencyOf {
    std::string request;  ///< opcode
    LatencyHistogram latency;
};

struct Coverage {
    std::string symbol;  ///< what the messages mean
    std::uint64_t messages = 0;
    std::size_t transitions = 0;           ///< of the observer that were taken with it
    std::size_t transitions_possible = 0;  ///< that there are
};

struct Summary {
    std::string profile;
    Tap tap{};
    bool began_at_rest = false;
    bool is_blind = false;                ///< a direction or a link is missing from the trace: nothing was concluded
    std::uint64_t messages = 0;           ///< of the trace
    std::uint64_t messages_of_lines = 0;  ///< that the observer took, or refused: the sum of `coverage` and `refused`
    std::uint64_t refused = 0;            ///< violations of coherence
    std::uint64_t not_judged = 0;         ///< messages of a line whose effect is not documented
    std::uint64_t other_messages = 0;     ///< without a line
    std::uint64_t unmatched_answers = 0;  ///< of other exchanges, while requests may have been missed
    std::uint64_t lines = 0;
    std::uint64_t lines_unknown = 0;  ///< of which nothing is known at the end
    std::uint64_t losses = 0;         ///< times that everything became unknown
    std::uint64_t suppressed = 0;     ///< further violations of lines that were reported already
    std::uint64_t withdrawn = 0;      ///< findings that a loss told later may explain
    std::array<std::uint64_t, rule_count> by_rule{};
    std::array<std::uint64_t, rule_count> waived{};
    std::vector<std::uint64_t> transitions;  ///< messages by the observer's state * symbols + symbol
    std::vector<Coverage> coverage;          ///< the same by symbol
    std::vector<LatencyOf> latencies;
    Picoseconds end = 0;  ///< completion of the last message

    [[nodiscard]] bool sums_agree() const;
};

/// Takes what a check finds, in order of the trace.
class FindingSink {
 public:
    virtual ~FindingSink() = default;
    virtual void violation(const Violation& violation) = 0;
    virtual void owed(const OwedReply& owed) = 0;
    /// What follows was observed after the interposer had begun again, or nothing follows.
    virtual void observation_ends() {}
};

}  // namespace eciscope::conformance
