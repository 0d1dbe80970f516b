// Running the proofs of a program with z3.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sailgen/proofs.hpp"

namespace eciscope::sailgen {

enum class Verdict : std::uint8_t {
    holds,
    fails,      // there is a counterexample
    undecided,  // z3 gave up or ran out of time
    broken,     // z3 did not run or did not accept the script
};

struct Outcome {
    Verdict verdict = Verdict::broken;
    std::string message;  // of undecided and broken: what z3 said
    // Of fails: the arguments and what comes of them, by name, as Sail writes values.
    std::vector<std::pair<std::string, std::string>> counterexample;
    std::chrono::milliseconds took{0};
};

struct Prover {
    std::string z3;  // path of the program
    unsigned seconds = 30;

    [[nodiscard]] Outcome prove(const Proof& proof) const;
};

// z3 in the folders of PATH.
[[nodiscard]] std::optional<std::string> find_z3();

// One line for a proof that holds; else what is proved, and the counterexample or what went wrong.
[[nodiscard]] std::string render(const Proof& proof, const Outcome& outcome);

// A value that z3 prints, as Sail writes it. A null type means a number. The text as it is if it is no such value.
[[nodiscard]] std::string sail_value(const std::string& text, TypeRef type);

}  // namespace eciscope::sailgen
