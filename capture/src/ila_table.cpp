#include "ila_table.hpp"

namespace eciscope::capture {

namespace {

/// "[39:0]" at the end of a probe's name: its bits, and the name without it. Other brackets are part of the name.
unsigned take_range(std::string_view& name) {
    const std::size_t open = name.rfind('[');
    const std::size_t colon = name.rfind(':');
    if (open == std::string_view::npos || colon == std::string_view::npos || colon < open || !name.ends_with(']')) {
        return 0;
    }
    const auto high = parse_number(name.substr(open + 1, colon - open - 1), 10);
    const auto low = parse_number(name.substr(colon + 1, name.size() - colon - 2), 10);
    if (!high || !low || *high < *low || *high - *low >= 64) {
        return 0;
    }
    name = name.substr(0, open);
    return static_cast<unsigned>(*high - *low + 1);
}

int base_of(std::string_view radix) {
    if (radix.ends_with("UNSIGNED")) {
        return 10;
    }
    return radix.ends_with("BINARY") ? 2 : 16;
}

bool is_called(std::string_view full, std::string_view name) {
    if (name.starts_with('*')) {
        return full.ends_with(name.substr(1));
    }
    const std::size_t slash = full.rfind('/');
    return full.substr(slash == std::string_view::npos ? 0 : slash + 1) == name;
}

}  // namespace

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    while (true) {
        const std::size_t comma = line.find(',');
        std::string_view cell = line.substr(0, comma);
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
            cell = cell.substr(1, cell.size() - 2);
        }
        cells.push_back(cell);
        if (comma == std::string_view::npos) {
            return cells;
        }
        line.remove_prefix(comma + 1);
    }
}

std::uint64_t IlaHeading::read(Input& input) {
    const TableLine heading = next_line(input, Input::longest_peek);
    for (const std::string_view name : cells_of(heading.text)) {
        names_.emplace_back(name);
    }
    bases_.assign(names_.size(), 16);
    std::uint64_t passed = pass_line(input, heading);
    const TableLine radices = next_line(input, Input::longest_peek);
    if (!radices.text.starts_with("Radix")) {
        return passed;
    }
    const auto cells = cells_of(radices.text);
    for (std::size_t i = 0; i < std::min(cells.size(), bases_.size()); ++i) {
        bases_[i] = base_of(cells[i]);
    }
    return passed + pass_line(input, radices);
}

std::optional<IlaColumn> IlaHeading::find(std::string_view name) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
        std::string_view full = names_[i];
        const unsigned width = take_range(full);
        if (is_called(full, name)) {
            return IlaColumn{i, width, bases_[i]};
        }
    }
    return std::nullopt;
}

bool IlaHeading::mentions(std::string_view text) const {
    return std::any_of(names_.begin(), names_.end(),
                       [text](const std::string& name) { return name.find(text) != std::string::npos; });
}

}  // namespace eciscope::capture
