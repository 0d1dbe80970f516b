#include "lone_machine.hpp"

#include <algorithm>
#include <utility>

#include "bag.hpp"

namespace eciscope::conformance {

using model::Move;
using model::no_step;
using model::StepId;
using model::with;
using model::without;

namespace {

bool overfull(const std::vector<StepId>& bag) {
    for (std::size_t i = model::most_of_a_step; i < bag.size(); ++i) {
        if (bag[i] == bag[i - model::most_of_a_step]) {
            return true;
        }
    }
    return false;
}

}  // namespace

LoneMachine::LoneMachine(const model::Machines& machines, Side side, bool queues)
    : machines_(machines), side_(side), queues_(queues) {}

bool LoneMachine::is_mine(StepId step) const {
    return machines_.from_home[step] == (side_ == Side::home);
}

void LoneMachine::begin(const std::vector<model::Configuration>& configurations) {
    states_.clear();
    for (const model::Configuration& c : configurations) {
        State state{side_ == Side::home ? c.home : c.remote, {}, {}};
        std::copy_if(c.in_flight.begin(), c.in_flight.end(), std::back_inserter(state.inbox),
                     [this](StepId step) { return !is_mine(step); });
        std::copy_if(c.queued.begin(), c.queued.end(), std::back_inserter(state.outbox),
                     [this](StepId step) { return is_mine(step); });
        states_.insert(std::move(state));
    }
}

bool LoneMachine::sees(std::uint32_t steps) {
    close();
    States next;
    for (const State& state : states_) {
        for (StepId step = 0; step < machines_.steps.size(); ++step) {
            if ((steps >> step & 1U) == 0) {
                continue;
            }
            if (!is_mine(step)) {
                next.insert({state.state, with(state.inbox, step), state.outbox});
            } else if (std::binary_search(state.outbox.begin(), state.outbox.end(), step)) {
                next.insert({state.state, state.inbox, without(state.outbox, step)});
            }
        }
    }
    if (next.empty()) {
        return false;
    }
    states_ = std::move(next);
    return true;
}

/// Everything that the node can do without the tap seeing anything.
void LoneMachine::close() {
    std::vector<State> work(states_.begin(), states_.end());
    while (!work.empty()) {
        const State from = std::move(work.back());
        work.pop_back();
        follow(from, work);
    }
}

void LoneMachine::follow(const State& from, std::vector<State>& work) {
    if (!queues_ && !from.outbox.empty()) {
        return;  // what it sent passes the tap before it does anything else
    }
    const auto& acts = side_ == Side::home ? machines_.home_acts[from.state] : machines_.remote_acts[from.state];
    for (const model::Act& act : acts) {
        reach(from, act.move, work);
    }
    for (const StepId step : from.inbox) {
        State taken = from;
        taken.inbox = without(std::move(taken.inbox), step);
        if (side_ == Side::home) {
            const model::HomeReception& reception = machines_.home_receives[from.state][step];
            if (reception.kind == model::Reception::takes) {
                reach(taken, reception.move, work);
            }
        } else {
            for (const Move& move : machines_.remote_receives[from.state][step]) {
                reach(taken, move, work);
            }
        }
    }
}

void LoneMachine::reach(State next, const Move& move, std::vector<State>& work) {
    next.state = move.next;
    if (move.sends != no_step) {
        next.outbox = with(std::move(next.outbox), move.sends);
    }
    if (!overfull(next.outbox) && states_.insert(next).second) {
        work.push_back(std::move(next));
    }
}

}  // namespace eciscope::conformance
