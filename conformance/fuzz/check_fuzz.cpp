// Any messages and events through the checker: whatever they are, its sums agree and its findings are in order.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "eciscope/conformance/checker.hpp"

namespace {

using namespace eciscope;
using namespace eciscope::conformance;

constexpr std::size_t message_bytes = 11;  // kind, circuit, step of time, header

struct InOrder final : FindingSink {
    std::uint64_t last = 0;
    void violation(const Violation& v) override {
        if (v.message.number < last) {
            std::abort();
        }
        last = v.message.number;
    }
    void owed(const OwedReply& o) override {
        if (o.age < 0) {
            std::abort();
        }
    }
};

TraceBatch batch_of(const std::uint8_t* data, std::size_t size) {
    TraceBatch batch;
    Picoseconds time = 0;
    for (std::size_t at = 0; at + message_bytes <= size; at += message_bytes) {
        const std::uint8_t* one = data + at;
        time += one[2] * 100;
        const Stream stream = Stream::of_index(one[0] % stream_count);
        if (one[0] >= 0xf0) {
            Event event;
            event.time = time;
            event.kind = static_cast<EventKind>(one[1] % 10);
            event.detail = one[3];
            event.block = one[4];
            event.count = one[5];
            event.before = static_cast<std::uint32_t>(batch.messages.size());
            event.stream = stream;
            batch.events.push_back(event);
            continue;
        }
        MessageHead head;
        head.first = time;
        head.last = time;
        head.first_block = one[2];
        head.word_offset = static_cast<std::uint32_t>(batch.words.size());
        head.word_count = 1;
        head.vc = one[1] % vc_count;
        head.stream = stream;
        std::uint64_t header = 0;
        std::memcpy(&header, one + 3, sizeof header);
        batch.words.push_back(header);
        batch.messages.push_back(head);
    }
    return batch;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    CheckOptions options;
    options.profile = &profiles()[data[0] % profiles().size()];
    options.tap = static_cast<Tap>(data[0] / 16 % tap_count);
    options.every_violation = data[0] % 2 == 0;
    options.most_explained = 20;
    options.remembered = 64;
    InOrder findings;
    Checker checker(options, findings);
    const TraceBatch batch = batch_of(data + 1, size - 1);
    checker.batch(batch);
    checker.batch(batch);
    const Summary summary = checker.finish();
    if (!summary.sums_agree() || summary.messages != 2 * batch.messages.size()) {
        std::abort();
    }
    return 0;
}
