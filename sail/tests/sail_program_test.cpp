// The real Sail compiler, where there is one: it accepts the specification, and its C code gives what ours gives.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <eciscope/spec/eci.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace eciscope::spec_test {
namespace {

namespace fs = std::filesystem;

struct Outcome {
    int status = -1;
    std::string output;
};

Outcome run_program(const std::string& command) {
    Outcome outcome;
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return outcome;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        outcome.output.append(buffer.data(), count);
    }
    outcome.status = pclose(pipe);
    return outcome;
}

const std::string specification = ECISCOPE_SOURCE_DIR "/sail/eci.sail";

class SailProgram : public testing::Test {
 protected:
    void SetUp() override {
        if (run_program("command -v sail").status != 0) GTEST_SKIP() << "there is no program `sail` on PATH";
    }
};

TEST_F(SailProgram, AcceptsTheSpecification) {
    const Outcome outcome = run_program("sail --just-check " + specification);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_EQ(outcome.output.find("Warning"), std::string::npos) << outcome.output;
}

// Both sides draw the same words from the same generator.
constexpr std::uint64_t multiplier = 6364136223846793005U;
constexpr std::uint64_t increment = 1442695040888963407U;
constexpr int words = 100'000;

constexpr const char* program = R"(
val next_word : bits(64) -> bits(64)
function next_word(w) = {
  var sum : bits(64) = 0x14057B7EF767814F;
  foreach (i from 0 to 63) { if 0x5851F42D4C957F2D[i] == bitone then sum = sum + sail_shiftleft(w, i) };
  sum
}
function main() -> unit = {
  var w : bits(64) = 0x0000000000000001;
  foreach (n from 1 to 100000) {
    w = next_word(w);
    let vc : bits(4) = w[31 .. 28];
    print_bits("w ", encode(decode(vc, w)));
    print_int("n ", message_words(vc, w));
    print_bits("a ", alias_index(w[63 .. 31]));
    if plausible_header(vc, w) then print_endline("plausible") else print_endline("implausible")
  }
}
)";

std::string hex(unsigned width, std::uint64_t value) {
    char text[20];
    std::snprintf(text, sizeof text, "%0*llX", static_cast<int>((width + 3) / 4),
                  static_cast<unsigned long long>(value));
    return text;
}

TEST_F(SailProgram, ComputesWhatTheGeneratedCodeComputes) {
    std::string name = (fs::temp_directory_path() / "eciscope-sail-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    std::ofstream(name + "/main.sail") << "$include \"" << specification << "\"\n" << program;
    const Outcome made = run_program("cd " + name + " && sail -c -O main.sail -o main && lib=$(sail --dir)/lib && " +
                                     CXX_COMPILER " -x c -w -O1 -I$lib main.c $lib/*.c -lgmp -lz -o main");
    ASSERT_EQ(made.status, 0) << made.output;
    std::stringstream theirs(run_program(name + "/main").output);
    fs::remove_all(name);
    std::uint64_t w = 1;
    for (int i = 0; i < words; ++i) {
        w = w * multiplier + increment;
        const auto vc = static_cast<std::uint8_t>((w >> 28) & 0xf);
        const std::string ours[] = {"w 0x" + hex(64, eci::encode(eci::decode(vc, w))),
                                    "n " + std::to_string(eci::message_words(vc, w)), "",
                                    eci::plausible_header(vc, w) ? "plausible" : "implausible"};
        for (const std::string& expected : ours) {
            std::string line;
            ASSERT_TRUE(std::getline(theirs, line));
            if (!expected.empty()) {
                ASSERT_EQ(line, expected) << std::hex << w;
            }
            // A width that is no multiple of four is printed in binary.
            if (expected.empty()) {
                std::string binary;
                for (unsigned bit = 33; bit-- > 0;) binary += ((eci::alias_index(w >> 31) >> bit) & 1) != 0 ? '1' : '0';
                ASSERT_EQ(line, "a 0b" + binary) << std::hex << w;
            }
        }
    }
}

}  // namespace
}  // namespace eciscope::spec_test
