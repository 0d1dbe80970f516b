// Pictures of single messages: boxes, a line's states, arrows.
#include <fmt/format.h>

#include <algorithm>

#include "chunk_pump.hpp"
#include "picture_maker.hpp"

namespace eciscope::view {

namespace {

/// Messages that are complete after the picture's end, but may begin in it.
constexpr std::size_t looked_ahead = 256;
/// More lanes would be too thin to see.
constexpr int most_lanes = 16;

struct StateAt {
    std::string text;
    bool transient = false;
    bool unknown = false;
    friend bool operator==(const StateAt&, const StateAt&) = default;
};

/// The state that a column shows.
StateAt state_at(const LineTimeline::Change& change, bool of_home) {
    const conformance::CopyState& copy = of_home ? change.after->home : change.after->remote;
    return {copy.unknown ? "?" : copy.name, copy.transient, copy.unknown};
}

/// Changes of one node's state; those that change only the other's do not count.
bool differ(const LineTimeline::Change& a, const LineTimeline::Change& b, bool of_home) {
    return state_at(a, of_home) != state_at(b, of_home);
}

}  // namespace

int assign_lanes(std::vector<Box>& boxes) {
    std::stable_sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.from < b.from; });
    std::vector<int> ends;
    for (Box& box : boxes) {
        const auto free = std::find_if(ends.begin(), ends.end(), [&box](int end) { return end < box.from; });
        box.lane = std::min(static_cast<int>(free - ends.begin()), most_lanes - 1);
        if (free == ends.end() && box.lane == static_cast<int>(ends.size())) {
            ends.push_back(box.to);
        } else {
            int& end = ends[static_cast<std::size_t>(box.lane)];
            end = std::max(end, box.to);
        }
    }
    return std::max(1, static_cast<int>(ends.size()));
}

bool PictureMaker::is_near() {
    std::uint64_t messages = 0;
    const std::size_t last = edges_.size() - 1;
    for (const Series& series : model_.index->messages()) {
        const auto known = ranks_.find(&series);
        if (known != ranks_.end()) {
            messages += known->second[last] - known->second[0];
        } else {
            messages += series.rank(edges_[last]) - series.rank(edges_[0]);
        }
        if (messages > last) {
            return false;
        }
    }
    return true;
}

const std::vector<NearMessage>& PictureMaker::near_messages() {
    if (std::exchange(near_is_known_, true) || model_.reader == nullptr) {
        return near_;
    }
    const ewf::Reader& reader = *model_.reader;
    const Picoseconds start = edges_.front();
    const Picoseconds end = edges_.back();
    const auto first = reader.find_time(start);
    std::size_t ahead = 0;
    for (std::size_t i = first.value_or(reader.chunk_count()); i < reader.chunk_count() && ahead < looked_ahead; ++i) {
        if (reader.chunk(i).first_min >= end) {
            break;  // nothing in it begins before the picture ends
        }
        const auto batch = sources_.chunks.heads(reader, i);
        if (batch == nullptr) {
            continue;
        }
        const std::vector<MessageHead>& heads = batch->messages;
        const auto from = std::partition_point(heads.begin(), heads.end(),
                                               [start](const MessageHead& head) { return head.last < start; });
        for (auto at = from; at != heads.end() && ahead < looked_ahead; ++at) {
            ahead += at->last >= end ? 1U : 0U;
            if (at->first < end) {
                const auto number = reader.chunk(i).first_message + static_cast<std::uint64_t>(at - heads.begin());
                near_.push_back({number, *at, header_of(*batch, *at)});
            }
        }
    }
    return near_;
}

std::string PictureMaker::label_of(const NearMessage& message) const {
    const OpNumber op = sources_.kinds.op_of(message.head.vc, message.header);
    const std::string& name = sources_.kinds.names()[op];
    const conformance::HeaderShape& shape =
        conformance::header_shapes[message.head.vc % conformance::vc_count * conformance::opcode_count +
                                   conformance::opcode_field.of(message.header)];
    if (shape.id_mask == 0 || !(shape.opens || shape.closes)) {
        return name;
    }
    return fmt::format("{} id {}", name, message.header >> shape.id_shift & shape.id_mask);
}

void PictureMaker::add_boxes(std::span<const NearMessage> messages, TrackPicture& picture) const {
    for (const NearMessage& message : messages) {
        const Worst found =
            model_.findings == nullptr ? Worst::nothing : model_.findings->worst_of_message(message.number);
        const int to = viewport_.column_of(message.head.last);
        const int from = std::min(viewport_.column_of(message.head.first), to);
        picture.boxes.push_back({message.number, from, to, 0, std::max(found, Worst::messages), label_of(message)});
    }
    picture.lanes = assign_lanes(picture.boxes);
}

void PictureMaker::line(const TrackId& id, TrackPicture& picture) {
    const auto known = model_.index == nullptr ? nullptr : sources_.line(id.line);
    if (known == nullptr) {
        coarse_ = true;
        for (std::uint8_t node = 0; node < node_count; ++node) {
            picture.states.push_back({0, viewport_.columns, node, "?", false, true});
        }
        return;
    }
    const Ranks ranks = view::ranks_of(known->times(), edges_);
    count_ranks(ranks, picture);
    for (std::size_t i = 0; i < picture.columns.size(); ++i) {
        for (std::uint64_t k = ranks[i]; k < ranks[i + 1]; ++k) {
            picture.columns[i].worst = std::max(picture.columns[i].worst, known->worst()[k]);
        }
    }
    level_by_count(picture);
    add_states(*known, picture);
    const std::size_t count = ranks.back() - ranks.front();
    if (count > picture.columns.size()) {
        return;
    }
    // Messages that are complete behind the end may begin in the picture.
    const std::size_t end = std::min<std::size_t>(ranks.back() + 8, known->messages().size());
    std::vector<NearMessage> shown;
    for (std::size_t i = ranks.front(); i < end; ++i) {
        if (known->messages()[i].head.first < edges_.back()) {
            shown.push_back(known->messages()[i]);
        }
    }
    add_boxes(shown, picture);
    add_arrows(*known, ranks.front(), ranks.back(), picture);
}

void PictureMaker::add_arrows(const LineTimeline& line, std::size_t from, std::size_t to, TrackPicture& picture) const {
    constexpr std::size_t looked_back = 64;  // requests before the picture whose answers come in it, or behind it
    const auto& messages = line.messages();
    for (std::size_t i = from - std::min(from, looked_back); i < to; ++i) {
        const std::uint32_t answer = line.answers()[i];
        if (answer != LineTimeline::none && answer >= from) {
            picture.arrows.push_back({messages[i].number, messages[answer].number,
                                      viewport_.column_of(messages[i].head.last),
                                      viewport_.column_of(messages[answer].head.first)});
        }
    }
}

void PictureMaker::add_states(const LineTimeline& line, TrackPicture& picture) const {
    for (std::uint8_t node = 0; node < node_count; ++node) {
        add_states_of(line, node, picture);
    }
}

/// One pass over the columns. A column in which a state changes shows the new one; one with several changes says so.
void PictureMaker::add_states_of(const LineTimeline& line, std::uint8_t node, TrackPicture& picture) const {
    const std::vector<LineTimeline::Change>& changes = line.changes();
    const bool of_home = node == line.line().home;
    const auto after = std::upper_bound(changes.begin(), changes.end(), edges_.front(),
                                        [](Picoseconds time, const auto& change) { return time < change.time; });
    auto now = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, after - changes.begin())) - 1;
    StateAt last;
    for (int column = 0; column < viewport_.columns; ++column) {
        const Picoseconds end = edges_[static_cast<std::size_t>(column) + 1];
        int changed = 0;
        for (; now + 1 < changes.size() && changes[now + 1].time < end; ++now) {
            changed += differ(changes[now], changes[now + 1], of_home) ? 1 : 0;
        }
        const StateAt state = changed > 1 ? StateAt{"…", true, false} : state_at(changes[now], of_home);
        if (column != 0 && state == last) {
            picture.states.back().to = column + 1;
        } else {
            picture.states.push_back({column, column + 1, node, state.text, state.transient, state.unknown});
        }
        last = state;
    }
}

}  // namespace eciscope::view
