// Runs a reader over memory and keeps everything that came out, with a short text for every item.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "builder.hpp"
#include "eciscope/capture/capture.hpp"

namespace eciscope::capture::test {

struct Item {
    BlockItemKind kind{};
    Picoseconds time = 0;
    std::size_t stream = 0;
    std::uint64_t lost = 0;
    std::uint64_t record = 0;
    std::uint32_t block = 0;
    bool crc_flagged = false;
    bool lane_flagged = false;
    bool crc_present = true;
    Buffer bytes;

    friend bool operator==(const Item&, const Item&) = default;
};

struct Outcome {
    std::vector<Item> items;
    Accounts accounts;
    TimeBase base;
    std::map<std::string, std::uint64_t> diagnostics;  ///< counts by name
    std::vector<Diagnostic> kept;
    std::string open_error;
    bool finished = false;

    [[nodiscard]] std::size_t count(BlockItemKind kind) const;
    /// "link.from:sequence/block" for blocks of RecordBuilder, "lost 3", "lost ?", "restarted"; markers are told of one
    /// stream each as "link.from:lost 3".
    [[nodiscard]] std::vector<std::string> story() const;
};

struct RunOptions {
    std::size_t read_size = Input::default_read_size;
    std::optional<FileKind> format;
    RawOptions raw;
    std::size_t stop_after = ~std::size_t{0};  ///< items, then the sink asks to stop
};

[[nodiscard]] Outcome run(const std::vector<Buffer>& sources, const RunOptions& options = {});
[[nodiscard]] Outcome run(std::vector<SourceSpec> specs, std::size_t stop_after = ~std::size_t{0});

/// Items go forward in time, ties by stream: what the sink is promised of a sound capture.
[[nodiscard]] bool is_in_order(const std::vector<Item>& items);

}  // namespace eciscope::capture::test
