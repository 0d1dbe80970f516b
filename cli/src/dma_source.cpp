#include "dma_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "eciscope/capture/dma.hpp"

namespace eciscope::cli {

namespace {

/// A ring is read twice. What comes from a pipe has to be kept for that, and only so much is.
constexpr std::size_t most_kept = std::size_t{1} << 30;

std::vector<std::uint8_t> read_up_to(capture::Input& input, std::size_t most) {
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> portion(std::size_t{1} << 18);
    for (std::size_t count = input.read(portion); count != 0 && bytes.size() <= most; count = input.read(portion)) {
        bytes.insert(bytes.end(), portion.begin(), portion.begin() + static_cast<std::ptrdiff_t>(count));
    }
    return bytes;
}

Result<capture::DmaMap> read_map(const InputOptions& options) {
    if (options.map.empty()) {
        return fail(Exit::usage, "a trace buffer's dump does not say how it is laid out",
                    "Give --map with the JSON that was generated with the hardware (lauberhorn_trace_dma_map.json).");
    }
    auto input = capture::Input::open(options.map);
    if (!input) {
        return fail(Exit::damaged, fmt::format("cannot read {}: {}", options.map, input.error()));
    }
    const auto bytes = read_up_to(*input, capture::dma_longest_map);
    const auto& names = trace_point_names();
    const auto point = std::find(names.begin(), names.end(), options.point.empty() ? "sys" : options.point);
    auto map = capture::parse_dma_map({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                                      static_cast<capture::TracePoint>(point - names.begin()));
    if (!map) {
        return fail(Exit::damaged,
                    fmt::format("{}: this is no usable map of a trace buffer: {}", options.map, map.error()),
                    "docs/capture.md says what a map has to hold.");
    }
    return std::move(*map);
}

class DmaTraceSource final : public TraceSource {
 public:
    DmaTraceSource(std::string path, capture::DmaMap map, Diagnostics& diagnostics)
        : path_(std::move(path)),
          map_(std::move(map)),
          number_(diagnostics.add_source(path_)),
          diagnostics_(diagnostics) {}

    void keep(std::vector<std::uint8_t> bytes) { kept_ = std::move(bytes); }

    Result<void> run(TraceSink& sink) override {
        const capture::DmaOpener open = [this]() -> tl::expected<capture::Input, std::string> {
            return kept_ ? capture::Input::of_memory(*kept_) : capture::Input::open(path_);
        };
        auto accounts = capture::read_dma(open, map_, number_, sink, diagnostics_);
        if (!accounts) {
            return fail(Exit::damaged, fmt::format("cannot read {}: {}", path_, accounts.error()));
        }
        accounts_ = *accounts;
        return {};
    }
    [[nodiscard]] TimeBase time_base() const override { return {}; }
    [[nodiscard]] std::string kind() const override { return "dump of a trace buffer"; }
    [[nodiscard]] bool tells_links_apart() const override { return map_.tells_links; }
    [[nodiscard]] const capture::DmaAccounts* dma_accounts() const override { return &accounts_; }
    [[nodiscard]] ProgressFigures figures() const override {
        return {accounts_.samples * map_.sample_bytes + accounts_.bytes_left, std::nullopt, 0};
    }

 private:
    std::string path_;
    capture::DmaMap map_;
    std::uint32_t number_;
    Diagnostics& diagnostics_;
    std::optional<std::vector<std::uint8_t>> kept_;
    capture::DmaAccounts accounts_;
};

}  // namespace

const std::vector<std::string>& trace_point_names() {
    static const std::vector<std::string> names = {"sys", "app", "boundary"};  // in the order of TracePoint
    return names;
}

Result<std::unique_ptr<TraceSource>> open_dma(const InputOptions& options, bool is_regular, Diagnostics& diagnostics) {
    auto map = read_map(options);
    if (!map) {
        return tl::unexpected<Failure>(map.error());
    }
    const std::string& path = options.files.front();
    auto input = capture::Input::open(path);
    if (!input) {
        return fail(Exit::damaged, fmt::format("cannot read {}: {}", path, input.error()));
    }
    auto source = std::make_unique<DmaTraceSource>(path, std::move(*map), diagnostics);
    if (!is_regular || path == "-") {
        auto bytes = read_up_to(*input, most_kept);
        if (bytes.size() > most_kept) {
            return fail(Exit::usage, "the dump is too long to be read from a pipe, since a ring is read twice",
                        "Write it to a file and give that.");
        }
        source->keep(std::move(bytes));
    }
    return source;
}

}  // namespace eciscope::cli
