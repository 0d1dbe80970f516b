// Any bytes as a table of messages.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "eciscope/capture/sys_csv.hpp"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::size_t read_size = size == 0 ? 1 : std::size_t{1} << (data[size - 1] % 12);
    capture::Input input = capture::Input::of_memory({data, size}, read_size);
    Ordered sink;
    Diagnostics diagnostics;
    capture::read_sys_csv(input, diagnostics.add_source("fuzz"), sink, diagnostics);
    return 0;
}
