#include "hex_line.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "text_table.hpp"

namespace eciscope::capture {

namespace {

constexpr std::string_view blanks = " \t,";
constexpr std::uint64_t most_ns = std::uint64_t{1} << 62U;

int digit_of(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool is_hex(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return digit_of(c) >= 0; });
}

std::string_view next_token(std::string_view& text) {
    const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(begin);
    const std::string_view token = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(token.size());
    return token;
}

bool take_group(std::string_view token, std::vector<std::uint8_t>& bytes) {
    if (token.starts_with("0x") || token.starts_with("0X")) {
        token.remove_prefix(2);
    }
    if (!is_hex(token) || token.size() % 2 != 0) {
        return false;
    }
    for (std::size_t i = 0; i < token.size(); i += 2) {
        bytes.push_back(static_cast<std::uint8_t>(digit_of(token[i]) << 4 | digit_of(token[i + 1])));
    }
    return true;
}

/// True if the token is a setting; `good` tells whether it makes sense.
bool take_setting(std::string_view token, HexLine& line, bool& good) {
    if (token == "L0" || token == "L1" || token == "link=0" || token == "link=1") {
        line.link = static_cast<std::uint8_t>(token.back() - '0');
    } else if (token == "cpu" || token == "from=cpu" || token == "from=0") {
        line.from = 0;
    } else if (token == "fpga" || token == "from=fpga" || token == "from=1") {
        line.from = 1;
    } else if (token.starts_with('@') || token.starts_with("time=")) {
        line.time = parse_hex_time(token.substr(token.front() == '@' ? 1 : 5));
        good = line.time.has_value();
    } else {
        return false;
    }
    return true;
}

/// What xxd writes begins with an offset and a colon, and ends with text behind two blanks; what hexdump -C writes ends
/// with text between bars. Both are taken off. False if an offset is none.
bool take_frame(std::string_view& text, HexLine& line) {
    const std::size_t bar = text.find('|');
    const std::size_t first_end = std::min(text.find_first_of(" \t:"), text.size());
    const bool colon = first_end < text.size() && text[first_end] == ':';
    if (!colon && bar == std::string_view::npos) {
        return true;
    }
    line.offset = parse_number(text.substr(0, first_end), 16);
    text = bar == std::string_view::npos ? text : text.substr(0, bar);
    text.remove_prefix(std::min(first_end + (colon ? 1 : 0), text.size()));
    if (colon) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        text = text.substr(0, text.find("  "));
    }
    return line.offset.has_value();
}

}  // namespace

std::optional<HexTime> parse_hex_time(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::uint64_t>, 5> units = {
        {{"ps", 1}, {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}}};
    const auto* unit = std::find_if(units.begin(), units.end(), [&](const auto& u) { return text.ends_with(u.first); });
    if (unit == units.end()) {
        return std::nullopt;
    }
    const std::uint64_t unit_ps = unit->second;
    text.remove_suffix(unit->first.size());
    const std::size_t point = std::min(text.find('.'), text.size());
    const auto whole = parse_number(text.substr(0, point), 10);
    const std::uint64_t unit_ns = unit_ps / 1000;
    if (!whole || (unit_ns != 0 && *whole > most_ns / unit_ns) || (point < text.size() && point + 1 == text.size())) {
        return std::nullopt;
    }
    std::uint64_t below = 0;  // picoseconds below one unit
    std::uint64_t place = unit_ps;
    for (const char c : text.substr(std::min(point + 1, text.size()))) {
        place /= 10;
        if (c < '0' || c > '9' || (place == 0 && c != '0')) {
            return std::nullopt;
        }
        below += static_cast<std::uint64_t>(c - '0') * place;
    }
    below += unit_ns == 0 ? *whole % 1000 : 0;
    return HexTime{(unit_ns == 0 ? *whole / 1000 : *whole * unit_ns) + below / 1000,
                   static_cast<std::uint32_t>(below % 1000)};
}

std::optional<HexLine> parse_hex_line(std::string_view text) {
    HexLine line;
    text = text.substr(0, text.find('#'));
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (!take_frame(text, line)) {
        return std::nullopt;
    }
    for (std::string_view token = next_token(text); !token.empty(); token = next_token(text)) {
        bool good = true;
        const bool setting = !line.offset && line.bytes.empty() && take_setting(token, line, good);
        if (!good || (!setting && !take_group(token, line.bytes))) {
            return std::nullopt;
        }
    }
    return line;
}

}  // namespace eciscope::capture
