// Reads sources, follows includes and applies `$ifdef` directives: one token stream for the whole program.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lexer.hpp"
#include "sailgen/source.hpp"

namespace eciscope::sailgen {

// The text of a file by name, or nothing.
using ReadFile = std::function<std::optional<std::string>(const std::string& name)>;

// The tokens of all roots in order. Left for the parser are the directives that stand for definitions: library
// includes (`$include <prelude.sail>`) and `$property`, `$counterexample`.
[[nodiscard]] std::vector<Token> load(const std::vector<std::string>& roots, const ReadFile& read, SourceMap& sources,
                                      std::vector<Diagnostic>& diagnostics);

}  // namespace eciscope::sailgen
