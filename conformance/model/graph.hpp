// All configurations of one line: remote, home, and the messages between them, which keep no order.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "machines.hpp"

namespace eciscope::conformance::model {

/// Where the trace was taken.
enum class Tap : std::uint8_t {
    home_side,  ///< what the home receives and sends, in its order
    in_order,   ///< on the link, in the order in which the nodes sent
    unordered,  ///< on the link, where a sender's queues may have let circuits pass each other
};

inline constexpr StepId silent = no_step;

/// Whether configurations also say which copies hold the newest data.
enum class Data : std::uint8_t { ignored, tracked };

/// In a bag with data tracked: this message's data is not the newest.
inline constexpr StepId stale_data = 0x80;
[[nodiscard]] constexpr StepId step_of(StepId carried) {
    return carried & ~stale_data & 0xff;
}

struct Configuration {
    StateId remote = 0;
    StateId home = 0;
    bool remote_is_newest = true;  ///< always true where data is ignored or the remote has no copy
    bool memory_is_newest = true;
    std::vector<StepId> queued;     ///< sent, not yet past the tap (unordered tap only); sorted
    std::vector<StepId> in_flight;  ///< past the tap, not yet received; sorted

    friend bool operator==(const Configuration&, const Configuration&) = default;
};

enum class Who : std::uint8_t { remote, home, tap };

/// What one node did, or the tap saw, between two configurations.
struct Event {
    Who who = Who::tap;
    StepId received = no_step;  ///< at the tap: what passed it
    StepId sent = no_step;
    std::string wish;  ///< what a node did unasked: "Wish_read", "F21", "writes"
};

/// One step of the whole: what the tap sees of it (`silent` if nothing), and who did what.
struct Edge {
    StepId seen = silent;
    std::size_t to = 0;
    Event what;
};

/// A reception that the specification does not allow, with the configuration where it happens.
struct Fault {
    std::size_t configuration = 0;
    StepId step = no_step;
    bool at_home = false;
};

struct Graph {
    std::vector<Configuration> configurations;  ///< 0 is the line at rest
    std::vector<std::vector<Edge>> edges;       ///< by configuration
    std::vector<std::size_t> parent;            ///< how each was first reached, for counterexamples
    std::vector<std::size_t> parent_edge;
    std::vector<Fault> faults;
    /// Configurations that are no whole step: at a home-side tap, between what the home received and what it sent.
    std::vector<bool> is_halfway;

    /// Number of configurations proper.
    [[nodiscard]] std::size_t size() const;
};

/// Explores everything reachable from rest. `limit` bounds the number of configurations against a specification whose
/// channels fill without end; reaching it is reported as `complete == false`.
struct Exploration {
    Graph graph;
    bool complete = true;
};
[[nodiscard]] Exploration explore(const Machines& machines, Tap tap, Data data = Data::ignored,
                                  std::size_t limit = 200'000);

[[nodiscard]] std::string to_string(const Machines& machines, const Configuration& configuration);

}  // namespace eciscope::conformance::model
