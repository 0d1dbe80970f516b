// A remote of one subset meets a home of another: which pairs work, and what goes wrong in the others.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "chart.hpp"
#include "checks.hpp"
#include "load.hpp"
#include "sailgen/compiler.hpp"

namespace {

using namespace eciscope::conformance::model;
namespace sailgen = eciscope::sailgen;

const sailgen::Program& program() {
    static const sailgen::Result result = sailgen::compile({ECISCOPE_SOURCE_DIR "/sail/rules.sail"});
    EXPECT_TRUE(result.program) << render(result.sources, result.diagnostics);
    return *result.program;
}

Machines machines(const std::string& remote, const std::string& home) {
    auto loaded = load_machines(program(), remote, home);
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error());
    return *loaded;
}

std::vector<Finding> findings_of(const std::string& remote, const std::string& home) {
    return check_pair(machines(remote, home), machines(remote, remote), machines(home, home));
}

constexpr const char* unsupported = "sends only what the other supports";
constexpr const char* unspecified = "no unspecified reception";

struct Misfit {
    const char* check;
    const char* step;  ///< the first that goes wrong
};

/// The pairs that do not fit, remote first. docs/conformance.md has the reasons.
const std::map<std::pair<std::string, std::string>, Misfit> misfits{
    {{"Full", "Read_only"}, {unsupported, "R13"}},
    {{"Full", "Stateless"}, {unsupported, "R13"}},
    {{"Full", "Simple_home"}, {unspecified, "RA3"}},
    {{"ThunderX", "Full"}, {unsupported, "V32"}},
    {{"ThunderX", "CPU_initiator"}, {unsupported, "V32"}},
    {{"ThunderX", "Read_only"}, {unsupported, "R13"}},
    {{"ThunderX", "Stateless"}, {unsupported, "R13"}},
    {{"ThunderX", "Simple_home"}, {unspecified, "RA3"}},
    {{"CPU_initiator", "Full"}, {unsupported, "F21"}},
    {{"CPU_initiator", "ThunderX"}, {unsupported, "F21"}},
    {{"CPU_initiator", "Read_only"}, {unsupported, "R13"}},
    {{"CPU_initiator", "Stateless"}, {unsupported, "R13"}},
    {{"CPU_initiator", "Simple_home"}, {unspecified, "RA3"}},
    {{"Read_only", "Simple_home"}, {unsupported, "RA3"}},
    {{"Stateless", "Full"}, {unsupported, "F21"}},
    {{"Stateless", "ThunderX"}, {unsupported, "F21"}},
    {{"Stateless", "Read_only"}, {unsupported, "F21"}},
    {{"Stateless", "Simple_home"}, {unsupported, "RA3"}},
    {{"Simple_home", "Full"}, {unsupported, "RA2"}},
    {{"Simple_home", "ThunderX"}, {unsupported, "RA2"}},
    {{"Simple_home", "CPU_initiator"}, {unsupported, "RA2"}},
    {{"Simple_home", "Read_only"}, {unsupported, "R13"}},
    {{"Simple_home", "Stateless"}, {unsupported, "R13"}},
};

std::string all_of(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings) {
        text += finding.check + ": " + finding.sentence + "\n" + finding.chart;
    }
    return text;
}

TEST(Interop, PairsWorkExceptThoseKnownNotTo) {
    for (const std::string& remote : subset_names(program())) {
        for (const std::string& home : subset_names(program())) {
            SCOPED_TRACE("remote " + remote + ", home " + home);
            const std::vector<Finding> findings = findings_of(remote, home);
            const auto misfit = misfits.find({remote, home});
            if (misfit == misfits.end()) {
                EXPECT_TRUE(findings.empty()) << all_of(findings);
                continue;
            }
            const auto [check, step] = misfit->second;
            const auto known = std::find_if(findings.begin(), findings.end(),
                                            [name = check](const Finding& f) { return f.check == name; });
            ASSERT_NE(known, findings.end()) << check << " was expected\n" << all_of(findings);
            EXPECT_NE(known->sentence.find(step), std::string::npos) << known->sentence;
            EXPECT_NE(known->chart.find(step), std::string::npos) << known->chart;
        }
    }
}

// A remote that never agreed to be asked: the chart ends with what the home should not have sent.
TEST(Interop, ChartShowsTheWayToTheFault) {
    const std::vector<Finding> findings = findings_of("CPU_initiator", "Full");
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings.back().sentence, "The remote did not agree to F21.");
    EXPECT_EQ("\n" + findings.back().chart, R"(
  remote                        | home
  I                             | 1
  IS    read; R12 -->           |
                                | 2             --> R12; <-- RA2
                                | 2 F21         <-- F21
  under way: RA2 F21
)");
}

// Writing is silent, and a read may overtake the write-back that it follows: the home has to hold it.
TEST(Interop, ChartSaysWhatTheColumnsDoNotShow) {
    const Machines m = machines("CPU_initiator", "CPU_initiator");
    const Graph graph = explore(m, Tap::in_order, Data::tracked).graph;
    const auto& all = graph.configurations;
    const auto overtaking = std::find_if(
        all.begin(), all.end(), [](const Configuration& c) { return c.in_flight.size() == 2 && !c.memory_is_newest; });
    ASSERT_NE(overtaking, all.end());
    EXPECT_EQ("\n" + chart_of(m, graph, static_cast<std::size_t>(overtaking - all.begin())), R"(
  remote                        | home
  I                             | 1
  IE    write; R13 -->          |
                                | 3             --> R13; <-- RA3
  E     <-- RA3                 |
  M     store                   |
  I     give up; V31d -->       |
  IS    read; R12 -->           |
  under way: R12 V31d
  the home's memory is old
)");
}

}  // namespace
