// Whether patterns take every value of a type, and which of them take none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sailgen/ir.hpp"

namespace eciscope::sailgen {

struct MatchRow {
    PatternRef pattern = nullptr;
    bool has_guard = false;
    SourceRange where;
};

// Reports an unreachable row, and a value that no row takes, shown as a pattern. `what` names the rows: "the match".
// A row with a guard, or with a mapping that may refuse, counts as taking nothing.
void check_match(const std::vector<MatchRow>& rows, TypeRef type, SourceRange where, const std::string& what,
                 std::vector<Diagnostic>& diagnostics);

// A value no row takes; nothing if there is none. `is_too_large` is set, and nothing returned, when the question is
// beyond the budget.
[[nodiscard]] std::optional<std::string> find_missing(const std::vector<MatchRow>& rows, TypeRef type,
                                                      bool& is_too_large);

// Some value is taken by both.
[[nodiscard]] bool patterns_overlap(PatternRef a, PatternRef b);

}  // namespace eciscope::sailgen
