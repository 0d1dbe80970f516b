// eciscope check: a trace against the protocol's state machines.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>

#include "check/link_findings.hpp"
#include "check/report.hpp"
#include "check/waivers.hpp"
#include "eciscope/conformance/checker.hpp"
#include "eciscope/conformance/parallel.hpp"
#include "figures.hpp"
#include "input_options.hpp"
#include "interrupt.hpp"
#include "log.hpp"
#include "progress.hpp"
#include "run.hpp"
#include "summary.hpp"
#include "trace_output.hpp"
#include "trace_source.hpp"
#include "whole_numbers.hpp"

namespace eciscope::cli {

namespace {

using conformance::RuleSeverity;

struct CheckCommand {
    InputOptions input;
    std::string output = "-";
    std::string to = "text";
    std::string profile = "ThunderX";
    std::string tap = "unordered";
    std::vector<std::string> rules;
    std::string waivers;
    std::string timeout;
    std::uint64_t limit = 100;
    bool every_violation = false;
    bool one_link = false;
    bool list_rules = false;
    unsigned threads = 1;
};

// Findings on their way to the report: waived ones are only counted.
class Findings final : public conformance::FindingSink {
 public:
    Findings(CheckReport& report, Waivers& waivers) : report_(report), waivers_(waivers) {}

    void violation(const conformance::Violation& v) override {
        if (waive(v.rule, v.line)) {
            return;
        }
        violations_ += v.severity == RuleSeverity::violation ? 1 : 0;
        report_.violation(v);
    }
    void owed(const conformance::OwedReply& o) override {
        if (waive(o.rule, o.line)) {
            return;
        }
        violations_ += o.severity == RuleSeverity::violation ? 1 : 0;
        report_.owed(o);
    }
    void link(const LinkFinding& finding) {
        if (waive(finding.rule, std::nullopt)) {
            return;
        }
        violations_ += finding.severity == RuleSeverity::violation ? finding.count : 0;
        report_.link(finding);
    }
    void settle(conformance::Summary& summary) const {
        for (std::size_t i = 0; i < conformance::rule_count; ++i) {
            summary.waived[i] = waived_[i];
            summary.by_rule[i] -= std::min(summary.by_rule[i], waived_[i]);
        }
    }
    [[nodiscard]] std::uint64_t violations() const { return violations_; }

 private:
    bool waive(conformance::Rule rule, const std::optional<conformance::CheckedLine>& line) {
        const bool waived = waivers_.waive(rule, line);
        waived_[static_cast<std::size_t>(rule)] += waived ? 1 : 0;
        return waived;
    }

    CheckReport& report_;
    Waivers& waivers_;
    std::array<std::uint64_t, conformance::rule_count> waived_{};
    std::uint64_t violations_ = 0;
};

// Tells the checker of damage in a stored trace, which no event in it tells of. Of a capture the decoder's events say
// more exactly what is missing.
class DamageTeller final : public TraceSink {
 public:
    DamageTeller(conformance::Checker& checker, const Diagnostics& diagnostics, bool is_stored)
        : checker_(checker), diagnostics_(diagnostics), is_stored_(is_stored) {}

    bool batch(const TraceBatch& batch) override {
        // Of a chunk it is known that it is missing before the batch; an object of JSON, or a block whose time is
        // wrong, may be anywhere in it.
        const std::uint64_t chunks = count(
            {Kind::ewf_chunk_damaged, Kind::ewf_chunk_foreign, Kind::ewf_bytes_skipped, Kind::ewf_messages_missing});
        const std::uint64_t others =
            diagnostics_.count_of(Severity::damage) + diagnostics_.count_of(Severity::loss) - chunks;
        const bool somewhere =
            moved(rest_, (is_stored_ ? others : 0) + count({Kind::blocks_out_of_order, Kind::record_time_backwards,
                                                            Kind::merge_out_of_order, Kind::json_order_wrong}));
        const bool before_it = moved(chunks_, chunks);
        if (somewhere) {
            return checker_.batch_with_gap(batch);
        }
        if (before_it) {
            checker_.lost();
        }
        return checker_.batch(batch);
    }

 private:
    using Kind = DiagnosticKind;

    [[nodiscard]] std::uint64_t count(std::initializer_list<Kind> kinds) const {
        std::uint64_t sum = 0;
        for (const Kind kind : kinds) {
            sum += diagnostics_.count_of(kind);
        }
        return sum;
    }
    static bool moved(std::uint64_t& before, std::uint64_t now) { return std::exchange(before, now) != now; }

    conformance::Checker& checker_;
    const Diagnostics& diagnostics_;
    bool is_stored_;
    std::uint64_t chunks_ = 0;
    std::uint64_t rest_ = 0;
};

Result<conformance::CheckOptions> options_of(const CheckCommand& command) {
    conformance::CheckOptions options;
    options.profile = conformance::find_profile(command.profile);
    for (std::size_t tap = 0; tap < conformance::tap_count; ++tap) {
        if (command.tap == name(static_cast<conformance::Tap>(tap))) {
            options.tap = static_cast<conformance::Tap>(tap);
        }
    }
    options.every_violation = command.every_violation;
    options.one_link = command.one_link;
    for (const std::string& wish : command.rules) {
        const std::size_t equals = wish.find('=');
        const auto rule = conformance::find_rule(wish.substr(0, equals));
        const auto severity =
            equals == std::string::npos ? std::nullopt : conformance::find_severity(wish.substr(equals + 1));
        if (!rule || !severity) {
            return fail(Exit::usage, fmt::format("--rule {}: not understood", wish),
                        "It takes RULE=off, note, warning or violation; --list-rules has the rules.");
        }
        options.severities[static_cast<std::size_t>(*rule)] = *severity;
    }
    if (!command.timeout.empty()) {
        const auto wish = parse_time("+" + command.timeout);
        if (!wish || std::isalpha(static_cast<unsigned char>(command.timeout.back())) == 0) {
            return fail(Exit::usage, fmt::format("--timeout {}: not a duration", command.timeout),
                        "Write it like 10us, 1.5ms or 2s.");
        }
        options.timeout = wish->from({}, 0);
    }
    return options;
}

std::string input_name(const std::vector<std::string>& files) {
    std::string text;
    for (const std::string& path : files) {
        text += (text.empty() ? "" : " ") + (path == "-" ? std::string("standard input") : path);
    }
    return text;
}

Result<void> play(TraceSource& source, TraceSink& sink, Diagnostics& diagnostics, unsigned threads,
                  const std::string& input) {
    const ewf::Reader* reader = source.ewf_reader();
    if (reader == nullptr) {
        return source.run(sink);
    }
    const auto played = reader->play(sink, diagnostics, {.parts = ewf::Parts::heads, .threads = threads});
    if (!played) {
        return fail(Exit::damaged, fmt::format("{}: {}", input, played.error().message));
    }
    return {};
}

// With several threads, if the trace is stored and whole.
std::optional<conformance::Summary> check_stored(const CheckCommand& command, const conformance::CheckOptions& options,
                                                 TraceSource& source, Findings& findings, Progress& progress) {
    const ewf::Reader* reader = source.ewf_reader();
    if (reader == nullptr || command.threads < 2) {
        return std::nullopt;
    }
    const std::size_t chunks = reader->chunk_count();
    const std::uint64_t total = chunks == 0 ? 0 : reader->chunk(chunks - 1).offset + reader->chunk(chunks - 1).bytes;
    return check_in_parallel(*reader, options, command.threads, findings, [&](std::uint64_t messages) {
        ProgressFigures figures;
        figures.total = total;
        figures.messages = messages;
        const double share = static_cast<double>(messages) /
                             static_cast<double>(std::max<std::uint64_t>(1, reader->contents().messages));
        figures.bytes = static_cast<std::uint64_t>(static_cast<double>(total) * share);
        if (progress.on()) {
            progress.update(figures);
        }
        return !interrupted();
    });
}

struct Checked {
    conformance::Summary summary;
    std::optional<Failure> failure;  ///< the trace could not be read to its end
};

// With one thread: any trace, and what is missing from a stored one is a loss.
Checked check_alone(const CheckCommand& command, const conformance::CheckOptions& options, TraceSource& source,
                    Findings& findings, Progress& progress, Diagnostics& diagnostics, CheckContext& context) {
    conformance::Checker checker(options, findings);
    DamageTeller teller(checker, diagnostics, source.capture_accounts() == nullptr);
    Watch watch(teller, source, progress, [&] { context.base = source.time_base(); });
    const Result<void> run = play(source, watch, diagnostics, command.threads, context.input);
    return {checker.finish(), run ? std::nullopt : std::optional(run.error())};
}

Exit outcome(const Findings& findings, const TraceSource& source, const Diagnostics& diagnostics) {
    if (interrupted()) {
        log_warning("interrupted: the report is of what was read by then");
        return interrupt_exit();
    }
    return findings.violations() != 0 ? Exit::findings : verdict(source, diagnostics);
}

Exit check(const CheckCommand& command, const CommonOptions& common) {
    auto options = options_of(command);
    auto waivers = command.waivers.empty() ? Result<Waivers>(Waivers()) : Waivers::read(command.waivers);
    if (!options || !waivers) {
        return report(options ? waivers.error() : options.error());
    }
    Diagnostics diagnostics;
    auto source = open_trace(command.input, diagnostics, command.threads);
    if (!source) {
        return report(source.error());
    }
    // A table of messages does not tell the links apart.
    options->one_link = options->one_link || !(*source)->tells_links_apart();
    auto file = OutputFile::open(command.output, command.input.files);
    if (!file) {
        return report(file.error());
    }
    CountingSink out(file->descriptor());
    CheckContext context{input_name(command.input.files),
                         {},
                         command.limit == 0 ? ~std::uint64_t{0} : command.limit,
                         look_at(file->descriptor(), common.colour)};
    const auto to = make_check_report(command.to, context, out);
    Findings findings(*to, *waivers);
    Progress progress(!common.quiet && !common.no_progress);
    context.base = (*source)->time_base();
    Checked checked;
    if (auto summary = check_stored(command, *options, **source, findings, progress)) {
        checked.summary = std::move(*summary);
    } else {
        checked = check_alone(command, *options, **source, findings, progress, diagnostics, context);
    }
    progress.clear();
    for (const LinkFinding& finding : link_findings(diagnostics, *options)) {
        findings.link(finding);
    }
    findings.settle(checked.summary);
    to->summary(checked.summary);
    for (const std::string& unused : waivers->unused()) {
        log_warning(fmt::format("{}: waives nothing: {}", command.waivers, unused));
    }
    print_summary(**source, diagnostics, common);
    if (out.error_number() != 0) {
        return report(file->write_failure(out.error_number()));
    }
    if (const Result<void> closed = file->close(); !closed) {
        return report(closed.error());
    }
    return checked.failure ? report(*checked.failure) : outcome(findings, **source, diagnostics);
}

Exit list_rules(const std::string& to) {
    std::string text;
    for (const conformance::RuleInfo& info : conformance::rule_infos()) {
        if (to == "ndjson") {
            const nlohmann::ordered_json json = {{"type", "rule"},
                                                 {"id", info.id},
                                                 {"severity", name(info.severity)},
                                                 {"sentence", info.sentence},
                                                 {"source", info.source}};
            text += json.dump() + "\n";
        } else {
            text += fmt::format("{:<32} {:<10} {}\n{:44}{}\n", info.id, name(info.severity), info.sentence, "",
                                info.source);
        }
    }
    return print(text);
}

std::vector<std::string> profile_names() {
    std::vector<std::string> names;
    for (const conformance::Profile& profile : conformance::profiles()) {
        names.emplace_back(profile.name);
    }
    return names;
}

Manual check_manual() {
    std::string profiles;
    for (const conformance::Profile& profile : conformance::profiles()) {
        profiles += fmt::format("{}{}: {}", profiles.empty() ? "" : "; ", profile.name, profile.sentence);
    }
    return {
        {"Replays a trace against the state machines of the protocol, line by line, and says what no legal run "
         "explains: which rule was broken, by which message, what was possible instead, and what the line had been "
         "through.",
         "Nothing is reported that could have another reason. A capture that begins with the power-on handshake starts "
         "with every line at rest; one that was joined midway, and every trace after a loss, starts with lines in any "
         "state that can be reached. A line that was reported goes on like that too, and is not reported again.",
         "Steps are named by what they are (R request, RA grant, V voluntary downgrade, F forward of the home, A its "
         "answer) and by the levels before and after (1 invalid, 2 shared, 3 exclusive or modified); d is with dirty "
         "data, n without: VICS means V21, a shared copy is dropped.",
         "Profiles, what the two nodes agreed to use: " + profiles + ".",
         "Replies that are still owed when the trace ends are notes, unless --timeout makes those violations that are "
         "owed for longer.",
         "The exit status is 1 if there are violations, even if the input is damaged as well."},
        {{"eciscope check boot.pcap", "what is wrong, for people"},
         {"eciscope check boot.ewf --to html -o report.html", "a page to send to a colleague"},
         {"eciscope check boot.ewf --to ndjson | jq 'select(.type == \"violation\")'", "for programs"},
         {"eciscope check run.pcap --timeout 10us", "a reply that takes longer is a violation"},
         {"eciscope check run.pcap --rule link.credit-overflow=violation", "be stricter about a rule"},
         {"eciscope check --list-rules", "the rules"}}};
}

void add_check_options(Program& program, CLI::App& command, CheckCommand& options) {
    add_input_options(program, command, options.input, "Traces; - is standard input");
    command.get_option("FILE")->required(false);
    program.takes_files(
        command.add_option("-o,--output", options.output, "Write the report here; - is standard output")
            ->type_name("OUT"));
    CLI::Option* to = command.add_option("--to", options.to, "text, ndjson, junit or html")
                          ->check(CLI::IsMember(check_formats()).description(""))
                          ->type_name("FORMAT");
    program.takes_words(to, check_formats());
    CLI::Option* profile = command.add_option("--profile", options.profile, "What the two nodes agreed to use")
                               ->check(CLI::IsMember(profile_names()).description(""))
                               ->type_name("P")
                               ->capture_default_str();
    program.takes_words(profile, profile_names());
    const std::vector<std::string> taps = {"home-side", "in-order", "unordered"};
    CLI::Option* tap =
        command
            .add_option("--tap", options.tap,
                        "Where the trace was taken: at the home, on the link in order of sending, or on the "
                        "link with no order between circuits")
            ->check(CLI::IsMember(taps).description(""))
            ->type_name("T")
            ->capture_default_str();
    program.takes_words(tap, taps);
    command.add_option("--rule", options.rules, "RULE=off, note, warning or violation; may be given often")
        ->type_name("RULE=SEVERITY")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    program.takes_files(
        command
            .add_option("--waive", options.waivers, "Findings to leave out: a file of lines RULE [HOME:0xALIASED_CLI]")
            ->type_name("FILE"));
    command.add_option("--timeout", options.timeout, "A reply that is owed for longer is a violation, e.g. 10us")
        ->type_name("TIME");
    not_negative(
        command.add_option("--limit", options.limit, "Violations that text, junit and html show in full; 0 is all")
            ->type_name("N")
            ->capture_default_str());
    command.add_flag("--one-link", options.one_link, "The machine uses only one of the two links");
    command.add_flag("--every-violation", options.every_violation, "Report lines again that were reported already");
    command.add_flag("--list-rules", options.list_rules, "Print the rules; with --to ndjson for programs");
    add_threads_option(command, options.threads);
}

}  // namespace

void add_check(Program& program) {
    auto options = std::make_shared<CheckCommand>();
    CLI::App* command = program.add(
        "check", "Check a trace against the protocol's state machines", check_manual(), [&program, options] {
            if (options->list_rules) {
                return list_rules(options->to);
            }
            if (options->input.files.empty()) {
                return report(Failure{Exit::usage, "FILE is required", "Give a trace, or --list-rules.", false});
            }
            return check(*options, program.common());
        });
    add_check_options(program, *command, *options);
}

}  // namespace eciscope::cli
