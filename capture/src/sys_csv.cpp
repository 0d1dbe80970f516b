#include "eciscope/capture/sys_csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clocks.hpp"
#include "report.hpp"
#include "text_table.hpp"

namespace eciscope::capture {

namespace {

constexpr std::size_t columns = 9;
constexpr std::uint64_t circuits = 16;
constexpr std::uint64_t first_source_out = 3;  // src 0 to 2 came from the CPU, 3 to 5 went to it
constexpr std::uint64_t sources = 6;

struct Row {
    std::uint64_t cycles = 0;
    std::uint64_t header = 0;
    std::uint8_t vc = 0;
    std::uint8_t from = 0;
};

struct NamedRow {
    std::string_view run;
    Row row;
};

std::optional<NamedRow> parse(std::string_view line) {
    const auto cells = split_cells<columns>(line);
    if (!cells) {
        return std::nullopt;
    }
    const auto cycles = parse_number((*cells)[4], 10);
    const auto vc = parse_number((*cells)[5], 10);
    const auto src = parse_number((*cells)[6], 10);
    const auto header = (*cells)[8].size() == 16 ? parse_number((*cells)[8], 16) : std::nullopt;
    if (!cycles || !vc || !src || !header || *vc >= circuits || *src >= sources) {
        return std::nullopt;
    }
    const std::uint8_t from = *src >= first_source_out ? 1 : 0;
    return NamedRow{(*cells)[0], {*cycles, *header, static_cast<std::uint8_t>(*vc), from}};
}

class Runs {
 public:
    explicit Runs(TraceSink& sink) : sink_(sink) {}

    /// False if the row does not fit into its run any more.
    bool add(const NamedRow& named) {
        if (named.run != name_) {
            finish();
            name_ = named.run;
        }
        if (rows_.size() == sys_most_rows) {
            return false;
        }
        rows_.push_back(named.row);
        return true;
    }

    void finish() {
        if (rows_.empty() || stopped_) {
            return;
        }
        std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.cycles < b.cycles; });
        TraceBatch batch;
        if (start_ != 0) {
            tell_restart(batch);
        }
        for (const Row& row : rows_) {
            add_message(batch, row);
        }
        start_ = (batch.messages.back().last / picoseconds_per_second + 2) * picoseconds_per_second;
        stopped_ = !sink_.batch(batch);
        rows_.clear();
    }

    [[nodiscard]] bool stopped() const { return stopped_; }

 private:
    void tell_restart(TraceBatch& batch) const {
        for (std::size_t stream = 0; stream < stream_count; ++stream) {
            Event event;
            event.time = start_;
            event.kind = EventKind::restarted;
            event.stream = Stream::of_index(stream);
            batch.events.push_back(event);
        }
    }

    void add_message(TraceBatch& batch, const Row& row) const {
        MessageHead head;
        head.first = start_ + time_of_sys_cycles(row.cycles - rows_.front().cycles);
        head.last = head.first;
        head.word_offset = static_cast<std::uint32_t>(batch.words.size());
        head.word_count = 1;
        head.vc = row.vc;
        head.stream.from = row.from;
        batch.words.push_back(row.header);
        batch.messages.push_back(head);
    }

    TraceSink& sink_;
    std::string name_;
    std::vector<Row> rows_;
    Picoseconds start_ = 0;
    bool stopped_ = false;
};

}  // namespace

bool read_sys_csv(Input& input, std::uint32_t source, TraceSink& sink, Diagnostics& diagnostics) {
    report(diagnostics, DiagnosticKind::data_not_captured, {source, 0, 0, 0},
           [] { return std::string("the table holds headers"); });
    Runs runs(sink);
    std::uint64_t number = 0;
    while (!runs.stopped()) {
        const std::uint64_t offset = input.position();
        const TableLine line = next_line(input);
        if (line.bytes == 0) {
            break;
        }
        const std::optional<NamedRow> row = line.whole ? parse(line.text) : std::nullopt;
        const bool is_heading = line.whole && (line.text.empty() || line.text.starts_with("run,"));
        if (!is_heading && (!row || !runs.add(*row))) {
            report(diagnostics, DiagnosticKind::csv_line_malformed, {source, offset, number, 0},
                   [&] { return "\"" + std::string(line.text.substr(0, 40)) + "\""; });
        }
        ++number;
        pass_line(input, line);
    }
    runs.finish();
    return !runs.stopped();
}

}  // namespace eciscope::capture
