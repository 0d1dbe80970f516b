#include "eciscope/capture/hex.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "hex_line.hpp"
#include "report.hpp"
#include "store.hpp"
#include "text_table.hpp"

namespace eciscope::capture {

namespace {

using Kind = DiagnosticKind;

constexpr std::size_t longest_text = 4096;
constexpr std::size_t certain_bytes = 16;  ///< so much hexadecimal text in a line is no chance
/// A record is pushed before any stream has gone on for so long without it.
constexpr std::uint64_t longest_record_ns = 1'000'000;

bool is_blank(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos || text[first] == '#';
}

/// Blocks of each stream gathered into records.
class Records {
 public:
    Records(const RawOptions& options, std::uint32_t source, std::uint64_t& records, Merger& merger)
        : options_(options), source_(source), records_(records), merger_(merger) {
        options_.block_time = std::clamp<std::uint32_t>(options_.block_time, 1, UINT32_MAX / (2 * most_blocks));
        next_.fill({options_.start_ns, 0});
    }

    void add(Stream stream, std::optional<HexTime> said, Bytes block, std::uint64_t offset, std::uint64_t bytes) {
        const HexTime time = said.value_or(next_[stream.index()]);
        const std::uint64_t next_ps = std::uint64_t{time.ps} + options_.block_time;
        next_[stream.index()] = {time.ns + next_ps / 1000, static_cast<std::uint32_t>(next_ps % 1000)};
        const bool too_long = std::any_of(gathered_.begin(), gathered_.end(), [time](const Gathered& one) {
            return !one.entries.empty() && time.ns > one.first.ns + longest_record_ns;
        });
        if (too_long) {
            push_all();
        }
        Gathered& to = gathered_[stream.index()];
        if (to.entries.size() == most_blocks * entry_bytes || (!to.entries.empty() && time < to.last)) {
            push(stream.index());
        }
        if (to.entries.empty()) {
            to.first = time;
            to.offset = offset;
        }
        to.last = time;
        to.input_bytes += bytes;
        std::array<std::uint8_t, entry_bytes> entry{};
        store_entry_header(entry.data(), (time.ns - to.first.ns) * 1000 + time.ps);
        std::memcpy(entry.data() + entry_header_bytes, block.data(), block_bytes);
        to.entries.insert(to.entries.end(), entry.begin(), entry.end());
    }

    void push_all() {
        std::array<std::size_t, stream_count> order = {0, 1, 2, 3};
        std::stable_sort(order.begin(), order.end(),
                         [this](std::size_t a, std::size_t b) { return gathered_[a].first < gathered_[b].first; });
        for (const std::size_t index : order) {
            push(index);
        }
    }

 private:
    struct Gathered {
        std::vector<std::uint8_t> entries;
        HexTime first;
        HexTime last;
        std::uint64_t offset = 0;
        std::uint64_t input_bytes = 0;
        std::uint32_t sequence = 0;
    };

    void push(std::size_t index) {
        Gathered& one = gathered_[index];
        if (one.entries.empty()) {
            return;
        }
        Record record;
        record.stream = Stream::of_index(index);
        record.sequence = ++one.sequence;  // 0 would say that the interposer begins here
        record.time_ns = one.first.ns;
        record.entries = one.entries;
        record.where = {source_, one.offset, records_++, 0};
        record.input_bytes = one.input_bytes;
        merger_.push(record);
        one.entries.clear();
        one.input_bytes = 0;
    }

    RawOptions options_;
    std::uint32_t source_;
    std::uint64_t& records_;
    Merger& merger_;
    std::array<Gathered, stream_count> gathered_;
    std::array<HexTime, stream_count> next_{};  ///< when a block comes whose time is not said
};

class Text {
 public:
    Text(const RawOptions& options, bool stream_said, std::uint32_t source, std::uint64_t& records, Merger& merger,
         Accounts& accounts, Diagnostics& diagnostics)
        : source_(source),
          number_(records),
          records_(options, source, records, merger),
          accounts_(accounts),
          diagnostics_(diagnostics) {
        if (stream_said) {
            link_ = options.stream.link;
            from_ = options.stream.from;
        }
    }

    void blank(std::uint64_t bytes) {
        end_block();
        lost_its_place_ = false;
        accounts_.bytes_container += bytes;
    }

    /// A line that is none takes its block with it.
    void malformed(std::string_view text, std::uint64_t offset, std::uint64_t bytes) {
        report(diagnostics_, Kind::hex_line_malformed, {source_, offset, number_, 0},
               [text] { return "\"" + std::string(text.substr(0, 40)) + "\""; });
        accounts_.bytes_damaged += bytes + std::exchange(held_bytes_, 0);
        held_.clear();
        lost_its_place_ = true;
    }

    void take(const HexLine& line, std::uint64_t offset, std::uint64_t bytes) {
        const bool begins = line.sets() || (line.offset && *line.offset % block_bytes == 0);
        if (begins) {
            end_block();
        }
        const bool whole_blocks = held_.empty() && line.bytes.size() % block_bytes == 0;
        lost_its_place_ = lost_its_place_ && !begins && !whole_blocks;
        link_ = line.link ? line.link : link_;
        from_ = line.from ? line.from : from_;
        time_ = line.time ? line.time : time_;
        if (lost_its_place_) {
            accounts_.bytes_damaged += bytes;
            return;
        }
        if (held_.empty()) {
            offset_ = offset;
        }
        held_bytes_ += bytes;
        held_.insert(held_.end(), line.bytes.begin(), line.bytes.end());
        std::size_t at = 0;
        for (; held_.size() - at >= block_bytes; at += block_bytes) {
            block(Bytes(held_).subspan(at, block_bytes));
        }
        held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(at));
        if (held_.empty()) {
            accounts_.bytes_container += std::exchange(held_bytes_, 0);  // of a line that only sets something
        }
    }

    void finish() {
        end_block();
        records_.push_all();
    }

 private:
    void block(Bytes bytes) {
        const Position where{source_, offset_, number_, 0};
        const std::uint64_t input_bytes = std::exchange(held_bytes_, 0);
        const auto time = std::exchange(time_, std::nullopt);
        if (link_ && from_) {
            records_.add({*link_, *from_}, time, bytes, offset_, input_bytes);
            return;
        }
        report(diagnostics_, Kind::hex_stream_unknown, where, [] { return std::string(); });
        accounts_.bytes_damaged += input_bytes;
    }

    /// A block that is not whole is none.
    void end_block() {
        if (!held_.empty()) {
            report(diagnostics_, Kind::hex_partial_block, {source_, offset_, number_, 0},
                   [&] { return std::to_string(held_.size()) + " of 64 bytes are there"; });
            held_.clear();
        }
        accounts_.bytes_damaged += std::exchange(held_bytes_, 0);
    }

    std::uint32_t source_;
    std::uint64_t& number_;
    Records records_;
    Accounts& accounts_;
    Diagnostics& diagnostics_;
    std::optional<std::uint8_t> link_;
    std::optional<std::uint8_t> from_;
    std::optional<HexTime> time_;     ///< of the next block
    std::vector<std::uint8_t> held_;  ///< of a block that is not whole yet
    std::uint64_t held_bytes_ = 0;    ///< of the input, which no block has yet
    std::uint64_t offset_ = 0;        ///< where the block begins
    bool lost_its_place_ = false;     ///< behind a line that is none, until a block begins for certain
};

/// Behind its last line, hexdump writes the length as an offset with nothing behind it.
bool is_length(const HexLine& line, std::string_view text, bool after_dump) {
    return after_dump && !line.sets() && line.bytes.size() >= 3 && line.bytes.size() <= 8 &&
           text.find_first_of(" \t") == std::string_view::npos;
}

}  // namespace

bool looks_like_hex(Bytes head) {
    std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
        if (is_blank(line)) {
            continue;
        }
        const auto parsed = parse_hex_line(line);
        if (!parsed || !parsed->bytes.empty() || !parsed->sets()) {
            return parsed && parsed->bytes.size() >= certain_bytes;
        }
    }
    return false;
}

void read_hex(Input& input, const RawOptions& options, bool stream_said, std::uint32_t source, std::uint64_t& records,
              Merger& merger, Accounts& accounts, Diagnostics& diagnostics) {
    Text blocks(options, stream_said, source, records, merger, accounts, diagnostics);
    bool after_dump = false;
    while (!merger.stopped()) {
        const std::uint64_t offset = input.position();
        const TableLine line = next_line(input, longest_text);
        if (line.bytes == 0) {
            break;
        }
        const bool blank = line.whole && is_blank(line.text);
        const auto parsed = line.whole && !blank ? parse_hex_line(line.text) : std::nullopt;
        if (blank || (parsed && is_length(*parsed, line.text, after_dump))) {
            blocks.blank(pass_line(input, line, longest_text));
        } else if (parsed) {
            after_dump = parsed->offset.has_value();
            blocks.take(*parsed, offset, line.bytes);
            (void)pass_line(input, line, longest_text);
        } else {
            const std::string text(line.text.substr(0, 40));
            blocks.malformed(text, offset, pass_line(input, line, longest_text));
        }
    }
    blocks.finish();
}

}  // namespace eciscope::capture
