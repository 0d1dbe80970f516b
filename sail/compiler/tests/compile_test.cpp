// What the front end makes of programs that are right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sailgen/compiler.hpp"

namespace eciscope::sailgen {
namespace {

Result from_text(const std::string& body) {
    const SourceTexts texts{{"t.sail", "default Order dec\n$include <prelude.sail>\n" + body}};
    return compile(texts, {"t.sail"});
}

Result from_data(const std::string& name) {
    return compile(std::vector<std::string>{std::string(ECISCOPE_TEST_DATA) + "/" + name});
}

TEST(Compile, AcceptsTheTrialSpecification) {
    const Result result = from_data("trial.sail");
    EXPECT_EQ(render(result.sources, result.diagnostics), "");
    ASSERT_TRUE(result.program);
    const MappingDef* encdec = result.program->find_mapping("encdec");
    ASSERT_NE(encdec, nullptr);
    EXPECT_EQ(encdec->clauses.size(), 5U);
    EXPECT_TRUE(encdec->is_partial);
    EXPECT_FALSE(encdec->right_total);
    EXPECT_TRUE(result.program->find_mapping("side_bit")->right_total);
    EXPECT_FALSE(result.program->find_mapping("fetch_op")->right_total);
    EXPECT_EQ(result.program->find_enum("side")->doc, "Which of the two sockets a message starts from.");
}

TEST(Compile, KeepsFieldCommentsAndCatchAlls) {
    const Result result = from_data("messages.sail");
    EXPECT_EQ(render(result.sources, result.diagnostics), "");
    ASSERT_TRUE(result.program);
    const StructDef* load = result.program->find_struct("mreq_load");
    ASSERT_NE(load, nullptr);
    EXPECT_EQ(load->fields[0]->doc, "");
    EXPECT_EQ(load->fields[3]->doc, "32-byte sub-lines wanted");
    EXPECT_EQ(load->fields[5]->doc, "");
    const MappingDef* opcode = result.program->find_mapping("load_opcode");
    EXPECT_EQ(opcode->clauses[2].doc, "read, exclusive");
    const MappingDef* header = result.program->find_mapping("mreq_header");
    EXPECT_FALSE(header->clauses[0].is_catch_all);
    EXPECT_TRUE(header->clauses[1].is_catch_all);
    EXPECT_TRUE(header->right_total);
    EXPECT_FALSE(result.program->find_function("main")->is_pure);
    EXPECT_TRUE(result.program->find_function("alias_index")->is_pure);
}

TEST(Compile, AcceptsTheMachine) {
    const Result result = from_data("machine.sail");
    EXPECT_EQ(render(result.sources, result.diagnostics), "");
    EXPECT_TRUE(result.program);
}

TEST(Compile, KeepsTheOrderOfDefinitions) {
    const Result result = from_text(
        "scattered union u\nval m : u <-> bits(2)\nscattered mapping m\n"
        "union clause u = A : bits(2)\nmapping clause m = A(x) <-> x\nenum e = P | Q\nend u\nend m\n");
    EXPECT_EQ(render(result.sources, result.diagnostics), "");
    ASSERT_TRUE(result.program);
    ASSERT_EQ(result.program->definitions.size(), 3U);
    EXPECT_TRUE(std::holds_alternative<const UnionDef*>(result.program->definitions[0]));
    EXPECT_TRUE(std::holds_alternative<const EnumDef*>(result.program->definitions[1]));
    EXPECT_TRUE(std::holds_alternative<const MappingDef*>(result.program->definitions[2]));
}

TEST(Compile, IncludesRelativeToTheIncluderAndGuards) {
    const SourceTexts texts{
        {"a/top.sail", "default Order dec\n$include \"sub/one.sail\"\n$include \"sub/one.sail\"\nlet y : e = B\n"},
        {"a/sub/one.sail", "$ifndef ONE\n$define ONE\n$include \"two.sail\"\n$endif\n"},
        {"a/sub/two.sail", "enum e = A | B\n"}};
    const Result result = compile(texts, {"a/top.sail"});
    EXPECT_EQ(render(result.sources, result.diagnostics), "");
}

TEST(Compile, IntegerBoundsFollowArithmetic) {
    const Result result = from_text(
        "val f : range(0, 4) -> range(1, 17)\nfunction f(x) = 1 + 4 * x\n"
        "val g : bits(3) -> range(-4, 3)\nfunction g(x) = signed(x)\n");
    EXPECT_EQ(render(result.sources, result.diagnostics), "");
}

TEST(Compile, NestingBeyondTheLimitIsADiagnostic) {
    for (const char* open :
         {"(", "[", "{ ", "f(", "if true then ", "match x { _ => ", "struct { a = ", "1 + (", "let x = "}) {
        std::string body = "let x : int = ";
        for (int i = 0; i < 50'000; ++i) body += open;
        const Result result = from_text(body);
        EXPECT_FALSE(result.program) << open;
        EXPECT_FALSE(result.diagnostics.empty()) << open;
    }
    std::string chain = "let x : int = 1";
    for (int i = 0; i < 50'000; ++i) chain += " + 1";
    EXPECT_FALSE(from_text(chain + "\n").program);
}

// Every union is small when it is looked at; together they have values of 2^20 parts.
TEST(Compile, UnionsThatGrowAfterwardsAreMeasuredAtTheEnd) {
    std::string body;
    for (int i = 0; i < 20; ++i) body += "scattered union u" + std::to_string(i) + "\n";
    for (int i = 0; i < 20; ++i) {
        const std::string inner = "u" + std::to_string(i + 1);
        body += "union clause u" + std::to_string(i) + " = C" + std::to_string(i) + " : ";
        body += i == 19 ? "bool\n" : "(" + inner + ", " + inner + ")\n";
    }
    for (int i = 0; i < 20; ++i) body += "end u" + std::to_string(i) + "\n";
    const Result result = from_text(body);
    ASSERT_FALSE(result.diagnostics.empty());
    EXPECT_THAT(result.diagnostics[0].message, testing::StartsWith("this type is too large"));
}

TEST(Compile, DiagnosticsBeyondTheLimitAreCounted) {
    std::string body;
    for (int i = 0; i < 60; ++i) body += "let x" + std::to_string(i) + " : bool = 1\n";
    const Result result = from_text(body);
    EXPECT_EQ(result.diagnostics.size(), 60U);
    EXPECT_THAT(render(result.sources, result.diagnostics, 50), testing::EndsWith("and 10 more errors\n"));
}

}  // namespace
}  // namespace eciscope::sailgen
