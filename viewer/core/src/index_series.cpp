#include "index_series.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace eciscope::view {

namespace {

constexpr std::uint64_t most_distance = 0xffffffff;

std::size_t distance_bytes(std::size_t messages) {
    return (messages * sizeof(std::uint32_t) + 7) / 8 * 8;
}

std::size_t messages_in_segment(std::uint64_t count, std::size_t segment) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(segment_messages, count - segment * segment_messages));
}

/// Of a leaf's messages, how many are nearer to its first than `distance`.
std::size_t nearer(const std::uint32_t* distances, std::size_t count, std::uint64_t distance) {
    if (distance > most_distance) {
        return count;
    }
    const auto limit = static_cast<std::uint32_t>(distance);
    std::uint32_t found = 0;
    if (count == leaf_messages) {  // a fixed number: the compiler makes it a few wide compares
        for (std::size_t i = 0; i < leaf_messages; ++i) {
            found += distances[i] < limit ? 1U : 0U;
        }
        return found;
    }
    for (std::size_t i = 0; i < count; ++i) {
        found += distances[i] < limit ? 1U : 0U;
    }
    return found;
}

}  // namespace

std::optional<Series> Series::in(std::span<const std::uint8_t> file, const SeriesEntry& entry) {
    Series series;
    const std::uint64_t segments = entry.count / segment_messages + (entry.count % segment_messages != 0 ? 1 : 0);
    const auto bases = values_at<Picoseconds>(file, entry.bases_at, entry.leaves);
    const auto starts = values_at<std::uint64_t>(file, entry.starts_at, entry.leaves);
    const auto sums = values_at<std::uint64_t>(file, entry.sums_at, entry.leaves);
    const auto segment_table = values_at<std::uint64_t>(file, entry.segments_at, segments);
    if (!bases || !starts || !sums || !segment_table || entry.stream >= stream_count) {
        return std::nullopt;
    }
    series.entry_ = entry;
    series.file_ = file.data();
    series.bases_ = *bases;
    series.starts_ = *starts;
    series.sums_ = *sums;
    series.segments_ = *segment_table;
    return series.lies_well(file.size()) ? std::optional(series) : std::nullopt;
}

bool Series::lies_well(std::size_t file_bytes) const {
    const std::size_t value_bytes = entry_.kind == SeriesKind::messages ? 1 : sizeof(std::uint64_t);
    for (std::size_t i = 0; i < segments_.size(); ++i) {
        const std::size_t count = messages_in_segment(entry_.count, i);
        const std::size_t bytes = distance_bytes(count) + count * value_bytes;
        if (segments_[i] % 8 != 0 || segments_[i] > file_bytes || bytes > file_bytes - segments_[i]) {
            return false;
        }
    }
    if (starts_.empty()) {
        return entry_.count == 0;
    }
    for (std::size_t i = 0; i < starts_.size(); ++i) {
        const std::uint64_t end = i + 1 < starts_.size() ? starts_[i + 1] : entry_.count;
        const bool one_segment = end > starts_[i] && end - starts_[i] <= leaf_messages &&
                                 starts_[i] / segment_messages == (end - 1) / segment_messages;
        if (!one_segment || (i > 0 && bases_[i] < bases_[i - 1])) {
            return false;
        }
    }
    return starts_.front() == 0;
}

Series::Leaf Series::leaf(std::size_t number) const {
    const std::uint64_t start = starts_[number];
    const std::uint64_t end = number + 1 < starts_.size() ? starts_[number + 1] : entry_.count;
    const std::uint8_t* const segment = file_ + segments_[start / segment_messages];
    return {reinterpret_cast<const std::uint32_t*>(segment) + start % segment_messages, start,
            static_cast<std::size_t>(end - start)};
}

std::size_t Series::leaf_of(std::uint64_t number) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), number);
    return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

/// Leaves that begin before `time`, at least `from`: looked for near it first, since times that are asked for rise.
std::size_t Series::leaves_before(Picoseconds time, std::size_t from) const {
    std::size_t low = from;
    std::size_t step = 1;
    while (low < bases_.size() && bases_[std::min(low + step, bases_.size()) - 1] < time) {
        low = std::min(low + step, bases_.size());
        step *= 2;
    }
    const std::size_t high = std::min(low + step, bases_.size());
    const auto at = std::lower_bound(bases_.begin() + static_cast<std::ptrdiff_t>(low),
                                     bases_.begin() + static_cast<std::ptrdiff_t>(high), time);
    return static_cast<std::size_t>(at - bases_.begin());
}

std::uint64_t Series::rank(Picoseconds time) const {
    std::uint64_t out = 0;
    ranks({&time, 1}, {&out, 1});
    return out;
}

/// The leaves in which several times are to be looked for, counted from 1, and asks for them from memory. `from` is
/// that of the time before; returns the last.
std::size_t Series::find_leaves(std::span<const Picoseconds> times, std::size_t from,
                                std::span<std::size_t> leaves) const {
    for (std::size_t i = 0; i < times.size(); ++i) {
        from = leaves_before(times[i], from);
        leaves[i] = from;
        if (from != 0) {
            const Leaf ahead = leaf(from - 1);
            __builtin_prefetch(ahead.distances);
            __builtin_prefetch(ahead.distances + leaf_messages / 2);
        }
    }
    return from;
}

/// Messages before `time`, which lies in a leaf counted from 1. The next time in the same leaf is looked for from
/// there.
std::uint64_t Series::rank_in(std::size_t leaf_number, Picoseconds time, Cursor& cursor) const {
    if (leaf_number == 0) {
        return 0;
    }
    const std::uint64_t distance =
        static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(bases_[leaf_number - 1]);
    if (leaf_number != cursor.leaf_number) {
        cursor.leaf_number = leaf_number;
        cursor.leaf = leaf(leaf_number - 1);
        cursor.rank = nearer(cursor.leaf.distances, cursor.leaf.count, distance);
    }
    while (cursor.rank < cursor.leaf.count && cursor.leaf.distances[cursor.rank] < distance) {
        ++cursor.rank;
    }
    return cursor.leaf.start + cursor.rank;
}

void Series::ranks(std::span<const Picoseconds> times, std::span<std::uint64_t> out) const {
    constexpr std::size_t group = 64;  // leaves on their way from memory at once
    std::array<std::size_t, group> leaves{};
    std::size_t found = 0;
    Cursor cursor;
    for (std::size_t first = 0; first < times.size(); first += group) {
        const auto part = times.subspan(first, std::min(group, times.size() - first));
        found = find_leaves(part, found, leaves);
        for (std::size_t i = 0; i < part.size(); ++i) {
            out[first + i] = rank_in(leaves[i], part[i], cursor);
        }
    }
}

Picoseconds Series::time(std::uint64_t number) const {
    if (number >= entry_.count) {
        return 0;
    }
    const std::size_t at = leaf_of(number);
    const Leaf found = leaf(at);
    return static_cast<Picoseconds>(static_cast<std::uint64_t>(bases_[at]) + found.distances[number - found.start]);
}

const std::uint8_t* Series::value(std::uint64_t number, std::size_t size) const {
    const auto segment = static_cast<std::size_t>(number / segment_messages);
    return file_ + segments_[segment] + distance_bytes(messages_in_segment(entry_.count, segment)) +
           number % segment_messages * size;
}

std::uint64_t Series::sum_before(std::uint64_t rank) const {
    if (entry_.uniform != SeriesEntry::mixed) {
        return rank * entry_.uniform;
    }
    if (rank >= entry_.count) {
        return entry_.sum;
    }
    const std::size_t at = leaf_of(rank);
    std::uint64_t sum = sums_[at];
    const std::uint8_t* const values = value(starts_[at], 1);
    for (std::uint64_t i = 0; i < rank - starts_[at]; ++i) {
        sum += values[i];
    }
    return sum;
}

std::uint64_t Series::latency(std::uint64_t number) const {
    std::uint64_t latency = 0;
    if (number < entry_.count) {
        std::memcpy(&latency, value(number, sizeof latency), sizeof latency);
    }
    return latency;
}

std::uint64_t Series::greatest(std::uint64_t from, std::uint64_t to) const {
    to = std::min(to, entry_.count);
    std::uint64_t most = 0;
    while (from < to) {
        const std::size_t at = leaf_of(from);
        const std::uint64_t end = at + 1 < starts_.size() ? starts_[at + 1] : entry_.count;
        if (from == starts_[at] && end <= to) {
            // Whole leaves one after the other.
            std::size_t next = at;
            for (; next < starts_.size() && (next + 1 < starts_.size() ? starts_[next + 1] : entry_.count) <= to;
                 ++next) {
                most = std::max(most, sums_[next]);
            }
            from = next < starts_.size() ? starts_[next] : entry_.count;
            continue;
        }
        for (const std::uint64_t stop = std::min(end, to); from < stop; ++from) {
            most = std::max(most, latency(from));
        }
    }
    return most;
}

}  // namespace eciscope::view
