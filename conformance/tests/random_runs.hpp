// Random legal runs of the model as messages, and their judgement by brute force: sets of configurations, message by
// message, without the observer's tables.
#pragma once

#include <cstdint>
#include <eciscope/spec/eci.hpp>
#include <optional>
#include <random>
#include <vector>

#include "eciscope/conformance/tables.hpp"
#include "eciscope/decoder/message.hpp"
#include "graph.hpp"
#include "machines.hpp"

namespace eciscope::conformance::tests {

using Random = std::mt19937_64;

struct Message {
    std::uint8_t vc = 0;
    std::uint8_t from = 0;
    std::uint64_t header = 0;
};

struct Line {
    std::uint64_t aliased_cli = 0;
    std::uint8_t home = 0;
    std::vector<Message> messages;
    std::vector<std::vector<std::size_t>> configurations;  ///< of the model, from each message until the next
};

class Model {
 public:
    Model(const Profile& profile, Tap tap);

    /// At least `length` messages of a line that is at rest at first.
    [[nodiscard]] Line run(std::uint64_t aliased_cli, std::uint8_t home, std::size_t length, Random& random) const;

    [[nodiscard]] const model::Configuration& configuration(std::size_t number) const {
        return graph_.configurations[number];
    }
    [[nodiscard]] const model::Machines& machines() const { return machines_; }

    /// The first message that breaks a rule, if any does.
    [[nodiscard]] std::optional<std::size_t> first_bad(const Line& line) const;

 private:
    using Subset = std::vector<bool>;

    struct Ids {
        std::uint8_t request = 0;
        std::uint8_t forward = 0;
    };

    void leave_out_the_unspeakable();
    [[nodiscard]] Message message(model::StepId step, const Line& line, const Ids& ids, Random& random) const;
    [[nodiscard]] StepSet meaning(const Message& message) const;
    void close(Subset& subset) const;
    [[nodiscard]] std::optional<Subset> after(const Subset& subset, StepSet steps) const;

    const Profile& profile_;
    const model::Machines& machines_;
    model::Graph graph_;
    std::vector<std::vector<model::Edge>> runs_;  ///< the graph's edges, without those that no message tells of
};

/// The lines' messages in one trace, each line's in its order.
[[nodiscard]] TraceBatch interleaved(const std::vector<Line>& lines, Random& random);

}  // namespace eciscope::conformance::tests
