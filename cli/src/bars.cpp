#include "bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "figures.hpp"

namespace eciscope::cli {

namespace {

std::string bar_text(double share, std::size_t width, bool unicode) {
    static constexpr std::array<std::string_view, 9> eighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    const double length = share * static_cast<double>(width);
    if (!unicode) {
        const auto whole = static_cast<std::size_t>(length + 0.5);
        return std::string(std::max<std::size_t>(whole, share > 0 ? 1 : 0), '#');
    }
    const auto parts = std::max<std::size_t>(static_cast<std::size_t>(length * 8 + 0.5), share > 0 ? 1 : 0);
    std::string text;
    for (std::size_t part = 0; part < parts / 8; ++part) {
        text += eighths[8];
    }
    return text.append(eighths[parts % 8]);
}

}  // namespace

std::string draw_bars(const std::vector<Bar>& bars, const Terminal& terminal, std::uint64_t total) {
    std::size_t label_width = 0;
    std::size_t value_width = 0;
    std::uint64_t sum = 0;
    std::uint64_t largest = 1;
    for (const Bar& bar : bars) {
        label_width = std::max(label_width, bar.label.size());
        value_width = std::max(value_width, grouped(bar.value).size());
        sum += bar.value;
        largest = std::max(largest, bar.value);
    }
    total = total == 0 ? sum : total;
    constexpr std::size_t share_width = 8;  // " 100.0 %"
    const std::size_t used = 2 + label_width + 2 + value_width + share_width + 2;
    const std::size_t width = std::clamp<std::size_t>(terminal.columns - std::min(used, terminal.columns), 10, 60);
    std::string text;
    for (const Bar& bar : bars) {
        const double share = total == 0 ? 0 : 100.0 * static_cast<double>(bar.value) / static_cast<double>(total);
        const double length = static_cast<double>(bar.value) / static_cast<double>(largest);
        text += fmt::format("  {:<{}}  {:>{}} {:>5.1f} %  {}\n", bar.label, label_width, grouped(bar.value),
                            value_width, share, bar_text(length, width, terminal.unicode));
    }
    return text;
}

}  // namespace eciscope::cli
