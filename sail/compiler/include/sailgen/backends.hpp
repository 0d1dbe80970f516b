// Where back ends plug in: each is a function from the typed program to texts, listed in the table of src/main.cpp.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sailgen/ir.hpp"
#include "sailgen/source.hpp"

namespace eciscope::sailgen {

struct BackendOptions {
    std::string output;                           // `-o`, for include guards and titles; nothing is written there
    std::map<std::string, std::string> settings;  // `--set key=value`, as the back end documents
};

struct GeneratedFile {
    std::string path;  // empty for `-o` itself; else relative to the folder of `-o`
    std::string text;
};

struct BackendResult {
    std::vector<GeneratedFile> files;
    std::vector<Diagnostic> diagnostics;  // what the back end cannot express; then nothing is written
};

struct Backend {
    std::string_view name;
    std::string_view description;
    BackendResult (*generate)(const Program& program, const BackendOptions& options);
};

[[nodiscard]] BackendResult generate_cpp(const Program& program, const BackendOptions& options);
[[nodiscard]] BackendResult generate_markdown(const Program& program, const BackendOptions& options);
[[nodiscard]] BackendResult generate_smt(const Program& program, const BackendOptions& options);

}  // namespace eciscope::sailgen
