// One home with several remotes.

#include <gtest/gtest.h>

#include <string>

#include "load.hpp"
#include "sailgen/compiler.hpp"
#include "several_remotes.hpp"
#include "specification.hpp"

namespace {

using namespace eciscope::conformance;
namespace sailgen = eciscope::sailgen;

model::SeveralRemotes checked(const sailgen::SourceTexts& texts, const std::string& profile, std::size_t remotes) {
    const sailgen::Result result = sailgen::compile(texts, {"rules.sail"});
    EXPECT_TRUE(result.program) << render(result.sources, result.diagnostics);
    const auto machines = model::load_machines(*result.program, profile, profile);
    EXPECT_TRUE(machines);
    return model::check_several(*machines, remotes);
}

struct Crowd {
    std::string profile;
    std::size_t remotes;
    std::size_t configurations;

    friend void PrintTo(const Crowd& crowd, std::ostream* out) {
        *out << crowd.remotes << " remotes of " << crowd.profile;
    }
};

class SeveralRemotesOf : public testing::TestWithParam<Crowd> {};

TEST_P(SeveralRemotesOf, HoldWhatTheyMust) {
    const auto [profile, remotes, configurations] = GetParam();
    const auto outcome = checked(tests::specification_texts(), profile, remotes);
    for (const model::Finding& finding : outcome.findings) {
        ADD_FAILURE() << finding.check << ": " << finding.sentence;
    }
    EXPECT_EQ(outcome.configurations, configurations);
}

// With one remote: the configurations of two nodes, as model_test counts them. Readers alone do not disturb each other:
// n remotes of a kind that has k configurations are the multisets of n out of k, 28 * 29 / 2 for two of Read_only.
INSTANTIATE_TEST_SUITE_P(Profile, SeveralRemotesOf,
                         testing::Values(Crowd{"Full", 1, 193}, Crowd{"ThunderX", 1, 420}, Crowd{"Full", 2, 6783},
                                         Crowd{"ThunderX", 2, 16629}, Crowd{"Read_only", 2, 406},
                                         Crowd{"Stateless", 2, 136}, Crowd{"Simple_home", 2, 36},
                                         Crowd{"Full", 3, 134698}, Crowd{"ThunderX", 3, 368278},
                                         Crowd{"Read_only", 3, 4060}, Crowd{"Simple_home", 3, 70}));

// Two sharers that both ask for an upgrade wait for each other: a home that cannot take copies back serves one remote
// only.
TEST(SeveralRemotes, HomeThatTakesNothingBackServesOne) {
    const auto outcome = checked(tests::specification_texts(), "CPU_initiator", 2);
    ASSERT_EQ(outcome.findings.size(), 1U);
    EXPECT_EQ(outcome.findings.front().check, "no deadlock");
    EXPECT_TRUE(checked(tests::specification_texts(), "CPU_initiator", 1).findings.empty());
}

// What only a second remote can show: the home forgets to look at the others.
TEST(SeveralRemotes, HomeThatForgetsTheOthersIsFound) {
    auto texts = tests::specification_texts();
    std::string& text = texts.at("coherence.sail");
    const std::string original = "  (Level_2, Level_2) => true,\n  _                  => false";
    const std::size_t place = text.find(original);
    ASSERT_NE(place, std::string::npos);
    text.replace(place, original.size(), "  _                  => true");
    EXPECT_TRUE(checked(texts, "Full", 1).findings.empty());
    const auto outcome = checked(texts, "Full", 2);
    ASSERT_FALSE(outcome.findings.empty());
    EXPECT_EQ(outcome.findings.front().check, "single writer");
}

}  // namespace
