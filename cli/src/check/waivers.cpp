#include "check/waivers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace eciscope::cli {

std::optional<Waivers::Waiver> Waivers::parse(const std::string& text) {
    std::istringstream words(text);
    std::string rule;
    std::string line;
    std::string more;
    words >> rule >> line >> more;
    const auto found = conformance::find_rule(rule);
    if (!found || !more.empty()) {
        return std::nullopt;
    }
    Waiver waiver{*found, std::nullopt, text, 0};
    if (line.empty()) {
        return waiver;
    }
    const std::string_view cli = std::string_view(line).substr(std::min<std::size_t>(line.size(), 4));
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(cli.data(), cli.data() + cli.size(), value, 16);
    const bool whole = error == std::errc() && end == cli.data() + cli.size();
    if (!whole || (!line.starts_with("0:0x") && !line.starts_with("1:0x"))) {
        return std::nullopt;
    }
    waiver.line = conformance::CheckedLine{static_cast<std::uint8_t>(line[0] - '0'), value};
    return waiver;
}

Result<Waivers> Waivers::read(const std::string& path) {
    std::ifstream file(path);
    if (!file) {
        return fail(Exit::usage, fmt::format("cannot read {}", path),
                    "--waive takes a file of lines RULE [HOME:0xALIASED_CLI].");
    }
    Waivers waivers;
    std::string text;
    for (std::size_t number = 1; std::getline(file, text); ++number) {
        text = text.substr(0, text.find('#'));
        if (text.find_first_not_of(" \t\r") == std::string::npos) {
            continue;
        }
        auto waiver = parse(text);
        if (!waiver) {
            return fail(Exit::usage, fmt::format("{}:{}: not a waiver: {}", path, number, text),
                        "A line is RULE, then HOME:0xALIASED_CLI if it is for one line; --list-rules has the rules.");
        }
        waivers.waivers_.push_back(std::move(*waiver));
    }
    return waivers;
}

bool Waivers::waive(conformance::Rule rule, const std::optional<conformance::CheckedLine>& line) {
    for (Waiver& waiver : waivers_) {
        const bool same_line =
            !waiver.line || (line && line->home == waiver.line->home && line->aliased_cli == waiver.line->aliased_cli);
        if (waiver.rule == rule && same_line) {
            ++waiver.uses;
            return true;
        }
    }
    return false;
}

std::vector<std::string> Waivers::unused() const {
    std::vector<std::string> texts;
    for (const Waiver& waiver : waivers_) {
        if (waiver.uses == 0) {
            texts.push_back(waiver.text);
        }
    }
    return texts;
}

}  // namespace eciscope::cli
