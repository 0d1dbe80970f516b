#include "info_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "figures.hpp"
#include "names.hpp"
#include "summary.hpp"

namespace eciscope::cli {

namespace {

constexpr std::uint64_t line_mask = (std::uint64_t{1} << 33) - 1;

std::string node_name(const ewf::Metadata& metadata, std::uint8_t node) {
    for (const ewf::NodeInfo& info : metadata.nodes) {
        if (info.id == node) {
            return info.name;
        }
    }
    return fmt::format("node {}", node);
}

std::string_view state_name(LinkState::State state) {
    switch (state) {
        case LinkState::State::up:
            return "up after a reset";
        case LinkState::State::up_from_power_on:
            return "up from power-on";
        case LinkState::State::down:
            return "down";
        case LinkState::State::unknown:
            break;
    }
    return "running since before the trace";
}

std::string line_name(std::uint64_t key) {
    return fmt::format("{:#012x}@{}", line_address(key & line_mask), key >> 33U);
}

std::vector<Bar> circuit_bars(const TraceFacts& facts) {
    std::vector<Bar> bars;
    for (std::size_t vc = 0; vc < facts.by_vc().size(); ++vc) {
        if (facts.by_vc()[vc] != 0) {
            bars.push_back(
                {fmt::format("VC {:<2} {}", vc, class_name(static_cast<std::uint8_t>(vc))), facts.by_vc()[vc]});
        }
    }
    return bars;
}

std::vector<Bar> operation_bars(const TraceFacts& facts) {
    std::vector<Bar> bars;
    for (const auto& [operation, count] : facts.by_operation()) {
        bars.push_back({fmt::format("{:<4} {}", operation.of_class, operation.name), count});
    }
    std::stable_sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) { return a.value > b.value; });
    return bars;
}

std::vector<Bar> line_bars(const InfoFindings& findings) {
    std::vector<Bar> bars;
    for (const auto& entry : findings.facts.lines().top(findings.top_lines)) {
        bars.push_back({line_name(entry.key), entry.count});
    }
    return bars;
}

std::string head_text(const InfoFindings& findings) {
    const TraceFacts& facts = findings.facts;
    const TimeBase base = findings.source.time_base();
    const Picoseconds duration = facts.last() - facts.first();
    std::string text = fmt::format("{}: {}{}\n", findings.name, findings.source.kind(),
                                   findings.bytes ? ", " + bytes_text(*findings.bytes) : "");
    if (!facts.empty()) {
        const std::string date = date_text(base, facts.first());
        text += fmt::format("  time      {} to {}, {}\n", seconds_text(base, facts.first()),
                            seconds_text(base, facts.last()), duration_text(duration));
        text += date.empty() ? "" : fmt::format("            {}\n", date);
    }
    text += fmt::format("  messages  {} ({}/s), {} words ({}B/s)\n", grouped(facts.messages()),
                        rate_text(facts.messages(), duration), grouped(facts.words()),
                        rate_text(facts.words() * 8, duration));
    text += fmt::format("  events    {}\n", grouped(facts.events()));
    if (!findings.digest.empty()) {
        text += fmt::format("  digest    {}{}\n", findings.digest, findings.digest_remark);
    }
    return text;
}

std::string link_text(const InfoFindings& findings, Stream stream) {
    const LinkState& link = findings.facts.links()[stream.index()];
    std::string text =
        fmt::format("  link {} from {:<5} {:>12} messages, {}", stream.link,
                    node_name(findings.source.metadata(), stream.from), grouped(link.messages), state_name(link.state));
    if (link.state != LinkState::State::unknown) {
        text += " at +" + duration_text(link.since - findings.facts.first());
    }
    const auto add = [&text](std::uint64_t count, std::string_view what) {
        text += count == 0 ? "" : fmt::format(", {} {}", grouped(count), what);
    };
    add(link.retries, "retries");
    add(link.replayed_blocks, "blocks sent again");
    add(link.damaged_blocks, "blocks damaged for good");
    add(link.lost_blocks, "blocks lost");
    add(link.unknown_losses, "losses of unknown size");
    add(link.restarts, "restarts of the interposer");
    return text + "\n";
}

std::string section(std::string_view title, const std::string& body) {
    return body.empty() ? "" : fmt::format("\n{}\n{}", title, body);
}

}  // namespace

std::string info_text(const InfoFindings& findings, const Terminal& terminal) {
    std::string text = head_text(findings);
    text += section("messages by virtual circuit", draw_bars(circuit_bars(findings.facts), terminal));
    text += section("messages by operation", draw_bars(operation_bars(findings.facts), terminal));
    const HeavyHitters& lines = findings.facts.lines();
    const std::string count =
        lines.error() == 0
            ? fmt::format("busiest of {} lines (address@home)", grouped(lines.distinct()))
            : fmt::format("busiest lines (address@home); each count may be short by up to {}", grouped(lines.error()));
    text += section(count, draw_bars(line_bars(findings), terminal, findings.facts.messages()));
    std::string links;
    for (std::size_t index = 0; index < stream_count; ++index) {
        links += link_text(findings, Stream::of_index(index));
    }
    text += section("links", links);
    const std::string accounts = accounts_text(findings.source);
    text += section("accounts", accounts.empty() ? "" : "  " + accounts + "\n");
    return text + section("diagnostics", diagnostics_text(findings.diagnostics, false));
}

std::string info_json(const InfoFindings& findings) {
    using Json = nlohmann::ordered_json;
    const TraceFacts& facts = findings.facts;
    const TimeBase base = findings.source.time_base();
    Json json;
    json["name"] = findings.name;
    json["kind"] = findings.source.kind();
    json["bytes"] = findings.bytes ? Json(*findings.bytes) : Json(nullptr);
    json["time_first"] = facts.empty() ? Json(nullptr) : Json(seconds_text(base, facts.first()));
    json["time_last"] = facts.empty() ? Json(nullptr) : Json(seconds_text(base, facts.last()));
    json["messages"] = facts.messages();
    json["words"] = facts.words();
    json["digest"] = findings.digest.empty() ? Json(nullptr) : Json(findings.digest);
    json["by_vc"] = Json::object();
    for (std::size_t vc = 0; vc < facts.by_vc().size(); ++vc) {
        if (facts.by_vc()[vc] != 0) {
            json["by_vc"][std::to_string(vc)] = facts.by_vc()[vc];
        }
    }
    json["by_operation"] = Json::array();
    for (const auto& [operation, count] : facts.by_operation()) {
        json["by_operation"].push_back({{"class", operation.of_class}, {"op", operation.name}, {"messages", count}});
    }
    json["lines_exact"] = facts.lines().error() == 0;
    json["lines"] = Json::array();
    for (const auto& entry : facts.lines().top(findings.top_lines)) {
        const std::uint64_t aliased = entry.key & line_mask;
        json["lines"].push_back({{"home", entry.key >> 33U},
                                 {"address", fmt::format("{:#x}", line_address(aliased))},
                                 {"aliased_cli", fmt::format("{:#x}", aliased)},
                                 {"messages", entry.count}});
    }
    json["events"] = Json::object();
    for (std::size_t kind = 0; kind < facts.by_event().size(); ++kind) {
        if (facts.by_event()[kind] != 0) {
            json["events"][std::string(name(static_cast<EventKind>(kind)))] = facts.by_event()[kind];
        }
    }
    json["links"] = Json::array();
    for (std::size_t index = 0; index < stream_count; ++index) {
        const Stream stream = Stream::of_index(index);
        const LinkState& link = facts.links()[index];
        json["links"].push_back({{"link", stream.link},
                                 {"from", stream.from},
                                 {"state", state_name(link.state)},
                                 {"messages", link.messages},
                                 {"retries", link.retries},
                                 {"blocks_replayed", link.replayed_blocks},
                                 {"blocks_damaged", link.damaged_blocks},
                                 {"blocks_lost", link.lost_blocks},
                                 {"losses_unknown", link.unknown_losses}});
    }
    if (const DecoderAccounts* accounts = findings.source.decoder_accounts()) {
        json["accounts"] = {{"blocks", accounts->blocks},
                            {"data", accounts->data},
                            {"credit", accounts->credit},
                            {"idle", accounts->idle},
                            {"handshake", accounts->handshake},
                            {"damaged", accounts->damaged},
                            {"replayed", accounts->replayed},
                            {"discarded", accounts->discarded},
                            {"lost", accounts->lost},
                            {"lost_unknown", accounts->lost_unknown},
                            {"words", accounts->words},
                            {"words_in_messages", accounts->words_in_messages},
                            {"words_discarded", accounts->words_discarded},
                            {"words_unfinished", accounts->words_unfinished},
                            {"sums_agree", accounts->sums_agree()}};
    }
    json["diagnostics"] = Json::array();
    for (std::size_t kind = 0; kind < diagnostic_infos().size(); ++kind) {
        const std::uint64_t count = findings.diagnostics.count_of(static_cast<DiagnosticKind>(kind));
        if (count != 0) {
            const DiagnosticInfo& info = diagnostic_infos()[kind];
            json["diagnostics"].push_back({{"kind", info.name},
                                           {"severity", severity_name(info.severity)},
                                           {"count", count},
                                           {"what", info.what},
                                           {"help", info.help}});
        }
    }
    return json.dump(2) + "\n";
}

}  // namespace eciscope::cli
