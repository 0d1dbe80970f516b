// Any bytes as a capture, read as what they look like and as what they are not, in portions of any size.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "eciscope/capture/capture.hpp"

namespace {

using namespace eciscope;
using namespace eciscope::capture;

class Touch : public BlockSink {
 public:
    bool blocks(std::span<const BlockItem> items) override {
        for (const BlockItem& item : items) {
            const bool is_block = item.kind == BlockItemKind::block;
            sum_ += is_block ? item.bytes[0] + item.bytes[block_bytes - 1] : static_cast<unsigned>(item.lost);
        }
        return true;
    }

 private:
    std::uint64_t sum_ = 0;
};

void read(Bytes bytes, std::optional<FileKind> format, std::size_t read_size) {
    // In two files, so that the joint is reached as well.
    SourceSpec spec;
    spec.format = format;
    spec.read_size = read_size;
    spec.memory = bytes;
    auto reader = CaptureReader::open({spec, spec});
    if (!reader) {
        return;
    }
    Touch sink;
    Diagnostics diagnostics;
    reader->run(sink, diagnostics);
    // A byte or block that is in no account, or in two, is a defect as much as a crash.
    if (!reader->accounts().sums_agree() || reader->accounts().bytes_read != 2 * bytes.size()) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes(data, size);
    const std::size_t read_size = size == 0 ? 1 : std::size_t{1} << (data[size - 1] % 16);
    read(bytes, std::nullopt, read_size);
    if (size != 0 && data[0] % 4 == 1) {
        read(bytes, FileKind::raw_blocks, read_size);
    }
    return 0;
}
