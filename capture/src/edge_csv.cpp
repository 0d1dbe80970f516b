#include "eciscope/capture/edge_csv.hpp"

#include <optional>
#include <string>
#include <string_view>

#include "block_table.hpp"
#include "report.hpp"
#include "text_table.hpp"

namespace eciscope::capture {

namespace {

constexpr std::size_t columns = 12;

std::optional<BlockRow> parse(std::string_view line) {
    const auto cells = split_cells<columns>(line);
    if (!cells) {
        return std::nullopt;
    }
    const auto window = parse_number((*cells)[0], 10);
    const auto sample = parse_number((*cells)[1], 10);
    const auto link = parse_number((*cells)[2], 10);
    const bool cpu = (*cells)[3] == "cpu";
    if (!window || !sample || !link || *window > edge_most_windows || *sample > edge_most_samples || *link < 1 ||
        *link > link_count || (!cpu && (*cells)[3] != "fpga")) {
        return std::nullopt;
    }
    BlockRow row;
    row.window_ns = *window * edge_window_ns;
    row.picoseconds = *sample * edge_sample_ps;
    row.stream = {static_cast<std::uint8_t>(*link - 1), static_cast<std::uint8_t>(cpu ? 0 : 1)};
    for (std::size_t i = 0; i < block_words; ++i) {
        const std::string_view cell = (*cells)[i + 4];
        const auto word = cell.size() == 16 ? parse_number(cell, 16) : std::nullopt;
        if (!word) {
            return std::nullopt;
        }
        row.words[i] = *word;
    }
    return row;
}

}  // namespace

void read_edge_csv(Input& input, std::uint32_t source, std::uint64_t& records, Merger& merger, Accounts& accounts,
                   Diagnostics& diagnostics) {
    report(diagnostics, DiagnosticKind::crc_not_captured, {source, 0, records, 0},
           [] { return std::string("the table holds the control word's upper 40 bits"); });
    BlockTable table(source, records, merger);
    while (!merger.stopped()) {
        const std::uint64_t offset = input.position();
        const TableLine line = next_line(input);
        if (line.bytes == 0) {
            break;
        }
        const std::optional<BlockRow> row = line.whole ? parse(line.text) : std::nullopt;
        if (row) {
            table.add(*row, offset, line.bytes);
            (void)pass_line(input, line);
        } else if (line.whole && (line.text.empty() || line.text.starts_with("window,"))) {
            accounts.bytes_container += pass_line(input, line);
        } else {
            report(diagnostics, DiagnosticKind::csv_line_malformed, {source, offset, records, 0},
                   [&] { return "\"" + std::string(line.text.substr(0, 40)) + "\""; });
            accounts.bytes_damaged += pass_line(input, line);
        }
    }
    table.push_all();
}

}  // namespace eciscope::capture
