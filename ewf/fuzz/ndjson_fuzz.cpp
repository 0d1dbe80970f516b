// Any bytes as a JSON trace: read in two ways with the same result, and what comes out is stable when written and read
// again.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "eciscope/ewf/ndjson_reader.hpp"
#include "eciscope/ewf/ndjson_writer.hpp"
#include "eciscope/ewf/text_writer.hpp"

namespace {

using namespace eciscope;

class Bytes final : public ewf::ByteStream {
 public:
    Bytes(std::span<const std::uint8_t> bytes, std::size_t step) : bytes_(bytes), step_(step) {}
    ewf::Expected<std::size_t> read(std::span<std::uint8_t> into) override {
        const std::size_t count = std::min({into.size(), bytes_.size(), step_});
        std::copy_n(bytes_.begin(), count, into.begin());
        bytes_ = bytes_.subspan(count);
        return count;
    }

 private:
    std::span<const std::uint8_t> bytes_;
    std::size_t step_;
};

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

struct Read {
    std::vector<std::uint8_t> written;
    std::vector<std::uint64_t> counts;
};

/// Reads and writes again.
Read read(std::span<const std::uint8_t> bytes, std::size_t step, ewf::JsonForm form) {
    Diagnostics diagnostics;
    Bytes stream(bytes, step);
    ewf::NdjsonReader reader(stream, diagnostics, "fuzz", {.batch_messages = 8, .read_bytes = step});
    ewf::MemorySink sink;
    ewf::NdjsonWriter writer(sink, form);
    TraceBatch batch;
    bool first = true;
    bool good = true;
    std::string lines;
    while (*reader.next(batch)) {
        if (first) {
            writer.set_header({reader.time_base(), reader.metadata(), reader.provenance(), reader.first_message()});
            first = false;
        }
        good = writer.batch(batch) && good;
        ewf::TextState state;
        state.base = reader.time_base();
        append_text(batch, {}, state, lines);
    }
    if (first) {
        writer.set_header({reader.time_base(), reader.metadata(), reader.provenance(), 0});
    }
    require(writer.finish().has_value() == good);
    require(reader.accounts().sums_agree());
    Read result;
    result.written = sink.bytes();
    for (const DiagnosticInfo& info : diagnostic_infos()) {
        result.counts.push_back(diagnostics.count_of(static_cast<DiagnosticKind>(&info - diagnostic_infos().data())));
    }
    return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::uint8_t> bytes(data, size);
    static_cast<void>(ewf::looks_like_json_trace(bytes));
    const Read whole = read(bytes, 3000, ewf::JsonForm::lines);
    const Read pieces = read(bytes, 7, ewf::JsonForm::lines);
    require(whole.written == pieces.written && whole.counts == pieces.counts);
    const Read again = read(whole.written, 4096, ewf::JsonForm::lines);
    const Read array = read(read(bytes, 4096, ewf::JsonForm::array).written, 4096, ewf::JsonForm::lines);
    require(again.written == whole.written && array.written == whole.written);
    return 0;
}
