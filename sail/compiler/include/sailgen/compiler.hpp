// The front end: Sail source in, typed program or diagnostics out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sailgen/ir.hpp"
#include "sailgen/source.hpp"

namespace eciscope::sailgen {

struct Result {
    std::optional<Program> program;       // there only if diagnostics is empty
    std::vector<Diagnostic> diagnostics;  // sorted by place; ranges refer to `sources`
    SourceMap sources;                    // also in the program
};

struct CompileOptions {
    // Clauses of mappings that overlap or leave something out are errors. If not, that is for the prover to find.
    bool check_mappings = true;
};

// Reads the files in order, as if one after the other, following `$include "…"`.
[[nodiscard]] Result compile(const std::vector<std::string>& files, const CompileOptions& options = {});

// The same with texts by name in place of the file system: `roots` are compiled, `$include "f"` looks in `texts` only.
using SourceTexts = std::map<std::string, std::string, std::less<>>;
[[nodiscard]] Result compile(const SourceTexts& texts, const std::vector<std::string>& roots,
                             const CompileOptions& options = {});

// Files from disk, then these texts in addition.
[[nodiscard]] Result compile(const std::vector<std::string>& files, const SourceTexts& more);

}  // namespace eciscope::sailgen
