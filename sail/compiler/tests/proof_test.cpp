// The specification is proved with z3; and a specification broken in one place makes the proof fail that is there for
// such a mistake, with a counterexample to look at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sailgen/compiler.hpp"
#include "sailgen/proofs.hpp"
#include "sailgen/prover.hpp"

namespace eciscope::sailgen {
namespace {

const std::string spec_root = "eci.sail";

SourceTexts read_specification() {
    SourceTexts texts;
    for (const auto& entry : std::filesystem::directory_iterator(ECISCOPE_SOURCE_DIR "/sail")) {
        if (entry.path().extension() != ".sail") continue;
        std::ifstream in(entry.path(), std::ios::binary);
        texts[entry.path().filename().string()] = {std::istreambuf_iterator<char>(in), {}};
    }
    return texts;
}

Result compile_unchecked(const SourceTexts& texts, const std::string& root) {
    return compile(texts, {root}, CompileOptions{.check_mappings = false});
}

class ProofTest : public ::testing::Test {
 protected:
    void SetUp() override {
        const std::optional<std::string> z3 = find_z3();
        if (!z3) GTEST_SKIP() << "NOTHING IS PROVED HERE: there is no z3 on PATH (Debian: apt install z3)";
        prover_.z3 = *z3;
    }

    // Compiles a program of one file and gives the outcome of one proof.
    Outcome prove_one(const std::string& text, std::string_view name) {
        return prove_in(
            {{"one.sail", "default Order dec\n$include <prelude.sail>\n$include <generic_equality.sail>\n" + text}},
            "one.sail", name);
    }

    Outcome prove_in(const SourceTexts& texts, const std::string& root, std::string_view name) {
        const Result& result = kept_.emplace_back(compile_unchecked(texts, root));
        if (!result.program) {
            ADD_FAILURE() << render(result.sources, result.diagnostics);
            return {};
        }
        const Proofs proofs = make_proofs(*result.program);
        EXPECT_THAT(proofs.diagnostics, ::testing::IsEmpty()) << render(result.sources, proofs.diagnostics);
        const auto proof = std::ranges::find(proofs.proofs, name, &Proof::name);
        if (proof == proofs.proofs.end()) {
            ADD_FAILURE() << "there is no proof " << name;
            return {};
        }
        Outcome outcome = prover_.prove({*proof}).front();
        std::printf("%s", render(*proof, outcome).c_str());
        if (outcome.verdict == Verdict::fails && proof->kind != ProofKind::counterexample) {
            EXPECT_TRUE(is_confirmed(*result.program, *proof, outcome)) << "the evaluator does not agree with z3";
        }
        return outcome;
    }

    Prover prover_;
    std::deque<Result> kept_;  // values in outcomes refer to their programs
};

TEST_F(ProofTest, TheSpecificationHolds) {
    const Result result = compile(read_specification(), {spec_root});
    ASSERT_TRUE(result.program) << render(result.sources, result.diagnostics);
    const Proofs proofs = make_proofs(*result.program);
    ASSERT_THAT(proofs.diagnostics, ::testing::IsEmpty()) << render(result.sources, proofs.diagnostics);
    EXPECT_GT(proofs.proofs.size(), 100U);

    const auto begin = std::chrono::steady_clock::now();
    const std::vector<Outcome> outcomes = prover_.prove(proofs.proofs);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        EXPECT_EQ(outcomes[i].verdict, Verdict::holds) << render(proofs.proofs[i], outcomes[i]);
    }
    std::printf("%zu proofs in %.1f s\n", outcomes.size(), took.count());
}

// One edit of one file of the specification, and the proof that must then fail.
struct Mutation {
    const char* name;
    const char* file;
    const char* from;  // stands there once
    const char* to;
    const char* proof;
};

const std::vector<Mutation> mutations = {
    // What every mapping is proved to be.
    {"TwoClausesTakeOneOpcode", "mreq.sail", "RCAS   <-> 0b10011", "RCAS   <-> 0b00011", "mreq_header.one_reading"},
    {"AnOpcodeInTwoClassesOfLayouts", "mreq.sail", "GINV  <-> 0b10100", "GINV  <-> 0b10101",
     "mreq_header.value_round_trip"},
    {"NoClauseForReservedWords", "mfwd.sail",
     "mapping clause mfwd_header =\n  Mfwd_reserved(struct { opcode = o, unknown_58 = a })\n  <-> o @ a\n", "",
     "mfwd_header.every_word"},
    {"NoWordForReservedMessages", "mfwd.sail",
     "mapping clause mfwd_header =\n  Mfwd_reserved(struct { opcode = o, unknown_58 = a })\n  <-> o @ a\n", "",
     "mfwd_header.every_value"},
    {"TheEncoderDropsBits", "mdld.sail",
     "Mdld_link(struct { op = op, payload = p, unused_2 = a })\n  <-> mdld_opcode(op) @ p @ a",
     "backwards mdld_opcode(op) @ (p : bits(56)) @ (a : bits(3))\n"
     "  => Mdld_link(struct { op = op, payload = p, unused_2 = a })\n"
     "mapping clause mdld_header =\n  forwards Mdld_link(r) => mdld_opcode(r.op) @ r.payload @ 0b000",
     "mdld_header.word_round_trip"},
    {"TheDecoderDropsBits", "mdld.sail",
     "Mdld_link(struct { op = op, payload = p, unused_2 = a })\n  <-> mdld_opcode(op) @ p @ a",
     "backwards mdld_opcode(op) @ (p : bits(56)) @ (a : bits(3))\n"
     "  => Mdld_link(struct { op = op, payload = p, unused_2 = 0b000 })\n"
     "mapping clause mdld_header =\n  forwards Mdld_link(r) => mdld_opcode(r.op) @ r.payload @ r.unused_2",
     "mdld_header.value_round_trip"},
    {"ReservedWordsAreEncodedAsMessages", "mdld.sail",
     "Mdld_link(struct { op = op, payload = p, unused_2 = a })\n  <-> mdld_opcode(op) @ p @ a",
     "backwards mdld_opcode(op) @ (p : bits(56)) @ 0b000\n"
     "  => Mdld_link(struct { op = op, payload = p, unused_2 = 0b000 })\n"
     "mapping clause mdld_header =\n  forwards Mdld_link(r) => mdld_opcode(r.op) @ r.payload @ 0b000\n"
     "mapping clause mdld_header =\n"
     "  forwards Mdld_reserved(r) => r.opcode @ (r.unknown_58 & sail_shiftleft(sail_ones(59), 3))",
     "mdld_header.catch_all"},
    {"TwoGrantsWithOneCode", "mrsp.sail", "PEMD <-> 0b01010", "PEMD <-> 0b01001", "mrsp_grant_opcode.injective"},
    {"AnOperationWithoutACode", "irsp.sail", "IOBRSP <-> 0b00000,\n  SLIRSP <-> 0b00010", "IOBRSP <-> 0b00000",
     "irsp_data_opcode.every_value"},
    // What the specification says of itself.
    {"OneTermLessInUnalias", "line.sail", "xor_vec(xor_vec(xor_vec(a[4 .. 3], a[19 .. 18]), a[17 .. 16]), a[6 .. 5])",
     "xor_vec(xor_vec(a[4 .. 3], a[17 .. 16]), a[6 .. 5])", "prop_unalias_undoes_alias"},
    {"WrongTermInUnalias", "line.sail", "xor_vec(a[7 .. 5], a[20 .. 18])", "xor_vec(a[7 .. 5], a[19 .. 17])",
     "prop_alias_undoes_unalias"},
    {"AliasChangesUpperBits", "line.sail", "function alias_index(c) =\n  c[32 .. 13]",
     "function alias_index(c) =\n  not_vec(c[32 .. 13])", "prop_alias_keeps_upper_bits"},
    {"AddressOfAnOddByte", "line.sail", "unalias_index(aliased_cli) @ 0b0000000",
     "unalias_index(aliased_cli) @ 0b0000001", "prop_line_of_address"},
    {"ParityNotInverted", "line.sail", "not_vec(aliased_cli[0 .. 0])", "aliased_cli[0 .. 0]", "prop_line_parity"},
    {"IndexTwoBitsLower", "mreq.sail", "@ n @ b @ c @ d @ l @ f @ e", "@ n @ b @ c @ d @ f @ l @ e",
     "prop_line_index_place"},
    {"MiscountedMask", "line.sail", "0b0111 => 3", "0b0111 => 2", "prop_sub_lines_complement"},
    {"WantedSubLineNotFirst", "line.sail", "xor_vec(k, fillo)", "k & fillo", "prop_wanted_sub_line_first"},
    {"SubLineTwice", "line.sail", "xor_vec(k, fillo)", "k & fillo", "prop_sub_lines_come_once"},
    {"LinkDataInverted", "message.sail", "Mdld(r)       => mdld_header(r)", "Mdld(r)       => not_vec(mdld_header(r))",
     "prop_encode_undoes_decode"},
    {"LongestMessageTooShort", "message.sail", "max_message_words : int = 19", "max_message_words : int = 17",
     "prop_message_words_range"},
    {"LengthFromTheMaskOnAnyChannel", "message.sail", "function message_words(vc, header) =\n  if is_one_word_vc(vc)",
     "function message_words(vc, header) =\n  if vc == 0x7", "prop_one_word_channels"},
    {"DataOnChannelSix", "channel.sail", "  0x6 => true,\n", "", "prop_data_on_data_channels"},
    {"WrongLengthOfData", "line.sail", "1 + 4 * sub_lines(dmask)", "2 + 3 * sub_lines(dmask)", "prop_response_words"},
    {"MaskOneBitLower", "message.sail", "header[49 .. 46]", "header[48 .. 45]", "prop_response_mask"},
    {"LoadWithData", "mreq.sail", "    RSTT => words_with_sub_lines(r.dmask),",
     "    RLDD => words_with_sub_lines(r.dmask),\n    RSTT => words_with_sub_lines(r.dmask),",
     "prop_loads_have_no_data"},
    {"TwoHomes", "message.sail", "then sender else not_vec(sender)", "then sender else sender", "prop_home_of"},
    {"ForwardsFromTheHolder", "message.sail", "Mfwd(_)             => true", "Mfwd(_)             => false",
     "prop_forwards_come_from_home"},
    {"RequestsFromTheHome", "message.sail", "Mrsp(Mrsp_grant(_)) => true,\n  _                   => false",
     "Mrsp(Mrsp_grant(_)) => true,\n  _                   => true", "prop_requests_go_to_home"},
    {"AnsweredResponse", "message.sail", "Mrsp(_) => Reply_none", "Mrsp(_) => Reply_expected",
     "prop_responses_end_exchanges"},
    {"AnsweredIdle", "mreq.sail", "Mreq_idle(_)    => Reply_none", "Mreq_idle(_)    => Reply_expected", "prop_idle"},
    {"UnansweredBarrier", "mreq.sail", "Mreq_barrier(_) => Reply_expected", "Mreq_barrier(_) => Reply_none",
     "prop_barriers"},
    {"AnsweredReservedRequest", "mreq.sail", "_               => Reply_unknown", "_               => Reply_expected",
     "prop_answered_is_documented"},
    {"DocumentedUnassigned", "message.sail", "Unassigned(_)              => false",
     "Unassigned(_)              => true", "prop_unassigned_is_undocumented"},
    {"PlausibleOnTheWrongChannel", "message.sail",
     "Mrsp(Mrsp_ack(r))    => r.dmask != 0b0000 & vc_parity_of_line(r.aliased_cli) == vc[0 .. 0]",
     "Mrsp(Mrsp_ack(r))    => r.dmask != 0b0000", "prop_plausible_headers_fit"},
    {"AddressPartsSwapped", "ireq.sail", "r.did @ r.offset @", "r.offset @ r.did @", "prop_io_address_place"},
    {"MisalignedAccess", "ireq.sail", "0xB => 0b110", "0xB => 0b111", "prop_io_alignment"},
    {"UnansweredStore", "ireq.sail", "IOBSTA  => Reply_expected", "IOBSTA  => Reply_none", "prop_acknowledged_stores"},
    {"DataChannelOfIo", "channel.sail", "function is_data_vc(vc) = match vc {\n",
     "function is_data_vc(vc) = match vc {\n  0x1 => true,\n", "prop_data_channels"},
    {"CreditsForUncredited", "channel.sail", "then 17 else if is_credited_vc(vc) then 2 else 0",
     "then 17 else if is_credited_vc(vc) then 2 else 1", "prop_credits"},
    {"BarrierAnsweredByAnother", "exchange.sail", "asks(Barrier, d.rtad @ d.ppvid)", "asks(Barrier, d.ppvid @ d.rtad)",
     "prop_answers_close"},
    {"CreditBitOfChannelThirteen", "block.sail", "    0b101 => None(),\n", "", "prop_credit_bits_are_for_credited"},
    {"CreditBitsOfTheOtherHalf", "block.sail", "then Some(0b0 @ bit_number)", "then Some(0b1 @ bit_number)",
     "prop_credited_have_credit_bits"},
    {"TwoCreditBitsForOneChannel", "block.sail", "then Some(0b0 @ bit_number)", "then Some(0b1 @ bit_number)",
     "prop_credit_bits_differ"},
    {"CountedIdle", "block.sail", "{ Control_data(_) => true, _ => false }",
     "{ Control_data(_) => true, Control_idle(_) => true, _ => false }", "prop_sequenced_blocks"},
    {"MessageInAnIdleBlock", "block.sail", "_ => 0xFFFFFFF", "_ => 0xFFFFFF0", "prop_other_blocks_are_empty"},
    {"SequenceNumbersSwapped", "block.sail", "0b110 @ a @ b @ q @ t @ x", "0b110 @ a @ b @ q @ x @ t",
     "prop_control_fields"},
    {"EmptySlotOfInterrupts", "block.sail", "empty_slot : bits(4) = 0xF", "empty_slot : bits(4) = 0xC",
     "prop_empty_slot_is_unassigned"},
};

class BrokenSpecification : public ProofTest, public ::testing::WithParamInterface<Mutation> {};

TEST_P(BrokenSpecification, IsCaught) {
    const Mutation& mutation = GetParam();
    SourceTexts texts = read_specification();
    std::string& text = texts[mutation.file];
    const std::size_t at = text.find(mutation.from);
    ASSERT_NE(at, std::string::npos) << mutation.file << " has no more: " << mutation.from;
    ASSERT_EQ(text.find(mutation.from, at + 1), std::string::npos) << mutation.file << " has twice: " << mutation.from;
    text.replace(at, std::string_view(mutation.from).size(), mutation.to);

    const Outcome outcome = prove_in(texts, spec_root, mutation.proof);
    EXPECT_EQ(outcome.verdict, Verdict::fails) << outcome.message;
    EXPECT_THAT(outcome.counterexample, ::testing::Not(::testing::IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(Mutations, BrokenSpecification, ::testing::ValuesIn(mutations),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_F(ProofTest, EveryKindOfProofAndEveryPropertyIsSeenToFail) {
    const Result result = compile(read_specification(), {spec_root});
    ASSERT_TRUE(result.program) << render(result.sources, result.diagnostics);
    std::set<std::string> unseen;
    const Proofs proofs = make_proofs(*result.program);
    for (const Proof& proof : proofs.proofs) {
        unseen.insert(proof.mapping == nullptr ? proof.name : std::string(to_string(proof.kind)));
    }
    for (const Mutation& mutation : mutations) {
        const std::string name = mutation.proof;
        unseen.erase(name.substr(name.find('.') + 1));
    }
    EXPECT_THAT(unseen, ::testing::IsEmpty()) << "add a mutation to the table above";
}

TEST_F(ProofTest, IntegersAreSixtyFourBitsAndNeverWrap) {
    const std::string grows = "$property\nfunction prop_grows(n : int) -> bool = n < n + 1\n";
    const Outcome outcome = prove_one(grows, "prop_grows");
    EXPECT_EQ(outcome.verdict, Verdict::fails);
    ASSERT_FALSE(outcome.counterexample.empty());
    EXPECT_EQ(to_string(outcome.counterexample[0].value.value()), "9223372036854775807");
    EXPECT_EQ(
        prove_one("$property\nfunction prop_p(n : range(0, 9)) -> bool = n < n + 1 & n * n <= 81\n", "prop_p").verdict,
        Verdict::holds);
}

TEST_F(ProofTest, ArgumentsKeepTheirBoundsInsideOtherValues) {
    const std::string text =
        "struct pair = { a : range(1, 3), b : option(range(0, 2)) }\n"
        "$property\nfunction prop_pair(p : pair) -> bool = p.a <= 3 & (match p.b { Some(b) => b < p.a + 2, None() => "
        "true })\n"
        "$property\nfunction prop_wrong(p : pair) -> bool = match p.b { Some(b) => b < p.a, None() => true }\n";
    EXPECT_EQ(prove_one(text, "prop_pair").verdict, Verdict::holds);
    const Outcome outcome = prove_one(text, "prop_wrong");
    EXPECT_EQ(outcome.verdict, Verdict::fails);
    ASSERT_FALSE(outcome.counterexample.empty());
    EXPECT_THAT(to_string(outcome.counterexample[0].value.value()), ::testing::StartsWith("struct { a = "));
}

TEST_F(ProofTest, ACounterexampleIsWantedWhereTheSpecificationSaysSo) {
    const std::string text = "$counterexample\nfunction prop_c(x : bits(8)) -> bool = x != 0x2A\n";
    EXPECT_EQ(prove_one(text, "prop_c").verdict, Verdict::holds);
    EXPECT_EQ(prove_one("$counterexample\nfunction prop_t(x : bits(8)) -> bool = x == x\n", "prop_t").verdict,
              Verdict::fails);
}

TEST_F(ProofTest, ScatteredImmediatesRoundTrip) {
    const std::string text =
        "struct jump = { offset : bits(12), link : bool }\n"
        "mapping bool_bit : bool <-> bits(1) = { true <-> 0b1, false <-> 0b0 }\n"
        "mapping jump_word : jump <-> bits(13) = {\n"
        "  struct { offset = i, link = l } <-> i[11 .. 11] @ i[4 .. 0] @ bool_bit(l) @ i[10 .. 5]\n}\n";
    for (const char* kind : {"word_round_trip", "value_round_trip", "one_reading", "every_value"}) {
        EXPECT_EQ(prove_one(text, std::string("jump_word.") + kind).verdict, Verdict::holds) << kind;
    }
    EXPECT_EQ(prove_one(text, "bool_bit.injective").verdict, Verdict::holds);
}

TEST(ProofScripts, WhatCannotBeTranslatedIsNamedWithItsPlace) {
    const std::string text =
        "default Order dec\n$include <prelude.sail>\n"
        "function count(m : bits(4)) -> int = {\n  var n : int = 0;\n"
        "  foreach (i from 0 to 3) { if m[i] == bitone then n = n + 1 };\n  n\n}\n"
        "$property\nfunction prop_count(m : bits(4)) -> bool = count(m) <= 4\n";
    const Result result = compile(SourceTexts{{"loop.sail", text}}, {"loop.sail"});
    ASSERT_TRUE(result.program) << render(result.sources, result.diagnostics);
    const Proofs proofs = make_proofs(*result.program);
    EXPECT_THAT(proofs.proofs, ::testing::IsEmpty());
    EXPECT_THAT(render(result.sources, proofs.diagnostics),
                ::testing::HasSubstr("loop.sail:4:17: error: the variable `n` cannot be translated to SMT-LIB"));
}

}  // namespace
}  // namespace eciscope::sailgen
