#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "clocks.hpp"
#include "eciscope/capture/ila_csv.hpp"
#include "ila_table.hpp"
#include "report.hpp"

namespace eciscope::capture {

namespace {

using Kind = DiagnosticKind;

constexpr std::size_t longest_row = 4096;
constexpr std::uint64_t circuits = 16;
constexpr std::uint64_t first_source_out = 3;  // src 0 to 2 came from the CPU, 3 to 5 went to it
constexpr std::uint64_t sources = 6;

struct Columns {
    IlaColumn header;
    IlaColumn vc;
    IlaColumn src;
    IlaColumn cycles;
    std::optional<IlaColumn> dump;  ///< none: every row counts
    std::optional<IlaColumn> lost;
};

struct Row {
    std::uint64_t cycles = 0;
    std::uint64_t header = 0;
    std::uint8_t vc = 0;
    std::uint8_t from = 0;
};

std::optional<Columns> columns_of(const IlaHeading& heading) {
    const auto header = heading.find("*event_data");
    const auto vc = heading.find("*event_vc");
    const auto src = heading.find("*_src");
    const auto cycles = heading.find("*_ts");
    if (!header || !vc || !src || !cycles) {
        return std::nullopt;
    }
    const auto dump = heading.find("dump_1");
    return Columns{*header, *vc, *src, *cycles, dump ? dump : heading.find("dump"), heading.find("sampleLost")};
}

class ReadOut {
 public:
    ReadOut(const IlaHeading& heading, const Columns& columns, std::uint32_t source, Diagnostics& diagnostics)
        : columns_(columns),
          source_(source),
          diagnostics_(diagnostics),
          app_clock_(heading.mentions("trace_app")),
          dumped_(columns.dump ? 0 : rows_until_valid) {
        if (!app_clock_ && !heading.mentions("trace_sys")) {
            report(diagnostics_, Kind::ila_clock_assumed, {source_, 0, 0, 0}, [] { return std::string(); });
        }
    }

    /// False if the line is none of the table.
    bool add(std::string_view line, const Position& where) {
        const auto cells = cells_of(line);
        const auto dump = columns_.dump ? value_of(cells, *columns_.dump) : std::optional<std::uint64_t>(1);
        const auto cycles = value_of(cells, columns_.cycles);
        if (!dump || !cycles) {
            return false;
        }
        if (columns_.lost && value_of(cells, *columns_.lost).value_or(0) != 0 && !lost_) {
            lost_ = true;
            report(diagnostics_, Kind::trace_samples_lost, where, [] { return std::string(); });
        }
        // The buffer's first entry shows one row after the read-out began; entries never written have no time stamp.
        dumped_ = std::min(dumped_ + (*dump != 0 ? 1U : 0U), rows_until_valid);
        return dumped_ < rows_until_valid || *cycles == 0 || keep(cells, *cycles);
    }

    bool finish(TraceSink& sink) {
        if (dumped_ < rows_until_valid) {
            report(diagnostics_, Kind::ila_not_dumped, {source_, 0, 0, 0}, [] { return std::string(); });
        }
        std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.cycles < b.cycles; });
        TraceBatch batch;
        for (const Row& row : rows_) {
            add_message(batch, row);
        }
        for (std::uint8_t from = 0; lost_ && !rows_.empty() && from < node_count; ++from) {
            Event event;  // where in the table is not known, so that nothing before its first message is
            event.time = batch.messages.front().last;
            event.kind = EventKind::lost;
            event.count = Event::unknown_count;
            event.stream.from = from;
            batch.events.push_back(event);
        }
        return batch.empty() || sink.batch(batch);
    }

 private:
    static constexpr unsigned rows_until_valid = 2;

    bool keep(const std::vector<std::string_view>& cells, std::uint64_t cycles) {
        const auto header = value_of(cells, columns_.header);
        const auto vc = value_of(cells, columns_.vc);
        const auto src = value_of(cells, columns_.src);
        if (!header || !vc || !src || *vc >= circuits || *src >= sources || rows_.size() == ila_most_rows) {
            return false;
        }
        const std::uint8_t from = *src >= first_source_out ? 1 : 0;
        rows_.push_back({cycles, *header, static_cast<std::uint8_t>(*vc), from});
        return true;
    }

    void add_message(TraceBatch& batch, const Row& row) const {
        MessageHead head;
        head.first = app_clock_ ? time_of_app_cycles(row.cycles) : time_of_sys_cycles(row.cycles);
        head.last = head.first;
        head.word_offset = static_cast<std::uint32_t>(batch.words.size());
        head.word_count = 1;
        head.vc = row.vc;
        head.stream.from = row.from;
        batch.words.push_back(row.header);
        batch.messages.push_back(head);
    }

    Columns columns_;
    std::uint32_t source_;
    Diagnostics& diagnostics_;
    bool app_clock_;
    unsigned dumped_;
    bool lost_ = false;
    std::vector<Row> rows_;
};

}  // namespace

bool read_ila_messages(Input& input, std::uint32_t source, TraceSink& sink, Diagnostics& diagnostics) {
    report(diagnostics, Kind::data_not_captured, {source, 0, 0, 0},
           [] { return std::string("the table holds headers"); });
    IlaHeading heading;
    heading.read(input);
    const auto columns = columns_of(heading);
    if (!columns) {
        report(diagnostics, Kind::csv_line_malformed, {source, 0, 0, 0},
               [] { return std::string("the heading lacks event_data, event_vc, src or ts"); });
        return true;
    }
    ReadOut read_out(heading, *columns, source, diagnostics);
    for (std::uint64_t number = 1;; ++number) {
        const Position where{source, input.position(), number, 0};
        const TableLine line = next_line(input, longest_row);
        if (line.bytes == 0) {
            break;
        }
        if (!line.whole || (!line.text.empty() && !read_out.add(line.text, where))) {
            report(diagnostics, Kind::csv_line_malformed, where,
                   [&] { return "\"" + std::string(line.text.substr(0, 40)) + "\""; });
        }
        pass_line(input, line, longest_row);
    }
    return read_out.finish(sink);
}

}  // namespace eciscope::capture
