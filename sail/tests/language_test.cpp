// C++ of every construct of the language, against the evaluator on the same program.
#include <gtest/gtest.h>

#include <language/language.hpp>
#include <random>
#include <set>

#include "sailgen/compiler.hpp"
#include "sailgen/evaluator.hpp"

namespace eciscope::spec_test {
namespace {

using sailgen::BitsValue;
using sailgen::Value;

static_assert(std::is_trivially_copyable_v<language::msg>);

std::int64_t number(const Value& value) {
    if (const auto* bits = std::get_if<BitsValue>(&value.data)) return static_cast<std::int64_t>(bits->value);
    return std::get<std::int64_t>(value.data);
}

class Language : public testing::Test {
 protected:
    static void SetUpTestSuite() {
        compiled = new sailgen::Result(sailgen::compile({std::string(ECISCOPE_TEST_DATA) + "/language.sail"}));
        ASSERT_TRUE(compiled->program) << render(compiled->sources, compiled->diagnostics);
    }
    static void TearDownTestSuite() { delete compiled; }

    template <class Result, class Argument>
    void expect(const std::string& function, unsigned width, std::uint64_t argument, Result (*generated)(Argument)) {
        const auto expected = evaluator_.call(function, {Value{BitsValue{width, argument}}});
        ASSERT_TRUE(expected) << function << "(" << argument << "): " << expected.error().message;
        const auto value = static_cast<std::int64_t>(generated(static_cast<Argument>(argument)));
        ASSERT_EQ(number(*expected), value) << function << "(" << argument << ")";
    }

 private:
    static inline sailgen::Result* compiled = nullptr;
    sailgen::Evaluator evaluator_{*compiled->program};
};

TEST_F(Language, FunctionsOfBytes) {
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
        expect("flags_changed", 8, byte, language::flags_changed);
        expect("count_set", 4, byte & 0xf, language::count_set);
        expect("count_down", 8, byte, language::count_down);
        expect("first_set", 8, byte, language::first_set);
        expect("parts_swapped", 8, byte, language::parts_swapped);
        expect("sum_of_halves", 8, byte, language::sum_of_halves);
        expect("ordered", 8, byte, language::ordered);
        expect("arithmetic", 8, byte, language::arithmetic);
        expect("widened", 8, byte, language::widened);
        expect("inverted", 8, byte, language::inverted);
        expect("pattern_parts", 8, byte, language::pattern_parts);
        expect("with_constants", 8, byte, language::with_constants);
        expect("nested", 8, byte, language::nested);
        expect("lists", 8, byte, language::lists);
        if (HasFatalFailure()) return;
    }
    for (std::uint64_t word = 0; word < 0x10000; word += 7) {
        expect("moved", 16, word, language::moved);
    }
}

// Words of every shape, so that each clause fits, nearly fits and does not.
TEST_F(Language, MappingsWithGuardsAndSplitFields) {
    std::mt19937_64 random(9);
    std::set<int> kinds;
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t opcode = std::uint64_t{1} << (random() % 5) | random() % 4;
        std::uint64_t word = opcode << 59 | (random() >> 5);
        if (i % 4 != 0) word &= 0xfc00'ffff'ffff'ffe0;
        if (i % 4 == 2) word &= 0xf8ff'0000'0000'0000;
        if (i % 4 == 3) word &= 0xffff'fc3f'fff0'0000;
        if (i % 100 == 0) word = 0;
        const auto decoded = language::decode(word);
        kinds.insert(decoded ? static_cast<int>(decoded->which) : -1);
        expect("roundtrip", 64, word, language::roundtrip);
        expect("which_message", 64, word, language::which_message);
        if (HasFatalFailure()) return;
    }
    EXPECT_EQ(kinds.size(), 6U);
}

}  // namespace
}  // namespace eciscope::spec_test
