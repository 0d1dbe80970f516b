#include "sailgen/evaluator.hpp"

#include <gtest/gtest.h>

#include "sailgen/compiler.hpp"

namespace eciscope::sailgen {
namespace {

// A program of the test data together with an expression; the expression's value as Sail writes it.
std::string value_in(const std::string& file, const std::string& expression) {
    const std::vector<std::string> files{std::string(ECISCOPE_TEST_DATA) + "/" + file};
    const SourceTexts more{{"expression", "let expression = " + expression + "\n"}};
    const Result result = compile(files, more);
    if (!result.program) return render(result.sources, result.diagnostics);
    Evaluator evaluator(*result.program);
    const Evaluator::Outcome value = evaluator.value_of(result.program->arenas.lets.back());
    return value ? to_string(*value) : "error: " + value.error().message;
}

// The value of `f()` in a program of its own.
std::string run(const std::string& body, EvalOptions options = {}) {
    const SourceTexts texts{{"t.sail", "default Order dec\n$include <prelude.sail>\n" + body}};
    const Result result = compile(texts, {"t.sail"});
    if (!result.program) return render(result.sources, result.diagnostics);
    Evaluator evaluator(*result.program, options);
    const Evaluator::Outcome value = evaluator.call("f", {});
    return value ? to_string(*value) : "error: " + value.error().message;
}

TEST(Evaluator, EncodesTheVectorOfTheTrialSpecification) {
    const std::string message = "Fetch(FetchOwned, Right, 0b101010, 0b1111, 0b1 @ 0x1234_5678)";
    EXPECT_EQ(value_in("trial.sail", "encdec(" + message + ")"), "0x1400ABE2468ACF00");
    EXPECT_EQ(value_in("trial.sail", "decode(0x1400_ABE2_468A_CF00)"),
              "Some(Fetch(FetchOwned, Right, 0b101010, 0xF, 0b100010010001101000101011001111000))");
}

TEST(Evaluator, DecodesSplitVariablesAndGuards) {
    EXPECT_EQ(value_in("trial.sail", "encdec_backwards(encdec(Recall(0b000001, 0b1 @ 0x0000_0003)))"),
              "Recall(0b000001, 0b100000000000000000000000000000011)");
    EXPECT_EQ(value_in("trial.sail", "decode(0x2000_0000_0000_0000)"), "None()");
    EXPECT_EQ(value_in("trial.sail", "encdec_backwards_matches(0xFFFF_FFFF_FFFF_FFFF)"), "false");
    EXPECT_EQ(value_in("trial.sail", "encdec(PutBack(true, 0b000001, 0b0000, 0b0 @ 0x0000_0000))"),
              "error: no clause of `encdec` takes PutBack(true, 0b000001, 0x0, 0b000000000000000000000000000000000)");
}

TEST(Evaluator, RunsTheTrialMachine) {
    EXPECT_EQ(value_in("trial.sail", "step(Gone, LocalLoad())"), "struct { next = WaitShared, act = ActSendFetchS }");
    EXPECT_EQ(value_in("trial.sail", "step(Owned, LocalLoad())"), "struct { next = Owned, act = ActNone }");
    EXPECT_EQ(value_in("trial.sail", "step(WaitOwned, Incoming(Reply(ReplyOwned, 0b000000, 0xF, Mk_flags(0x20))))"),
              "struct { next = WaitOwned, act = ActFault }");
    EXPECT_EQ(value_in("trial.sail", "count_set(0b1011)"), "3");
}

TEST(Evaluator, MeasuresMessagesAndAliases) {
    EXPECT_EQ(value_in("messages.sail", "message_words(0x2, 0x0003_e000_0000_0080)"), "17");
    EXPECT_EQ(value_in("messages.sail", "message_words(0x0, 0x1800_0000_0000_0000)"), "2");
    EXPECT_EQ(value_in("messages.sail", "message_words(0xD, 0x1800_0000_0000_0000)"), "1");
    // Only bit 13 is set: it stays, and is folded into bits 8 and 0, and bit 8 of the unfolded index into none.
    EXPECT_EQ(value_in("messages.sail", "alias_index(0b000000000000000000010000000000000)"),
              "0b000000000000000000010000100000001");
}

TEST(Evaluator, WritesToTheSink) {
    const Result result = compile(std::vector<std::string>{std::string(ECISCOPE_TEST_DATA) + "/messages.sail"});
    ASSERT_TRUE(result.program);
    std::string output;
    EvalOptions options;
    options.output = &output;
    Evaluator evaluator(*result.program, options);
    ASSERT_TRUE(evaluator.call("main", {}));
    EXPECT_EQ(output,
              "cli 0b000000000000000000000000000000001\n"
              "dmask 0xF\nwords 17\nalias 0b000000000000000000010000100000001\n");
}

TEST(Evaluator, TabulatesAMachine) {
    const Result result = compile(std::vector<std::string>{std::string(ECISCOPE_TEST_DATA) + "/machine.sail"});
    ASSERT_TRUE(result.program);
    Evaluator evaluator(*result.program);
    std::size_t specified = 0;
    std::string first;
    const auto count = evaluator.enumerate(*result.program->find_function("remote_receives"),
                                           [&](const std::vector<Value>& arguments, const Evaluator::Outcome& outcome) {
                                               ASSERT_TRUE(outcome);
                                               if (std::get<OptionValue>(outcome->data).payload.empty()) return;
                                               if (specified++ == 0) first = to_string(Value{TupleValue{arguments}});
                                           });
    ASSERT_TRUE(count);
    EXPECT_EQ(*count, 190U);  // 10 states, 19 messages
    EXPECT_EQ(specified, 4U);
    EXPECT_EQ(first, "(R_I, F21)");
}

TEST(Evaluator, TabulatesUnionsOptionsAndRanges) {
    const SourceTexts texts{{"t.sail",
                             "default Order dec\nunion u = { A : unit, B : (bool, range(3, 5)), C : option(bits(2)) }\n"
                             "val f : (u, bit) -> u\nfunction f(x, b) = x\n"}};
    const Result result = compile(texts, {"t.sail"});
    ASSERT_TRUE(result.program);
    Evaluator evaluator(*result.program);
    std::vector<std::string> seen;
    const auto count = evaluator.enumerate(*result.program->find_function("f"), [&](const auto&, const auto& outcome) {
        seen.push_back(to_string(*outcome));
    });
    EXPECT_EQ(*count, (1U + 6U + 5U) * 2U);
    EXPECT_EQ(seen.front(), "A()");
    EXPECT_EQ(seen[2], "B(false, 3)");
    EXPECT_EQ(seen.back(), "C(Some(0b11))");
}

TEST(Evaluator, LoopsAssignmentsAndReturn) {
    EXPECT_EQ(run("function f() -> int = { var n : int = 0; foreach (i from 10 downto 1 by 3) n = n + i; n }"), "22");
    EXPECT_EQ(run("function f() -> int = { var n : int = 1; while n < 100 do n = n * 3; n }"), "243");
    EXPECT_EQ(run("function f() -> int = { var n : int = 1; repeat n = n + 1 until n > 3; return n; 0 }"), "4");
    EXPECT_EQ(run("struct s = { a : bits(8), b : bool }\nfunction f() -> s = {\n"
                  "  var x : s = struct { b = true, a = 0x00 }; x.a[7 .. 4] = 0xA; x.a[0] = bitone; x.b = "
                  "false; x }"),
              "struct { a = 0xA1, b = false }");
    EXPECT_EQ(run("bitfield b : bits(8) = { hi : 7 .. 4, low : 0 }\nfunction f() -> bits(8) = {\n"
                  "  var x : b = Mk_b(0x00); x[hi] = 0x5; let y = [x with low = 0b1]; y.bits }"),
              "0x51");
    EXPECT_EQ(run("register r : bits(4)\nfunction f() -> bits(4) = { r[1] = bitone; r }"), "0x2");
}

TEST(Evaluator, LibraryFunctions) {
    EXPECT_EQ(run("function f() -> bits(8) = sail_sign_extend(0b1000, 8)"), "0xF8");
    EXPECT_EQ(run("function f() -> bits(8) = sail_arith_shiftright(0x80, 3)"), "0xF0");
    EXPECT_EQ(run("function f() -> bits(8) = sail_shiftleft(0x81, 8)"), "0x00");
    EXPECT_EQ(run("function f() -> bits(8) = 0xFF + 0x02"), "0x01");
    EXPECT_EQ(run("function f() -> bits(3) = get_slice_int(3, 0 - 2, 1)"), "0b111");
    EXPECT_EQ(run("function f() -> bits(6) = replicate_bits(0b01, 3)"), "0b010101");
    EXPECT_EQ(run("function f() -> int = length(0x123) + unsigned(0b11) + signed(0b10)"), "13");
    EXPECT_EQ(run("overload operator / = {tdiv_int}\noverload operator % = {tmod_int}\n"
                  "function f() -> (int, int) = ((0 - 7) / 2, (0 - 7) % 2)"),
              "(-3, -1)");
    EXPECT_EQ(run("enum e = A | B | C\nfunction f() -> (int, e) = (num_of_e(C), e_of_num(1))"), "(2, B)");
}

TEST(Evaluator, ErrorsAreValues) {
    EXPECT_EQ(run("val g : int -> int\nfunction g(n) = g(n + 1)\nfunction f() -> int = g(0)"),
              "error: calls are nested too deeply");
    EvalOptions few;
    few.step_limit = 1000;
    EXPECT_EQ(run("function f() -> unit = while true do ()", few), "error: the limit of steps is reached");
    EXPECT_EQ(run("function f() -> int = { var n : int = 2; while true do n = n * n; n }"),
              "error: an integer leaves 64 bits");
    EXPECT_EQ(run("function f() -> int = tdiv_int(1, 0)"), "error: division by zero");
    EXPECT_EQ(run("function f() -> unit = assert(false, \"no\")"), "error: assertion failed: no");
}

TEST(Evaluator, SlicedVariablesComeTogether) {
    EXPECT_EQ(run("mapping m : (bits(4), bits(4)) <-> bits(8) = { (x, y) <-> x[1 .. 0] @ y @ x[3 .. 2] }\n"
                  "function f() -> (bits(8), (bits(4), bits(4))) = (m((0b1101, 0x0)), m(0b01_0110_11))"),
              "(0x43, (0xD, 0x6))");
}

}  // namespace
}  // namespace eciscope::sailgen
