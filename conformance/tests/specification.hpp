// The specification as texts in memory, so that tests can break it.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sailgen/compiler.hpp"

namespace eciscope::conformance::tests {

inline sailgen::SourceTexts specification_texts() {
    sailgen::SourceTexts texts;
    for (const auto& entry : std::filesystem::directory_iterator(ECISCOPE_SOURCE_DIR "/sail")) {
        if (entry.path().extension() == ".sail") {
            std::ifstream file(entry.path(), std::ios::binary);
            texts[entry.path().filename().string()] = std::string(std::istreambuf_iterator<char>(file), {});
        }
    }
    return texts;
}

}  // namespace eciscope::conformance::tests
