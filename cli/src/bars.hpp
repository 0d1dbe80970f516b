// Bars of figures for a terminal: block characters, or # where the terminal shows no Unicode.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terminal.hpp"

namespace eciscope::cli {

struct Bar {
    std::string label;
    std::uint64_t value = 0;
};

/// One line a bar: label, value, share of the total and the bar itself, the largest filling what is left of the line.
/// `total` is that of the bars if it is not given.
[[nodiscard]] std::string draw_bars(const std::vector<Bar>& bars, const Terminal& terminal, std::uint64_t total = 0);

}  // namespace eciscope::cli
