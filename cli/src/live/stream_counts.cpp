#include "live/stream_counts.hpp"

#include <algorithm>
#include <cstring>

#include "eciscope/capture/order.hpp"
#include "eciscope/capture/packet.hpp"
#include "eciscope/capture/record.hpp"

namespace eciscope::cli {

namespace {

/// A jump ahead by so much is an interposer that began again with numbers anywhere, not a loss.
constexpr std::uint32_t great_jump = std::uint32_t{1} << 20;
/// A lower number that is older than this is none that was only late.
constexpr std::uint64_t longest_delay_ns = static_cast<std::uint64_t>(capture::merge_wait) / 1000;

}  // namespace

StreamCount& StreamCount::operator+=(const StreamCount& other) {
    records += other.records;
    blocks += other.blocks;
    missing += other.missing;
    late += other.late;
    duplicate += other.duplicate;
    restarts += other.restarts;
    lost_blocks += other.lost_blocks;
    lost_unknown += other.lost_unknown;
    return *this;
}

void StreamCounter::take(capture::Bytes record) {
    constexpr std::uint8_t flag_lost = 2;
    const std::uint32_t lost = capture::load_le32(record.data() + 12);
    const bool flagged = (record[5] & flag_lost) != 0;
    ++count_.records;
    count_.blocks += std::min<std::size_t>(record[7], capture::most_blocks);
    if (flagged && lost != 0 && lost != capture::lost_unknown) {
        count_.lost_blocks += lost;
    } else {
        count_.lost_unknown += flagged || lost != 0 ? 1 : 0;  // also where flag and count contradict each other
    }
    arrive(capture::load_le32(record.data() + 8), capture::load_le64(record.data() + 16));
}

void StreamCounter::begin(std::uint32_t sequence) {
    started_ = true;
    seen_.reset();
    first_ = sequence;
    next_ = sequence;
    newest_ns_ = 0;
}

void StreamCounter::arrive(std::uint32_t sequence, std::uint64_t time_ns) {
    if (!started_) {
        begin(sequence);
    }
    const std::uint32_t forward = sequence - next_;
    const std::uint32_t back = next_ - sequence;
    if (forward <= back && forward < great_jump) {
        ahead(sequence, forward);
    } else if (!(back < forward && behind(sequence, back, time_ns))) {
        ++count_.restarts;
        begin(sequence);
        ahead(sequence, 0);
    }
    newest_ns_ = std::max(newest_ns_, time_ns);
}

void StreamCounter::ahead(std::uint32_t sequence, std::uint32_t distance) {
    count_.missing += distance;
    if (distance >= window) {
        seen_.reset();
    } else {
        for (std::uint32_t number = next_; number != sequence; ++number) {
            seen_.reset(number % window);
        }
    }
    seen_.set(sequence % window);
    next_ = sequence + 1;
}

/// A number that was expected before. False if the interposer began again.
bool StreamCounter::behind(std::uint32_t sequence, std::uint32_t distance, std::uint64_t time_ns) {
    if (time_ns > newest_ns_ || distance > window || newest_ns_ - time_ns > longest_delay_ns) {
        return false;
    }
    if (capture::sequence_distance(first_, sequence) < 0) {  // came before the first that came
        count_.missing += first_ - sequence - 1;
        first_ = sequence;
        seen_.set(sequence % window);
        ++count_.late;
    } else if (seen_.test(sequence % window)) {
        ++count_.duplicate;
    } else {
        seen_.set(sequence % window);
        --count_.missing;
        ++count_.late;
    }
    return true;
}

bool StreamCounts::frame(capture::Bytes frame) {
    const capture::Payload payload = capture::payload_of_frame(frame, {}, diagnostics_);
    const capture::Bytes record = payload.bytes;
    const bool readable = payload.is_record && record.size() >= capture::record_header_bytes &&
                          std::memcmp(record.data(), "ECIB", 4) == 0 && record[4] == 1 && record[6] < link_count;
    if (!readable) {
        ++foreign_;
        return false;
    }
    const Stream stream{record[6], static_cast<std::uint8_t>(record[5] & 1)};
    streams_[stream.index()].take(record);
    return true;
}

StreamCount StreamCounts::total() const {
    StreamCount sum;
    for (const StreamCounter& stream : streams_) {
        sum += stream.count();
    }
    return sum;
}

}  // namespace eciscope::cli
