#include "picture_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace eciscope::view {

namespace {

constexpr std::uint16_t full_level = 65535;
constexpr std::uint64_t words_a_block = block_words - 1;  // the control word carries none
/// Of a column with more answers the median is taken of so many, evenly chosen.
constexpr std::size_t latencies_looked_at = 15;

std::uint32_t saturated(std::uint64_t count) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
}

/// A height that shows: at least 1.
std::uint16_t level_of(double share) {
    return static_cast<std::uint16_t>(std::clamp(share * full_level, 1.0, double{full_level}));
}

std::uint64_t median_of(const Series& series, std::uint64_t from, std::uint64_t to) {
    std::array<std::uint64_t, latencies_looked_at> values{};
    const std::uint64_t count = std::min<std::uint64_t>(to - from, values.size());
    for (std::uint64_t i = 0; i < count; ++i) {
        values[i] = series.latency(from + (to - from) * i / count);
    }
    auto* const middle = values.begin() + count / 2;
    std::nth_element(values.begin(), middle, values.begin() + count);
    return *middle;
}

}  // namespace

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) {
        text.insert(at - 3, ",");
    }
    return text;
}

std::vector<std::uint64_t> ranks_of(std::span<const Picoseconds> times, std::span<const Picoseconds> edges) {
    std::vector<std::uint64_t> ranks(edges.size());
    auto at = times.begin();
    for (std::size_t i = 0; i < edges.size(); ++i) {
        std::ptrdiff_t step = 1;
        while (times.end() - at > step && at[step] < edges[i]) {
            at += step;
            step *= 2;
        }
        at = std::lower_bound(at, at + std::min(step + 1, times.end() - at), edges[i]);
        ranks[i] = static_cast<std::uint64_t>(at - times.begin());
    }
    return ranks;
}

PictureMaker::PictureMaker(const TraceModel& model, const Viewport& viewport, Matcher& matcher, PictureSources sources)
    : model_(model), viewport_(viewport), matcher_(matcher), sources_(std::move(sources)) {
    for (int column = 0; column <= viewport.columns; ++column) {
        edges_.push_back(viewport.edge(column));
    }
}

TrackPicture PictureMaker::make(const TrackId& id) {
    TrackPicture picture;
    picture.id = id;
    picture.columns.resize(edges_.size() - 1);
    switch (id.kind) {
        case TrackKind::findings:
            findings(picture);
            break;
        case TrackKind::utilisation:
            utilisation(id, picture);
            break;
        case TrackKind::circuit:
            circuit(id, picture);
            break;
        case TrackKind::latency:
            latency(id, picture);
            break;
        case TrackKind::line:
            line(id, picture);
            break;
        case TrackKind::credits:
            break;
    }
    return picture;
}

const PictureMaker::Ranks& PictureMaker::ranks_of(const Series& series) {
    Ranks& ranks = ranks_[&series];
    if (ranks.empty()) {
        ranks.resize(edges_.size());
        series.ranks(edges_, ranks);
    }
    return ranks;
}

void PictureMaker::count_ranks(std::span<const std::uint64_t> ranks, TrackPicture& picture) const {
    if (ranks.front() == ranks.back()) {
        return;
    }
    for (std::size_t i = 0; i < picture.columns.size(); ++i) {
        Column& column = picture.columns[i];
        const std::uint64_t count = ranks[i + 1] - ranks[i];
        column.count = saturated(column.count + count);
        column.worst = count != 0 ? std::max(column.worst, Worst::messages) : column.worst;
    }
}

void PictureMaker::level_by_count(TrackPicture& picture) const {
    std::uint32_t most = 0;
    for (const Column& column : picture.columns) {
        most = std::max(most, column.count);
    }
    for (Column& column : picture.columns) {
        column.level = column.count == 0 ? 0 : level_of(static_cast<double>(column.count) / most);
        column.peak = column.level;
    }
    picture.full_scale = grouped(most) + (most == 1 ? " message" : " messages");
}

/// Colours columns with messages by the worst that was found in them.
void PictureMaker::mark_worst(const FindingTimes& findings, TrackPicture& picture) const {
    std::size_t from = findings.rank(edges_.front());
    const std::size_t end = findings.rank(edges_.back());
    while (from < end) {
        const auto after = std::upper_bound(edges_.begin(), edges_.end(), findings.time(from));
        const std::size_t to = after == edges_.end() ? end : findings.rank(*after);
        Column& column = picture.columns[static_cast<std::size_t>(after - edges_.begin()) - 1];
        if (column.count != 0) {
            column.worst = std::max(column.worst, findings.worst_of(from, to));
        }
        from = std::max(to, from + 1);
    }
}

void PictureMaker::circuit(const TrackId& id, TrackPicture& picture) {
    if (model_.index == nullptr) {
        coarse_ = true;
        coarse_circuit(id, picture);
        return;
    }
    if (matcher_.needs_headers()) {
        const auto hits = sources_.hits(matcher_.filter());
        coarse_ = coarse_ || hits == nullptr;
        if (hits != nullptr) {
            circuit_from_hits(id, *hits, picture);
        }
        return;
    }
    for (const Series& series : model_.index->messages()) {
        const SeriesEntry& entry = series.entry();
        if (entry.stream == id.stream.index() && entry.vc == id.vc &&
            (matcher_.takes_all() || matcher_.takes_circuit(id.stream, id.vc, model_.index->name_of(series)))) {
            count_ranks(ranks_of(series), picture);
        }
    }
    level_by_count(picture);
    mark_worst(model_.findings->by_circuit[id.stream.index() * ewf::vc_slots + id.vc % ewf::vc_slots], picture);
    if (!is_near()) {
        return;
    }
    std::vector<NearMessage> mine;
    for (const NearMessage& message : near_messages()) {
        if (message.head.stream == id.stream && message.head.vc == id.vc &&
            matcher_.takes(message.head, message.header)) {
            mine.push_back(message);
        }
    }
    add_boxes(mine, picture);
}

void PictureMaker::circuit_from_hits(const TrackId& id, const Hits& hits, TrackPicture& picture) {
    std::vector<NearMessage> mine;
    std::vector<Picoseconds> times;
    for (const NearMessage& message : hits.messages) {
        if (message.head.stream == id.stream && message.head.vc == id.vc) {
            mine.push_back(message);
            times.push_back(times.empty() ? message.head.last : std::max(times.back(), message.head.last));
        }
    }
    coarse_ = coarse_ || hits.truncated;
    const Ranks ranks = view::ranks_of(times, edges_);
    count_ranks(ranks, picture);
    level_by_count(picture);
    mark_worst(model_.findings->by_circuit[id.stream.index() * ewf::vc_slots + id.vc % ewf::vc_slots], picture);
    if (ranks.back() - ranks.front() <= picture.columns.size()) {
        add_boxes(std::span(mine).subspan(ranks.front(), ranks.back() - ranks.front()), picture);
    }
}

/// Spreads each run's messages evenly over the columns that it touches.
void PictureMaker::coarse_circuit(const TrackId& id, TrackPicture& picture) const {
    const bool of_all = id.kind == TrackKind::utilisation;
    const Coarse* const coarse = model_.coarse.get();
    const int columns = static_cast<int>(picture.columns.size());
    if (coarse == nullptr || !coarse->streams[id.stream.index()]) {
        return;
    }
    for (const CoarseRun& run : coarse->runs) {
        const std::uint32_t messages = of_all ? run.messages : run.vc_messages[id.vc % ewf::vc_slots];
        const int from = std::max(0, viewport_.column_of(run.from));
        const int to = std::min(columns - 1, viewport_.column_of(run.to));
        for (int column = from; messages != 0 && column <= to; ++column) {
            Column& at = picture.columns[static_cast<std::size_t>(column)];
            at.count =
                saturated(std::uint64_t{at.count} + std::max(1U, messages / static_cast<std::uint32_t>(to - from + 1)));
            at.worst = Worst::messages;
        }
    }
    level_by_count(picture);
}

void PictureMaker::utilisation(const TrackId& id, TrackPicture& picture) {
    picture.full_scale = "100 %";
    if (model_.index == nullptr) {
        coarse_ = true;
        coarse_circuit(id, picture);
        picture.full_scale = "100 %";
        return;
    }
    std::vector<std::uint64_t> words(picture.columns.size());
    for (const Series& series : model_.index->messages()) {
        if (series.entry().stream != id.stream.index()) {
            continue;
        }
        const Ranks& ranks = ranks_of(series);
        count_ranks(ranks, picture);
        std::uint64_t before = series.sum_before(ranks.front());
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::uint64_t after = ranks[i + 1] == ranks[i] ? before : series.sum_before(ranks[i + 1]);
            words[i] += after - before;
            before = after;
        }
    }
    const Checkpoints& checkpoints = model_.index->checkpoints(id.stream);
    double before = checkpoints.blocks_before(edges_.front());
    for (std::size_t i = 0; i < words.size(); ++i) {
        const double after = checkpoints.blocks_before(edges_[i + 1]);
        Column& column = picture.columns[i];
        if (column.count != 0) {
            column.level = level_of(static_cast<double>(words[i]) / (words_a_block * std::max(1.0, after - before)));
            column.peak = column.level;
        }
        before = after;
    }
    mark_worst(model_.findings->by_stream[id.stream.index()], picture);
}

void PictureMaker::latency(const TrackId& id, TrackPicture& picture) {
    if (model_.index == nullptr || id.request >= model_.index->latencies().size()) {
        coarse_ = coarse_ || model_.index == nullptr;
        return;
    }
    const Series& series = model_.index->latencies()[id.request];
    const Ranks& ranks = ranks_of(series);
    count_ranks(ranks, picture);
    const std::uint64_t most = std::max<std::uint64_t>(1, series.greatest(ranks.front(), ranks.back()));
    for (std::size_t i = 0; i < picture.columns.size(); ++i) {
        Column& column = picture.columns[i];
        if (column.count != 0) {
            column.level =
                level_of(static_cast<double>(median_of(series, ranks[i], ranks[i + 1])) / static_cast<double>(most));
            column.peak =
                level_of(static_cast<double>(series.greatest(ranks[i], ranks[i + 1])) / static_cast<double>(most));
        }
    }
    constexpr auto longest = static_cast<std::uint64_t>(std::numeric_limits<Picoseconds>::max());
    picture.full_scale =
        ranks.front() == ranks.back() ? "" : time_text(static_cast<Picoseconds>(std::min(most, longest)));
}

void PictureMaker::findings(TrackPicture& picture) const {
    if (model_.findings == nullptr) {
        return;
    }
    const FindingTimes& all = model_.findings->all;
    std::size_t from = all.rank(edges_.front());
    const std::size_t first = from;
    for (std::size_t i = 0; i < picture.columns.size(); ++i) {
        const std::size_t to = all.rank(edges_[i + 1]);
        picture.columns[i].count = saturated(to - from);
        picture.columns[i].worst = all.worst_of(from, to);
        from = to;
    }
    level_by_count(picture);
    picture.full_scale.replace(picture.full_scale.find(' '), std::string::npos, " findings");
    for (std::size_t number = first; number < from && from - first <= picture.columns.size(); ++number) {
        picture.marks.push_back({viewport_.column_of(all.time(number)), all.worst(number), number});
    }
}

}  // namespace eciscope::view
