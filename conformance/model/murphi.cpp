#include "murphi.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <vector>

namespace eciscope::conformance::model {

namespace {

class Writer {
 public:
    explicit Writer(const Machines& machines) : m_(machines) {}

    std::string run() {
        declarations();
        for (StateId s = 0; s < m_.remote_states.size(); ++s) {
            remote_rules(s);
        }
        for (StateId s = 0; s < m_.home_states.size(); ++s) {
            home_rules(s);
        }
        invariants();
        return text_;
    }

 private:
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_.push_back('\n');
    }

    void enumeration(std::string_view name, std::string_view prefix, const std::vector<std::string>& members) {
        std::string list;
        for (std::size_t i = 0; i < members.size(); ++i) {
            list += fmt::format("{}{}{}", i == 0 ? "" : ", ", prefix, i);
        }
        line("  {}: enum {{{}}};", name, list);
        for (std::size_t i = 0; i < members.size(); ++i) {
            line("  -- {}{}: {}", prefix, i, members[i]);
        }
    }

    void declarations() {
        line("-- One line, subset {}. Generated from the specification.", m_.subset);
        line("type");
        enumeration("remote_t", "r", m_.remote_states);
        enumeration("home_t", "h", m_.home_states);
        enumeration("step_t", "m", m_.steps);
        line("  count_t: 0..{};", most_of_a_step);
        line("var");
        line("  remote: remote_t; home: home_t;");
        line("  remote_is_newest: boolean; memory_is_newest: boolean;");
        line("  fresh: array[step_t] of count_t;  -- messages under way");
        line("  stale: array[step_t] of count_t;  -- the same, with data that is not the newest");
        line("startstate begin");
        line("  remote := r{}; home := h{}; remote_is_newest := true; memory_is_newest := true;", m_.remote_rest,
             m_.home_rest);
        line("  for s: step_t do fresh[s] := 0; stale[s] := 0; end;");
        line("end;");
        line("procedure age(); begin");
        for (std::size_t s = 0; s < m_.steps.size(); ++s) {
            if (m_.brings_data[s]) {
                line("  stale[m{0}] := stale[m{0}] + fresh[m{0}]; fresh[m{0}] := 0;", s);
            }
        }
        line("end;");
    }

    void send(StepId step, std::string_view newest) {
        if (step == no_step) {
            return;
        }
        if (m_.brings_data[step]) {
            line("  if {1} then fresh[m{0}] := fresh[m{0}] + 1; else stale[m{0}] := stale[m{0}] + 1; end;", step,
                 newest);
        } else {
            line("  fresh[m{0}] := fresh[m{0}] + 1;", step);
        }
    }

    /// The sender waits while as many of a step are under way as there may be.
    static std::string room_for(StepId step) {
        return step == no_step ? "" : fmt::format(" & fresh[m{0}] + stale[m{0}] < {1}", step, most_of_a_step);
    }

    void remote_move(const Move& move) {
        if (move.writes) {
            line("  remote_is_newest := true; memory_is_newest := false; age();");
        }
        send(move.sends, "remote_is_newest");
        line("  remote := r{};", move.next);
        if (!m_.may_read[move.next]) {
            line("  remote_is_newest := true;");
        }
    }

    void remote_rules(StateId state) {
        for (const Act& act : m_.remote_acts[state]) {
            line("rule \"remote {}\" remote = r{}{} ==> begin", act.wish, state, room_for(act.move.sends));
            remote_move(act.move);
            line("end;");
        }
        std::vector<StepId> unspecified;
        for (StepId step = 0; step < m_.steps.size(); ++step) {
            if (!m_.from_home[step]) {
                continue;
            }
            for (const std::string_view bag : bags_of(step)) {
                remote_reception(state, step, bag);
            }
            if (m_.remote_receives[state][step].empty()) {
                unspecified.push_back(step);
            }
        }
        error_at(fmt::format("remote = r{}", state), unspecified);
    }

    /// Only a message with data can have data that are not the newest.
    std::vector<std::string_view> bags_of(StepId step) const {
        return m_.brings_data[step] ? std::vector<std::string_view>{"fresh", "stale"}
                                    : std::vector<std::string_view>{"fresh"};
    }

    void error_at(const std::string& place, const std::vector<StepId>& unspecified) {
        std::string any;
        for (const StepId step : unspecified) {
            any += fmt::format("{0}fresh[m{1}] + stale[m{1}] > 0", any.empty() ? "" : " | ", step);
        }
        if (!any.empty()) {
            line("rule \"unspecified\" {} & ({}) ==> begin error \"unspecified reception\"; end;", place, any);
        }
    }

    void remote_reception(StateId state, StepId step, std::string_view bag) {
        const auto& moves = m_.remote_receives[state][step];
        for (const Move& move : moves) {
            line("rule \"{3} receives {4}\" remote = r{0} & {2}[m{1}] > 0{5} ==> begin {2}[m{1}] := {2}[m{1}] - 1;",
                 state, step, bag, m_.remote_states[state], m_.steps[step], room_for(move.sends));
            if (m_.brings_data[step]) {
                line("  remote_is_newest := {};", bag == "fresh");
            } else if (m_.may_read[move.next] && !m_.may_read[state]) {
                line("  remote_is_newest := false;");
            }
            remote_move(move);
            line("end;");
        }
    }

    void home_rules(StateId state) {
        for (const Act& act : m_.home_acts[state]) {
            line("rule \"home {}\" home = h{}{} ==> begin", act.wish, state, room_for(act.move.sends));
            send(act.move.sends, "memory_is_newest");
            line("  home := h{};\nend;", act.move.next);
        }
        if (m_.may_write_at_home[state]) {
            line("rule \"home writes\" home = h{} ==> begin", state);
            line("  memory_is_newest := true; remote_is_newest := {}; age();\nend;", not_readable());
        }
        std::vector<StepId> unspecified;
        for (StepId step = 0; step < m_.steps.size(); ++step) {
            if (m_.from_home[step]) {
                continue;
            }
            for (const std::string_view bag : bags_of(step)) {
                home_reception(state, step, bag);
            }
            if (m_.home_receives[state][step].kind == Reception::unspecified) {
                unspecified.push_back(step);
            }
        }
        error_at(fmt::format("home = h{}", state), unspecified);
    }

    void home_reception(StateId state, StepId step, std::string_view bag) {
        const HomeReception& reception = m_.home_receives[state][step];
        if (reception.kind != Reception::takes) {
            return;
        }
        line("rule \"home receives {3}\" home = h{0} & {2}[m{1}] > 0{4} ==> begin {2}[m{1}] := {2}[m{1}] - 1;", state,
             step, bag, m_.steps[step], room_for(reception.move.sends));
        if (m_.brings_data[step]) {
            line("  memory_is_newest := {};", bag == "fresh");
        }
        send(reception.move.sends, "memory_is_newest");
        line("  home := h{};\nend;", reception.move.next);
    }

    std::string not_readable() const { return "!(" + any_of("remote = r", m_.may_read) + ")"; }

    static std::string any_of(std::string_view prefix, const std::vector<bool>& members) {
        std::string text;
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (members[i]) {
                text += fmt::format("{}{}{}", text.empty() ? "" : " | ", prefix, i);
            }
        }
        return text.empty() ? "false" : text;
    }

    std::string home_at(std::uint8_t level) const {
        std::vector<bool> members;
        for (const std::uint8_t directory : m_.directory) {
            members.push_back(directory == level);
        }
        return any_of("home = h", members);
    }

    std::string any_under_way(const std::vector<bool>& steps) const {
        std::string text;
        for (std::size_t s = 0; s < steps.size(); ++s) {
            text += steps[s] ? fmt::format("{0}fresh[m{1}] + stale[m{1}] > 0", text.empty() ? "" : " | ", s) : "";
        }
        return text.empty() ? "false" : text;
    }

    /// What holds once every message has arrived that can: all that is under way is held by the home, and nothing may
    /// be.
    void peace(bool remembers) {
        std::string arrives = any_under_way(m_.from_home);
        for (std::size_t h = 0; h < m_.home_states.size(); ++h) {
            std::vector<bool> takes;
            for (const HomeReception& reception : m_.home_receives[h]) {
                takes.push_back(reception.kind == Reception::takes);
            }
            arrives += fmt::format(" | home = h{} & ({})", h, any_under_way(takes));
        }
        line("invariant \"nothing stays owed\" {} |", arrives);
        line("  ({}) & !({}) & forall s: step_t do fresh[s] + stale[s] = 0 end;", any_of("home = h", m_.settled),
             any_of("remote = r", m_.awaits_grant));
        if (remembers) {
            const std::string writers = any_of("remote = r", m_.may_write);
            const std::string readers = any_of("remote = r", m_.may_read);
            line("invariant \"the directory becomes right\" {} |", arrives);
            line("  ({0}) & ({2}) | !({0}) & ({1}) & ({3}) | !({0}) & !({1}) & ({4});", writers, readers, home_at(3),
                 home_at(2), home_at(1));
        }
    }

    void invariants() {
        const bool remembers = m_.home_states.size() > 1;
        if (remembers) {
            line("invariant \"single writer\" ({}) -> ({});", any_of("remote = r", m_.may_write), home_at(3));
            line("invariant \"readers are known\" ({}) -> !({});", any_of("remote = r", m_.may_read), home_at(1));
        }
        line("invariant \"data value\" remote_is_newest;");
        line("invariant \"data value at home\" ({}) -> memory_is_newest;", any_of("home = h", m_.may_write_at_home));
        peace(remembers);
        if (remembers) {
            line("invariant \"channels stay bounded\" forall s: step_t do fresh[s] + stale[s] < {} end;",
                 most_of_a_step);
        }
        line("liveness \"no deadlock\" remote = r{} & home = h{} & memory_is_newest &", m_.remote_rest, m_.home_rest);
        line("  forall s: step_t do fresh[s] = 0 & stale[s] = 0 end;");
    }

    const Machines& m_;
    std::string text_;
};

}  // namespace

std::string to_murphi(const Machines& machines) {
    return Writer(machines).run();
}

}  // namespace eciscope::conformance::model
