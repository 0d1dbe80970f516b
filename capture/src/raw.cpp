#include "eciscope/capture/raw.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "report.hpp"
#include "store.hpp"

namespace eciscope::capture {

RawReader::RawReader(Input& input, const RawOptions& options, std::uint32_t source, RawProgress& progress)
    : input_(&input), options_(options), source_(source), progress_(&progress) {
    // An entry's time must fit 32 bits, and a stream's time must not stand still.
    options_.block_time = std::clamp<std::uint32_t>(options_.block_time, 1, UINT32_MAX / (2 * most_blocks));
}

bool RawReader::step(Merger& merger, Accounts& accounts, Diagnostics& diagnostics, std::uint64_t record_number) {
    const std::uint64_t offset = input_->position();
    const Bytes there = input_->peek(most_blocks * block_bytes);
    const std::size_t count = there.size() / block_bytes;
    const Position where{source_, offset, record_number, 0};
    if (count == 0) {
        accounts.bytes_damaged += input_->skip(there.size());
        if (!there.empty()) {
            report(diagnostics, DiagnosticKind::raw_partial_block, where, options_.stream,
                   [&] { return std::to_string(there.size()) + " of 64 bytes are there"; });
        }
        return false;
    }
    const std::uint64_t first_ps = progress_->blocks * options_.block_time;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint8_t* entry = entries_.data() + i * entry_bytes;
        store_entry_header(entry, first_ps % 1000 + i * options_.block_time);
        std::memcpy(entry + entry_header_bytes, there.data() + i * block_bytes, block_bytes);
    }
    Record record;
    record.stream = options_.stream;
    record.sequence = ++progress_->records;  // 0 would say that the interposer begins here
    record.time_ns = options_.start_ns + first_ps / 1000;
    record.entries = Bytes(entries_.data(), count * entry_bytes);
    record.where = where;
    record.input_bytes = input_->skip(count * block_bytes);
    progress_->blocks += count;
    return merger.push(record);
}

}  // namespace eciscope::capture
