// What people read in a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "check/report.hpp"
#include "figures.hpp"

namespace eciscope::cli {

namespace {

using conformance::rule_infos;
using conformance::RuleSeverity;

class TextReport final : public CheckReport {
 public:
    TextReport(const CheckContext& context, CountingSink& out) : context_(context), out_(out) {}

    void violation(const conformance::Violation& v) override {
        if (v.severity != RuleSeverity::violation) {
            return;  // counted in the summary
        }
        ++broken_;
        if (shown_++ >= context_.most_shown) {
            return;
        }
        std::string text =
            fmt::format("{}\n  {}\n", red(fmt::format("violation  {}", info_of(v.rule).id)), info_of(v.rule).sentence);
        text += fmt::format("  message {}  {}  {}{}  {}\n", grouped(v.message.number), when(v.message.time),
                            op_text(v.message), v.line ? "  line " + line_text(*v.line) : "", way_text(v.message));
        text += fmt::format("  {}\n", v.explanation);
        if (!v.expected.empty()) {
            text += fmt::format("  possible here: {}\n", fmt::join(v.expected, "  "));
        }
        text += history(v);
        if (!v.hypotheses.empty()) {
            text += fmt::format("  the line before it, {} possible configuration{}:\n", v.hypothesis_count,
                                v.hypothesis_count == 1 ? "" : "s");
            for (const std::string& hypothesis : v.hypotheses) {
                text += fmt::format("    {}\n", hypothesis);
            }
            text += v.hypotheses.size() < v.hypothesis_count ? "    …\n" : "";
        }
        text += v.assumptions.empty() ? "" : fmt::format("  assumed: {}\n", v.assumptions);
        write_text(out_, text + "\n");
    }

    void owed(const conformance::OwedReply& o) override {
        broken_ += o.severity == RuleSeverity::violation ? 1U : 0U;
        if (shown_owed_++ < context_.most_shown) {
            write_text(out_,
                       fmt::format("{}  node {} for {}\n  message {}  {}  {}{}  {}\n\n",
                                   yellow(fmt::format("owed  {}", info_of(o.rule).id)), o.owed_by, duration_text(o.age),
                                   grouped(o.request.number), when(o.request.time), op_text(o.request),
                                   o.line ? "  line " + line_text(*o.line) : "", way_text(o.request)));
        }
    }

    void link(const LinkFinding& finding) override {
        broken_ += finding.severity == RuleSeverity::violation ? finding.count : 0;
        write_text(out_, fmt::format("{}  {} × {}, first {}\n",
                                     yellow(fmt::format("{}  {}", name(finding.severity), info_of(finding.rule).id)),
                                     grouped(finding.count), finding.what, finding.where));
    }

    void summary(const conformance::Summary& s) override {
        std::string text;
        text += more(shown_, "violations");
        text += more(shown_owed_, "owed replies");
        text += fmt::format("{}\n", heading(context_.input));
        text += fmt::format("  checked   {} messages of {} lines, profile {}, tap {}, {}\n",
                            grouped(s.messages_of_lines), grouped(s.lines), s.profile, name(s.tap),
                            s.began_at_rest ? "from the power-on handshake on" : "joined midway");
        text += fmt::format("  besides   {} without a line, {} whose effect is not documented\n",
                            grouped(s.other_messages), grouped(s.not_judged));
        if (s.losses != 0) {
            text +=
                fmt::format("  unknown   {} of the lines at the end; nothing was known at {} point{} of the trace\n",
                            grouped(s.lines_unknown), grouped(s.losses), s.losses == 1 ? "" : "s");
        }
        if (s.is_blind) {
            text += fmt::format(
                "  {}\n",
                yellow("BLIND: a direction or a link left no trace, so that nothing can be concluded; --one-link "
                       "if the machine uses only one"));
        }
        text += latencies(s) + coverage(s) + rules(s);
        write_text(out_, text);
    }

 private:
    [[nodiscard]] std::string when(Picoseconds time) const { return seconds_text(context_.base, time); }

    [[nodiscard]] std::string history(const conformance::Violation& v) const {
        if (v.history.empty()) {
            return v.history_is_whole ? "  the line's first message\n" : "";
        }
        std::string text = v.history_is_whole ? "  the line's past:\n" : "  the line's last messages:\n";
        for (const conformance::HistoryEntry& entry : v.history) {
            text += fmt::format("    {:>12}  {}  node {}  {:<8} {:<18} {:>5} possible\n", grouped(entry.message.number),
                                when(entry.message.time), entry.message.stream.from, op_text(entry.message),
                                entry.meaning, entry.hypotheses);
        }
        return text;
    }

    static std::string latencies(const conformance::Summary& s) {
        std::string text =
            s.latencies.empty() ? "" : "  latency   answers        min      median         p99         max\n";
        for (const conformance::LatencyOf& l : s.latencies) {
            text += fmt::format("  {:<8} {:>8} {:>10} {:>11} {:>11} {:>11}\n", l.request, grouped(l.latency.count),
                                duration_text(l.latency.least), duration_text(l.latency.quantile(0.5)),
                                duration_text(l.latency.quantile(0.99)), duration_text(l.latency.most));
        }
        return text;
    }

    static std::string coverage(const conformance::Summary& s) {
        std::size_t taken = 0;
        std::size_t possible = 0;
        for (const conformance::Coverage& c : s.coverage) {
            taken += c.transitions;
            possible += c.transitions_possible;
        }
        return fmt::format("  coverage  {} of {} transitions of the observer\n", taken, possible);
    }

    [[nodiscard]] std::string rules(const conformance::Summary& s) const {
        std::string text;
        for (std::size_t i = 0; i < conformance::rule_count; ++i) {
            if (s.by_rule[i] + s.waived[i] != 0) {
                text += fmt::format("  {:<32} {:>10}{}\n", rule_infos()[i].id, grouped(s.by_rule[i]),
                                    s.waived[i] == 0 ? "" : fmt::format("  ({} waived)", grouped(s.waived[i])));
            }
        }
        text +=
            broken_ == 0
                ? fmt::format("  {}\n", green("no violation"))
                : fmt::format("  {}\n", red(fmt::format("{} violation{}", grouped(broken_), broken_ == 1 ? "" : "s")));
        text += s.suppressed == 0
                    ? ""
                    : fmt::format("  {} more on lines that were reported already\n", grouped(s.suppressed));
        text += s.withdrawn == 0 ? ""
                                 : fmt::format("  {} more may have their reason in what is missing from the trace\n",
                                               grouped(s.withdrawn));
        text += s.sums_agree() ? "" : "  THE SUMS DO NOT AGREE: this is a fault of eciscope, please report it\n";
        return text;
    }

    [[nodiscard]] std::string more(std::uint64_t count, const char* what) const {
        return count <= context_.most_shown
                   ? ""
                   : fmt::format("… and {} more {}; --limit shows them, --to ndjson has all\n\n",
                                 grouped(count - context_.most_shown), what);
    }

    [[nodiscard]] std::string painted(const char* code, const std::string& text) const {
        return context_.terminal.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
    }
    [[nodiscard]] std::string red(const std::string& text) const { return painted("1;31", text); }
    [[nodiscard]] std::string yellow(const std::string& text) const { return painted("33", text); }
    [[nodiscard]] std::string green(const std::string& text) const { return painted("32", text); }
    [[nodiscard]] std::string heading(const std::string& text) const { return painted("1", text); }

    const CheckContext& context_;
    CountingSink& out_;
    std::uint64_t shown_ = 0;
    std::uint64_t shown_owed_ = 0;
    std::uint64_t broken_ = 0;
};

}  // namespace

std::unique_ptr<CheckReport> text_report(const CheckContext& context, CountingSink& out) {
    return std::make_unique<TextReport>(context, out);
}

}  // namespace eciscope::cli
