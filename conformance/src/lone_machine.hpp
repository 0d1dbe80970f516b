// One node by itself: could it have sent what the tap saw, whatever the other node did?
#pragma once

#include <set>
#include <vector>

#include "graph.hpp"
#include "machines.hpp"

namespace eciscope::conformance {

class LoneMachine {
 public:
    enum class Side : std::uint8_t { remote, home };

    LoneMachine(const model::Machines& machines, Side side, bool queues);

    /// What may be known of the node at first: its part of each configuration.
    void begin(const std::vector<model::Configuration>& configurations);

    /// The tap saw one of the steps of a set. False if this node cannot have sent it; its knowledge is then as before.
    bool sees(std::uint32_t steps);

 private:
    struct State {
        model::StateId state = 0;
        std::vector<model::StepId> inbox;   ///< passed the tap, not received; sorted
        std::vector<model::StepId> outbox;  ///< sent, not passed the tap; sorted

        friend auto operator<=>(const State&, const State&) = default;
    };
    using States = std::set<State>;

    [[nodiscard]] bool is_mine(model::StepId step) const;
    void close();
    void follow(const State& from, std::vector<State>& work);
    void reach(State next, const model::Move& move, std::vector<State>& work);

    const model::Machines& machines_;
    Side side_;
    bool queues_;  ///< what it sends may wait before it passes the tap
    States states_;
};

}  // namespace eciscope::conformance
