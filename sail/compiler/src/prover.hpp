// What z3 prints, taken apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sailgen/ir.hpp"
#include "sailgen/value.hpp"

namespace eciscope::sailgen {

struct Sexpr {
    std::string atom;  // empty for a list
    std::vector<Sexpr> parts;
};

[[nodiscard]] std::optional<Sexpr> read_sexpr(const std::string& text);
// The value that a bit vector or boolean of the model stands for; a null type means a number.
[[nodiscard]] std::optional<Value> sail_value(const std::string& atom, TypeRef type);

}  // namespace eciscope::sailgen
