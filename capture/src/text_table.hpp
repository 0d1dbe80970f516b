// Lines and cells of comma-separated tables.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "eciscope/capture/input.hpp"

namespace eciscope::capture {

inline constexpr std::size_t longest_line = 1024;

struct TableLine {
    std::string_view text;  ///< without its end; valid until the input moves on
    std::size_t bytes = 0;  ///< with its end; 0 at the end of the input
    bool whole = false;     ///< false: longer than any line of such a table
};

/// `longest` is at most Input::longest_peek.
[[nodiscard]] inline TableLine next_line(Input& input, std::size_t longest = longest_line) {
    const Bytes there = input.peek(longest);
    const auto newline = std::find(there.begin(), there.end(), std::uint8_t{'\n'});
    TableLine line;
    line.whole = newline != there.end() || there.size() < longest;
    line.bytes = static_cast<std::size_t>(newline - there.begin()) + (newline == there.end() ? 0 : 1);
    line.text = {reinterpret_cast<const char*>(there.data()), line.bytes};
    while (!line.text.empty() && (line.text.back() == '\n' || line.text.back() == '\r' || line.text.back() == ' ')) {
        line.text.remove_suffix(1);
    }
    if (line.text.starts_with("\xef\xbb\xbf")) {
        line.text.remove_prefix(3);
    }
    return line;
}

/// Passes the line, and of one that is too long the rest as well. Says how many bytes that were.
inline std::uint64_t pass_line(Input& input, const TableLine& line, std::size_t longest = longest_line) {
    std::uint64_t passed = input.skip(line.bytes);
    for (bool ended = line.whole; !ended;) {
        const Bytes there = input.peek(longest);
        const auto newline = std::find(there.begin(), there.end(), std::uint8_t{'\n'});
        ended = there.empty() || newline != there.end();
        passed += input.skip(static_cast<std::uint64_t>(newline - there.begin()) + (newline == there.end() ? 0 : 1));
    }
    return passed;
}

[[nodiscard]] inline std::optional<std::uint64_t> parse_number(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional<std::uint64_t>(value) : std::nullopt;
}

/// Exactly so many cells, or nothing.
template <std::size_t Columns>
[[nodiscard]] std::optional<std::array<std::string_view, Columns>> split_cells(std::string_view line) {
    std::array<std::string_view, Columns> cells;
    for (std::size_t i = 0; i < Columns; ++i) {
        const std::size_t comma = line.find(',');
        if ((comma == std::string_view::npos) != (i == Columns - 1)) {
            return std::nullopt;
        }
        cells[i] = line.substr(0, comma);
        line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
    }
    return cells;
}

}  // namespace eciscope::capture
