// Any bytes as the map of a dump and the dump behind it. The map ends with a line feed of its own line ("\n\n").

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "eciscope/capture/dma.hpp"

namespace {

using namespace eciscope;

struct Ordered final : TraceSink {
    Picoseconds last = 0;
    bool batch(const TraceBatch& batch) override {
        for (const MessageHead& head : batch.messages) {
            if (head.last < last || head.first > head.last || head.word_offset + head.word_count > batch.words.size()) {
                std::abort();
            }
            last = head.last;
        }
        return true;
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(all.find("\n\n"), size);
    const capture::Bytes dump(data + std::min(end + 2, size), size - std::min(end + 2, size));
    const auto point = static_cast<capture::TracePoint>(size % 3);
    const auto map = capture::parse_dma_map(all.substr(0, end), point);
    if (!map) {
        return 0;
    }
    Ordered sink;
    Diagnostics diagnostics;
    const auto open = [dump]() -> tl::expected<capture::Input, std::string> { return capture::Input::of_memory(dump); };
    const auto accounts = capture::read_dma(open, *map, diagnostics.add_source("fuzz"), sink, diagnostics);
    if (!accounts || !accounts->sums_agree() ||
        accounts->samples * map->sample_bytes + accounts->bytes_left != dump.size()) {
        std::abort();
    }
    return 0;
}
