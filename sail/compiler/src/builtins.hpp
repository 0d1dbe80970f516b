// The functions `$include <prelude.sail>` brings, as far as they are in the subset.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sailgen/ir.hpp"

namespace eciscope::sailgen {

enum class Parameter : std::uint8_t {
    bits,       // of any width
    same_bits,  // of the width of the first argument
    integer,
    fixed,  // an integer known when compiling
    boolean,
    string,
    option,
    any_vector,  // bits or vector
};

enum class BuiltinResult : std::uint8_t {
    unit,
    boolean,
    same,      // the type of the first argument
    fixed,     // bits of the width given by the `fixed` argument
    integer,   // with the bounds that follow from the arguments
    repeated,  // replicate_bits
    length,    // the constant itself
    masked,    // zero_extend or truncate, as the width asks
};

struct BuiltinSignature {
    std::string_view name;
    Builtin builtin;
    BuiltinResult result;
    std::vector<Parameter> parameters;
};

[[nodiscard]] const BuiltinSignature* find_builtin(std::string_view name);
[[nodiscard]] std::vector<std::string> builtin_names();

struct Bounds {
    std::optional<std::int64_t> low;
    std::optional<std::int64_t> high;
};

// The bounds of an integer operation by those of its arguments; of unsigned_of and signed_of by the width.
[[nodiscard]] Bounds result_bounds(Builtin builtin, const std::vector<TypeRef>& arguments);

}  // namespace eciscope::sailgen
