// What a document tells of its tracks, findings and ranges.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "document_impl.hpp"

namespace eciscope::view {

namespace {

/// More latencies than these are not all looked at while a person waits.
constexpr std::uint64_t most_latencies = 4'000'000;

std::string group_of(const ewf::Metadata& metadata, Stream stream) {
    return fmt::format("link {}, {}", stream.link, direction_text(metadata, stream));
}

TrackInfo info(TrackKind kind, Stream stream, std::string name, std::string group) {
    TrackInfo info;
    info.id.kind = kind;
    info.id.stream = stream;
    info.name = std::move(name);
    info.group = std::move(group);
    return info;
}

/// Messages by circuit, as far as they are known.
std::array<std::uint64_t, ewf::vc_slots> circuits_of(const TraceModel& model, Stream stream) {
    std::array<std::uint64_t, ewf::vc_slots> counts{};
    if (model.index != nullptr) {
        for (const Series& series : model.index->messages()) {
            counts[series.entry().vc] += series.entry().stream == stream.index() ? series.count() : 0;
        }
        return counts;
    }
    if (model.coarse != nullptr && model.coarse->streams[stream.index()]) {
        for (const CoarseRun& run : model.coarse->runs) {
            std::transform(counts.begin(), counts.end(), run.vc_messages.begin(), counts.begin(), std::plus<>());
        }
    }
    return counts;
}

std::string count_of(std::uint64_t count, const char* what) {
    return count == Event::unknown_count ? fmt::format("an unknown number of {}s", what)
                                         : fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string sentence_of(const FindingRecord& record) {
    switch (static_cast<EventKind>(record.code)) {
        case EventKind::lost:
            return "Missing here: " + count_of(record.count, "block") + " of this stream.";
        case EventKind::damaged:
            return "A block failed its CRC and was never accepted: its words are missing.";
        case EventKind::discarded:
            return fmt::format("Thrown away: {} of VC {}, which belong to no message that can be told.",
                               count_of(record.count, "word"), record.vc);
        case EventKind::retry:
            return "The receiver of this stream asked for a retry.";
        case EventKind::link_up:
            return record.detail == 1 ? "The link came up from power-on." : "The link came up again after a reset.";
        case EventKind::link_down:
            return "The sender of this stream began the handshake again.";
        case EventKind::restarted:
            return "The interposer began again; what lies between is not known.";
        default:
            return std::string(name(static_cast<EventKind>(record.code)));
    }
}

std::size_t histogram_bucket(std::uint64_t latency) {
    std::size_t bucket = 0;
    for (auto limit = static_cast<std::uint64_t>(picoseconds_per_nanosecond); latency >= limit && bucket < 40;
         limit *= 2) {
        ++bucket;
    }
    return bucket;
}

/// True if every latency was looked at.
bool add_latency(const Series& series, const std::string& request, Picoseconds from, Picoseconds to, std::uint64_t most,
                 Statistics& statistics) {
    const std::uint64_t first = series.rank(from);
    const std::uint64_t count = series.rank(to) - first;
    if (count == 0) {
        return true;
    }
    const std::uint64_t step = count / std::max<std::uint64_t>(1, most) + 1;
    std::vector<std::uint64_t> values;
    values.reserve(count / step + 1);
    Statistics::Latency& latency = statistics.latencies.emplace_back();
    for (std::uint64_t i = first; i < first + count; i += step) {
        values.push_back(series.latency(i));
        const std::size_t bucket = histogram_bucket(values.back());
        latency.histogram.resize(std::max(latency.histogram.size(), bucket + 1));
        ++latency.histogram[bucket];
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    latency.request = request;
    latency.count = count;
    latency.least = static_cast<Picoseconds>(*std::min_element(values.begin(), values.end()));
    latency.median = static_cast<Picoseconds>(*middle);
    latency.most = static_cast<Picoseconds>(series.greatest(first, first + count));
    return step == 1;
}

}  // namespace

std::vector<TrackInfo> Document::Impl::tracks() {
    const TraceModel model = worker_.model();
    const ewf::Metadata metadata = model.reader != nullptr ? model.reader->metadata() : ewf::Metadata();
    std::vector<TrackInfo> tracks;
    tracks.push_back(info(TrackKind::findings, {}, "Findings", ""));
    tracks.back().messages = model.index != nullptr ? model.index->findings().size() : 0;
    for (std::size_t i = 0; i < stream_count; ++i) {
        const Stream stream = Stream::of_index(i);
        const auto counts = circuits_of(model, stream);
        std::uint64_t all = 0;
        for (const std::uint64_t count : counts) {
            all += count;
        }
        if (all == 0) {
            continue;
        }
        const std::string group = group_of(metadata, stream);
        tracks.push_back(info(TrackKind::utilisation, stream, "Utilisation", group));
        tracks.back().messages = all;
        for (std::uint8_t vc = 0; vc < ewf::vc_slots; ++vc) {
            if (counts[vc] != 0) {
                tracks.push_back(info(TrackKind::circuit, stream, fmt::format("VC {} {}", vc, class_text(vc)), group));
                tracks.back().id.vc = vc;
                tracks.back().messages = counts[vc];
            }
        }
        tracks.push_back(info(TrackKind::credits, stream, "Credits", group));
        tracks.back().missing = "A stored trace holds messages, not blocks: credits are not in it.";
    }
    for (std::size_t i = 0; model.index != nullptr && i < model.index->latencies().size(); ++i) {
        const Series& series = model.index->latencies()[i];
        tracks.push_back(info(TrackKind::latency, {}, model.index->name_of(series) + " latency", "Latencies"));
        tracks.back().id.request = static_cast<std::uint8_t>(i);
        tracks.back().messages = series.count();
    }
    return tracks;
}

Finding Document::Impl::finding_of(const TraceModel& model, const FindingRecord& record) const {
    Finding finding;
    finding.time = record.time;
    finding.worst =
        static_cast<Worst>(std::min<std::uint8_t>(record.worst, static_cast<std::uint8_t>(Worst::violation)));
    finding.stream = Stream::of_index(record.stream % stream_count);
    if (record.line != FindingRecord::no_line) {
        finding.line = ewf::Line{static_cast<std::uint8_t>(record.line & 1U), record.line >> 1U};
    }
    const bool is_rule = record.kind == FindingKind::violation || record.kind == FindingKind::owed;
    if (is_rule && record.code < conformance::rule_count) {
        const conformance::RuleInfo& rule = conformance::info_of(static_cast<conformance::Rule>(record.code));
        finding.id = rule.id;
        finding.message = record.number;
        finding.text = model.index->text_of(record);
        finding.details = model.index->details_of(record);
        if (record.kind == FindingKind::owed) {
            finding.text = fmt::format("Node {} owes the answer: none came in {}.", record.detail & 1U,
                                       time_text(static_cast<Picoseconds>(record.count)));
            finding.details = rule.sentence;
        }
        finding.text = finding.text.empty() ? std::string(rule.sentence) : finding.text;
    } else if (record.kind == FindingKind::damaged_chunk) {
        finding.id = "damaged-chunk";
        finding.text = fmt::format("A part of the file is damaged: {} messages from number {} cannot be read.",
                                   record.count, record.number);
    } else if (record.code <= static_cast<std::uint8_t>(EventKind::capture_ends)) {
        finding.id = name(static_cast<EventKind>(record.code));
        finding.text = sentence_of(record);
    }
    return finding;
}

Statistics Document::Impl::statistics(Picoseconds from, Picoseconds to) {
    Statistics statistics;
    statistics.from = std::min(from, to);
    statistics.to = std::max(from, to);
    const TraceModel model = worker_.model();
    if (model.index == nullptr) {
        statistics.exact = false;
        return statistics;
    }
    std::map<std::string, std::uint64_t> counts;
    for (const Series& series : model.index->messages()) {
        const std::uint64_t first = series.rank(statistics.from);
        const std::uint64_t end = series.rank(statistics.to);
        statistics.messages += end - first;
        statistics.words += series.sum_before(end) - series.sum_before(first);
        if (end != first) {
            counts[fmt::format("VC {} {}", series.entry().vc, model.index->name_of(series))] += end - first;
        }
    }
    for (const auto& [name, count] : counts) {
        statistics.counts.push_back({name, count});
    }
    std::stable_sort(statistics.counts.begin(), statistics.counts.end(),
                     [](const auto& a, const auto& b) { return a.messages > b.messages; });
    std::uint64_t left = most_latencies;
    for (const Series& series : model.index->latencies()) {
        const bool whole =
            add_latency(series, model.index->name_of(series), statistics.from, statistics.to, left, statistics);
        statistics.exact = statistics.exact && whole;
        left -= std::min(left, series.rank(statistics.to) - series.rank(statistics.from));
    }
    return statistics;
}

}  // namespace eciscope::view
