// One object a line, for programs. docs/check.md lists the keys.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "check/report.hpp"
#include "figures.hpp"
#include "names.hpp"

namespace eciscope::cli {

namespace {

using Json = nlohmann::ordered_json;
using conformance::rule_infos;

class NdjsonReport final : public CheckReport {
 public:
    NdjsonReport(const CheckContext& context, CountingSink& out) : context_(context), out_(out) {}

    void violation(const conformance::Violation& v) override {
        Json json;
        json["type"] = name(v.severity);
        json["rule"] = info_of(v.rule).id;
        add_message(json, v.message);
        add_line(json, v.line);
        json["explanation"] = v.explanation;
        json["at_fault"] = v.at_fault ? Json(*v.at_fault) : Json(nullptr);
        if (v.severity == conformance::RuleSeverity::violation) {
            json["expected"] = v.expected;
            json["hypotheses"] = v.hypotheses;
            json["hypothesis_count"] = v.hypothesis_count;
            json["assumptions"] = v.assumptions;
            json["history_is_whole"] = v.history_is_whole;
            json["history"] = Json::array();
            for (const conformance::HistoryEntry& entry : v.history) {
                Json past;
                add_message(past, entry.message);
                past["meaning"] = entry.meaning;
                past["hypotheses"] = entry.hypotheses;
                json["history"].push_back(std::move(past));
            }
        }
        put(json);
    }

    void owed(const conformance::OwedReply& o) override {
        Json json;
        json["type"] = "owed";
        json["rule"] = info_of(o.rule).id;
        json["severity"] = name(o.severity);
        add_message(json, o.request);
        add_line(json, o.line);
        json["age_ps"] = std::to_string(o.age);
        json["owed_by"] = o.owed_by;
        put(json);
    }

    void link(const LinkFinding& finding) override {
        Json json;
        json["type"] = "link";
        json["rule"] = info_of(finding.rule).id;
        json["severity"] = name(finding.severity);
        json["count"] = finding.count;
        json["what"] = finding.what;
        json["first_at"] = finding.where;
        put(json);
    }

    void summary(const conformance::Summary& s) override {
        Json json;
        json["type"] = "summary";
        json["profile"] = s.profile;
        json["tap"] = name(s.tap);
        json["began_at_rest"] = s.began_at_rest;
        json["is_blind"] = s.is_blind;
        json["messages"] = s.messages;
        json["messages_checked"] = s.messages_of_lines;
        json["messages_refused"] = s.refused;
        json["messages_not_judged"] = s.not_judged;
        json["messages_without_line"] = s.other_messages;
        json["answers_unmatched"] = s.unmatched_answers;
        json["lines"] = s.lines;
        json["lines_unknown"] = s.lines_unknown;
        json["times_lost"] = s.losses;
        json["violations_suppressed"] = s.suppressed;
        json["violations_withdrawn"] = s.withdrawn;
        json["rules"] = Json::object();
        json["waived"] = Json::object();
        for (std::size_t i = 0; i < conformance::rule_count; ++i) {
            if (s.by_rule[i] != 0) {
                json["rules"][std::string(rule_infos()[i].id)] = s.by_rule[i];
            }
            if (s.waived[i] != 0) {
                json["waived"][std::string(rule_infos()[i].id)] = s.waived[i];
            }
        }
        add_coverage(json, s);
        json["sums_agree"] = s.sums_agree();
        put(json);
    }

 private:
    void add_message(Json& json, const conformance::Seen& message) const {
        json["time"] = seconds_text(context_.base, message.time);
        json["index"] = message.number;
        json["from"] = message.stream.from;
        json["link"] = message.stream.link;
        json["vc"] = message.vc;
        json["op"] = op_text(message);
        json["header"] = fmt::format("{:016x}", message.header);
    }

    static void add_line(Json& json, const std::optional<conformance::CheckedLine>& line) {
        if (line) {
            json["home"] = line->home;
            json["address"] = fmt::format("0x{:x}", line_address(line->aliased_cli));
            json["aliased_cli"] = fmt::format("0x{:x}", line->aliased_cli);
        }
    }

    static void add_coverage(Json& json, const conformance::Summary& s) {
        json["coverage"] = Json::array();
        for (const conformance::Coverage& c : s.coverage) {
            json["coverage"].push_back({{"meaning", c.symbol},
                                        {"messages", c.messages},
                                        {"transitions", c.transitions},
                                        {"transitions_possible", c.transitions_possible}});
        }
        json["latencies"] = Json::array();
        for (const conformance::LatencyOf& l : s.latencies) {
            json["latencies"].push_back({{"op", l.request},
                                         {"count", l.latency.count},
                                         {"min_ps", std::to_string(l.latency.least)},
                                         {"median_ps", std::to_string(l.latency.quantile(0.5))},
                                         {"p99_ps", std::to_string(l.latency.quantile(0.99))},
                                         {"max_ps", std::to_string(l.latency.most)}});
        }
    }

    void put(const Json& json) { write_text(out_, json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"); }

    const CheckContext& context_;
    CountingSink& out_;
};

}  // namespace

std::unique_ptr<CheckReport> ndjson_report(const CheckContext& context, CountingSink& out) {
    return std::make_unique<NdjsonReport>(context, out);
}

}  // namespace eciscope::cli
