// An index file as hostile bytes: whatever they are, the outcome is an index whose every question has an answer, or an
// error. Hashes are made to fit, so that what stands behind them is reached.

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "index.hpp"
#include "trace_model.hpp"

namespace {

using namespace eciscope;
using namespace eciscope::view;

constexpr std::uint64_t most_looked_at = 1000;

std::shared_ptr<const Index> opened(const std::vector<std::uint8_t>& bytes, bool verify) {
    const FileHandle file(::memfd_create("index", MFD_CLOEXEC));
    if (!file.is_open() || !file.write_at(0, bytes)) {
        return nullptr;
    }
    const auto index = Index::open(file, verify);
    return index ? *index : nullptr;
}

/// The header's hashes and lengths as they have to be.
void make_fit(std::vector<std::uint8_t>& bytes) {
    IndexHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::uint64_t rest = bytes.size() - sizeof header;
    header.magic = index_magic;
    header.version = index_version;
    header.byte_order = index_byte_order;
    header.body_bytes = std::min(header.body_bytes, rest);
    header.directory_at = sizeof header + header.body_bytes;
    header.directory_bytes = bytes.size() - header.directory_at;
    const std::span<const std::uint8_t> all(bytes);
    header.body_hash = hash_of(all.subspan(sizeof header, header.body_bytes));
    header.directory_hash = hash_of(all.subspan(header.directory_at));
    header.header_hash = hash_of_header(header);
    std::memcpy(bytes.data(), &header, sizeof header);
}

std::uint64_t ask(const Series& series) {
    constexpr std::array<Picoseconds, 5> times{std::numeric_limits<Picoseconds>::min(), 0, 1'000'000, 1'000'000'000'000,
                                               std::numeric_limits<Picoseconds>::max()};
    std::array<std::uint64_t, times.size()> ranks{};
    series.ranks(times, ranks);
    std::uint64_t sum = series.rank(5);
    const std::uint64_t end = std::min(series.count(), most_looked_at);
    for (std::uint64_t i = 0; i <= end; ++i) {
        sum += static_cast<std::uint64_t>(series.time(i));
        sum += series.entry().kind == SeriesKind::messages ? series.sum_before(i) : series.latency(i);
    }
    if (series.entry().kind == SeriesKind::latency) {
        sum += series.greatest(series.count() / 3, series.count());
    }
    for (const std::uint64_t rank : ranks) {
        if (rank > series.count()) {
            __builtin_trap();
        }
    }
    return sum;
}

std::uint64_t ask(const Index& index) {
    std::uint64_t sum = 0;
    for (const Series& series : index.messages()) {
        sum += ask(series) + index.name_of(series).size();
    }
    for (const Series& series : index.latencies()) {
        sum += ask(series);
    }
    for (std::size_t i = 0; i < stream_count; ++i) {
        sum += index.checkpoints(Stream::of_index(i)).blocks_before(1'000'000) > 0 ? 1U : 0U;
    }
    for (const FindingRecord& record : index.findings()) {
        sum += index.text_of(record).size() + index.details_of(record).size();
    }
    return sum + FindingTable(index).all.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::uint8_t> bytes(data, data + size);
    (void)opened(bytes, true);
    if (size < sizeof(IndexHeader)) {
        return 0;
    }
    make_fit(bytes);
    if (const auto index = opened(bytes, true)) {
        volatile std::uint64_t sum = ask(*index);
        (void)sum;
    }
    return 0;
}
