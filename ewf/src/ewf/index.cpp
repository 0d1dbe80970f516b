#include "index.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "eciscope/spec/eci.hpp"

namespace eciscope::ewf {

namespace {

// A chunk's regions are made coarser until there are no more than this, so that the index stays small.
constexpr std::size_t regions_max = 256;
constexpr std::uint8_t region_shift_min = 5;  // 32 lines: a page of 4 KiB

void make_unique(std::vector<std::uint64_t>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

void ChunkSummariser::summarise(const TraceBatch& trace, bool words_are_heads, ChunkInfo& info) {
    lines_.clear();
    // Most messages are about a page that another one was about just before: these need not be sorted.
    std::array<std::uint64_t, 256> recent;
    recent.fill(~std::uint64_t{0});
    for (std::size_t i = 0; i < trace.messages.size(); ++i) {
        const MessageHead& message = trace.messages[i];
        ++info.vc_messages[message.vc % vc_slots];
        if (message.word_count == 0) {
            continue;
        }
        const std::uint64_t header = trace.words[words_are_heads ? i : message.word_offset];
        info.opcodes[message.vc % vc_slots] |= 1U << (eci::opcode_of(header) & 31U);
        const eci::message decoded = eci::decode(message.vc, header);
        const auto aliased_cli = eci::line_of(decoded);
        if (!aliased_cli) {
            continue;
        }
        const auto home = static_cast<std::uint8_t>(eci::home_of(message.stream.from, decoded));
        const std::uint64_t region = line_key(home, *aliased_cli) >> region_shift_min;
        std::uint64_t& seen = recent[region % recent.size()];
        if (seen != region) {
            lines_.push_back(region);
            seen = region;
        }
    }
    info.region_shift = region_shift_min;
    make_unique(lines_);
    while (lines_.size() > regions_max) {
        ++info.region_shift;
        for (std::uint64_t& line : lines_) {
            line >>= 1U;
        }
        lines_.erase(std::unique(lines_.begin(), lines_.end()), lines_.end());
    }
    info.regions.assign(lines_.begin(), lines_.end());
}

ChunkInfo info_of(const SectionHeader& header) {
    ChunkInfo info;
    info.first_message = header.first_message;
    info.messages = header.messages;
    info.events = header.events;
    info.words = header.words;
    info.first_min = header.first_min;
    info.last_min = header.last_min;
    info.last_max = header.last_max;
    return info;
}

void ContentsCounter::add(const TraceBatch& trace, const ChunkInfo& info) {
    for (const Event& event : trace.events) {
        if (event.kind == EventKind::link_up && event.detail == 1 && event.before == 0 && contents_.messages == 0) {
            contents_.from_power_on = true;
        }
        ++contents_.streams[event.stream.index()].events;
    }
    for (const MessageHead& message : trace.messages) {
        StreamSummary& stream = contents_.streams[message.stream.index()];
        ++stream.messages;
        stream.words += message.word_count;
    }
    contents_.first_min = contents_.chunks == 0 ? info.first_min : std::min(contents_.first_min, info.first_min);
    contents_.last_max = contents_.chunks == 0 ? info.last_max : std::max(contents_.last_max, info.last_max);
    contents_.messages += info.messages;
    contents_.words += info.words;
    contents_.events += info.events;
    ++contents_.chunks;
}

}  // namespace eciscope::ewf
