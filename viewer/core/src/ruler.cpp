#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "eciscope/view/picture.hpp"

namespace eciscope::view {

namespace {

__extension__ using Wide = __int128;

struct Unit {
    std::string_view name;
    Picoseconds size;
    int digits;  ///< decimals to the picosecond
};
constexpr std::array<Unit, 5> units{{{"s", picoseconds_per_second, 12},
                                     {"ms", picoseconds_per_second / 1'000, 9},
                                     {"µs", picoseconds_per_second / 1'000'000, 6},
                                     {"ns", picoseconds_per_nanosecond, 3},
                                     {"ps", 1, 0}}};

std::uint64_t magnitude(Picoseconds time) {
    const auto bits = static_cast<std::uint64_t>(time);
    return time < 0 ? 0 - bits : bits;
}

const Unit& unit_of(std::uint64_t size) {
    const auto* const unit = std::find_if(units.begin(), units.end(), [size](const Unit& candidate) {
        return size >= static_cast<std::uint64_t>(candidate.size);
    });
    return unit == units.end() ? units.back() : *unit;
}

std::uint64_t power_of_ten(int exponent) {
    std::uint64_t power = 1;
    for (int i = 0; i < exponent; ++i) {
        power *= 10;
    }
    return power;
}

/// Digits before the point in groups of three, from the right.
std::string grouped_whole(std::uint64_t whole) {
    std::string text = std::to_string(whole);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, " ");
    }
    return text;
}

/// Decimals in groups of three: "204 567".
std::string grouped_decimals(std::string_view decimals) {
    std::string text;
    for (std::size_t i = 0; i < decimals.size(); ++i) {
        text += i != 0 && i % 3 == 0 ? " " : "";
        text += decimals[i];
    }
    return text;
}

std::string in_unit(Picoseconds time, const Unit& unit, std::optional<int> digits) {
    std::uint64_t size = magnitude(time);
    const auto one = static_cast<std::uint64_t>(unit.size);
    const int kept = std::clamp(digits.value_or(unit.digits), 0, unit.digits);
    const std::uint64_t step = power_of_ten(unit.digits - kept);
    size = (size / step + (size % step >= (step + 1) / 2 && step > 1 ? 1 : 0)) * step;
    std::string decimals = fmt::format("{:0{}}", size % one, std::max(1, unit.digits));
    decimals.resize(static_cast<std::size_t>(kept));
    while (!digits && decimals.ends_with('0')) {
        decimals.pop_back();
    }
    const char* const sign = time < 0 && size != 0 ? "-" : "";
    return fmt::format("{}{}{}{} {}", sign, grouped_whole(size / one), decimals.empty() ? "" : ".",
                       grouped_decimals(decimals), unit.name);
}

/// The next of 1, 2, 5, 10, 20, …
Wide next_step(Wide step) {
    Wide leading = step;
    while (leading >= 10) {
        leading /= 10;
    }
    return leading == 2 ? step / 2 * 5 : step * 2;
}

int decimals_of(const Unit& unit, Wide step) {
    int digits = unit.digits;
    while (digits > 0 && step % 10 == 0) {
        step /= 10;
        --digits;
    }
    return digits;
}

}  // namespace

std::string time_text(Picoseconds time, std::optional<int> digits) {
    const Unit& unit = time == 0 ? units.front() : unit_of(magnitude(time));
    return in_unit(time, unit, digits);
}

std::vector<Tick> ruler(const Viewport& viewport, int least_columns) {
    std::vector<Tick> ticks;
    const int columns = std::max(1, viewport.columns);
    const Wide span = std::max<Picoseconds>(1, viewport.span);
    Wide step = 1;
    while (step * columns < span * std::max(1, least_columns)) {
        step = next_step(step);
    }
    const Wide minor = step % 5 == 0 ? step / 5 : std::max<Wide>(1, step / 2);
    // One unit for all labels, after the step, so that neighbours can be compared.
    const Wide last = Wide{viewport.start} + span - 1;
    const Wide reach =
        std::max<Wide>(viewport.start < 0 ? -Wide{viewport.start} : viewport.start, last < 0 ? -last : last);
    const Unit& by_step = unit_of(static_cast<std::uint64_t>(step));
    const Unit& by_reach = unit_of(static_cast<std::uint64_t>(std::min<Wide>(reach, Wide{1} << 62)));
    const Unit& unit = by_reach.size > by_step.size ? by_reach : by_step;
    const int digits = decimals_of(unit, step);

    Wide at = Wide{viewport.start} / minor * minor;
    at += at < viewport.start ? minor : 0;
    for (; at < Wide{viewport.start} + span; at += minor) {
        const auto time = static_cast<Picoseconds>(at);
        Tick& tick = ticks.emplace_back();
        tick.column = viewport.column_of(time);
        tick.major = at % step == 0;
        tick.label = tick.major ? in_unit(time, unit, digits) : "";
    }
    return ticks;
}

}  // namespace eciscope::view
