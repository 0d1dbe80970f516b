// The checker against the model itself: no legal run is reported, and an edited one exactly where no legal run goes on.
#include <gtest/gtest.h>

#include <algorithm>
#include <eciscope/spec/eci.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "eciscope/conformance/checker.hpp"
#include "random_runs.hpp"

namespace eciscope::conformance::tests {

namespace {

/// Brute force under sanitizers takes minutes; they need to see the code run, not every case of it.
#if defined(__SANITIZE_ADDRESS__)
constexpr int scale = 1;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr int scale = 1;
#else
constexpr int scale = 10;
#endif
#else
constexpr int scale = 10;
#endif

using LineName = std::pair<std::uint8_t, std::uint64_t>;  // home, aliased index

/// By line: how many of its messages came before the one that was reported.
class FirstFindings final : public FindingSink {
 public:
    void violation(const Violation& v) override {
        if (v.severity == RuleSeverity::violation) {
            found_.try_emplace({v.line->home, v.line->aliased_cli}, v.message.number);
        }
    }
    void owed(const OwedReply&) override {}
    [[nodiscard]] const std::map<LineName, std::uint64_t>& found() const { return found_; }

 private:
    std::map<LineName, std::uint64_t> found_;
};

/// Turns the number of a message in the trace into one in its line.
std::map<LineName, std::size_t> in_lines(const TraceBatch& batch, const std::map<LineName, std::uint64_t>& found) {
    std::map<LineName, std::size_t> counts;
    std::map<LineName, std::size_t> places;
    for (std::size_t i = 0; i < batch.messages.size(); ++i) {
        const MessageHead& head = batch.messages[i];
        const eci::message message = eci::decode(head.vc, batch.words[head.word_offset]);
        const LineName line{eci::home_of(head.stream.from, message), eci::line_of(message).value_or(0)};
        const auto hit = found.find(line);
        if (hit != found.end() && hit->second == i) {
            places[line] = counts[line];
        }
        ++counts[line];
    }
    return places;
}

std::map<LineName, std::size_t> checked(const std::vector<Line>& lines, const CheckOptions& options, Random& random) {
    const TraceBatch batch = interleaved(lines, random);
    FirstFindings findings;
    Checker checker(options, findings);
    checker.batch(batch);
    const Summary summary = checker.finish();
    EXPECT_TRUE(summary.sums_agree());
    return in_lines(batch, findings.found());
}

std::map<LineName, std::size_t> judged(const std::vector<Line>& lines, const Model& model) {
    std::map<LineName, std::size_t> bad;
    for (const Line& line : lines) {
        if (const auto first = model.first_bad(line)) {
            bad[{line.home, line.aliased_cli}] = *first;
        }
    }
    return bad;
}

std::vector<Line> legal_lines(const Model& model, std::size_t count, std::size_t length, Random& random) {
    std::vector<Line> lines;
    for (std::size_t i = 0; i < count; ++i) {
        lines.push_back(model.run(i * 3 + 1, static_cast<std::uint8_t>(random() % 2), length, random));
    }
    return lines;
}

std::string text_of(const Line& line) {
    std::string text = "line of node " + std::to_string(line.home) + ":\n";
    for (std::size_t i = 0; i < line.messages.size(); ++i) {
        const Message& m = line.messages[i];
        text += "  " + std::to_string(i) + " node " + std::to_string(m.from) + " vc " + std::to_string(m.vc) +
                " opcode " + std::to_string(opcode_field.of(m.header)) + " mask " +
                std::to_string(dmask_field.of(m.header)) + "\n";
    }
    return text;
}

struct Mutation {
    std::string name;
    void (*apply)(Line& line, std::size_t at, Random& random);
};

void drop(Line& line, std::size_t at, Random&) {
    line.messages.erase(line.messages.begin() + static_cast<std::ptrdiff_t>(at));
}
void duplicate(Line& line, std::size_t at, Random&) {
    line.messages.insert(line.messages.begin() + static_cast<std::ptrdiff_t>(at), line.messages[at]);
}
void swap(Line& line, std::size_t at, Random&) {
    if (at + 1 < line.messages.size()) {
        std::swap(line.messages[at], line.messages[at + 1]);
    }
}
/// Another opcode on the same circuit; only those that name a line.
void wrong_answer(Line& line, std::size_t at, Random& random) {
    Message& message = line.messages[at];
    for (int tries = 0; tries < 20; ++tries) {
        const std::uint64_t opcode_bits = ((std::uint64_t{1} << opcode_field.bits) - 1) << opcode_field.shift;
        const std::uint64_t header = (message.header & ~opcode_bits) | (random() % opcode_count) << opcode_field.shift;
        const eci::message now = eci::decode(message.vc, header);
        const bool same_home = eci::sent_by_home(now) == eci::sent_by_home(eci::decode(message.vc, message.header));
        const std::size_t index = message.vc * opcode_count + opcode_field.of(header);
        if (eci::line_of(now) && same_home && find_profile("ThunderX")->meanings[index][0] != no_symbol) {
            message.header = header;
            return;
        }
    }
}
void wrong_id(Line& line, std::size_t at, Random&) {
    const Message& message = line.messages[at];
    const HeaderShape& shape = header_shapes[message.vc * opcode_count + opcode_field.of(message.header)];
    if (shape.id_mask != 0) {
        line.messages[at].header ^= std::uint64_t{1} << shape.id_shift;
    }
}
void wrong_circuit(Line& line, std::size_t at, Random&) {
    std::uint8_t& vc = line.messages[at].vc;
    if (eci::class_of_vc(vc) == eci::message_class::MRSP) {
        vc = static_cast<std::uint8_t>(eci::is_data_vc(vc) ? vc + 6 : vc - 6);
    }
}
void wrong_parity(Line& line, std::size_t at, Random&) {
    line.messages[at].vc ^= 1U;
}

class Mutated : public testing::TestWithParam<Mutation> {};

// A message that is dropped or doubled, two that change places, and so on: on half of the lines, at a random place.
TEST_P(Mutated, IsReportedExactlyWhereNoLegalRunGoesOn) {
    const CheckOptions options;
    const Model model(*options.profile, options.tap);
    Random random(7);
    std::size_t bad_lines = 0;
    for (int round = 0; round < std::min(scale, 8); ++round) {
        std::vector<Line> lines = legal_lines(model, 120, 24, random);
        for (std::size_t i = 0; i < lines.size(); i += 2) {
            GetParam().apply(lines[i], random() % lines[i].messages.size(), random);
        }
        const auto expected = judged(lines, model);
        const auto found = checked(lines, options, random);
        for (const Line& line : lines) {
            const LineName name{line.home, line.aliased_cli};
            const auto place = [&](const auto& all) {
                return all.contains(name) ? std::optional(all.at(name)) : std::nullopt;
            };
            ASSERT_EQ(place(found), place(expected)) << "round " << round << "\n" << text_of(line);
        }
        bad_lines += expected.size();
    }
    EXPECT_GT(bad_lines, 5U * static_cast<unsigned>(scale)) << "the mutation changes too little to test anything";
}

INSTANTIATE_TEST_SUITE_P(Line, Mutated,
                         testing::Values(Mutation{"drop", drop}, Mutation{"duplicate", duplicate},
                                         Mutation{"swap", swap}, Mutation{"wrong_answer", wrong_answer},
                                         Mutation{"wrong_id", wrong_id}, Mutation{"wrong_circuit", wrong_circuit},
                                         Mutation{"wrong_parity", wrong_parity}),
                         [](const auto& mutation) { return mutation.param.name; });

class LegalRuns : public testing::TestWithParam<std::pair<std::string, Tap>> {};

TEST_P(LegalRuns, AreNotReported) {
    CheckOptions options;
    options.profile = find_profile(GetParam().first);
    options.tap = GetParam().second;
    const Model model(*options.profile, options.tap);
    Random random(11);
    for (int round = 0; round < scale; ++round) {
        const std::vector<Line> lines = legal_lines(model, 250, 100, random);
        ASSERT_TRUE(checked(lines, options, random).empty()) << "round " << round;
    }
}

// A quarter of a million messages each, a million and more together.
INSTANTIATE_TEST_SUITE_P(Model, LegalRuns,
                         testing::Values(std::pair("ThunderX", Tap::unordered), std::pair("ThunderX", Tap::in_order),
                                         std::pair("Full", Tap::unordered), std::pair("Read_only", Tap::unordered),
                                         std::pair("Simple_home", Tap::unordered)));

}  // namespace

}  // namespace eciscope::conformance::tests
