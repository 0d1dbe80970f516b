// Every file of tests/fail is wrong in one way, and the full report stands beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sailgen/compiler.hpp"

namespace eciscope::sailgen {
namespace {

namespace fs = std::filesystem;

const fs::path fail_folder = fs::path(ECISCOPE_SOURCE_DIR) / "sail/compiler/tests/fail";

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> corpus() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(fail_folder)) {
        if (entry.path().extension() == ".sail") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

class FailCorpus : public testing::TestWithParam<std::string> {};

TEST_P(FailCorpus, ReportsWhatIsExpected) {
    SourceTexts texts;
    for (const auto& entry : fs::directory_iterator(fail_folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".sail" || extension == ".inc") texts[entry.path().filename().string()] = read(entry.path());
    }
    const Result result = compile(texts, {GetParam() + ".sail"});
    EXPECT_FALSE(result.program);
    EXPECT_EQ(render(result.sources, result.diagnostics), read(fail_folder / (GetParam() + ".expected")));
}

INSTANTIATE_TEST_SUITE_P(Files, FailCorpus, testing::ValuesIn(corpus()), [](const auto& file) { return file.param; });

}  // namespace
}  // namespace eciscope::sailgen
