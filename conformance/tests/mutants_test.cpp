// The checks are strong enough: a specification with one rule changed does not pass them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "checks.hpp"
#include "graph.hpp"
#include "load.hpp"
#include "mutants.hpp"
#include "observer.hpp"
#include "reference_runs.hpp"
#include "sailgen/compiler.hpp"
#include "specification.hpp"

namespace {

using namespace eciscope::conformance;
using namespace eciscope::conformance::tests;
using model::Machines;
namespace sailgen = eciscope::sailgen;

/// What no run of two nodes needs; see model_test.cpp.
constexpr std::size_t rules_without_use = 5;

/// A message as the link shows it, read from the link's description and not from the specification.
struct OnTheLink {
    unsigned vc;
    unsigned opcode;
    bool has_dmask;
};
const std::map<std::string, OnTheLink> messages{
    {"RLDD", {6, 0, true}},     {"RLDI", {6, 1, true}},    {"RLDX", {6, 5, true}},    {"RC2D_S", {6, 7, true}},
    {"SINV", {8, 13, false}},   {"SINV_H", {8, 14, true}}, {"FLDX_E", {8, 7, true}},  {"FEVX_EH", {8, 11, true}},
    {"FLDRS_EH", {8, 4, true}}, {"PSHA", {4, 9, true}},    {"PEMD", {4, 10, true}},   {"PEMD0", {10, 10, false}},
    {"VICD", {4, 0, true}},     {"VICD0", {4, 0, false}},  {"VICC", {10, 1, false}},  {"VICS", {10, 2, false}},
    {"VICDHI", {4, 3, true}},   {"HAKD", {4, 4, true}},    {"HAKD0", {10, 4, false}}, {"HAKN_S", {10, 5, false}},
    {"HAKI", {10, 6, false}},   {"HAKS", {10, 7, false}},  {"HAKV", {10, 8, false}}};

std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

/// Everything that the tests ask about one specification.
class Judge {
 public:
    explicit Judge(const sailgen::Program& program) : program_(program) {
        for (const std::string& profile : model::subset_names(program)) {
            auto loaded = model::load_machines(program, profile, profile);
            if (loaded) {
                all_.push_back(std::move(*loaded));
            }
        }
    }

    /// The first check that does not pass, empty if all do.
    std::string complaint() const {
        if (all_.size() != model::subset_names(program_).size()) {
            return "a profile cannot be worked out";
        }
        for (const Machines& machines : all_) {
            if (const auto findings = model::check(machines); !findings.empty()) {
                return fmt::format("{}: {}", machines.subset, findings.front().check);
            }
        }
        if (const auto unused = model::check_coverage(all_); unused.size() != rules_without_use) {
            return unused.empty() ? "every rule is used" : unused.front().check + ": " + unused.front().sentence;
        }
        if (auto wrong = first_wrong(runs_of_steps, [this](const auto& run) { return steps_of(run); })) {
            return *wrong;
        }
        return first_wrong(runs_of_messages, [this](const auto& run) { return meanings_of(run); }).value_or("");
    }

 private:
    const Machines& machines(const std::string& profile) const {
        return *std::find_if(all_.begin(), all_.end(), [&](const Machines& m) { return m.subset == profile; });
    }

    std::vector<model::StepSet> steps_of(const ReferenceRun& run) const {
        const auto& names = machines(run.profile).steps;
        std::vector<model::StepSet> symbols;
        for (const std::string& word : words(run.steps)) {
            symbols.push_back(model::StepSet{1} << (std::find(names.begin(), names.end(), word) - names.begin()));
        }
        return symbols;
    }

    std::vector<model::StepSet> meanings_of(const ReferenceRun& run) const {
        const model::Meanings& meanings = meanings_in(run.profile);
        std::vector<model::StepSet> symbols;
        for (const std::string& word : words(run.steps)) {
            const OnTheLink& seen = messages.at(word);
            model::StepSet steps = 0;
            for (const auto& row : meanings.rows) {
                const bool same = row.vc == seen.vc && row.opcode == seen.opcode && row.has_dmask == seen.has_dmask;
                steps = same ? row.steps : steps;
            }
            symbols.push_back(steps);
        }
        return symbols;
    }

    const model::Meanings& meanings_in(const std::string& profile) const {
        const auto [place, is_new] = meanings_.try_emplace(profile);
        if (is_new) {
            place->second = model::load_meanings(program_, profile).value();
        }
        return place->second;
    }

    template <class SymbolsOf>
    std::optional<std::string> first_wrong(const std::vector<ReferenceRun>& runs, SymbolsOf&& symbols_of) const {
        for (const ReferenceRun& run : runs) {
            if (is_possible(machines(run.profile), symbols_of(run)) != run.is_legal) {
                return fmt::format("{}: {} run {}: {} ({})", run.profile, run.is_legal ? "legal" : "illegal",
                                   run.is_legal ? "refused" : "accepted", run.steps, run.why);
            }
        }
        return std::nullopt;
    }

    static bool is_possible(const Machines& machines, const std::vector<model::StepSet>& run) {
        std::vector<model::StepSet> symbols = run;
        std::sort(symbols.begin(), symbols.end());
        symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
        const auto graph = model::explore(machines, model::Tap::in_order).graph;
        const model::Observer observer = model::observe(graph, symbols, false);
        std::uint16_t state = observer.at_rest;
        for (const model::StepSet symbol : run) {
            const auto place = std::find(symbols.begin(), symbols.end(), symbol) - symbols.begin();
            state = observer.next[state][static_cast<std::size_t>(place)];
            if (state == model::Observer::impossible) {
                return false;
            }
        }
        return true;
    }

    const sailgen::Program& program_;
    std::vector<Machines> all_;
    mutable std::map<std::string, model::Meanings> meanings_;
};

/// The specification with a mutant's edits; a rule that is not found exactly once is a mistake in the mutant.
sailgen::Result compiled(const Mutant& mutant) {
    auto texts = specification_texts();
    std::string& text = texts.at(mutant.file);
    for (const auto& [original, replacement] : mutant.edits) {
        const std::size_t place = text.find(original);
        EXPECT_NE(place, std::string::npos) << "not found: " << original;
        EXPECT_EQ(text.find(original, place + 1), std::string::npos) << "found twice: " << original;
        if (place != std::string::npos) {
            text.replace(place, original.size(), replacement);
        }
    }
    return sailgen::compile(texts, {"rules.sail"});
}

std::string complaint_about(const Mutant& mutant) {
    const sailgen::Result result = compiled(mutant);
    EXPECT_TRUE(result.program) << render(result.sources, result.diagnostics);
    return result.program ? Judge(*result.program).complaint() : "";
}

TEST(Specification, PassesEveryCheck) {
    EXPECT_EQ(complaint_about({"none", coherence, {}}), "");
}

class MutantOf : public testing::TestWithParam<Mutant> {};

TEST_P(MutantOf, IsFound) {
    const std::string complaint = complaint_about(GetParam());
    EXPECT_NE(complaint, "");
    fmt::print("{} <- {}\n", GetParam().name, complaint);
    RecordProperty("found_by", complaint);
}

const auto name_of = [](const testing::TestParamInfo<Mutant>& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Specification, MutantOf, testing::ValuesIn(mutants), name_of);

class EquivalentMutantOf : public testing::TestWithParam<Mutant> {};

TEST_P(EquivalentMutantOf, ChangesNothingBetweenTwoNodes) {
    EXPECT_EQ(complaint_about(GetParam()), "");
}

INSTANTIATE_TEST_SUITE_P(Specification, EquivalentMutantOf, testing::ValuesIn(equivalent_mutants), name_of);

}  // namespace
