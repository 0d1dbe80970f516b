// Any bytes as a logic analyser's table of messages, and as one of blocks.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "eciscope/capture/capture.hpp"
#include "eciscope/capture/ila_csv.hpp"

namespace {

using namespace eciscope;

struct Ordered final : TraceSink {
    Picoseconds last = 0;
    bool batch(const TraceBatch& batch) override {
        for (const MessageHead& head : batch.messages) {
            if (head.last < last || head.word_offset + head.word_count > batch.words.size()) {
                std::abort();
            }
            last = head.last;
        }
        return true;
    }
};

struct Blocks final : BlockSink {
    bool blocks(std::span<const BlockItem>) override { return true; }
};

void read(capture::Bytes bytes, std::size_t read_size, capture::FileKind kind) {
    capture::SourceSpec spec;
    spec.format = kind;
    spec.read_size = read_size;
    spec.memory = bytes;
    spec.stream_said = bytes.size() % 2 == 0;
    auto reader = capture::CaptureReader::open({spec});
    if (!reader) {
        return;
    }
    Blocks sink;
    Diagnostics diagnostics;
    reader->run(sink, diagnostics);
    if (!reader->accounts().sums_agree() || reader->accounts().bytes_read != bytes.size()) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::size_t read_size = size == 0 ? 1 : std::size_t{1} << (data[size - 1] % 12);
    capture::Input input = capture::Input::of_memory({data, size}, read_size);
    Ordered sink;
    Diagnostics diagnostics;
    capture::read_ila_messages(input, diagnostics.add_source("fuzz"), sink, diagnostics);
    read({data, size}, read_size, capture::FileKind::ila_blocks);
    return 0;
}
