#include "eciscope/conformance/rules.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace eciscope::conformance {

namespace {

constexpr RuleSeverity note = RuleSeverity::note;
constexpr RuleSeverity warning = RuleSeverity::warning;
constexpr RuleSeverity violation = RuleSeverity::violation;

constexpr std::array infos{
#define ECISCOPE_RULE(name, id, severity, sentence, source) RuleInfo{id, severity, sentence, source},
#include "eciscope/conformance/rules.def"
#undef ECISCOPE_RULE
};

constexpr std::array<std::string_view, 4> severity_names{"off", "note", "warning", "violation"};

}  // namespace

std::string_view name(RuleSeverity severity) {
    return severity_names[static_cast<std::size_t>(severity)];
}

std::optional<RuleSeverity> find_severity(std::string_view wanted) {
    const auto* found = std::find(severity_names.begin(), severity_names.end(), wanted);
    if (found == severity_names.end()) {
        return std::nullopt;
    }
    return static_cast<RuleSeverity>(found - severity_names.begin());
}

std::span<const RuleInfo> rule_infos() {
    return infos;
}

const RuleInfo& info_of(Rule rule) {
    return infos[static_cast<std::size_t>(rule)];
}

std::optional<Rule> find_rule(std::string_view id) {
    const auto* found = std::find_if(infos.begin(), infos.end(), [id](const RuleInfo& info) { return info.id == id; });
    if (found == infos.end()) {
        return std::nullopt;
    }
    return static_cast<Rule>(found - infos.begin());
}

}  // namespace eciscope::conformance
