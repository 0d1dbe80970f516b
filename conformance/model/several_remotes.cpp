#include "several_remotes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>

namespace eciscope::conformance::model {

namespace {

constexpr std::size_t levels = 3;

/// A remote, its entry in the directory and the messages between: a line of two nodes, of which there are few hundred.
/// A configuration of all is their numbers, the highest first since remotes are alike; unused places are 0 and come
/// last.
using Part = std::uint16_t;
constexpr std::size_t most_remotes = 4;
using Parts = std::array<Part, most_remotes>;

class PartTable {
 public:
    explicit PartTable(const Machines& machines) : machines_(machines) {
        Configuration rest;
        rest.remote = machines.remote_rest;
        rest.home = machines.home_rest;
        number_of(rest);
    }

    const Configuration& operator[](Part part) const { return parts_[part]; }
    std::uint8_t level(Part part) const { return machines_.directory[parts_[part].home]; }

    struct Successors {
        bool known = false;
        StepId unspecified = no_step;
        std::vector<Part> parts;
    };

    /// Where a part can go, given the highest level of the others.
    const Successors& successors(Part part, std::uint8_t others) {
        if (!successors_[part][others - 1U].known) {
            Successors found = work_out(parts_[part], others);  // a copy: the table grows meanwhile
            successors_[part][others - 1U] = std::move(found);
        }
        return successors_[part][others - 1U];
    }

 private:
    Part number_of(const Configuration& c) {
        std::string key{static_cast<char>(c.remote), static_cast<char>(c.home)};
        key.append(c.in_flight.begin(), c.in_flight.end());
        const auto [place, is_new] = numbers_.try_emplace(key, static_cast<Part>(parts_.size()));
        if (is_new) {
            parts_.push_back(c);
            successors_.emplace_back();
        }
        return place->second;
    }

    Successors work_out(Configuration c, std::uint8_t others) {
        Successors found;
        found.known = true;
        for (const Act& act : machines_.remote_acts[c.remote]) {
            add(found, c, act.move, true);
        }
        for (const Act& act : machines_.home_acts[c.home]) {
            add(found, c, act.move, false);
        }
        for (std::size_t i = 0; i < c.in_flight.size(); ++i) {
            Configuration taken = c;
            taken.in_flight.erase(taken.in_flight.begin() + static_cast<std::ptrdiff_t>(i));
            receive(found, taken, c.in_flight[i], others);
        }
        return found;
    }

    void receive(Successors& found, const Configuration& taken, StepId step, std::uint8_t others) {
        if (machines_.from_home[step]) {
            const auto& moves = machines_.remote_receives[taken.remote][step];
            found.unspecified = moves.empty() ? step : found.unspecified;
            for (const Move& move : moves) {
                add(found, taken, move, true);
            }
            return;
        }
        const HomeReception& reception = others == 1 ? machines_.home_receives[taken.home][step]
                                                     : machines_.home_receives_beside[others - 2U][taken.home][step];
        found.unspecified = reception.kind == Reception::unspecified ? step : found.unspecified;
        if (reception.kind == Reception::takes) {
            add(found, taken, reception.move, false);
        }
    }

    void add(Successors& found, Configuration c, const Move& move, bool by_remote) {
        (by_remote ? c.remote : c.home) = move.next;
        if (move.sends != no_step) {
            if (std::count(c.in_flight.begin(), c.in_flight.end(), move.sends) == most_of_a_step) {
                return;  // the sender waits
            }
            c.in_flight.insert(std::upper_bound(c.in_flight.begin(), c.in_flight.end(), move.sends), move.sends);
        }
        found.parts.push_back(number_of(c));
    }

    const Machines& machines_;
    std::vector<Configuration> parts_;
    std::vector<std::array<Successors, levels>> successors_;
    std::unordered_map<std::string, Part> numbers_;
};

class Several {
 public:
    Several(const Machines& machines, std::size_t remotes) : machines_(machines), table_(machines), remotes_(remotes) {}

    SeveralRemotes run() {
        number_of(Parts{});
        for (std::uint32_t c = 0; c < all_.size(); ++c) {
            single_writer(c);
            for (std::size_t i = 0; i < remotes_; ++i) {
                move(c, i);
            }
        }
        deadlocks();
        result_.configurations = all_.size();
        return std::move(result_);
    }

 private:
    std::uint32_t number_of(Parts parts) {
        std::sort(parts.begin(), parts.end(), std::greater<>());
        std::uint64_t key = 0;
        for (const Part part : parts) {
            key = key << 16U | part;
        }
        const auto [place, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(all_.size()));
        if (is_new) {
            all_.push_back(parts);
            before_.emplace_back();
        }
        return place->second;
    }

    void move(std::uint32_t from, std::size_t moves) {
        const Parts parts = all_[from];
        std::uint8_t others = 1;
        for (std::size_t i = 0; i < remotes_; ++i) {
            others = i == moves ? others : std::max(others, table_.level(parts[i]));
        }
        const auto& successors = table_.successors(parts[moves], others);
        if (successors.unspecified != no_step) {
            report("no unspecified reception",
                   "Nobody is told what to do with " + machines_.steps[successors.unspecified], parts);
        }
        for (const Part next : successors.parts) {
            Parts after = parts;
            after[moves] = next;
            before_[number_of(after)].push_back(from);
        }
    }

    void single_writer(std::uint32_t c) {
        std::size_t writers = 0;
        std::size_t readers = 0;
        for (std::size_t i = 0; i < remotes_; ++i) {
            const StateId remote = table_[all_[c][i]].remote;
            writers += machines_.may_write[remote] ? 1U : 0U;
            readers += machines_.may_read[remote] ? 1U : 0U;
        }
        if (writers > 0 && readers > 1) {
            report("single writer", "One may write while another has a copy", all_[c]);
        }
    }

    /// From everywhere there is a way back to rest.
    void deadlocks() {
        std::vector<bool> can_rest(all_.size());
        std::vector<std::uint32_t> work{0};
        can_rest[0] = true;
        while (!work.empty()) {
            const std::uint32_t c = work.back();
            work.pop_back();
            for (const std::uint32_t earlier : before_[c]) {
                if (!can_rest[earlier]) {
                    can_rest[earlier] = true;
                    work.push_back(earlier);
                }
            }
        }
        const auto stuck = std::find(can_rest.begin(), can_rest.end(), false);
        if (stuck != can_rest.end()) {
            report("no deadlock", "The line never comes to rest again",
                   all_[static_cast<std::size_t>(stuck - can_rest.begin())]);
        }
    }

    void report(const std::string& check, const std::string& sentence, const Parts& parts) {
        const auto& known = result_.findings;
        if (std::any_of(known.begin(), known.end(), [&](const Finding& f) { return f.check == check; })) {
            return;
        }
        std::string where;
        for (std::size_t i = 0; i < remotes_; ++i) {
            where += (i == 0 ? "" : " | ") + to_string(machines_, table_[parts[i]]);
        }
        result_.findings.push_back({check, sentence + ": " + where + ".", {}});
    }

    const Machines& machines_;
    PartTable table_;
    std::size_t remotes_;
    SeveralRemotes result_;
    std::vector<Parts> all_;
    std::vector<std::vector<std::uint32_t>> before_;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace

SeveralRemotes check_several(const Machines& machines, std::size_t remotes) {
    return Several(machines, remotes).run();
}

}  // namespace eciscope::conformance::model
