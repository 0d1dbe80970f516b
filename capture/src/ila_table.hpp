// The heading, radices and rows of a logic analyser's table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eciscope/capture/input.hpp"
#include "text_table.hpp"

namespace eciscope::capture {

/// Cells, quotes around them taken off.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line);

struct IlaColumn {
    std::size_t index = 0;
    unsigned width = 0;  ///< bits, as the probe's range says; 0: it says none
    int base = 16;
};

class IlaHeading {
 public:
    /// Reads the first line, and the second if it holds radices. Says how many bytes that were.
    std::uint64_t read(Input& input);

    /// The first column whose probe is called so, whatever it is part of: "a/b/traceOut_ts[63:0]" is "traceOut_ts". A
    /// name that begins with '*' is the end of one.
    [[nodiscard]] std::optional<IlaColumn> find(std::string_view name) const;
    /// True if any column's full name holds the text.
    [[nodiscard]] bool mentions(std::string_view text) const;
    [[nodiscard]] std::size_t columns() const { return names_.size(); }

 private:
    std::vector<std::string> names_;
    std::vector<int> bases_;
};

[[nodiscard]] inline std::optional<std::uint64_t> value_of(const std::vector<std::string_view>& cells,
                                                           const IlaColumn& column) {
    return column.index < cells.size() ? parse_number(cells[column.index], column.base) : std::nullopt;
}

}  // namespace eciscope::capture
