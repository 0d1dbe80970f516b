#include "eciscope/view/filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <eciscope/spec/eci.hpp>
#include <optional>

#include "eciscope/decoder/block.hpp"
#include "eciscope/decoder/lines.hpp"

namespace eciscope::view {

namespace {

using Outcome = ewf::Expected<void>;

Outcome refused(std::string message) {
    return tl::unexpected(ewf::Error{ewf::ErrorCode::out_of_range, std::move(message), 0});
}

std::optional<std::uint64_t> number_of(std::string_view text) {
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    text.remove_prefix(hex ? 2 : 0);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
    const bool whole = error == std::errc{} && end == text.data() + text.size() && !text.empty();
    return whole ? std::optional(value) : std::nullopt;
}

Outcome add_small(std::string_view value, std::size_t limit, const char* what, std::vector<std::uint8_t>& out) {
    const auto number = number_of(value);
    if (!number || *number >= limit) {
        return refused(fmt::format("\"{}\" is no {}: give a number from 0 to {}", value, what, limit - 1));
    }
    out.push_back(static_cast<std::uint8_t>(*number));
    return {};
}

/// "0x80@1": the byte address of a line and its home; without a home, the line of either.
Outcome add_line(std::string_view value, std::vector<ewf::Line>& out) {
    const std::size_t at = value.find('@');
    const auto address = number_of(value.substr(0, at));
    std::optional<std::uint64_t> home;
    if (at != std::string_view::npos) {
        home = number_of(value.substr(at + 1));
    }
    const bool wrong_home = at != std::string_view::npos && (!home || *home >= node_count);
    if (!address || *address > last_address || wrong_home) {
        return refused(fmt::format("\"{}\" is no line: give its address, and its home behind an @: 0x80@1", value));
    }
    const std::uint64_t index = eci::aliased_cli_of_address(*address);
    for (std::uint8_t node = 0; node < node_count; ++node) {
        if (!home || *home == node) {
            out.push_back({node, index});
        }
    }
    return {};
}

Outcome add_value(std::string_view key, std::string_view value, Filter& filter) {
    if (key == "op") {
        std::string op(value);
        std::transform(op.begin(), op.end(), op.begin(), [](unsigned char c) { return std::toupper(c); });
        filter.ops.push_back(std::move(op));
        return {};
    }
    if (key == "vc") {
        return add_small(value, ewf::vc_slots, "virtual circuit", filter.vcs);
    }
    if (key == "node") {
        return add_small(value, node_count, "node", filter.nodes);
    }
    if (key == "link") {
        return add_small(value, link_count, "link", filter.links);
    }
    return add_line(value, filter.lines);
}

bool is_key(std::string_view key) {
    return key == "op" || key == "vc" || key == "node" || key == "link" || key == "line";
}

Outcome add_word(std::string_view word, Filter& filter) {
    const std::size_t colon = word.find(':');
    const std::string_view key = word.substr(0, colon);
    if (colon == std::string_view::npos || !is_key(key)) {
        filter.texts.emplace_back(word);
        return {};
    }
    std::string_view values = word.substr(colon + 1);
    while (true) {
        const std::size_t comma = values.find(',');
        const std::string_view value = values.substr(0, comma);
        if (value.empty()) {
            return refused(fmt::format("\"{}\": a value is missing", word));
        }
        if (Outcome added = add_value(key, value, filter); !added) {
            return added;
        }
        if (comma == std::string_view::npos) {
            return {};
        }
        values.remove_prefix(comma + 1);
    }
}

}  // namespace

bool Filter::takes_all() const {
    return ops.empty() && vcs.empty() && lines.empty() && nodes.empty() && links.empty() && texts.empty();
}

ewf::Expected<Filter> parse_filter(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    Filter filter;
    while (true) {
        const std::size_t start = text.find_first_not_of(blanks);
        if (start == std::string_view::npos) {
            return filter;
        }
        text.remove_prefix(start);
        const std::string_view word = text.substr(0, text.find_first_of(blanks));
        if (Outcome added = add_word(word, filter); !added) {
            return tl::unexpected(added.error());
        }
        text.remove_prefix(word.size());
    }
}

}  // namespace eciscope::view
