// One self-contained page, to be sent to a colleague.
#include <fmt/format.h>

#include <algorithm>

#include "check/report.hpp"
#include "figures.hpp"

namespace eciscope::cli {

namespace {

using conformance::RuleSeverity;

constexpr const char* page_head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>eciscope check</title><style>
:root{color-scheme:light dark;--line:#8884;--bad:#b3261e;--owed:#8a5a00;--good:#1b6e3c;--bar:#3b6fb6}
@media(prefers-color-scheme:dark){:root{--bad:#ff8a80;--owed:#ffc95c;--good:#7fd49b;--bar:#7fa8e0}}
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.2rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}code,.m{font-family:ui-monospace,monospace;font-size:.9em}
details{border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;padding:.4rem .8rem}summary{cursor:pointer}
.bad{color:var(--bad);font-weight:600}.owed{color:var(--owed);font-weight:600}.good{color:var(--good);font-weight:600}
.bar{background:var(--bar);height:.6rem;border-radius:.2rem}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0}
</style></head><body>
)";

class HtmlReport final : public CheckReport {
 public:
    HtmlReport(const CheckContext& context, CountingSink& out) : context_(context), out_(out) {}

    void violation(const conformance::Violation& v) override {
        if (v.severity != RuleSeverity::violation) {
            return;
        }
        if (violations_++ < context_.most_shown) {
            findings_ += fmt::format(
                "<details{}><summary><span class=bad>{}</span> · message {} · <code>{}</code>{}</summary>\n"
                "<p>{}</p><p>{}</p>\n{}{}</details>\n",
                violations_ == 1 ? " open" : "", info_of(v.rule).id, grouped(v.message.number), op_text(v.message),
                v.line ? " · line <code>" + line_text(*v.line) + "</code>" : "",
                xml_escaped(std::string(info_of(v.rule).sentence)), xml_escaped(v.explanation), facts(v), history(v));
        }
    }

    void owed(const conformance::OwedReply& o) override {
        if (owed_count_++ < context_.most_shown) {
            owed_ += fmt::format(
                "<tr><td class=owed>{}</td><td class=n>{}</td><td><code>{}</code></td><td class=m>{}</td>"
                "<td>node {}</td><td class=n>{}</td></tr>\n",
                info_of(o.rule).id, grouped(o.request.number), op_text(o.request), o.line ? line_text(*o.line) : "–",
                o.owed_by, duration_text(o.age));
        }
    }

    void link(const LinkFinding& finding) override {
        links_ += fmt::format("<tr><td>{}</td><td>{}</td><td class=n>{}</td><td>{}</td><td class=m>{}</td></tr>\n",
                              info_of(finding.rule).id, name(finding.severity), grouped(finding.count),
                              xml_escaped(finding.what), xml_escaped(finding.where));
    }

    void summary(const conformance::Summary& s) override {
        std::string page = page_head;
        page += fmt::format("<h1>eciscope check: {}</h1>\n", xml_escaped(context_.input));
        page += violations_ == 0 ? "<p class=good>No violation.</p>\n"
                                 : fmt::format("<p class=bad>{} violation{}.</p>\n", grouped(violations_),
                                               violations_ == 1 ? "" : "s");
        page += fmt::format(
            "<dl><dt>Checked</dt><dd>{} messages of {} lines</dd><dt>Profile</dt><dd>{}</dd><dt>Tap</dt><dd>{}</dd>"
            "<dt>Began</dt><dd>{}</dd><dt>Without a line</dt><dd>{} messages</dd><dt>Not judged</dt><dd>{} "
            "messages</dd>"
            "<dt>Nothing known</dt><dd>at {} points; {} lines at the end</dd></dl>\n",
            grouped(s.messages_of_lines), grouped(s.lines), s.profile, name(s.tap),
            s.began_at_rest ? "with the power-on handshake" : "midway", grouped(s.other_messages),
            grouped(s.not_judged), grouped(s.losses), grouped(s.lines_unknown));
        page += s.is_blind ? "<p class=owed>Blind: a direction or a link left no trace, so that nothing can be "
                             "concluded.</p>\n"
                           : "";
        page += section("Violations", findings_);
        page +=
            table("Owed replies", "<th>rule<th class=n>message<th>request<th>line<th>owed by<th class=n>age", owed_);
        page += table("Links", "<th>rule<th>severity<th class=n>count<th>what<th>first", links_);
        page += latencies(s) + coverage(s);
        page += "</body></html>\n";
        write_text(out_, page);
    }

 private:
    [[nodiscard]] std::string facts(const conformance::Violation& v) const {
        std::string text = fmt::format("<dl><dt>Time</dt><dd class=m>{}</dd><dt>Way</dt><dd>{}</dd>",
                                       seconds_text(context_.base, v.message.time), way_text(v.message));
        if (!v.expected.empty()) {
            text += fmt::format("<dt>Possible here</dt><dd class=m>{}</dd>", fmt::join(v.expected, " "));
        }
        if (!v.hypotheses.empty()) {
            std::string list;
            for (const std::string& hypothesis : v.hypotheses) {
                list += "<br>" + xml_escaped(hypothesis);
            }
            text += fmt::format("<dt>Before it</dt><dd>{} possible configuration{}:{}{}</dd>", v.hypothesis_count,
                                v.hypothesis_count == 1 ? "" : "s", list,
                                v.hypotheses.size() < v.hypothesis_count ? "<br>…" : "");
        }
        return text + (v.assumptions.empty() ? "" : "<dt>Assumed</dt><dd>" + xml_escaped(v.assumptions) + "</dd>") +
               "</dl>\n";
    }

    [[nodiscard]] std::string history(const conformance::Violation& v) const {
        std::string rows;
        for (const conformance::HistoryEntry& entry : v.history) {
            rows += fmt::format(
                "<tr><td class=n>{}</td><td class=m>{}</td><td>node {}</td><td><code>{}</code></td>"
                "<td class=m>{}</td><td class=n>{}</td></tr>\n",
                grouped(entry.message.number), seconds_text(context_.base, entry.message.time),
                entry.message.stream.from, op_text(entry.message), entry.meaning, entry.hypotheses);
        }
        return rows.empty() ? ""
                            : fmt::format(
                                  "<p>{}</p><table><tr><th class=n>message<th>time<th>from<th>op<th>meaning"
                                  "<th class=n>possible</tr>\n{}</table>",
                                  v.history_is_whole ? "The line's past:" : "The line's last messages:", rows);
    }

    static std::string section(const char* title, const std::string& body) {
        return body.empty() ? "" : fmt::format("<h2>{}</h2>\n{}", title, body);
    }
    static std::string table(const char* title, const char* heads, const std::string& rows) {
        return rows.empty() ? "" : fmt::format("<h2>{}</h2>\n<table><tr>{}</tr>\n{}</table>\n", title, heads, rows);
    }

    static std::string latencies(const conformance::Summary& s) {
        std::string rows;
        for (const conformance::LatencyOf& l : s.latencies) {
            rows += fmt::format(
                "<tr><td><code>{}</code></td><td class=n>{}</td><td class=n>{}</td><td class=n>{}</td>"
                "<td class=n>{}</td><td class=n>{}</td></tr>\n",
                l.request, grouped(l.latency.count), duration_text(l.latency.least),
                duration_text(l.latency.quantile(0.5)), duration_text(l.latency.quantile(0.99)),
                duration_text(l.latency.most));
        }
        return table("Latency",
                     "<th>request<th class=n>answers<th class=n>min<th class=n>median<th class=n>p99<th class=n>max",
                     rows);
    }

    static std::string coverage(const conformance::Summary& s) {
        std::uint64_t most = 1;
        for (const conformance::Coverage& c : s.coverage) {
            most = std::max(most, c.messages);
        }
        std::string rows;
        for (const conformance::Coverage& c : s.coverage) {
            rows += fmt::format(
                "<tr><td class=m>{}</td><td class=n>{}</td><td class=n>{} of {}</td>"
                "<td style=\"width:30%\"><div class=bar style=\"width:{}%\"></div></td></tr>\n",
                c.symbol, grouped(c.messages), c.transitions, c.transitions_possible, c.messages * 100 / most);
        }
        return table("Coverage", "<th>meaning<th class=n>messages<th class=n>transitions<th>", rows);
    }

    const CheckContext& context_;
    CountingSink& out_;
    std::uint64_t violations_ = 0;
    std::uint64_t owed_count_ = 0;
    std::string findings_;
    std::string owed_;
    std::string links_;
};

}  // namespace

std::unique_ptr<CheckReport> html_report(const CheckContext& context, CountingSink& out) {
    return std::make_unique<HtmlReport>(context, out);
}

}  // namespace eciscope::cli
