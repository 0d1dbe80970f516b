// One line of hexadecimal text: what it sets, and its bytes.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace eciscope::capture {

/// Unix times in picoseconds do not fit 64 bits.
struct HexTime {
    std::uint64_t ns = 0;
    std::uint32_t ps = 0;  ///< below 1,000

    friend auto operator<=>(const HexTime&, const HexTime&) = default;
};

struct HexLine {
    std::optional<std::uint64_t> offset;  ///< of a dump's line
    std::optional<std::uint8_t> link;
    std::optional<std::uint8_t> from;
    std::optional<HexTime> time;
    std::vector<std::uint8_t> bytes;

    [[nodiscard]] bool sets() const { return link || from || time; }
};

/// Nothing if the line cannot be read.
[[nodiscard]] std::optional<HexLine> parse_hex_line(std::string_view text);

/// "12.5ns" and the like: a decimal number with s, ms, us, ns or ps behind it, exact.
[[nodiscard]] std::optional<HexTime> parse_hex_time(std::string_view text);

}  // namespace eciscope::capture
