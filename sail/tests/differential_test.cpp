// The generated code against the evaluator, which runs the specification itself.
#include <gtest/gtest.h>

#include <random>

#include "sailgen/compiler.hpp"
#include "same.hpp"

namespace eciscope::spec_test {
namespace {

using sailgen::BitsValue;
using sailgen::Value;

Value bits(unsigned width, std::uint64_t value) {
    return Value{BitsValue{width, value}};
}

class Differential : public testing::Test {
 protected:
    static void SetUpTestSuite() {
        compiled = new sailgen::Result(sailgen::compile({std::string(ECISCOPE_SOURCE_DIR) + "/sail/eci.sail"}));
        ASSERT_TRUE(compiled->program) << render(compiled->sources, compiled->diagnostics);
    }
    static void TearDownTestSuite() { delete compiled; }

    // Calls the function of the specification and compares.
    template <class T>
    void expect(std::string_view function, std::vector<Value> arguments, const T& value) {
        const auto expected = evaluator_.call(function, std::move(arguments));
        ASSERT_TRUE(expected) << function << ": " << expected.error().message;
        ASSERT_TRUE(same(*expected, value)) << function << " gives " << to_string(*expected);
    }

    void expect_header(std::uint8_t vc, std::uint64_t word) {
        SCOPED_TRACE(testing::Message() << "VC " << int{vc} << " " << std::hex << word);
        const auto decoded = evaluator_.call("decode", {bits(4, vc), bits(64, word)});
        ASSERT_TRUE(decoded) << decoded.error().message;
        const eci::message message = eci::decode(vc, word);
        ASSERT_TRUE(same(*decoded, message)) << to_string(*decoded);
        expect("encode", {*decoded}, eci::encode(message));
        expect("message_words", {bits(4, vc), bits(64, word)}, eci::message_words(vc, word));
        expect("plausible_header", {bits(4, vc), bits(64, word)}, eci::plausible_header(vc, word));
    }

    void expect_functions_of_message(std::uint8_t vc, std::uint64_t word) {
        SCOPED_TRACE(testing::Message() << "VC " << int{vc} << " " << std::hex << word);
        const auto decoded = evaluator_.call("decode", {bits(4, vc), bits(64, word)});
        ASSERT_TRUE(decoded);
        const eci::message message = eci::decode(vc, word);
        expect("line_of", {*decoded}, eci::line_of(message));
        expect("sent_by_home", {*decoded}, eci::sent_by_home(message));
        expect("home_of", {bits(1, 0), *decoded}, eci::home_of(0, message));
        expect("home_of", {bits(1, 1), *decoded}, eci::home_of(1, message));
        expect("vc_parity_fits", {bits(4, vc), *decoded}, eci::vc_parity_fits(vc, message));
        expect("is_barrier", {*decoded}, eci::is_barrier(message));
        expect("reply_to", {*decoded}, eci::reply_to(message));
        expect("is_documented", {*decoded}, eci::is_documented(message));
        expect("carries_data", {bits(4, vc), bits(64, word)}, eci::carries_data(vc, word));
    }

    void expect_control(std::uint64_t word) {
        SCOPED_TRACE(testing::Message() << std::hex << word);
        const Value argument = bits(64, word);
        expect("control_word_backwards", {argument}, eci::control_word_backwards(word));
        expect("block_type_of", {argument}, eci::block_type_of(word));
        expect("is_sequenced", {argument}, eci::is_sequenced(word));
        expect("control_ack", {argument}, eci::control_ack(word));
        expect("control_credits", {argument}, eci::control_credits(word));
        expect("control_vcs", {argument}, eci::control_vcs(word));
        expect("control_req", {argument}, eci::control_req(word));
        expect("control_tx_seq", {argument}, eci::control_tx_seq(word));
        expect("control_rx_seq", {argument}, eci::control_rx_seq(word));
        expect("control_crc", {argument}, eci::control_crc(word));
    }

    void expect_line(std::uint64_t line) {
        SCOPED_TRACE(testing::Message() << std::hex << line);
        const Value argument = bits(33, line);
        expect("alias_index", {argument}, eci::alias_index(line));
        expect("unalias_index", {argument}, eci::unalias_index(line));
        expect("line_address", {argument}, eci::line_address(line));
        expect("vc_parity_of_line", {argument}, eci::vc_parity_of_line(line));
    }

 private:
    static inline sailgen::Result* compiled = nullptr;
    sailgen::Evaluator evaluator_{*compiled->program};
};

// Every opcode on every channel: nothing else set, everything else set, each single bit flipped in a random rest.
TEST_F(Differential, StructuredHeaders) {
    constexpr std::uint64_t below_opcode = ~std::uint64_t{0} >> 5;
    std::mt19937_64 random(5);
    for (std::uint8_t vc = 0; vc < 16; ++vc) {
        for (std::uint64_t opcode = 0; opcode < 32; ++opcode) {
            const std::uint64_t top = opcode << 59;
            const std::uint64_t rest = random() & below_opcode;
            expect_header(vc, top);
            expect_header(vc, top | below_opcode);
            for (unsigned bit = 0; bit < 64; ++bit) expect_header(vc, (top | rest) ^ (std::uint64_t{1} << bit));
            expect_functions_of_message(vc, top | rest);
            expect_functions_of_message(vc, top | (random() & below_opcode));
            if (HasFatalFailure()) return;
        }
    }
}

// Channel 12 tells its messages by the low byte.
TEST_F(Differential, InterruptHeaders) {
    std::mt19937_64 random(6);
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
        expect_header(12, byte);
        expect_header(12, (random() & ~std::uint64_t{0xff}) | byte);
        if (HasFatalFailure()) return;
    }
}

TEST_F(Differential, RandomHeaders) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 70'000; ++i) {
        expect_header(static_cast<std::uint8_t>(random() % 16), random());
        if (HasFatalFailure()) return;
    }
}

TEST_F(Differential, ControlWordsAndLines) {
    std::mt19937_64 random(8);
    for (int i = 0; i < 3'000; ++i) {
        expect_control(random());
        expect_line(random() >> 31);
        if (HasFatalFailure()) return;
    }
}

TEST_F(Differential, FunctionsOfFewBits) {
    for (std::uint8_t n = 0; n < 16; ++n) {
        const Value argument = bits(4, n);
        expect("class_of_vc", {argument}, eci::class_of_vc(n));
        expect("is_coherence_vc", {argument}, eci::is_coherence_vc(n));
        expect("is_data_vc", {argument}, eci::is_data_vc(n));
        expect("is_one_word_vc", {argument}, eci::is_one_word_vc(n));
        expect("is_credited_vc", {argument}, eci::is_credited_vc(n));
        expect("credit_reserve_words", {argument}, eci::credit_reserve_words(n));
        expect("fpga_initial_credit_words", {argument}, eci::fpga_initial_credit_words(n));
        expect("sub_lines", {argument}, eci::sub_lines(n));
        expect("words_with_sub_lines", {argument}, eci::words_with_sub_lines(n));
        expect("strobe_words", {argument}, eci::strobe_words(n));
        expect("io_byte_offset", {argument}, eci::io_byte_offset(n));
        expect("io_size", {argument}, eci::io_size(n));
        expect("burst_words", {argument}, eci::burst_words(n));
        const auto low = static_cast<std::uint8_t>(n % 8);
        const auto high = static_cast<std::uint8_t>(n / 8);
        expect("sized_words", {bits(3, low)}, eci::sized_words(low));
        expect("credited_vc", {bits(1, high), bits(3, low)}, eci::credited_vc(high, low));
        expect("granted_sub_line", {bits(2, n % 4), bits(2, n / 4)},
               eci::granted_sub_line(static_cast<std::uint8_t>(n % 4), static_cast<std::uint8_t>(n / 4)));
    }
}

}  // namespace
}  // namespace eciscope::spec_test
