#include "eciscope/capture/edge_csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report.hpp"
#include "store.hpp"

namespace eciscope::capture {

namespace {

constexpr std::size_t longest_line = 1024;
constexpr std::size_t columns = 12;

struct Row {
    std::uint64_t window = 0;
    std::uint64_t sample = 0;
    Stream stream;
    std::array<std::uint64_t, block_words> words{};
};

std::optional<std::uint64_t> number(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional<std::uint64_t>(value) : std::nullopt;
}

std::optional<std::array<std::string_view, columns>> split(std::string_view line) {
    std::array<std::string_view, columns> cells;
    for (std::size_t i = 0; i < columns; ++i) {
        const std::size_t comma = line.find(',');
        if ((comma == std::string_view::npos) != (i == columns - 1)) {
            return std::nullopt;
        }
        cells[i] = line.substr(0, comma);
        line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
    }
    return cells;
}

std::optional<Row> parse(std::string_view line) {
    const auto cells = split(line);
    if (!cells) {
        return std::nullopt;
    }
    const auto window = number((*cells)[0], 10);
    const auto sample = number((*cells)[1], 10);
    const auto link = number((*cells)[2], 10);
    const bool cpu = (*cells)[3] == "cpu";
    if (!window || !sample || !link || *window > edge_most_windows || *sample > edge_most_samples || *link < 1 ||
        *link > link_count || (!cpu && (*cells)[3] != "fpga")) {
        return std::nullopt;
    }
    Row row{*window, *sample, {static_cast<std::uint8_t>(*link - 1), static_cast<std::uint8_t>(cpu ? 0 : 1)}, {}};
    for (std::size_t i = 0; i < block_words; ++i) {
        const std::string_view cell = (*cells)[i + 4];
        const auto word = cell.size() == 16 ? number(cell, 16) : std::nullopt;
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

std::string_view trimmed(Bytes line) {
    std::string_view text(reinterpret_cast<const char*>(line.data()), line.size());
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
        text.remove_suffix(1);
    }
    if (text.starts_with("\xef\xbb\xbf")) {
        text.remove_prefix(3);
    }
    return text;
}

/// Passes the rest of a line that is too long to be one.
std::uint64_t skip_line(Input& input) {
    std::uint64_t skipped = 0;
    while (true) {
        const Bytes there = input.peek(longest_line);
        const auto end = std::find(there.begin(), there.end(), std::uint8_t{'\n'});
        if (there.empty() || end != there.end()) {
            return skipped + input.skip(static_cast<std::uint64_t>(end - there.begin()) + (there.empty() ? 0 : 1));
        }
        skipped += input.skip(there.size());
    }
}

}  // namespace

void read_edge_csv(Input& input, std::uint32_t source, std::uint64_t& records, Merger& merger, Accounts& accounts,
                   Diagnostics& diagnostics) {
    report(diagnostics, DiagnosticKind::crc_not_captured, {source, 0, records, 0},
           [] { return std::string("the table holds the control word's upper 40 bits"); });
    Table table(source, records, merger);
    while (!merger.stopped()) {
        const std::uint64_t offset = input.position();
        const Bytes there = input.peek(longest_line);
        if (there.empty()) {
            break;
        }
        const auto newline = std::find(there.begin(), there.end(), std::uint8_t{'\n'});
        const bool ends = newline != there.end() || there.size() < longest_line;
        const Bytes line(there.begin(), newline == there.end() ? newline : newline + 1);
        const std::string_view text = trimmed(line);
        const std::optional<Row> row = ends ? parse(text) : std::nullopt;
        if (row) {
            table.add(*row, offset, line.size());
            (void)input.skip(line.size());
        } else if (ends && (text.empty() || text.starts_with("window,"))) {
            accounts.bytes_container += input.skip(line.size());
        } else {
            report(diagnostics, DiagnosticKind::csv_line_malformed, {source, offset, records, 0},
                   [&] { return "\"" + std::string(text.substr(0, 40)) + "\""; });
            accounts.bytes_damaged += skip_line(input);
        }
    }
    table.push_all();
}

}  // namespace eciscope::capture
