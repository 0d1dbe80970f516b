// One line of hexadecimal text: what it sets, and its bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace eciscope::capture {

struct HexLine {
    std::optional<std::uint64_t> offset;  ///< of a dump's line
    std::optional<std::uint8_t> link;
    std::optional<std::uint8_t> from;
    std::optional<std::uint64_t> picoseconds;
    std::vector<std::uint8_t> bytes;

    [[nodiscard]] bool sets() const { return link || from || picoseconds; }
};

/// Nothing if the line cannot be read.
[[nodiscard]] std::optional<HexLine> parse_hex_line(std::string_view text);

/// "12.5ns" and the like: a decimal number with s, ms, us, ns or ps behind it, exact.
[[nodiscard]] std::optional<std::uint64_t> parse_picoseconds(std::string_view text);

}  // namespace eciscope::capture
