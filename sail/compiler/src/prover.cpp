#include "prover.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sailgen/prover.hpp"

extern char** environ;

namespace eciscope::sailgen {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

// Runs z3 with the script as its input; what it printed, or nothing if it could not be started.
std::optional<std::string> run(const std::string& z3, const std::string& script) {
    const File input(std::tmpfile());
    std::array<int, 2> output{};
    if (!input || std::fwrite(script.data(), 1, script.size(), input.get()) != script.size()) return std::nullopt;
    if (std::fflush(input.get()) != 0 || ::pipe2(output.data(), O_CLOEXEC) != 0) return std::nullopt;
    std::rewind(input.get());

    std::vector<std::string> words = {z3, "-in", "-smt2",
                                      // One line for each value, without names for its parts.
                                      "pp.min_alias_size=1000000000", "pp.max_depth=1000000000",
                                      "pp.max_width=1000000000"};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ::fileno(input.get()), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDERR_FILENO);
    pid_t child = 0;
    const bool is_started = posix_spawn(&child, z3.c_str(), &actions, nullptr, arguments.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    (void)::close(output[1]);
    std::string text = is_started ? read_all(output[0]) : std::string();
    (void)::close(output[0]);
    if (!is_started) return std::nullopt;
    int status = 0;
    (void)::waitpid(child, &status, 0);
    return text;
}

// Before the answer to a proof stands a line of its own.
constexpr std::string_view marker = "-- proof";

std::string script_of(const Proof& proof, unsigned seconds) {
    std::string text =
        fmt::format("(reset)\n(echo \"{}\")\n(set-option :timeout {})\n{}", marker, seconds * 1000, proof.script);
    if (proof.shown.empty()) return text;
    text += "(get-value (";
    for (const Shown& shown : proof.shown) text += fmt::format("{} {} ", shown.symbol, shown.defined);
    return text + "))\n";
}

std::vector<Finding> counterexample_of(const Proof& proof, const std::string& answer) {
    std::vector<Finding> findings;
    const std::optional<Sexpr> all = read_sexpr(answer);
    // Pairs of term and value, two for each: the value, and whether there is one.
    for (std::size_t i = 0; all && 2 * i + 1 < all->parts.size() && i < proof.shown.size(); ++i) {
        const std::vector<Sexpr>& value = all->parts[2 * i].parts;
        const std::vector<Sexpr>& defined = all->parts[2 * i + 1].parts;
        if (value.size() != 2 || defined.size() != 2) continue;
        const Shown& shown = proof.shown[i];
        findings.push_back({shown.name, std::nullopt, shown.is_argument});
        if (defined[1].atom == "true") findings.back().value = sail_value(value[1].atom, shown.type);
    }
    return findings;
}

Outcome outcome_of(const Proof& proof, const std::string& answer) {
    Outcome outcome;
    const std::string first = answer.substr(0, answer.find('\n'));
    const bool wants_sat = proof.kind == ProofKind::counterexample;
    if (first == "unsat") {
        outcome.verdict = wants_sat ? Verdict::fails : Verdict::holds;
    } else if (first == "sat") {
        outcome.verdict = wants_sat ? Verdict::holds : Verdict::fails;
        outcome.counterexample = counterexample_of(proof, answer.substr(first.size()));
    } else {
        outcome.verdict = first == "unknown" || first == "timeout" ? Verdict::undecided : Verdict::broken;
        outcome.message = first.empty() ? "no answer" : first;
    }
    return outcome;
}

}  // namespace

std::vector<Outcome> Prover::prove(const std::vector<Proof>& proofs) const {
    std::string script;
    for (const Proof& proof : proofs) script += script_of(proof, seconds);
    const std::optional<std::string> answers = run(z3, script);
    std::vector<Outcome> outcomes;
    std::size_t at = 0;
    for (const Proof& proof : proofs) {
        if (!answers) {
            outcomes.push_back({Verdict::broken, "cannot run " + z3, {}});
            continue;
        }
        at = std::min(answers->find(marker, at), answers->size());
        const std::size_t begin = std::min(at + marker.size() + 1, answers->size());
        at = std::min(answers->find(marker, begin), answers->size());
        outcomes.push_back(outcome_of(proof, answers->substr(begin, at - begin)));
    }
    return outcomes;
}

std::string render(const Proof& proof, const Outcome& outcome) {
    const auto line = [&](std::string_view verdict) { return fmt::format("{:<9} {}\n", verdict, proof.name); };
    std::string text;
    switch (outcome.verdict) {
        case Verdict::holds:
            return line("holds");
        case Verdict::fails:
            text = line("FAILS");
            break;
        case Verdict::undecided:
            text = line("UNDECIDED");
            break;
        case Verdict::broken:
            text = line("BROKEN");
            break;
    }
    text += fmt::format("          wanted: {}\n", proof.statement);
    if (!outcome.message.empty()) text += fmt::format("          z3: {}\n", outcome.message);
    if (outcome.verdict == Verdict::fails && proof.kind == ProofKind::counterexample) {
        text += "          but it is true for all arguments\n";
    }
    std::size_t width = 0;
    for (const Finding& finding : outcome.counterexample) width = std::max(width, finding.name.size());
    for (const Finding& finding : outcome.counterexample) {
        const std::string value = finding.value ? to_string(*finding.value) : "undefined";
        text += fmt::format("          {:<{}} = {}\n", finding.name, width, value);
    }
    return text;
}

std::optional<std::string> find_z3() {
    const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
    std::string_view rest = path == nullptr ? std::string_view() : path;
    while (!rest.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        const std::string candidate = fmt::format("{}/z3", rest.substr(0, colon));
        if (colon > 0 && ::access(candidate.c_str(), X_OK) == 0) return candidate;
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    return std::nullopt;
}

}  // namespace eciscope::sailgen
