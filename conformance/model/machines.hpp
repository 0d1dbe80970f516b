// The two machines of a line as tables, filled by evaluating the specification (sail/coherence.sail) for one subset.
// Nothing about a transition is known here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace eciscope::conformance::model {

using StateId = std::uint8_t;
using StepId = std::uint8_t;

inline constexpr StepId no_step = 0xff;

/// More of one step than this is never under way at once.
inline constexpr std::size_t most_of_a_step = 3;

/// Where a machine goes, and what it sends if anything.
struct Move {
    StateId next = 0;
    StepId sends = no_step;
    bool writes = false;  ///< the remote writes the line on the way

    friend bool operator==(const Move&, const Move&) = default;
};

/// A move that a machine makes unasked, with the wish or forward that it follows from.
struct Act {
    Move move;
    std::string wish;
};

/// What a step is in the exchange between the two; the specification's `step_kind`.
enum class StepKind : std::uint8_t { request, grant, voluntary, forward, answer };

enum class Reception : std::uint8_t { takes, holds, unspecified };

struct HomeReception {
    Reception kind = Reception::unspecified;
    Move move;
};

struct Machines {
    std::string subset;
    std::vector<std::string> steps;          ///< by StepId
    std::vector<std::string> remote_states;  ///< by StateId
    std::vector<std::string> home_states;    ///< by StateId; 0 is the home at rest
    StateId remote_rest = 0;
    StateId home_rest = 0;

    std::vector<StepKind> kinds;    ///< by step
    std::vector<bool> from_home;    ///< by step: the home sends it
    std::vector<bool> brings_data;  ///< by step
    std::vector<bool> is_request;   ///< by step: the home may hold it back

    std::vector<std::vector<Act>> remote_acts;                    ///< by state
    std::vector<std::vector<std::vector<Move>>> remote_receives;  ///< by state, step; none = unspecified
    std::vector<std::vector<Act>> home_acts;                      ///< by state
    std::vector<std::vector<HomeReception>> home_receives;        ///< by state, step

    std::vector<bool> may_write;             ///< by remote state
    std::vector<bool> may_read;              ///< by remote state
    std::vector<bool> awaits_grant;          ///< by remote state
    std::vector<std::uint8_t> seen_by_home;  ///< by remote state: number of its group that the home cannot tell apart
    std::vector<std::uint8_t> directory;     ///< by home state: 1, 2 or 3
    std::vector<bool> settled;               ///< by home state: no forward is under way
    std::vector<bool> may_write_at_home;     ///< by home state: it may write its own memory
    /// By home state, for charts: the directory's digit, what is pending, its answer, an early drop. Only load_machines
    /// fills it.
    std::vector<std::string> home_states_in_short{};
    /// What the home does while another remote has a shared copy or the line exclusive; by that (2: 0, 3: 1), state,
    /// step. Only load_machines fills it.
    std::vector<std::vector<std::vector<HomeReception>>> home_receives_beside{};
};

}  // namespace eciscope::conformance::model
