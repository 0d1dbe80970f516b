#include "view_history.hpp"

namespace eciscope::view {

namespace {

constexpr std::chrono::milliseconds one_gesture{600};
constexpr std::size_t most_kept = 200;

std::optional<Viewport> step(std::vector<Viewport>& from, std::vector<Viewport>& to, const Viewport& present) {
    if (from.empty()) {
        return std::nullopt;
    }
    const Viewport target = from.back();
    from.pop_back();
    to.push_back(present);
    return target;
}

}  // namespace

void ViewHistory::changed_from(const Viewport& before, bool continues, Clock::time_point now) {
    const bool same_gesture = continues && last_step_ && now - *last_step_ < one_gesture;
    last_step_ = continues ? std::optional(now) : std::nullopt;
    forward_.clear();
    if (same_gesture) {
        return;
    }
    if (back_.size() == most_kept) {
        back_.erase(back_.begin());
    }
    back_.push_back(before);
}

std::optional<Viewport> ViewHistory::undo(const Viewport& present) {
    last_step_.reset();
    return step(back_, forward_, present);
}

std::optional<Viewport> ViewHistory::redo(const Viewport& present) {
    last_step_.reset();
    return step(forward_, back_, present);
}

void ViewHistory::clear() {
    back_.clear();
    forward_.clear();
    last_step_.reset();
}

}  // namespace eciscope::view
