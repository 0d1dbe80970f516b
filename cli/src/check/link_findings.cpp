#include "check/link_findings.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "summary.hpp"

namespace eciscope::cli {

namespace {

using conformance::Rule;

constexpr std::array rules{
    std::pair{DiagnosticKind::block_damaged, Rule::damaged_block},
    std::pair{DiagnosticKind::reserved_block, Rule::damaged_block},
    std::pair{DiagnosticKind::sequence_mismatch, Rule::sequence},
    std::pair{DiagnosticKind::replay_differs, Rule::replay},
    std::pair{DiagnosticKind::rx_seq_ahead, Rule::ack_ahead},
    std::pair{DiagnosticKind::ack_ahead, Rule::ack_ahead},
    std::pair{DiagnosticKind::credit_overdrawn, Rule::credit_overflow},
};

}  // namespace

std::vector<LinkFinding> link_findings(const Diagnostics& diagnostics, const conformance::CheckOptions& options) {
    std::vector<LinkFinding> findings;
    for (const auto& [kind, rule] : rules) {
        const conformance::RuleSeverity severity = options.severities[static_cast<std::size_t>(rule)];
        const std::uint64_t count = diagnostics.count_of(kind);
        if (count == 0 || severity == conformance::RuleSeverity::off) {
            continue;
        }
        const auto first = std::find_if(diagnostics.kept().begin(), diagnostics.kept().end(),
                                        [wanted = kind](const Diagnostic& d) { return d.kind == wanted; });
        findings.push_back({rule, severity, count, std::string(info_of(kind).what),
                            first == diagnostics.kept().end() ? "" : place_text(diagnostics, first->where)});
    }
    return findings;
}

}  // namespace eciscope::cli
