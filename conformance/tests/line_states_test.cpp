// What is known of both copies of a line after each message: by hand, and against runs whose truth is known.

#include "eciscope/conformance/line_states.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_runs.hpp"
#include "trace_builder.hpp"

namespace eciscope::conformance::tests {

namespace {

using eci::mreq_line_op;
using eci::mrsp_grant_op;
using eci::mrsp_victim_op;
using testing::ElementsAre;

constexpr std::uint8_t cpu = 0;
constexpr std::uint8_t fpga = 1;  // the home in these traces

/// After each message and event: the remote's state and the home's; "?" for unknown, "*" where something is under way.
std::vector<std::string> followed(const TraceBuilder& trace, bool from_rest) {
    LineStates states(*find_profile("ThunderX"), Tap::unordered);
    std::vector<std::string> seen;
    const auto text = [](const CopyState& copy) {
        return (copy.unknown ? "?" : copy.name) + (copy.transient ? "*" : "");
    };
    const auto note = [&] { seen.push_back(text(states.now().remote) + " " + text(states.now().home)); };
    states.begin(from_rest);
    note();
    std::size_t event = 0;
    const TraceBatch& batch = trace.batch();
    for (std::size_t i = 0; i <= batch.messages.size(); ++i) {
        for (; event < batch.events.size() && batch.events[event].before == i; ++event) {
            states.take(batch.events[event]);
            note();
        }
        if (i < batch.messages.size()) {
            states.take(batch.messages[i], batch.words[i]);
            note();
        }
    }
    return seen;
}

TraceBuilder read_and_drop() {
    return TraceBuilder()
        .request(mreq_line_op::RLDD, cpu, 3)
        .grant(mrsp_grant_op::PSHA, fpga, 3)
        .victim(mrsp_victim_op::VICS, cpu);
}

TEST(LineStates, a_copy_that_is_fetched_and_dropped) {
    EXPECT_THAT(followed(read_and_drop(), true), ElementsAre("I E", "IS* E|S", "S S", "I E"));
}

TEST(LineStates, an_exclusive_copy_may_have_been_written) {
    const auto seen = followed(TraceBuilder().request(mreq_line_op::RLDX, cpu).grant(mrsp_grant_op::PEMD, fpga), true);
    EXPECT_EQ(seen.back(), "E|M I");
}

TEST(LineStates, joined_midway_nothing_is_known_until_a_message_tells) {
    EXPECT_THAT(followed(TraceBuilder().grant(mrsp_grant_op::PSHA, fpga), false),
                ElementsAre("? ?", testing::Not("? ?")));
}

TEST(LineStates, after_a_loss_nothing_is_known) {
    const auto seen = followed(TraceBuilder().request(mreq_line_op::RLDD, cpu).event(EventKind::lost, {0, fpga}), true);
    EXPECT_EQ(seen.back(), "? ?");
}

TEST(LineStates, what_breaks_the_protocol_makes_the_line_unknown) {
    const auto seen = followed(TraceBuilder().victim(mrsp_victim_op::VICS, cpu), true);
    EXPECT_EQ(seen.back(), "? ?");
}

bool names(const CopyState& copy, const std::string& state) {
    return ("|" + copy.name + "|").find("|" + state + "|") != std::string::npos;
}

// Where everything that was sent has arrived, the true state is among those named; and no legal run becomes unknown.
TEST(LineStates, of_legal_runs_are_true_once_all_has_arrived) {
    const Profile& profile = *find_profile("ThunderX");
    for (const Tap tap : {Tap::in_order, Tap::unordered}) {
        const Model model(profile, tap);
        LineStates states(profile, tap);
        Random random(11);
        std::size_t arrived = 0;
        for (std::size_t run = 0; run < 200; ++run) {
            const Line line = model.run(run, static_cast<std::uint8_t>(run % 2), 60, random);
            states.begin(true);
            for (std::size_t i = 0; i < line.messages.size(); ++i) {
                MessageHead head;
                head.vc = line.messages[i].vc;
                head.stream.from = line.messages[i].from;
                states.take(head, line.messages[i].header);
                ASSERT_FALSE(states.now().remote.unknown);
                for (const std::size_t number : line.configurations[i]) {
                    const model::Configuration& truth = model.configuration(number);
                    if (truth.queued.empty() && truth.in_flight.empty()) {
                        ++arrived;
                        ASSERT_TRUE(names(states.now().remote, model.machines().remote_states[truth.remote].substr(2)));
                    }
                }
            }
        }
        EXPECT_GT(arrived, 100U);
    }
}

}  // namespace

}  // namespace eciscope::conformance::tests
