#include "trace_model.hpp"

#include <algorithm>

namespace eciscope::view {

namespace {

/// Times further away are not shown: spans of the whole stay within 64 bits.
constexpr Picoseconds far = Picoseconds{1} << 61;

}  // namespace

std::size_t FindingTimes::rank(Picoseconds time) const {
    return static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), time) - times_.begin());
}

Worst FindingTimes::worst_of(std::size_t from, std::size_t to) const {
    Worst worst = Worst::nothing;
    for (std::size_t i = from; i < to; ++i) {
        worst = std::max(worst, worst_[i]);
    }
    return worst;
}

FindingTable::FindingTable(const Index& index) {
    for (const FindingRecord& record : index.findings()) {
        const auto worst =
            static_cast<Worst>(std::min<std::uint8_t>(record.worst, static_cast<std::uint8_t>(Worst::violation)));
        all.add(record.time, worst);
        const std::size_t stream = record.stream % stream_count;
        by_stream[stream].add(record.time, worst);
        if (record.kind == FindingKind::violation || record.kind == FindingKind::owed) {
            by_circuit[stream * ewf::vc_slots + record.vc % ewf::vc_slots].add(record.time, worst);
            messages.push_back({record.number, worst});
        }
    }
    std::sort(messages.begin(), messages.end(),
              [](const OfMessage& a, const OfMessage& b) { return a.number < b.number; });
}

Worst FindingTable::worst_of_message(std::uint64_t number) const {
    auto at = std::lower_bound(messages.begin(), messages.end(), number,
                               [](const OfMessage& message, std::uint64_t n) { return message.number < n; });
    Worst worst = Worst::nothing;
    for (; at != messages.end() && at->number == number; ++at) {
        worst = std::max(worst, at->worst);
    }
    return worst;
}

std::shared_ptr<const Coarse> coarse_of(const ewf::Reader& reader) {
    auto coarse = std::make_shared<Coarse>();
    const ewf::Contents& contents = reader.contents();
    coarse->runs.reserve(reader.chunk_count());
    for (std::size_t i = 0; i < reader.chunk_count(); ++i) {
        const ewf::ChunkInfo& chunk = reader.chunk(i);
        coarse->runs.push_back({chunk.last_min, chunk.last_max, chunk.vc_messages, chunk.messages});
        coarse->messages += chunk.messages;
    }
    for (std::size_t i = 0; i < stream_count; ++i) {
        coarse->streams[i] = contents.streams[i].messages != 0;
    }
    coarse->limits = {std::clamp(contents.first_min, -far, far), std::clamp(contents.last_max, -far, far)};
    return coarse;
}

}  // namespace eciscope::view
