// Why a message is impossible: the slow path, which replays a line's messages on the configurations themselves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eciscope/conformance/finding.hpp"
#include "eciscope/conformance/tables.hpp"
#include "graph.hpp"

namespace eciscope::conformance {

/// What is known of a line when a message does not fit.
struct LineRecord {
    std::uint8_t home = 0;
    std::vector<Seen> messages;  ///< oldest first
    bool whole = false;          ///< nothing is missing before the first
    bool from_rest = false;      ///< the line was at rest then; else in any configuration
};

class Explainer {
 public:
    Explainer(const Profile& profile, Tap tap);

    /// Fills in everything of a violation of coherence but the message, the line and the severity.
    void explain(Violation& violation, const LineRecord& record, SymbolNumber symbol) const;

    /// Fills in the history alone, for violations that the observer does not judge.
    void tell_history(Violation& violation, const LineRecord& record) const;

 private:
    using Subset = std::vector<std::uint32_t>;

    [[nodiscard]] Subset begin(bool from_rest) const;
    [[nodiscard]] Subset closed(Subset subset) const;
    [[nodiscard]] Subset after(const Subset& subset, StepSet symbol) const;
    [[nodiscard]] StepSet steps_of(const Seen& message) const;
    [[nodiscard]] Subset replay(Violation& violation, const LineRecord& record) const;
    [[nodiscard]] Rule classify(const Subset& before, SymbolNumber symbol, StepSet steps) const;
    [[nodiscard]] std::string describe(const model::Configuration& configuration, std::uint8_t home) const;

    const Profile& profile_;
    Tap tap_;
    const model::Machines& machines_;
    model::Exploration exploration_;
};

/// The name of a message's operation, e.g. "RLDX".
[[nodiscard]] std::string_view op_name(const Seen& message);

}  // namespace eciscope::conformance
