#include "sailgen/compiler.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <tuple>

#include "checker.hpp"
#include "loader.hpp"
#include "parser.hpp"

namespace eciscope::sailgen {
namespace {

std::optional<std::string> read_from_disk(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    if (!file) return std::nullopt;
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) return std::nullopt;
    return text;
}

bool same(const Diagnostic& a, const Diagnostic& b) {
    return a.where.file == b.where.file && a.where.begin == b.where.begin && a.message == b.message;
}

// In the order of the source. Some types are resolved twice over; what that says twice is said once.
void tidy(std::vector<Diagnostic>& diagnostics) {
    std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::tie(a.where.file, a.where.begin) < std::tie(b.where.file, b.where.begin);
    });
    diagnostics.erase(std::unique(diagnostics.begin(), diagnostics.end(), same), diagnostics.end());
}

Result compile_with(const ReadFile& read, const std::vector<std::string>& roots, const CompileOptions& options) {
    Result result;
    Program program;
    const std::vector<Token> tokens = load(roots, read, program.sources, result.diagnostics);
    const ast::Tree tree = Parser(tokens, program.sources, result.diagnostics).parse_program();
    Checker(program, result.diagnostics, options).check_program(tree);
    tidy(result.diagnostics);
    result.sources = program.sources;
    if (result.diagnostics.empty()) result.program = std::move(program);
    return result;
}

}  // namespace

Result compile(const std::vector<std::string>& files, const CompileOptions& options) {
    return compile_with(read_from_disk, files, options);
}

Result compile(const SourceTexts& texts, const std::vector<std::string>& roots, const CompileOptions& options) {
    const auto read = [&texts](const std::string& name) {
        const auto found = texts.find(name);
        return found == texts.end() ? std::nullopt : std::optional(found->second);
    };
    return compile_with(read, roots, options);
}

Result compile(const std::vector<std::string>& files, const SourceTexts& more) {
    const auto read = [&more](const std::string& name) {
        const auto found = more.find(name);
        return found == more.end() ? read_from_disk(name) : std::optional(found->second);
    };
    std::vector<std::string> roots = files;
    for (const auto& [name, text] : more) roots.push_back(name);
    return compile_with(read, roots, {});
}

}  // namespace eciscope::sailgen
