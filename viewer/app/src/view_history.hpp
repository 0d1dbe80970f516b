// Undo and redo of what is in view.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "eciscope/view/viewport.hpp"

namespace eciscope::view {

class ViewHistory {
 public:
    using Clock = std::chrono::steady_clock;

    /// The view changes from `before`. Steps that follow each other at once (a wheel, a drag) are one.
    void changed_from(const Viewport& before, bool continues, Clock::time_point now);
    [[nodiscard]] std::optional<Viewport> undo(const Viewport& present);
    [[nodiscard]] std::optional<Viewport> redo(const Viewport& present);
    [[nodiscard]] bool can_undo() const { return !back_.empty(); }
    [[nodiscard]] bool can_redo() const { return !forward_.empty(); }
    void clear();

 private:
    std::vector<Viewport> back_;
    std::vector<Viewport> forward_;
    std::optional<Clock::time_point> last_step_;
};

}  // namespace eciscope::view
