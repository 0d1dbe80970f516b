// Replays a trace against the protocol's state machines. What breaks a rule goes to a FindingSink, in order of the
// trace.
//
// Per line there is one small state, per message one lookup in the observer's table; where the table says that no legal
// run goes on like this, the line's past is replayed to say why. A line that was reported goes on from "any
// configuration" and is not reported again.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "eciscope/conformance/finding.hpp"
#include "eciscope/conformance/rules.hpp"
#include "eciscope/conformance/tables.hpp"
#include "eciscope/decoder/message.hpp"

namespace eciscope::conformance {

/// The severities that rules have by themselves.
[[nodiscard]] std::array<RuleSeverity, rule_count> usual_severities();

struct CheckOptions {
    const Profile* profile = find_profile("ThunderX");
    Tap tap = Tap::unordered;
    std::array<RuleSeverity, rule_count> severities = usual_severities();
    bool one_link = false;               ///< the trace is of a machine that uses one link, or does not tell them apart
    bool every_violation = false;        ///< report lines again that were reported already
    std::optional<Picoseconds> timeout;  ///< replies owed for longer are violations
    std::uint64_t most_explained = 10'000;          ///< further violations come without history and hypotheses
    std::size_t remembered = std::size_t{1} << 19;  ///< messages, 32 bytes each, that explanations can go back
    /// Only lines of one share are looked at, so that several checkers can divide a trace; the first also takes what
    /// belongs to no line.
    unsigned share = 0;
    unsigned shares = 1;
};

class Checker final : public TraceSink {
 public:
    Checker(const CheckOptions& options, FindingSink& sink);
    Checker(const Checker&) = delete;
    Checker& operator=(const Checker&) = delete;
    ~Checker() override;

    /// Headers are at MessageHead::word_offset of the batch's words, so batches with data words left out will do.
    bool batch(const TraceBatch& batch) override;

    /// The same for a batch from which something is missing at a place that nobody knows: nothing in it is judged.
    bool batch_with_gap(const TraceBatch& batch);

    /// Something is missing from the trace here that no event tells of: nothing is known of any line from now on.
    void lost();

    /// Reports what is still owed. Nothing may follow.
    Summary finish();

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// How often each symbol was seen, and how many of the observer's transitions it took.
[[nodiscard]] std::vector<Coverage> coverage_of(const Profile& profile, Tap tap,
                                                const std::vector<std::uint64_t>& transitions);

/// Adds up the summaries of checkers that divided one trace.
[[nodiscard]] Summary merged(const Summary& a, const Summary& b);

}  // namespace eciscope::conformance
