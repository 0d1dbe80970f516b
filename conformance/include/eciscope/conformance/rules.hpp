// The rules that a trace is checked against. Their ids are stable: reports, waivers and scripts name them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace eciscope::conformance {

enum class Rule : std::uint8_t {
#define ECISCOPE_RULE(name, id, severity, sentence, source) name,
#include "eciscope/conformance/rules.def"
#undef ECISCOPE_RULE
};

enum class RuleSeverity : std::uint8_t {
    off,        ///< not looked at
    note,       ///< worth knowing
    warning,    ///< doubtful, or the fault of whoever recorded the trace
    violation,  ///< the protocol was broken: exit code 1
};
[[nodiscard]] std::string_view name(RuleSeverity severity);
[[nodiscard]] std::optional<RuleSeverity> find_severity(std::string_view name);

struct RuleInfo {
    std::string_view id;
    RuleSeverity severity;
    std::string_view sentence;
    std::string_view source;
};

/// In the order of the enumeration.
[[nodiscard]] std::span<const RuleInfo> rule_infos();
[[nodiscard]] const RuleInfo& info_of(Rule rule);
[[nodiscard]] std::optional<Rule> find_rule(std::string_view id);

inline constexpr std::size_t rule_count = 0
#define ECISCOPE_RULE(name, id, severity, sentence, source) +1
#include "eciscope/conformance/rules.def"
#undef ECISCOPE_RULE
    ;

}  // namespace eciscope::conformance
