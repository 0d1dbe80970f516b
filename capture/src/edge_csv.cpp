#include "eciscope/capture/edge_csv.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report.hpp"
#include "store.hpp"
#include "text_table.hpp"

namespace eciscope::capture {

namespace {

constexpr std::size_t columns = 12;

struct Row {
    std::uint64_t window = 0;
    std::uint64_t sample = 0;
    Stream stream;
    std::array<std::uint64_t, block_words> words{};
};

std::optional<Row> parse(std::string_view line) {
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
    Row row{*window, *sample, {static_cast<std::uint8_t>(*link - 1), static_cast<std::uint8_t>(cpu ? 0 : 1)}, {}};
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

/// Rows of one stream within one window, gathered into a record.
struct Gathered {
    std::vector<std::uint8_t> entries;
    std::uint64_t input_bytes = 0;
    std::uint64_t offset = 0;
    std::uint32_t sequence = 0;
};

class Table {
 public:
    Table(std::uint32_t source, std::uint64_t& records, Merger& merger)
        : source_(source), records_(records), merger_(merger) {}

    void add(const Row& row, std::uint64_t offset, std::uint64_t bytes) {
        if (row.window != window_ || !any_) {
            push_all();
            if (any_) {
                merger_.boundary();
                streams_ = {};
            }
            any_ = true;
            window_ = row.window;
        }
        Gathered& stream = streams_[row.stream.index()];
        if (stream.entries.size() == most_blocks * entry_bytes) {
            push(row.stream.index());
        }
        if (stream.entries.empty()) {
            stream.offset = offset;
        }
        stream.input_bytes += bytes;
        std::array<std::uint8_t, entry_bytes> entry{};
        store_entry_header(entry.data(), row.sample * edge_sample_ps);
        for (std::size_t i = 0; i < block_words; ++i) {
            store_be64(entry.data() + entry_header_bytes + 8 * i, row.words[i]);
        }
        stream.entries.insert(stream.entries.end(), entry.begin(), entry.end());
    }

    void push_all() {
        for (std::size_t i = 0; i < stream_count; ++i) {
            push(i);
        }
    }

 private:
    void push(std::size_t index) {
        Gathered& stream = streams_[index];
        if (stream.entries.empty()) {
            return;
        }
        Record record;
        record.stream = Stream::of_index(index);
        record.sequence = ++stream.sequence;  // 0 would say that the interposer begins here
        record.time_ns = window_ * edge_window_ns;
        record.entries = stream.entries;
        record.where = {source_, stream.offset, records_++, 0};
        record.input_bytes = stream.input_bytes;
        record.crc_present = false;
        merger_.push(record);
        stream.entries.clear();
        stream.input_bytes = 0;
    }

    std::uint32_t source_;
    std::uint64_t& records_;
    Merger& merger_;
    std::array<Gathered, stream_count> streams_;
    std::uint64_t window_ = 0;
    bool any_ = false;
};

}  // namespace

void read_edge_csv(Input& input, std::uint32_t source, std::uint64_t& records, Merger& merger, Accounts& accounts,
                   Diagnostics& diagnostics) {
    report(diagnostics, DiagnosticKind::crc_not_captured, {source, 0, records, 0},
           [] { return std::string("the table holds the control word's upper 40 bits"); });
    Table table(source, records, merger);
    while (!merger.stopped()) {
        const std::uint64_t offset = input.position();
        const TableLine line = next_line(input);
        if (line.bytes == 0) {
            break;
        }
        const std::optional<Row> row = line.whole ? parse(line.text) : std::nullopt;
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
