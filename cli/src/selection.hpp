// Which part of a trace is wanted, and a sink that passes on only that.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/reader.hpp"
#include "figures.hpp"

namespace eciscope::cli {

struct LineWish {
    std::optional<std::uint8_t> home;  ///< both homes if absent
    std::uint64_t aliased_cli = 0;
};

/// "0x41941000", "0x41941000@1", or with the aliased index "a:0x833130@1".
[[nodiscard]] std::optional<LineWish> parse_line(const std::string& text);

/// "100..200", "100..", "..200"; the end is not included.
struct MessageRange {
    std::uint64_t first = 0;
    std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
};
[[nodiscard]] std::optional<MessageRange> parse_range(const std::string& text);

/// Everything in it must hold; of each list one must.
struct Selection {
    std::optional<TimeWish> from_time;  ///< completion at this time or later
    std::optional<TimeWish> to_time;    ///< completion before this time
    MessageRange messages;
    std::set<std::uint8_t> vcs;
    std::set<std::string, std::less<>> ops;
    std::set<std::string, std::less<>> classes;
    std::vector<LineWish> lines;

    [[nodiscard]] bool by_range() const { return messages.first != 0 || messages.end != MessageRange{}.end; }
    /// Whether messages within the range of time and numbers are picked.
    [[nodiscard]] bool picks() const { return !(vcs.empty() && ops.empty() && classes.empty() && lines.empty()); }
};

/// Passes on the selected messages, and the events that whoever reads the part must know of: those of the links within
/// its time, and those of circuits of which messages are passed on.
class Selector final : public TraceSink {
 public:
    Selector(const Selection& selection, TraceSink& sink);

    /// Before the first batch: times are relative to the trace's first message or event.
    void begin(TimeBase base);
    /// Number in the trace of the next batch's first message, where batches before it are left out.
    void skip_to_message(std::uint64_t number) { number_ = number; }

    bool batch(const TraceBatch& batch) override;

    [[nodiscard]] std::uint64_t seen() const { return seen_; }
    [[nodiscard]] std::uint64_t passed() const { return passed_; }

    /// Whether a chunk holds anything that is wanted, as far as the index can tell.
    [[nodiscard]] bool may_hold(const ewf::ChunkInfo& chunk) const;
    /// The time from the start of the trace is known to be this.
    void set_start(Picoseconds start);

 private:
    [[nodiscard]] bool wants(const TraceBatch& batch, const MessageHead& message) const;
    [[nodiscard]] bool wants(const Event& event) const;
    [[nodiscard]] bool is_over(Picoseconds time) const { return time >= to_ || number_ >= selection_.messages.end; }

    const Selection& selection_;
    TraceSink& sink_;
    TraceBatch part_;
    TimeBase base_;
    std::array<bool, 256> vcs_{};
    Picoseconds from_ = std::numeric_limits<Picoseconds>::min();
    Picoseconds to_ = std::numeric_limits<Picoseconds>::max();
    bool started_ = false;
    std::uint64_t number_ = 0;
    std::uint64_t seen_ = 0;
    std::uint64_t passed_ = 0;
};

}  // namespace eciscope::cli
