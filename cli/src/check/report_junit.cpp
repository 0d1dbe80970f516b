// JUnit's XML, which build servers show: a test case a rule.
#include <fmt/format.h>

#include <map>

#include "check/report.hpp"
#include "figures.hpp"

namespace eciscope::cli {

namespace {

using conformance::Rule;
using conformance::RuleSeverity;

class JunitReport final : public CheckReport {
 public:
    JunitReport(const CheckContext& context, CountingSink& out) : context_(context), out_(out) {}

    void violation(const conformance::Violation& v) override {
        if (v.severity == RuleSeverity::violation) {
            add(v.rule, v.message, v.line, v.explanation);
        }
    }
    void owed(const conformance::OwedReply& o) override {
        if (o.severity == RuleSeverity::violation) {
            add(o.rule, o.request, o.line, fmt::format("Not answered for {}.", duration_text(o.age)));
        }
    }
    void link(const LinkFinding& finding) override {
        if (finding.severity == RuleSeverity::violation) {
            Failures& failures = by_rule_[finding.rule];
            failures.count += finding.count;
            failures.text += fmt::format("{} times, first {}\n", finding.count, finding.where);
        }
    }

    void summary(const conformance::Summary& s) override {
        std::string cases;
        std::size_t failed = 0;
        for (std::size_t i = 0; i < conformance::rule_count; ++i) {
            const auto& info = conformance::rule_infos()[i];
            const std::string_view family = info.id.substr(0, info.id.find('.'));
            const auto found = by_rule_.find(static_cast<Rule>(i));
            cases += fmt::format("    <testcase classname=\"eciscope.{}\" name=\"{}\"", family, info.id);
            if (found == by_rule_.end()) {
                cases += "/>\n";
                continue;
            }
            ++failed;
            cases += fmt::format(">\n      <failure message=\"{} ({} times)\">{}</failure>\n    </testcase>\n",
                                 xml_escaped(std::string(info.sentence)), found->second.count,
                                 xml_escaped(found->second.text));
        }
        write_text(out_, fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                                     "  <testsuite name=\"eciscope check {}\" tests=\"{}\" failures=\"{}\">\n{}"
                                     "    <system-out>{} messages of {} lines checked</system-out>\n"
                                     "  </testsuite>\n</testsuites>\n",
                                     xml_escaped(context_.input), conformance::rule_count, failed, cases,
                                     s.messages_of_lines, s.lines));
    }

 private:
    struct Failures {
        std::uint64_t count = 0;
        std::string text;
    };

    void add(Rule rule, const conformance::Seen& message, const std::optional<conformance::CheckedLine>& line,
             const std::string& why) {
        Failures& failures = by_rule_[rule];
        if (failures.count++ < context_.most_shown) {
            failures.text +=
                fmt::format("message {} at {}: {}{}. {}\n", message.number, seconds_text(context_.base, message.time),
                            op_text(message), line ? ", line " + line_text(*line) : "", why);
        }
    }

    const CheckContext& context_;
    CountingSink& out_;
    std::map<Rule, Failures> by_rule_;
};

}  // namespace

std::unique_ptr<CheckReport> junit_report(const CheckContext& context, CountingSink& out) {
    return std::make_unique<JunitReport>(context, out);
}

}  // namespace eciscope::cli
