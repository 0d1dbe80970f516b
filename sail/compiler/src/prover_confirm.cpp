// Counterexamples of z3, run by the evaluator.
#include <utility>

#include "sailgen/evaluator.hpp"
#include "sailgen/prover.hpp"

namespace eciscope::sailgen {
namespace {

bool is_code_word(TypeRef type) {
    return type->kind == TypeKind::bits || type->kind == TypeKind::bitfield;
}

// The number of clauses that take a word, a last one of variables aside.
std::size_t readings(Evaluator& evaluator, const MappingDef& mapping, Direction decode, const Value& word) {
    std::size_t count = 0;
    for (const MappingClause& clause : mapping.clauses) {
        if (clause.is_catch_all) continue;
        // A mapping of this clause alone.
        MappingDef one = mapping;
        one.clauses = {clause};
        const auto takes = evaluator.matches(one, decode, word);
        if (takes && *takes) ++count;
    }
    return count;
}

bool fails_to_return(Evaluator& evaluator, const MappingDef& mapping, Direction there, const Value& start) {
    const Evaluator::Outcome middle = evaluator.convert(mapping, there, start);
    if (!middle) return true;
    const Direction back = there == Direction::forwards ? Direction::backwards : Direction::forwards;
    const Evaluator::Outcome end = evaluator.convert(mapping, back, *middle);
    return !end || !(*end == start);
}

bool breaks_mapping(Evaluator& evaluator, const Proof& proof, const std::vector<Value>& arguments) {
    const MappingDef& mapping = *proof.mapping;
    const bool is_right = is_code_word(mapping.right) || !is_code_word(mapping.left);
    const Direction encode = is_right ? Direction::forwards : Direction::backwards;
    const Direction decode = is_right ? Direction::backwards : Direction::forwards;
    switch (proof.kind) {
        case ProofKind::word_round_trip:
        case ProofKind::catch_all:
            return fails_to_return(evaluator, mapping, decode, arguments[0]);
        case ProofKind::value_round_trip:
            return fails_to_return(evaluator, mapping, encode, arguments[0]);
        case ProofKind::every_word:
            return !evaluator.convert(mapping, decode, arguments[0]).has_value();
        case ProofKind::every_value:
            return !evaluator.convert(mapping, encode, arguments[0]).has_value();
        case ProofKind::one_reading:
            return readings(evaluator, mapping, decode, arguments[0]) > 1;
        case ProofKind::injective: {
            const Evaluator::Outcome one = evaluator.convert(mapping, encode, arguments[0]);
            const Evaluator::Outcome other = evaluator.convert(mapping, encode, arguments[1]);
            return one && other && *one == *other && !(arguments[0] == arguments[1]);
        }
        default:
            return false;
    }
}

}  // namespace

bool is_confirmed(const Program& program, const Proof& proof, const Outcome& outcome) {
    Evaluator evaluator(program);
    std::vector<Value> arguments;
    std::size_t wanted = 0;
    for (const Shown& shown : proof.shown) wanted += shown.is_argument ? 1 : 0;
    for (const Finding& finding : outcome.counterexample) {
        if (finding.is_argument && finding.value) arguments.push_back(*finding.value);
    }
    if (arguments.size() != wanted) return false;
    if (proof.mapping != nullptr) return breaks_mapping(evaluator, proof, arguments);
    const Evaluator::Outcome result = evaluator.call(*proof.function, std::move(arguments));
    const bool* truth = result ? std::get_if<bool>(&result->data) : nullptr;
    return truth == nullptr || !*truth;
}

}  // namespace eciscope::sailgen
