#include "eciscope/conformance/finding.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "eciscope/conformance/checker.hpp"

namespace eciscope::conformance {

namespace {

/// Values below `steps` have a bucket each; above, every power of two has `steps` of them.
std::size_t bucket_of(std::uint64_t value) {
    constexpr unsigned bits = std::bit_width(LatencyHistogram::steps) - 1;
    if (value < LatencyHistogram::steps) {
        return value;
    }
    const unsigned exponent = static_cast<unsigned>(std::bit_width(value)) - 1;
    return (exponent - bits + 1) * LatencyHistogram::steps + (value >> (exponent - bits)) % LatencyHistogram::steps;
}

std::uint64_t end_of_bucket(std::size_t bucket) {
    constexpr unsigned bits = std::bit_width(LatencyHistogram::steps) - 1;
    if (bucket < LatencyHistogram::steps) {
        return bucket;
    }
    const std::size_t exponent = bucket / LatencyHistogram::steps + bits - 1;
    const std::uint64_t step = std::uint64_t{1} << (exponent - bits);
    return (std::uint64_t{1} << exponent) + (bucket % LatencyHistogram::steps + 1) * step - 1;
}

}  // namespace

void LatencyHistogram::add(Picoseconds measured) {
    const Picoseconds latency = std::max<Picoseconds>(measured, 0);  // what came again after a retry may seem late
    const auto value = static_cast<std::uint64_t>(latency);
    ++buckets[std::min(bucket_of(value), buckets.size() - 1)];
    least = count == 0 ? latency : std::min(least, latency);
    most = count == 0 ? latency : std::max(most, latency);
    ++count;
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
    if (other.count == 0) {
        return;
    }
    std::transform(buckets.begin(), buckets.end(), other.buckets.begin(), buckets.begin(), std::plus<>());
    least = count == 0 ? other.least : std::min(least, other.least);
    most = count == 0 ? other.most : std::max(most, other.most);
    count += other.count;
}

Picoseconds LatencyHistogram::quantile(double share) const {
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(count) + 0.999999);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        seen += buckets[i];
        if (seen >= wanted && seen != 0) {
            return std::min(static_cast<Picoseconds>(end_of_bucket(i)), most);
        }
    }
    return most;
}

bool Summary::sums_agree() const {
    const std::uint64_t covered =
        std::accumulate(coverage.begin(), coverage.end(), std::uint64_t{0},
                        [](std::uint64_t sum, const Coverage& c) { return sum + c.messages; });
    return covered + refused == messages_of_lines && messages_of_lines + not_judged + other_messages == messages;
}

std::vector<Coverage> coverage_of(const Profile& profile, Tap tap, const std::vector<std::uint64_t>& transitions) {
    const ObserverTable& table = profile.observers[static_cast<std::size_t>(tap)];
    std::vector<Coverage> coverage;
    for (std::size_t symbol = 0; symbol < profile.symbols.size(); ++symbol) {
        Coverage& of = coverage.emplace_back();
        of.symbol = profile.symbols[symbol].name;
        for (std::size_t state = 0; state < table.states; ++state) {
            const std::size_t at = state * profile.symbols.size() + symbol;
            of.messages += transitions[at];
            of.transitions += transitions[at] != 0 ? 1U : 0U;
            of.transitions_possible += table.next[at] != impossible ? 1U : 0U;
        }
    }
    return coverage;
}

Summary merged(const Summary& a, const Summary& b) {
    Summary sum = a;
    sum.began_at_rest = a.began_at_rest || b.began_at_rest;
    sum.is_blind = a.is_blind || b.is_blind;
    sum.messages += b.messages;
    sum.messages_of_lines += b.messages_of_lines;
    sum.refused += b.refused;
    sum.not_judged += b.not_judged;
    sum.other_messages += b.other_messages;
    sum.unmatched_answers += b.unmatched_answers;
    sum.lines += b.lines;
    sum.lines_unknown += b.lines_unknown;
    sum.losses = std::max(a.losses, b.losses);
    sum.suppressed += b.suppressed;
    sum.withdrawn += b.withdrawn;
    sum.end = std::max(a.end, b.end);
    for (std::size_t i = 0; i < rule_count; ++i) {
        sum.by_rule[i] += b.by_rule[i];
        sum.waived[i] += b.waived[i];
    }
    std::transform(sum.transitions.begin(), sum.transitions.end(), b.transitions.begin(), sum.transitions.begin(),
                   std::plus<>());
    const Profile& profile = *find_profile(sum.profile);
    sum.coverage = coverage_of(profile, sum.tap, sum.transitions);
    for (const LatencyOf& other : b.latencies) {
        const auto same = std::find_if(sum.latencies.begin(), sum.latencies.end(),
                                       [&](const LatencyOf& l) { return l.request == other.request; });
        if (same != sum.latencies.end()) {
            same->latency.merge(other.latency);
        } else {
            sum.latencies.push_back(other);
        }
    }
    return sum;
}

}  // namespace eciscope::conformance
