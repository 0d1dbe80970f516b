// The command line of the compiler.
#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sailgen/backends.hpp"
#include "sailgen/compiler.hpp"
#include "sailgen/evaluator.hpp"
#include "sailgen/proofs.hpp"
#include "sailgen/prover.hpp"

namespace eciscope::sailgen {
namespace {

constexpr int exit_failure = 1;

constexpr std::array backends = std::to_array<Backend>({
    {"cpp", "Generate C++ from the program", generate_cpp},
    {"markdown", "Generate the reference of the program", generate_markdown},
    {"smt", "Generate the proofs of the program", generate_smt},
});

struct Arguments {
    std::vector<std::string> files;
    std::string call;
    std::string function;
    std::string output;
    std::map<std::string, std::string> settings;
    bool is_unchecked = false;
    bool is_verbose = false;
};

void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}
void complain(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
}

void complain(const SourceMap& sources, const EvalError& error) {
    if (error.where.end > error.where.begin) {
        complain(render(sources, {{error.where, error.message, {}}}));
    } else {
        complain("error: " + error.message + "\n");
    }
}

int check(const Arguments& arguments) {
    const Result result = compile(arguments.files);
    complain(render(result.sources, result.diagnostics));
    return result.program ? 0 : exit_failure;
}

// The expression is compiled as a definition behind the program, so it may be anything the language has.
int evaluate(const Arguments& arguments) {
    const Result result = compile(arguments.files, {{"--call", "let call_of_eval = " + arguments.call + "\n"}});
    complain(render(result.sources, result.diagnostics));
    if (!result.program) return exit_failure;
    std::string output;
    EvalOptions options;
    options.output = &output;
    Evaluator evaluator(*result.program, options);
    const LetDef& let = result.program->arenas.lets.back();
    const Evaluator::Outcome value = evaluator.value_of(let);
    print(output);
    if (!value) {
        complain(result.sources, value.error());
        return exit_failure;
    }
    print(to_string(*value) + "\n");
    return 0;
}

int tabulate(const Arguments& arguments) {
    const Result result = compile(arguments.files);
    complain(render(result.sources, result.diagnostics));
    if (!result.program) return exit_failure;
    const FunctionDef* function = result.program->find_function(arguments.function);
    if (function == nullptr) {
        complain("error: there is no function `" + arguments.function + "`\n");
        return exit_failure;
    }
    Evaluator evaluator(*result.program);
    const auto count =
        evaluator.enumerate(*function, [&](const std::vector<Value>& values, const Evaluator::Outcome& outcome) {
            const Value row{TupleValue{values}};
            print(function->name + to_string(row) + " = " +
                  (outcome ? to_string(*outcome) : "error: " + outcome.error().message) + "\n");
        });
    if (count) return 0;
    complain(result.sources, count.error());
    return exit_failure;
}

bool write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (file) return true;
    complain("error: cannot write `" + path + "`\n");
    return false;
}

// Runs z3 on all proofs: those that fail with a counterexample, and a sum.
int prove(const Arguments& arguments) {
    const Result result = compile(arguments.files, CompileOptions{!arguments.is_unchecked});
    complain(render(result.sources, result.diagnostics));
    if (!result.program) return exit_failure;
    const std::optional<std::string> z3 = find_z3();
    if (!z3) {
        complain("error: there is no z3 on PATH (Debian: apt install z3)\n");
        return exit_failure;
    }
    const Proofs proofs = make_proofs(*result.program);
    complain(render(result.sources, proofs.diagnostics));
    const std::vector<Outcome> outcomes = Prover{*z3}.prove(proofs.proofs);
    std::size_t count = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const Proof& proof = proofs.proofs[i];
        const bool holds = outcomes[i].verdict == Verdict::holds;
        count += holds ? 1 : 0;
        if (!holds || arguments.is_verbose) print(render(proof, outcomes[i]));
        if (outcomes[i].verdict == Verdict::fails && proof.kind != ProofKind::counterexample) {
            const bool is_real = is_confirmed(*result.program, proof, outcomes[i]);
            print(is_real ? "          the evaluator agrees\n" : "          BUT THE EVALUATOR DISAGREES\n");
        }
    }
    print(std::to_string(count) + " of " + std::to_string(outcomes.size()) + " proofs hold\n");
    return count == outcomes.size() && proofs.diagnostics.empty() ? 0 : exit_failure;
}

int generate(const Arguments& arguments, const Backend& backend) {
    const Result result = compile(arguments.files, CompileOptions{!arguments.is_unchecked});
    complain(render(result.sources, result.diagnostics));
    if (!result.program) return exit_failure;
    const BackendResult generated = backend.generate(*result.program, {arguments.output, arguments.settings});
    complain(render(result.sources, generated.diagnostics));
    if (!generated.diagnostics.empty()) return exit_failure;
    const std::size_t slash = arguments.output.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : arguments.output.substr(0, slash + 1);
    std::error_code ignored;  // a folder that is not there shows when a file is written
    if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
    for (const GeneratedFile& file : generated.files) {
        if (!write_file(file.path.empty() ? arguments.output : folder + file.path, file.text)) return exit_failure;
    }
    return 0;
}

int run(int argc, char** argv) {
    CLI::App app("Compiler for the subset of Sail the specification is written in");
    app.require_subcommand(1);
    Arguments arguments;
    const auto command = [&](std::string_view name, std::string_view description) {
        CLI::App* sub = app.add_subcommand(std::string(name), std::string(description));
        sub->add_option("files", arguments.files, "Sail files, read in order as one program")->required();
        return sub;
    };
    const CLI::App* check_command = command("check", "Read the program and report what is wrong");
    CLI::App* eval_command = command("eval", "Evaluate an expression");
    eval_command->add_option("--call", arguments.call, "the expression, such as f(0b01, Left)")->required();
    CLI::App* table_command = command("table", "Print a function for all its arguments");
    table_command->add_option("--function", arguments.function, "the name of the function")->required();
    constexpr const char* unchecked_help = "accept mappings that overlap or are not complete: z3 is to find out";
    CLI::App* prove_command = command("prove", "Prove mappings and properties with z3");
    prove_command->add_flag("-v,--verbose", arguments.is_verbose, "name also the proofs that hold");
    prove_command->add_flag("--unchecked", arguments.is_unchecked, unchecked_help);
    std::vector<std::pair<const CLI::App*, const Backend*>> generators;
    std::vector<std::string> settings;
    for (const Backend& backend : backends) {
        CLI::App* sub = command(backend.name, backend.description);
        sub->add_option("-o,--output", arguments.output, "the file to write")->required();
        sub->add_option("--set", settings, "key=value, as the back end documents");
        if (backend.name == "smt") sub->add_flag("--unchecked", arguments.is_unchecked, unchecked_help);
        generators.emplace_back(sub, &backend);
    }
    CLI11_PARSE(app, argc, argv);
    for (const std::string& setting : settings) {
        const std::size_t equals = std::min(setting.find('='), setting.size());
        arguments.settings[setting.substr(0, equals)] = setting.substr(std::min(equals + 1, setting.size()));
    }
    if (check_command->parsed()) return check(arguments);
    if (eval_command->parsed()) return evaluate(arguments);
    if (table_command->parsed()) return tabulate(arguments);
    if (prove_command->parsed()) return prove(arguments);
    for (const auto& [sub, backend] : generators) {
        if (sub->parsed()) return generate(arguments, *backend);
    }
    return exit_failure;
}

}  // namespace
}  // namespace eciscope::sailgen

int main(int argc, char** argv) {
    return eciscope::sailgen::run(argc, argv);
}
