// What can be proved of a program: round trip, unambiguity and completeness of every mapping, and the functions marked
// `$property`. Each proof is an SMT-LIB 2 script of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sailgen/ir.hpp"
#include "sailgen/source.hpp"

namespace eciscope::sailgen {

// Of a mapping, "word" is the side of type bits and "value" the other side.
enum class ProofKind : std::uint8_t {
    word_round_trip,   // encode(decode(w)) = w
    value_round_trip,  // decode(encode(v)) = v, unless a catch-all clause encodes v
    one_reading,       // no two clauses take the same word, catch-alls aside
    catch_all,         // what a catch-all clause decodes is not encoded into a word of another clause
    every_word,        // every word is taken by a clause
    every_value,       // every value is taken by a clause
    injective,         // different values have different words
    property,          // a `$property` function is true for all arguments
    counterexample,    // a `$counterexample` function is false for some arguments
};

[[nodiscard]] std::string_view to_string(ProofKind kind);

// A term whose value shows why a proof fails: an argument, or what comes of one.
struct Shown {
    std::string symbol;
    std::string name;
    TypeRef type = nullptr;
    bool is_argument = false;
    std::string defined = "true";  // a term: whether it has a value at all
};

struct Proof {
    std::string name;       // `mreq_header.word_round_trip`, `prop_alias`
    std::string statement;  // in words, what is proved
    SourceRange where;
    ProofKind kind = ProofKind::property;
    // Up to and including `(check-sat)`. `unsat` is the wanted answer, for a counterexample `sat`.
    std::string script;
    std::vector<Shown> shown;

    // The mapping or function it is about; one of them is set.
    const MappingDef* mapping = nullptr;
    const FunctionDef* function = nullptr;
};

struct Proofs {
    std::vector<Proof> proofs;            // in the order of the definitions
    std::vector<Diagnostic> diagnostics;  // what cannot be stated; the proofs concerned are not there
};

[[nodiscard]] Proofs make_proofs(const Program& program);

}  // namespace eciscope::sailgen
