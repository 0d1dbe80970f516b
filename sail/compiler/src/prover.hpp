// What z3 prints, taken apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sailgen/ir.hpp"

namespace eciscope::sailgen {

struct Sexpr {
    std::string atom;  // empty for a list
    std::vector<Sexpr> parts;
};

[[nodiscard]] std::optional<Sexpr> read_sexpr(const std::string& text);
[[nodiscard]] std::string sail_value(const Sexpr& value, TypeRef type);

}  // namespace eciscope::sailgen
