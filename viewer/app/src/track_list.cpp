#include "track_list.hpp"

#include <algorithm>

namespace eciscope::view {

namespace {

constexpr const char* pinned_group = "Pinned";

std::string line_name(const ewf::Line& line) {
    static const char* const digits = "0123456789abcdef";
    std::string number;
    for (std::uint64_t rest = line.aliased_cli; number.empty() || rest != 0; rest >>= 4) {
        number.insert(number.begin(), digits[rest & 15]);
    }
    return "0x" + number + "@" + std::to_string(line.home);
}

}  // namespace

TrackList::Entry* TrackList::find(const TrackId& id) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.track.id == id; });
    return found == entries_.end() ? nullptr : &*found;
}

const TrackList::Entry* TrackList::find(const TrackId& id) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.track.id == id; });
    return found == entries_.end() ? nullptr : &*found;
}

void TrackList::set_tracks(std::vector<TrackInfo> tracks) {
    std::erase_if(entries_, [&tracks](const Entry& entry) {
        const bool known =
            std::any_of(tracks.begin(), tracks.end(), [&entry](const TrackInfo& t) { return t.id == entry.track.id; });
        return !known && entry.track.id.kind != TrackKind::line;
    });
    std::vector<Entry> added;
    for (TrackInfo& track : tracks) {
        if (Entry* known = find(track.id)) {
            known->track = std::move(track);
            continue;
        }
        const bool pinned = track.id.kind == TrackKind::findings;
        added.push_back({std::move(track), pinned, false});
    }
    entries_.insert(entries_.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
}

void TrackList::add_line(const ewf::Line& line) {
    TrackInfo track;
    track.id.kind = TrackKind::line;
    track.id.line = line;
    track.name = line_name(line);
    track.group = "lines";
    if (Entry* known = find(track.id)) {
        known->hidden = false;
        known->pinned = true;
        return;
    }
    // Behind what is pinned already, so that a new line does not push the others down.
    const auto last = std::find_if(entries_.rbegin(), entries_.rend(), [](const Entry& e) { return e.pinned; });
    entries_.insert(last.base(), {std::move(track), true, false});
}

void TrackList::set_pinned(const TrackId& id, bool pinned) {
    if (Entry* entry = find(id)) {
        entry->pinned = pinned;
        entry->hidden = false;
    }
}

void TrackList::remove(const TrackId& id) {
    if (id.kind == TrackKind::line) {
        std::erase_if(entries_, [&](const Entry& e) { return e.track.id == id; });
        return;
    }
    if (Entry* entry = find(id)) {
        entry->hidden = true;
    }
}

void TrackList::show_all() {
    for (Entry& entry : entries_) {
        entry.hidden = false;
    }
}

bool TrackList::shown(const Entry& entry) const {
    if (entry.hidden) {
        return false;
    }
    const bool special = entry.track.id.kind == TrackKind::findings || entry.track.id.kind == TrackKind::line;
    const bool empty = entry.track.missing.has_value() || (entry.track.messages == 0 && !special);
    return show_empty_ || entry.pinned || !empty;
}

bool TrackList::together(const Entry& a, const Entry& b) const {
    return a.pinned == b.pinned && (a.pinned || a.track.group == b.track.group);
}

void TrackList::move(const TrackId& id, int by) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.track.id == id; });
    if (found == entries_.end()) {
        return;
    }
    auto at = static_cast<std::size_t>(found - entries_.begin());
    for (; by != 0; by -= by > 0 ? 1 : -1) {
        std::size_t other = at;
        do {  // the next one that is seen beside it
            other += by > 0 ? std::size_t{1} : ~std::size_t{0};
        } while (other < entries_.size() && !(shown(entries_[other]) && together(entries_[at], entries_[other])));
        if (other >= entries_.size()) {
            return;
        }
        std::swap(entries_[at], entries_[other]);
        at = other;
    }
}

void TrackList::move_before(const TrackId& id, const TrackId& before) {
    const Entry* moved = find(id);
    const Entry* target = find(before);
    if (moved == nullptr || target == nullptr || moved == target || !together(*moved, *target)) {
        return;
    }
    Entry entry = *moved;
    entries_.erase(entries_.begin() + (moved - entries_.data()));
    const auto place =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.track.id == before; });
    entries_.insert(place, std::move(entry));
}

void TrackList::toggle_group(const std::string& group) {
    if (folded_.erase(group) == 0) {
        folded_.insert(group);
    }
}

void TrackList::fold_all(bool folded) {
    folded_.clear();
    for (const Entry& entry : entries_) {
        if (folded && !entry.pinned) {
            folded_.insert(entry.track.group);
        }
    }
}

std::vector<Row> TrackList::rows() const {
    std::vector<Row> rows;
    std::vector<std::string> groups;
    for (const Entry& entry : entries_) {
        if (!shown(entry)) {
            continue;
        }
        if (entry.pinned) {
            rows.push_back({Row::Kind::track, pinned_group, false, entry.track, true});
        } else if (std::find(groups.begin(), groups.end(), entry.track.group) == groups.end()) {
            groups.push_back(entry.track.group);
        }
    }
    for (const std::string& group : groups) {
        const bool folded = folded_.contains(group);
        rows.push_back({Row::Kind::header, group, folded, {}, false});
        for (const Entry& entry : entries_) {
            if (!folded && shown(entry) && !entry.pinned && entry.track.group == group) {
                rows.push_back({Row::Kind::track, group, false, entry.track, false});
            }
        }
    }
    return rows;
}

bool TrackList::is_pinned(const TrackId& id) const {
    const Entry* entry = find(id);
    return entry != nullptr && entry->pinned;
}

std::size_t TrackList::hidden_count() const {
    return static_cast<std::size_t>(
        std::count_if(entries_.begin(), entries_.end(), [](const Entry& e) { return e.hidden; }));
}

}  // namespace eciscope::view
