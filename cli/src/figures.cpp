#include "figures.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <limits>

namespace eciscope::cli {

namespace {

constexpr std::int64_t first_plausible_second = 946'684'800;     // 2000-01-01
constexpr std::int64_t last_plausible_second = 253'402'300'799;  // 9999-12-31

__extension__ using Wide = __int128;

struct Unit {
    std::string_view name;
    Picoseconds picoseconds;
};
constexpr std::array<Unit, 5> units = {{{"s", picoseconds_per_second},
                                        {"ms", picoseconds_per_second / 1'000},
                                        {"us", picoseconds_per_second / 1'000'000},
                                        {"ns", picoseconds_per_nanosecond},
                                        {"ps", 1}}};

struct SplitTime {
    std::int64_t seconds;
    Picoseconds rest;
};

SplitTime split(TimeBase base, Picoseconds time) {
    Picoseconds rest = time % picoseconds_per_second;
    std::int64_t seconds = base.unix_seconds + time / picoseconds_per_second;
    if (rest < 0) {
        rest += picoseconds_per_second;
        --seconds;
    }
    return {seconds, rest};
}

std::string scaled(double value, std::string_view unit) {
    static constexpr std::array<std::string_view, 7> prefixes = {"", "k", "M", "G", "T", "P", "E"};
    std::size_t step = 0;
    while (value >= 999.5 && step + 1 < prefixes.size()) {
        value /= 1000;
        ++step;
    }
    const int decimals = step == 0 || value >= 99.95 ? 0 : (value >= 9.995 ? 1 : 2);
    return fmt::format("{:.{}f} {}{}", value, decimals, prefixes[step], unit);
}

// A decimal number times `scale` picoseconds, without rounding: digits beyond the picosecond are refused.
std::optional<Picoseconds> exact(std::string_view text, Picoseconds scale) {
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    const std::string_view fraction = point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
    if (whole.empty() || (point != std::string_view::npos && fraction.empty())) {
        return std::nullopt;
    }
    Picoseconds value = 0;
    for (const char digit : whole) {
        if (digit < '0' || digit > '9' || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, digit - '0', &value)) {
            return std::nullopt;
        }
    }
    if (__builtin_mul_overflow(value, scale, &value)) {
        return std::nullopt;
    }
    for (const char digit : fraction) {
        if (digit < '0' || digit > '9' || (scale % 10 != 0 && digit != '0')) {
            return std::nullopt;
        }
        scale /= 10;
        if (__builtin_add_overflow(value, scale * (digit - '0'), &value)) {
            return std::nullopt;
        }
    }
    return value;
}

std::optional<TimeWish> parse_relative(std::string_view text) {
    const std::size_t end = text.find_first_not_of("0123456789.");
    const std::string_view unit = end == std::string_view::npos ? "s" : text.substr(end);
    for (const Unit& candidate : units) {
        if (candidate.name == unit || (unit == "µs" && candidate.name == "us")) {
            const auto value = exact(text.substr(0, end), candidate.picoseconds);
            if (!value) {
                return std::nullopt;
            }
            return TimeWish{true, *value / picoseconds_per_second, *value % picoseconds_per_second};
        }
    }
    return std::nullopt;
}

std::optional<TimeWish> parse_date(std::string_view text) {
    if (text.size() < 20 || (text[10] != 'T' && text[10] != ' ') || text.back() != 'Z') {
        return std::nullopt;
    }
    std::tm date{};
    const std::string whole(text.substr(0, 19));
    const char* end = strptime(whole.c_str(), text[10] == 'T' ? "%Y-%m-%dT%H:%M:%S" : "%Y-%m-%d %H:%M:%S", &date);
    if (end == nullptr || *end != '\0') {
        return std::nullopt;
    }
    const std::string_view fraction = text.substr(19, text.size() - 20);
    const auto rest =
        fraction.empty() ? std::optional<Picoseconds>{0} : exact("0" + std::string(fraction), picoseconds_per_second);
    if (!rest) {
        return std::nullopt;
    }
    return TimeWish{false, timegm(&date), *rest};
}

}  // namespace

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t place = text.size(); place > 3; place -= 3) {
        text.insert(place - 3, ",");
    }
    return text;
}

std::string bytes_text(std::uint64_t bytes) {
    return scaled(static_cast<double>(bytes), "B");
}

std::string duration_text(Picoseconds duration) {
    for (const Unit& unit : units) {
        if (duration >= unit.picoseconds) {
            const double value = static_cast<double>(duration) / static_cast<double>(unit.picoseconds);
            return fmt::format("{:.4g} {}", value, unit.name);
        }
    }
    return duration == 0 ? "0 s" : fmt::format("{} ps", duration);
}

std::string rate_text(std::uint64_t count, Picoseconds duration) {
    if (duration <= 0) {
        return "-";
    }
    return scaled(static_cast<double>(count) * 1e12 / static_cast<double>(duration), "");
}

std::string seconds_text(TimeBase base, Picoseconds time) {
    const SplitTime parts = split(base, time);
    if (parts.seconds < 0 && parts.rest > 0) {
        const std::int64_t whole = -(parts.seconds + 1);
        return fmt::format("-{}.{:012}", whole, picoseconds_per_second - parts.rest);
    }
    return fmt::format("{}.{:012}", parts.seconds, parts.rest);
}

std::string date_text(TimeBase base, Picoseconds time) {
    const SplitTime parts = split(base, time);
    if (parts.seconds < first_plausible_second || parts.seconds > last_plausible_second) {
        return {};
    }
    const std::time_t seconds = parts.seconds;
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:012} UTC", fmt::gmtime(seconds), parts.rest);
}

Picoseconds TimeWish::from(TimeBase base, Picoseconds start) const {
    const Wide origin = relative ? Wide{start} : -Wide{base.unix_seconds} * picoseconds_per_second;
    const Wide time = origin + Wide{seconds} * picoseconds_per_second + picoseconds;
    constexpr Picoseconds least = std::numeric_limits<Picoseconds>::min();
    constexpr Picoseconds most = std::numeric_limits<Picoseconds>::max();
    return time < least ? least : (time > most ? most : static_cast<Picoseconds>(time));
}

std::optional<TimeWish> parse_time(std::string_view text) {
    if (text.starts_with('+')) {
        return parse_relative(text.substr(1));
    }
    if (const auto date = parse_date(text)) {
        return date;
    }
    const std::size_t point = text.find('.');
    std::int64_t seconds = 0;
    const std::string_view whole = text.substr(0, point);
    const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), seconds);
    if (error != std::errc{} || end != whole.data() + whole.size() || seconds < 0) {
        return std::nullopt;
    }
    if (point == std::string_view::npos) {
        return TimeWish{false, seconds, 0};
    }
    const auto rest = exact("0" + std::string(text.substr(point)), picoseconds_per_second);
    return rest ? std::optional(TimeWish{false, seconds, *rest}) : std::nullopt;
}

}  // namespace eciscope::cli
