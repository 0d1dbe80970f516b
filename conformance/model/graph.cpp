#include "graph.hpp"

#include <algorithm>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "bag.hpp"

namespace eciscope::conformance::model {

namespace {

std::vector<StepId> distinct(std::vector<StepId> bag) {
    bag.erase(std::unique(bag.begin(), bag.end()), bag.end());
    return bag;
}

/// A configuration as bytes. `halfway` is the step that a home-side tap has still to see.
std::string key_of(const Configuration& c, StepId halfway) {
    std::string key{static_cast<char>(c.remote), static_cast<char>(c.home), static_cast<char>(halfway),
                    static_cast<char>((c.remote_is_newest ? 1 : 0) + (c.memory_is_newest ? 2 : 0))};
    key.append(c.queued.begin(), c.queued.end());
    key.push_back(static_cast<char>(no_step));
    key.append(c.in_flight.begin(), c.in_flight.end());
    return key;
}

class Explorer {
 public:
    Explorer(const Machines& machines, Tap tap, Data data, std::size_t limit)
        : machines_(machines), tap_(tap), data_(data), limit_(limit) {}

    Exploration run() {
        Configuration rest;
        rest.remote = machines_.remote_rest;
        rest.home = machines_.home_rest;
        index_of(rest, no_step, 0, 0);
        for (std::size_t current = 0; current < graph().configurations.size(); ++current) {
            if (graph().configurations.size() > limit_) {
                result_.complete = false;
                break;
            }
            visit(current);
        }
        return std::move(result_);
    }

 private:
    Graph& graph() { return result_.graph; }

    std::size_t index_of(const Configuration& c, StepId halfway, std::size_t parent, std::size_t parent_edge) {
        const auto [place, is_new] = index_.try_emplace(key_of(c, halfway), graph().configurations.size());
        if (is_new) {
            graph().configurations.push_back(c);
            graph().edges.emplace_back();
            graph().parent.push_back(parent);
            graph().parent_edge.push_back(parent_edge);
            graph().is_halfway.push_back(halfway != no_step);
            owed_.push_back(halfway);
        }
        return place->second;
    }

    void add_edge(std::size_t from, StepId seen, const Configuration& to, Event what, StepId halfway = no_step) {
        if (what.sent != no_step && under_way(to, what.sent) > most_of_a_step) {
            return;  // the sender waits
        }
        const std::size_t target = index_of(to, halfway, from, graph().edges[from].size());
        graph().edges[from].push_back({seen, target, std::move(what)});
    }

    /// Channels are finite. Only a home without memory ever fills one: nothing holds back drops that it ignores.
    static std::size_t under_way(const Configuration& c, StepId step) {
        const auto same = [step](StepId carried) { return step_of(carried) == step; };
        return static_cast<std::size_t>(std::count_if(c.queued.begin(), c.queued.end(), same) +
                                        std::count_if(c.in_flight.begin(), c.in_flight.end(), same));
    }

    /// The configuration after a node sent `step`; its data, if it brings any, is the sender's copy.
    Configuration sent(Configuration c, StepId step) const {
        if (step == no_step) {
            return c;
        }
        const bool newest = machines_.from_home[step] ? c.memory_is_newest : c.remote_is_newest;
        const bool marks_stale = data_ == Data::tracked && machines_.brings_data[step] && !newest;
        auto& bag = tap_ == Tap::unordered ? c.queued : c.in_flight;
        bag = with(std::move(bag), marks_stale ? step | stale_data : step);
        return c;
    }

    /// The remote after a move: what it received (no_step for nothing) fills its copy, a write makes every other copy
    /// old. A copy that comes from nowhere is an old one.
    Configuration remote_moved(Configuration c, StepId received, const Move& move) const {
        if (received != no_step && machines_.brings_data[step_of(received)]) {
            c.remote_is_newest = (received & stale_data) == 0;
        } else if (data_ == Data::tracked && machines_.may_read[move.next] && !machines_.may_read[c.remote]) {
            c.remote_is_newest = false;
        }
        if (data_ == Data::tracked && move.writes) {
            c.remote_is_newest = true;
            c.memory_is_newest = false;
            age(c.in_flight);
            age(c.queued);
        }
        c = sent(std::move(c), move.sends);
        c.remote = move.next;
        c.remote_is_newest = c.remote_is_newest || !machines_.may_read[c.remote];
        return c;
    }

    Configuration home_moved(Configuration c, StepId received, const Move& move) const {
        if (received != no_step && machines_.brings_data[step_of(received)]) {
            c.memory_is_newest = (received & stale_data) == 0;
        }
        c = sent(std::move(c), move.sends);
        c.home = move.next;
        return c;
    }

    /// The home writes a line of which it believes that nobody has a copy.
    Configuration home_wrote(Configuration c) const {
        c.memory_is_newest = true;
        c.remote_is_newest = !machines_.may_read[c.remote];
        age(c.in_flight);
        age(c.queued);
        return c;
    }

    void age(std::vector<StepId>& bag) const {
        for (StepId& carried : bag) {
            carried = machines_.brings_data[step_of(carried)] ? carried | stale_data : carried;
        }
        std::sort(bag.begin(), bag.end());
    }

    StepId seen_of_sending(StepId step) const {
        const bool visible =
            tap_ == Tap::in_order || (tap_ == Tap::home_side && step != no_step && machines_.from_home[step]);
        return visible ? step : silent;
    }

    void visit(std::size_t current) {
        const Configuration c = graph().configurations[current];
        if (owed_[current] != no_step) {
            add_edge(current, owed_[current], c, {Who::home, no_step, owed_[current], {}});
            return;
        }
        acts(current, c);
        for (const StepId carried : distinct(c.in_flight)) {
            Configuration taken = c;
            taken.in_flight = without(std::move(taken.in_flight), carried);
            machines_.from_home[step_of(carried)] ? remote_receives(current, taken, carried)
                                                  : home_receives(current, taken, carried);
        }
        for (const StepId carried : distinct(c.queued)) {
            Configuration passed = c;
            passed.queued = without(std::move(passed.queued), carried);
            passed.in_flight = with(std::move(passed.in_flight), carried);
            add_edge(current, step_of(carried), passed, {Who::tap, step_of(carried), no_step, {}});
        }
    }

    void acts(std::size_t current, const Configuration& c) {
        for (const Act& act : machines_.remote_acts[c.remote]) {
            add_edge(current, seen_of_sending(act.move.sends), remote_moved(c, no_step, act.move),
                     {Who::remote, no_step, act.move.sends, act.wish});
        }
        for (const Act& act : machines_.home_acts[c.home]) {
            add_edge(current, seen_of_sending(act.move.sends), home_moved(c, no_step, act.move),
                     {Who::home, no_step, act.move.sends, act.wish});
        }
        if (data_ == Data::tracked && machines_.may_write_at_home[c.home]) {
            add_edge(current, silent, home_wrote(c), {Who::home, no_step, no_step, "writes"});
        }
    }

    void remote_receives(std::size_t current, const Configuration& taken, StepId carried) {
        const StepId step = step_of(carried);
        const auto& moves = machines_.remote_receives[taken.remote][step];
        if (moves.empty()) {
            graph().faults.push_back({current, step, false});
        }
        for (const Move& move : moves) {
            add_edge(current, seen_of_sending(move.sends), remote_moved(taken, carried, move),
                     {Who::remote, step, move.sends, {}});
        }
    }

    void home_receives(std::size_t current, const Configuration& taken, StepId carried) {
        const StepId step = step_of(carried);
        const HomeReception& reception = machines_.home_receives[taken.home][step];
        if (reception.kind == Reception::unspecified) {
            graph().faults.push_back({current, step, true});
        }
        if (reception.kind != Reception::takes) {
            return;
        }
        const Configuration next = home_moved(taken, carried, reception.move);
        if (tap_ == Tap::home_side) {
            add_edge(current, step, next, {Who::home, step, no_step, {}}, reception.move.sends);
        } else {
            add_edge(current, seen_of_sending(reception.move.sends), next, {Who::home, step, reception.move.sends, {}});
        }
    }

    const Machines& machines_;
    Tap tap_;
    Data data_;
    std::size_t limit_;
    Exploration result_;
    std::vector<StepId> owed_;  // by configuration: what a home-side tap sees next
    std::unordered_map<std::string, std::size_t> index_;
};

void append(std::string& text, const Machines& machines, std::string_view title, const std::vector<StepId>& bag) {
    if (bag.empty()) {
        return;
    }
    text.append(", ").append(title);
    for (const StepId carried : bag) {
        text.append(" ").append(machines.steps[step_of(carried)]);
        text.append((carried & stale_data) != 0 ? " (old data)" : "");
    }
}

}  // namespace

std::size_t Graph::size() const {
    return static_cast<std::size_t>(std::count(is_halfway.begin(), is_halfway.end(), false));
}

Exploration explore(const Machines& machines, Tap tap, Data data, std::size_t limit) {
    return Explorer(machines, tap, data, limit).run();
}

std::string to_string(const Machines& machines, const Configuration& c) {
    std::string text = "remote " + machines.remote_states[c.remote] + ", home " + machines.home_states[c.home];
    text += c.remote_is_newest ? "" : ", its copy is old";
    text += c.memory_is_newest ? "" : ", memory is old";
    append(text, machines, "queued", c.queued);
    append(text, machines, "in flight", c.in_flight);
    return text;
}

}  // namespace eciscope::conformance::model
