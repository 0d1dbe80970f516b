#include "collect.hpp"

#include <algorithm>

namespace eciscope::capture::test {

namespace {

class Collector : public BlockSink {
 public:
    Collector(std::vector<Item>& items, std::size_t stop_after) : items_(items), stop_after_(stop_after) {}

    bool blocks(std::span<const BlockItem> batch) override {
        for (const BlockItem& item : batch) {
            Item kept{item.kind,          item.time,        item.stream.index(), item.lost,        item.where().record,
                      item.where().block, item.crc_flagged, item.lane_flagged,   item.crc_present, {}};
            if (item.kind == BlockItemKind::block) {
                kept.bytes.assign(item.bytes, item.bytes + block_bytes);
            }
            items_.push_back(std::move(kept));
        }
        return items_.size() < stop_after_;
    }

 private:
    std::vector<Item>& items_;
    std::size_t stop_after_;
};

std::uint64_t load_be32(const Buffer& bytes, std::size_t at) {
    return std::uint64_t{bytes[at]} << 24 | std::uint64_t{bytes[at + 1]} << 16 | std::uint64_t{bytes[at + 2]} << 8 |
           bytes[at + 3];
}

}  // namespace

std::size_t Outcome::count(BlockItemKind kind) const {
    return static_cast<std::size_t>(
        std::count_if(items.begin(), items.end(), [&](const Item& item) { return item.kind == kind; }));
}

std::vector<std::string> Outcome::story() const {
    std::vector<std::string> lines;
    for (const Item& item : items) {
        const Stream stream = Stream::of_index(item.stream);
        std::string line = std::to_string(stream.link) + "." + std::to_string(stream.from) + ":";
        switch (item.kind) {
            case BlockItemKind::block:
                line += std::to_string(load_be32(item.bytes, 0)) + "/" + std::to_string(load_be32(item.bytes, 4));
                break;
            case BlockItemKind::lost:
                line += "lost " + (item.lost == BlockItem::unknown_count ? "?" : std::to_string(item.lost));
                break;
            case BlockItemKind::restarted:
                line += "restarted";
                break;
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

Outcome run(std::vector<SourceSpec> specs, std::size_t stop_after) {
    Outcome outcome;
    auto reader = CaptureReader::open(std::move(specs));
    if (!reader) {
        outcome.open_error = reader.error().message;
        return outcome;
    }
    Diagnostics diagnostics;
    Collector collector(outcome.items, stop_after);
    outcome.finished = reader->run(collector, diagnostics);
    outcome.accounts = reader->accounts();
    outcome.base = reader->base();
    outcome.kept = diagnostics.kept();
    for (std::size_t i = 0; i < diagnostic_infos().size(); ++i) {
        const auto kind = static_cast<DiagnosticKind>(i);
        if (const std::uint64_t count = diagnostics.count_of(kind); count != 0) {
            outcome.diagnostics[std::string(eciscope::info_of(kind).name)] = count;
        }
    }
    return outcome;
}

Outcome run(const std::vector<Buffer>& sources, const RunOptions& options) {
    std::vector<SourceSpec> specs;
    for (const Buffer& source : sources) {
        SourceSpec spec;
        spec.path = "memory";
        spec.format = options.format;
        spec.raw = options.raw;
        spec.read_size = options.read_size;
        spec.memory = Bytes(source);
        specs.push_back(std::move(spec));
    }
    return run(std::move(specs), options.stop_after);
}

bool is_in_order(const std::vector<Item>& items) {
    return std::is_sorted(items.begin(), items.end(), [](const Item& a, const Item& b) {
        return std::pair(a.time, a.stream) < std::pair(b.time, b.stream);
    });
}

}  // namespace eciscope::capture::test
