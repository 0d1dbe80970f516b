// Runs functions and mappings of a program.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "sailgen/ir.hpp"
#include "sailgen/value.hpp"

namespace eciscope::sailgen {

enum class EvalErrorKind : std::uint8_t {
    match_failure,  // no clause of a mapping fits
    assertion,
    overflow,  // an integer left 64 bits
    division_by_zero,
    bad_operand,  // a negative shift or exponent
    step_limit,
    depth_limit,
    bad_call,  // unknown name, wrong number or type of arguments
    too_many,  // more values to enumerate than the limit
};

struct EvalError {
    EvalErrorKind kind = EvalErrorKind::bad_call;
    std::string message;
    SourceRange where;
};

struct EvalOptions {
    std::uint64_t step_limit = 10'000'000;   // nodes of one call
    std::uint64_t value_limit = 16'777'216;  // argument tuples of one enumeration
    std::string* output = nullptr;           // what the print functions write; null drops it
};

// Holds the registers, which keep their values from call to call. The program must outlive it.
class Evaluator {
 public:
    explicit Evaluator(const Program& program, EvalOptions options = {});

    using Outcome = tl::expected<Value, EvalError>;

    [[nodiscard]] Outcome call(const FunctionDef& function, std::vector<Value> arguments);
    // No clause that fits is a match_failure.
    [[nodiscard]] Outcome convert(const MappingDef& mapping, Direction direction, const Value& value);
    [[nodiscard]] tl::expected<bool, EvalError> matches(const MappingDef& mapping, Direction direction,
                                                        const Value& value);
    [[nodiscard]] Outcome value_of(const LetDef& let);
    // A function, a mapping (direction by the argument's type) or m_forwards, m_backwards and their _matches.
    [[nodiscard]] Outcome call(std::string_view name, std::vector<Value> arguments);

    // The function over all its arguments, in the order of value_at(), first argument slowest. Every call has the step
    // limit of its own. The number of calls, or an error if the arguments are too many.
    using Visit = std::function<void(const std::vector<Value>& arguments, const Outcome& result)>;
    [[nodiscard]] tl::expected<std::uint64_t, EvalError> enumerate(const FunctionDef& function, const Visit& visit);

 private:
    const Program& program_;
    EvalOptions options_;
    std::map<const RegisterDef*, Value> registers_;
    std::map<const LetDef*, Value> lets_;

    friend class Execution;
};

}  // namespace eciscope::sailgen
