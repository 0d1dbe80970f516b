// What the fuzz targets of tables and text demand of a reader, whatever the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "eciscope/capture/capture.hpp"
#include "eciscope/decoder/message.hpp"

namespace eciscope::capture::fuzz {

/// From the last byte, so that the same bytes are always read in the same pieces.
inline std::size_t read_size_of(Bytes bytes) {
    return bytes.empty() ? 1 : std::size_t{1} << (bytes.back() % 12);
}

/// Messages come in order of completion, with their words.
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

/// Every byte ends in an account.
inline void read_blocks(Bytes bytes, FileKind kind) {
    SourceSpec spec;
    spec.format = kind;
    spec.read_size = read_size_of(bytes);
    spec.memory = bytes;
    spec.stream_said = bytes.size() % 2 == 0;
    auto reader = CaptureReader::open({spec});
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

/// `read` is a reader of a table of messages.
template <class Read>
void read_messages(Bytes bytes, Read read) {
    Input input = Input::of_memory(bytes, read_size_of(bytes));
    Ordered sink;
    Diagnostics diagnostics;
    read(input, diagnostics.add_source("fuzz"), sink, diagnostics);
}

}  // namespace eciscope::capture::fuzz
