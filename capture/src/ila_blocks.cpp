#include <array>
#include <optional>
#include <string>
#include <vector>

#include "block_table.hpp"
#include "eciscope/capture/edge_csv.hpp"
#include "eciscope/capture/ila_csv.hpp"
#include "ila_table.hpp"
#include "report.hpp"

namespace eciscope::capture {

namespace {

constexpr std::size_t longest_row = 8192;
constexpr std::uint64_t most_window_samples = 1'000'000;  ///< an entry's time has 32 bits of picoseconds

/// One direction of one link.
struct Probe {
    Stream stream;
    IlaColumn valid;
    IlaColumn control;
    std::array<IlaColumn, block_words - 1> words;
    std::optional<IlaColumn> crc_match;
};

/// `rx` was received by the FPGA, which is node 1. For what is sent there is only whether it was taken.
std::optional<Probe> probe_of(const IlaHeading& heading, std::size_t link, bool rx) {
    const std::string begin = "*link" + std::to_string(link + 1) + "_eci[" + (rx ? "rx_block_" : "tx_block_");
    const auto find = [&](const std::string& name) { return heading.find(begin + name + "]"); };
    const auto valid = find(rx ? "valid" : "ready");
    const auto control = find("header");
    if (!valid || !control || control->width == 0) {
        return std::nullopt;
    }
    Probe probe{{static_cast<std::uint8_t>(link), static_cast<std::uint8_t>(rx ? 0 : 1)}, *valid, *control, {}, {}};
    for (std::size_t i = 0; i < probe.words.size(); ++i) {
        const auto word = find("word" + std::to_string(i + 1));
        if (!word) {
            return std::nullopt;
        }
        probe.words[i] = *word;
    }
    probe.crc_match = rx ? find("crc_match") : std::nullopt;
    return probe;
}

class Windows {
 public:
    /// Samples of a window follow each other; windows are given times that do not overlap.
    void next(std::uint64_t sample) {
        if (any_ && sample != sample_ + 1) {
            start_ns_ += (sample_ * edge_sample_ps / 1000 / edge_window_ns + 1) * edge_window_ns;
        }
        any_ = true;
        sample_ = sample;
    }
    [[nodiscard]] std::uint64_t start_ns() const { return start_ns_; }

 private:
    std::uint64_t start_ns_ = 0;
    std::uint64_t sample_ = 0;
    bool any_ = false;
};

std::optional<BlockRow> block_of(const std::vector<std::string_view>& cells, const Probe& probe) {
    BlockRow row;
    row.stream = probe.stream;
    for (std::size_t i = 0; i < probe.words.size(); ++i) {
        const auto word = value_of(cells, probe.words[i]);
        if (!word) {
            return std::nullopt;
        }
        row.words[i] = *word;
    }
    const auto control = value_of(cells, probe.control);
    if (!control || (probe.control.width < 64 && *control >> probe.control.width != 0)) {
        return std::nullopt;
    }
    row.words.back() = *control << (64 - probe.control.width);  // what was captured are its upper bits
    row.crc_wrong = probe.crc_match && value_of(cells, *probe.crc_match) == std::uint64_t{0};
    return row;
}

class Reader {
 public:
    Reader(const IlaHeading& heading, std::uint32_t source, std::uint64_t& records, Merger& merger)
        : table_(source, records, merger), sample_(heading.find("Sample in Window")) {
        for (std::size_t stream = 0; stream < stream_count; ++stream) {
            if (auto probe = probe_of(heading, stream / node_count, stream % node_count == 0)) {
                probes_.push_back(*probe);
            }
        }
    }
    [[nodiscard]] bool usable() const { return sample_ && !probes_.empty(); }

    /// How many blocks the line gave, or nothing if it is none of the table.
    std::optional<std::size_t> add(std::string_view line, std::uint64_t offset, std::uint64_t bytes) {
        const auto cells = cells_of(line);
        const auto sample = value_of(cells, *sample_);
        if (!sample || *sample > most_window_samples) {
            return std::nullopt;
        }
        std::vector<BlockRow> rows;
        for (const Probe& probe : probes_) {
            const auto valid = value_of(cells, probe.valid);
            auto row = valid && *valid != 0 ? block_of(cells, probe) : std::nullopt;
            if (!valid || (*valid != 0 && !row)) {
                return std::nullopt;
            }
            if (row) {
                rows.push_back(*row);
            }
        }
        windows_.next(*sample);
        for (BlockRow& row : rows) {
            row.window_ns = windows_.start_ns();
            row.picoseconds = *sample * edge_sample_ps;
            table_.add(row, offset, bytes);
            bytes = 0;  // the line counts once
        }
        return rows.size();
    }
    void finish() { table_.push_all(); }

 private:
    BlockTable table_;
    std::optional<IlaColumn> sample_;
    std::vector<Probe> probes_;
    Windows windows_;
};

}  // namespace

void read_ila_blocks(Input& input, std::uint32_t source, std::uint64_t& records, Merger& merger, Accounts& accounts,
                     Diagnostics& diagnostics) {
    IlaHeading heading;
    accounts.bytes_container += heading.read(input);
    Reader reader(heading, source, records, merger);
    if (!reader.usable()) {
        report(diagnostics, DiagnosticKind::csv_line_malformed, {source, 0, records, 0},
               [] { return std::string("the heading lacks the blocks of any link"); });
        accounts.bytes_damaged += input.skip(UINT64_MAX);
        return;
    }
    report(diagnostics, DiagnosticKind::crc_not_captured, {source, 0, records, 0},
           [] { return std::string("the table holds the control word's upper bits"); });
    while (!merger.stopped()) {
        const std::uint64_t offset = input.position();
        const TableLine line = next_line(input, longest_row);
        if (line.bytes == 0) {
            break;
        }
        const auto blocks = line.whole && !line.text.empty() ? reader.add(line.text, offset, line.bytes) : std::nullopt;
        if (!blocks && !(line.whole && line.text.empty())) {
            report(diagnostics, DiagnosticKind::csv_line_malformed, {source, offset, records, 0},
                   [&] { return "\"" + std::string(line.text.substr(0, 40)) + "\""; });
            accounts.bytes_damaged += pass_line(input, line, longest_row);
        } else if (blocks.value_or(0) == 0) {
            accounts.bytes_container += pass_line(input, line, longest_row);
        } else {
            (void)pass_line(input, line, longest_row);
        }
    }
    reader.finish();
}

}  // namespace eciscope::capture
