// Running the proofs of a program with z3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sailgen/proofs.hpp"
#include "sailgen/value.hpp"

namespace eciscope::sailgen {

enum class Verdict : std::uint8_t {
    holds,
    fails,      // there is a counterexample
    undecided,  // z3 gave up or ran out of time
    broken,     // z3 did not run or did not accept the script
};

struct Finding {
    std::string name;            // `word`, `decode(vc, header)`
    std::optional<Value> value;  // none where there is no value
    bool is_argument = false;
};

// Its values refer to the program.
struct Outcome {
    Verdict verdict = Verdict::broken;
    std::string message;                  // of undecided and broken: what z3 said
    std::vector<Finding> counterexample;  // of fails: the arguments and what comes of them
};

struct Prover {
    std::string z3;          // path of the program
    unsigned seconds = 120;  // for one proof, of wall time: generous, as machines are shared

    // One run of z3 for all; an outcome for each.
    [[nodiscard]] std::vector<Outcome> prove(const std::vector<Proof>& proofs) const;
};

// Whether the evaluator comes to the same end with the arguments of a counterexample as z3: a check of the translation.
[[nodiscard]] bool is_confirmed(const Program& program, const Proof& proof, const Outcome& outcome);

// z3 in the folders of PATH.
[[nodiscard]] std::optional<std::string> find_z3();

// One line for a proof that holds; else what is proved, and the counterexample or what went wrong.
[[nodiscard]] std::string render(const Proof& proof, const Outcome& outcome);

}  // namespace eciscope::sailgen
