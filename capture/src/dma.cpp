#include "eciscope/capture/dma.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "dma_messages.hpp"
#include "report.hpp"

namespace eciscope::capture {

namespace {

using Kind = DiagnosticKind;

std::uint64_t bits_of(Bytes sample, const DmaField& field, unsigned base = 0) {
    std::uint64_t value = 0;
    const unsigned first = base + field.offset;
    for (unsigned byte = first / 8; byte * 8 < first + field.width; ++byte) {
        const std::uint64_t part = sample[byte];
        value |= byte * 8 >= first ? part << (byte * 8 - first) : part >> (first - byte * 8);
    }
    return field.width == 64 ? value : value & ((std::uint64_t{1} << field.width) - 1);
}

bool is_zero(Bytes sample) {
    return std::all_of(sample.begin(), sample.end(), [](std::uint8_t c) { return c == 0; });
}

/// From one time stamp to the next, the shorter way round.
std::int64_t step(std::uint64_t from, std::uint64_t to, unsigned width) {
    const std::uint64_t distance = (to - from) << (64 - width);
    return static_cast<std::int64_t>(distance) >> (64 - width);
}

bool is_bubble(Bytes sample, const DmaMap& map, const DmaSource* source) {
    return source != nullptr && source->use == DmaSource::Use::marker && bits_of(sample, map.lost_count) == 0;
}

const DmaSource* source_of(Bytes sample, const DmaMap& map) {
    const auto found = map.sources.find(bits_of(sample, map.source));
    return found == map.sources.end() ? nullptr : &found->second;
}

/// Where time falls most from one sample to the next, the oldest sample follows the newest: a ring that went round.
/// Bubbles do not count, they may be stamped after a sample that stands behind them.
class BoundarySearch {
 public:
    explicit BoundarySearch(const DmaMap& map) : map_(map) {}

    void look(Bytes sample) {
        const std::uint64_t index = count_++;
        if (is_zero(sample) || is_bubble(sample, map_, source_of(sample, map_))) {
            return;
        }
        const std::uint64_t stamp = bits_of(sample, map_.timestamp);
        const std::int64_t distance = any_ ? step(stamp_, stamp, map_.timestamp.width) : 0;
        if (distance < deepest_) {
            deepest_ = distance;
            boundary_ = index;
        }
        stamp_ = stamp;
        any_ = true;
    }
    [[nodiscard]] std::uint64_t boundary() const { return boundary_; }  ///< 0: the ring did not go round
    [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
    const DmaMap& map_;
    std::uint64_t count_ = 0;
    std::uint64_t boundary_ = 0;
    std::uint64_t stamp_ = 0;
    std::int64_t deepest_ = 0;
    bool any_ = false;
};

class Dump {
 public:
    Dump(const DmaMap& map, std::uint32_t source, TraceSink& sink, Diagnostics& diagnostics)
        : map_(map),
          source_(source),
          diagnostics_(diagnostics),
          most_cycles_((std::uint64_t{1} << 62U) / map.cycle_ps),
          messages_(map, sink, diagnostics, accounts_) {}

    tl::expected<void, std::string> run(const DmaOpener& open) {
        auto first = open();
        if (!first) {
            return tl::unexpected(first.error());
        }
        BoundarySearch search(map_);
        for (Bytes sample = first->peek(map_.sample_bytes); sample.size() == map_.sample_bytes;
             sample = first->peek(map_.sample_bytes)) {
            search.look(sample);
            first->skip(map_.sample_bytes);
        }
        note_end(*first);
        messages_.begins_within(search.boundary() != 0);
        accounts_.wrapped = search.boundary() != 0;
        accounts_.samples = search.count();
        if (auto older = take_range(open, search.boundary(), search.count()); !older) {
            return older;
        }
        if (auto newer = take_range(open, 0, search.boundary()); !newer) {
            return newer;
        }
        messages_.finish();
        return {};
    }

    [[nodiscard]] DmaAccounts accounts() const {
        DmaAccounts result = accounts_;
        if (messages_.stopped()) {
            const std::uint64_t used = result.words + result.offers + result.lost + result.bubbles + result.unwritten +
                                       result.elsewhere + result.unknown;
            result.unread = result.samples - std::min(used, result.samples);
        }
        return result;
    }

 private:
    void note_end(Input& input) {
        const Position end{source_, input.position(), accounts_.samples, 0};
        accounts_.bytes_left = input.skip(UINT64_MAX);
        if (accounts_.bytes_left != 0) {
            report(diagnostics_, Kind::dma_partial_sample, end, [&] {
                return std::to_string(accounts_.bytes_left) + " of " + std::to_string(map_.sample_bytes) +
                       " bytes are there";
            });
        }
        if (!input.error().empty()) {
            report(diagnostics_, Kind::input_read_failed, end, [&] { return input.error(); });
        }
    }

    tl::expected<void, std::string> take_range(const DmaOpener& open, std::uint64_t from, std::uint64_t to) {
        if (from == to || messages_.stopped()) {
            return {};
        }
        auto input = open();
        if (!input) {
            return tl::unexpected(input.error());
        }
        input->skip(from * map_.sample_bytes);
        for (std::uint64_t index = from; index < to && !messages_.stopped(); ++index) {
            const Bytes sample = input->peek(map_.sample_bytes);
            if (sample.size() < map_.sample_bytes) {
                accounts_.samples -= to - index;  // cut since it was looked at
                break;
            }
            take(sample, {source_, input->position(), index, 0});
            input->skip(map_.sample_bytes);
        }
        return {};
    }

    /// The time stamp on a line that goes on where the counter wraps.
    std::uint64_t cycles_at(std::uint64_t stamp, const Position& where) {
        const std::int64_t distance = any_ ? step(stamp_, stamp, map_.timestamp.width) : 0;
        if (!std::exchange(any_, true)) {
            cycles_ = std::min(stamp, most_cycles_);
        } else if (distance >= 0) {
            cycles_ = std::min(cycles_ + static_cast<std::uint64_t>(distance), most_cycles_);
        } else {
            report(diagnostics_, Kind::dma_time_backwards, where,
                   [&] { return std::to_string(-distance) + " cycles"; });
        }
        stamp_ = stamp;
        return cycles_;
    }

    void take(Bytes sample, const Position& where) {
        if (is_zero(sample)) {
            ++accounts_.unwritten;
            return;
        }
        const DmaSource* source = source_of(sample, map_);
        if (is_bubble(sample, map_, source)) {
            ++accounts_.bubbles;
            return;
        }
        const std::uint64_t cycles = cycles_at(bits_of(sample, map_.timestamp), where);
        if (source == nullptr) {
            ++accounts_.unknown;
            report(diagnostics_, Kind::dma_source_unknown, where,
                   [&] { return "source " + std::to_string(bits_of(sample, map_.source)); });
        } else if (source->use == DmaSource::Use::elsewhere) {
            ++accounts_.elsewhere;
        } else {
            losses_ += source->use == DmaSource::Use::marker ? 1 : 0;
            messages_.push(read_out(sample, *source, cycles, where));
        }
        messages_.up_to(cycles);
    }

    DmaSample read_out(Bytes sample, const DmaSource& source, std::uint64_t cycles, const Position& where) {
        DmaSample result;
        result.source = &source;
        result.where = where;
        result.order = order_++;
        result.losses = losses_;
        result.cycles = cycles - std::min(source.stages, cycles);
        if (source.use == DmaSource::Use::marker) {
            result.word = bits_of(sample, map_.lost_count);
            return result;
        }
        result.word = bits_of(sample, map_.header);
        result.vc = bits_of(sample, map_.vc);
        result.accepted = !map_.accepted || bits_of(sample, *map_.accepted) != 0;
        return result;
    }

    const DmaMap& map_;
    std::uint32_t source_;
    Diagnostics& diagnostics_;
    std::uint64_t most_cycles_;
    DmaAccounts accounts_;
    DmaMessages messages_;
    std::uint64_t stamp_ = 0;
    std::uint64_t cycles_ = 0;
    std::uint64_t losses_ = 0;
    std::uint64_t order_ = 0;
    bool any_ = false;
};

}  // namespace

tl::expected<DmaAccounts, std::string> read_dma(const DmaOpener& open, const DmaMap& map, std::uint32_t source,
                                                TraceSink& sink, Diagnostics& diagnostics) {
    report(diagnostics, Kind::data_not_captured, {source, 0, 0, 0},
           [] { return std::string("the trace buffer holds headers"); });
    Dump dump(map, source, sink, diagnostics);
    if (auto run = dump.run(open); !run) {
        return tl::unexpected(run.error());
    }
    return dump.accounts();
}

}  // namespace eciscope::capture
