// The checker on traces by hand: what it may conclude from what it saw, and what not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trace_builder.hpp"

namespace eciscope::conformance::tests {

namespace {

using eci::mfwd_op;
using eci::mreq_line_op;
using eci::mrsp_ack_op;
using eci::mrsp_grant_op;
using eci::mrsp_victim_op;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Checker, a_copy_that_is_fetched_and_dropped) {
    const Verdict verdict(TraceBuilder()
                              .powers_on()
                              .request(mreq_line_op::RLDD, cpu, 3)
                              .grant(mrsp_grant_op::PSHA, fpga, 3)
                              .victim(mrsp_victim_op::VICS, cpu));
    EXPECT_THAT(verdict.rules(), IsEmpty());
    EXPECT_TRUE(verdict.summary.began_at_rest);
    EXPECT_EQ(verdict.summary.lines, 1U);
    EXPECT_TRUE(verdict.summary.sums_agree());
}

TEST(Checker, joined_midway_the_same_drop_proves_nothing) {
    const TraceBuilder drop = TraceBuilder().victim(mrsp_victim_op::VICS, cpu);
    EXPECT_THAT(Verdict(drop).rules(), IsEmpty());
    EXPECT_THAT(Verdict(TraceBuilder().powers_on().victim(mrsp_victim_op::VICS, cpu)).rules(),
                ElementsAre(Rule::drop_without_copy));
}

TEST(Checker, two_drops_of_one_copy_prove_it_even_midway) {
    const TraceBuilder trace = TraceBuilder().victim(mrsp_victim_op::VICS, cpu).victim(mrsp_victim_op::VICS, cpu);
    const Verdict verdict(trace);
    ASSERT_THAT(verdict.rules(), ElementsAre(Rule::drop_without_copy));
    EXPECT_EQ(verdict.findings.violations[0].message.number, 1U);
    EXPECT_EQ(verdict.findings.violations[0].history.size(), 1U);
}

TEST(Checker, after_a_loss_everything_may_be) {
    const Verdict verdict(TraceBuilder()
                              .powers_on()
                              .request(mreq_line_op::RLDD, cpu)
                              .event(EventKind::lost, {0, fpga})
                              .victim(mrsp_victim_op::VICD, cpu, 0xf));
    EXPECT_THAT(verdict.rules(), IsEmpty());
    EXPECT_EQ(verdict.summary.losses, 1U);
}

// The interposer tells of a loss with the next record of the stream: the drop was judged before that, without the
// grant.
TEST(Checker, a_loss_that_is_told_later_takes_back_what_it_may_explain) {
    TraceBuilder trace;
    trace.powers_on().request(mreq_line_op::RLDD, cpu, 1, 0x201).grant(mrsp_grant_op::PSHA, fpga, 1, 0xf, 0x201);
    trace.victim(mrsp_victim_op::VICS, cpu);
    const Verdict without(trace);
    EXPECT_THAT(without.rules(), ElementsAre(Rule::drop_without_copy));
    trace.event(EventKind::lost, {0, fpga});
    const Verdict with(trace);
    EXPECT_THAT(with.rules(), IsEmpty());
    EXPECT_EQ(with.summary.withdrawn, 1U);
}

TEST(Checker, a_loss_does_not_take_back_what_came_before_it) {
    TraceBuilder trace;
    trace.powers_on().victim(mrsp_victim_op::VICS, cpu);
    trace.request(mreq_line_op::RLDD, cpu, 1, 0x201).grant(mrsp_grant_op::PSHA, fpga, 1, 0xf, 0x201);
    trace.event(EventKind::lost, {0, fpga});
    EXPECT_THAT(Verdict(trace).rules(), ElementsAre(Rule::drop_without_copy));
}

TEST(Checker, while_a_link_sends_again_nothing_is_judged) {
    TraceBuilder trace;
    trace.powers_on().event(EventKind::retry, {0, fpga}).victim(mrsp_victim_op::VICS, cpu);
    const Verdict verdict(trace);
    EXPECT_THAT(verdict.rules(), IsEmpty());
    EXPECT_EQ(verdict.summary.not_judged, 1U);
}

TEST(Checker, a_line_is_reported_once_and_goes_on_from_anything) {
    TraceBuilder trace;
    trace.powers_on()
        .victim(mrsp_victim_op::VICS, cpu)
        .victim(mrsp_victim_op::VICS, cpu)
        .victim(mrsp_victim_op::VICS, cpu);
    const Verdict verdict(trace);
    EXPECT_THAT(verdict.rules(), ElementsAre(Rule::drop_without_copy));
    EXPECT_EQ(verdict.summary.suppressed, 1U);
    CheckOptions every;
    every.every_violation = true;
    EXPECT_EQ(Verdict(trace, every).rules().size(), 2U);
}

TEST(Checker, a_sender_that_no_partner_could_excuse_is_at_fault) {
    const Verdict verdict(TraceBuilder().powers_on().victim(mrsp_victim_op::VICS, cpu));
    ASSERT_EQ(verdict.findings.violations.size(), 1U);
    EXPECT_EQ(verdict.findings.violations[0].at_fault, cpu);
}

TEST(Checker, a_home_that_grants_something_else_is_at_fault) {
    const Verdict verdict(TraceBuilder().powers_on().request(mreq_line_op::RLDX, cpu).grant(mrsp_grant_op::PSHA, fpga));
    ASSERT_THAT(verdict.rules(), ElementsAre(Rule::wrong_grant));
    EXPECT_EQ(verdict.findings.violations[0].at_fault, fpga);
}

TEST(Checker, an_answer_with_another_id) {
    const Verdict verdict(
        TraceBuilder().powers_on().request(mreq_line_op::RLDD, cpu, 3).grant(mrsp_grant_op::PSHA, fpga, 4));
    EXPECT_THAT(verdict.rules(), ElementsAre(Rule::foreign_id));
}

TEST(Checker, one_id_for_several_lines_at_once) {
    const Verdict verdict(TraceBuilder()
                              .powers_on()
                              .request(mreq_line_op::RLDD, cpu, 3, 0x101)
                              .request(mreq_line_op::RLDD, cpu, 3, 0x103)
                              .grant(mrsp_grant_op::PSHA, fpga, 3, 0xf, 0x103)
                              .grant(mrsp_grant_op::PSHA, fpga, 3, 0xf, 0x101));
    EXPECT_THAT(verdict.rules(), IsEmpty());
}

TEST(Checker, fewer_sub_lines_than_were_asked_for) {
    TraceBuilder less;
    less.powers_on().request(mreq_line_op::RLDD, cpu).grant(mrsp_grant_op::PSHA, fpga, 0, 0x3);
    EXPECT_THAT(Verdict(less).rules(), ElementsAre(Rule::sub_lines_missing));
    TraceBuilder more;  // a directory sends whole lines
    more.powers_on().request(mreq_line_op::RLDX, cpu, 0, TraceBuilder::line, 0).grant(mrsp_grant_op::PEMD, fpga);
    EXPECT_THAT(Verdict(more).rules(), IsEmpty());
}

TEST(Checker, a_message_on_the_other_slice) {
    TraceBuilder trace;
    trace.powers_on();
    const TraceBuilder right = TraceBuilder().request(mreq_line_op::RLDD, cpu);
    trace.add(7, cpu, right.batch().words[0]);
    EXPECT_THAT(Verdict(trace).rules(), ElementsAre(Rule::wrong_parity));
}

TEST(Checker, loads_past_the_caches_do_not_disturb_the_line) {
    const Verdict verdict(TraceBuilder()
                              .powers_on()
                              .request(mreq_line_op::RLDT, cpu, 9)
                              .request(mreq_line_op::RLDD, cpu, 3)
                              .grant(mrsp_grant_op::PSHA, fpga, 9)
                              .grant(mrsp_grant_op::PSHA, fpga, 3));
    EXPECT_THAT(verdict.rules(), IsEmpty());
    EXPECT_EQ(verdict.summary.not_judged, 2U);
    EXPECT_TRUE(verdict.summary.sums_agree());
}

TEST(Checker, a_barrier_that_is_done_before_it_was_asked_for) {
    eci::message done = eci::decode(10, std::uint64_t{24} << opcode_field.shift);
    TraceBuilder trace;
    trace.powers_on().add(10, fpga, eci::encode(done));
    EXPECT_THAT(Verdict(trace).rules(), ElementsAre(Rule::answer_without_request));
    const Verdict midway(TraceBuilder().add(10, fpga, eci::encode(done)));
    EXPECT_THAT(midway.rules(), IsEmpty());
    EXPECT_EQ(midway.summary.unmatched_answers, 1U);
}

TEST(Checker, what_is_owed_has_its_age) {
    TraceBuilder trace;
    trace.powers_on().request(mreq_line_op::RLDD, cpu, 1, 0x101).waits(7'000'000);
    trace.request(mreq_line_op::RLDD, cpu, 2, 0x103);
    const Verdict verdict(trace);
    ASSERT_EQ(verdict.findings.replies.size(), 2U);
    EXPECT_EQ(verdict.findings.replies[0].age, 7'001'000);
    EXPECT_EQ(verdict.findings.replies[0].owed_by, fpga);
    CheckOptions strict;
    strict.timeout = 5'000'000;
    const Verdict late(trace, strict);
    EXPECT_EQ(late.findings.replies[0].rule, Rule::timeout);
    EXPECT_EQ(late.findings.replies[0].severity, RuleSeverity::violation);
    EXPECT_EQ(late.findings.replies[1].rule, Rule::owed_grant);
}

// The link was watched for longer than messages came.
TEST(Checker, what_is_owed_is_as_old_as_the_capture_is_long) {
    TraceBuilder trace;
    trace.powers_on().request(mreq_line_op::RLDD, cpu).waits(999'000'000).event(EventKind::capture_ends, {0, fpga});
    const Verdict verdict(trace);
    ASSERT_EQ(verdict.findings.replies.size(), 1U);
    EXPECT_EQ(verdict.findings.replies[0].age, 999'001'000);
}

TEST(Checker, half_a_link_proves_nothing) {
    TraceBuilder trace;
    trace.victim(mrsp_victim_op::VICS, cpu).victim(mrsp_victim_op::VICS, cpu);
    Findings findings;
    Checker checker({}, findings);
    checker.batch(trace.batch());
    const Summary summary = checker.finish();
    EXPECT_TRUE(summary.is_blind);
    EXPECT_THAT(findings.violations, IsEmpty());
}

// The interposer closes records when they are full; one that was stopped ends with a record that is not.
TEST(Checker, the_end_of_a_stream_that_may_go_on_takes_back_what_came_after_it) {
    TraceBuilder trace;
    trace.powers_on().request(mreq_line_op::RLDD, cpu, 1, 0x201).grant(mrsp_grant_op::PSHA, fpga, 1, 0xf, 0x201);
    trace.victim(mrsp_victim_op::VICS, cpu).event(EventKind::capture_ends, {0, fpga}, 1);
    EXPECT_THAT(Verdict(trace).rules(), IsEmpty());
}

// The open request is remembered when the messages around it are not any more.
TEST(Checker, a_request_that_hangs_while_the_memory_of_messages_goes_round) {
    TraceBuilder trace;
    trace.powers_on().request(mreq_line_op::RLDD, cpu, 1, 0x101);
    for (int i = 0; i < 500; ++i) {
        trace.request(mreq_line_op::RLDD, cpu, 2, 0x105).grant(mrsp_grant_op::PSHA, fpga, 2, 0xf, 0x105);
        trace.victim(mrsp_victim_op::VICS, cpu, 0, 0x105);
    }
    CheckOptions options;
    options.remembered = 64;
    const Verdict verdict(trace, options);
    EXPECT_THAT(verdict.rules(), IsEmpty());
    ASSERT_EQ(verdict.findings.replies.size(), 1U);
    EXPECT_EQ(verdict.findings.replies[0].request.number, 0U);
    trace.grant(mrsp_grant_op::PSHA, fpga, 1, 0xf, 0x101);
    EXPECT_THAT(Verdict(trace, options).findings.replies, IsEmpty());
}

TEST(Checker, when_the_interposer_begins_again_what_was_owed_is_reported) {
    TraceBuilder trace;
    trace.request(mreq_line_op::RLDD, cpu, 1, 0x101).event(EventKind::restarted, {0, cpu});
    trace.request(mreq_line_op::RLDD, cpu, 1, 0x101);
    EXPECT_EQ(Verdict(trace).findings.replies.size(), 2U);
}

TEST(Checker, a_message_that_the_nodes_agreed_not_to_use) {
    CheckOptions options;
    options.profile = find_profile("Read_only");
    const Verdict verdict(TraceBuilder().powers_on().request(mreq_line_op::RLDX, cpu), options);
    EXPECT_THAT(verdict.rules(), ElementsAre(Rule::outside_subset));
}

TEST(Checker, a_simple_home_grants_reads_exclusive) {
    TraceBuilder trace;
    trace.powers_on().request(mreq_line_op::RLDD, cpu).grant(mrsp_grant_op::PEMD, fpga);
    EXPECT_THAT(Verdict(trace).rules(), ElementsAre(Rule::wrong_grant));
    CheckOptions simple;
    simple.profile = find_profile("Simple_home");
    EXPECT_THAT(Verdict(trace, simple).rules(), IsEmpty());
}

}  // namespace

}  // namespace eciscope::conformance::tests
