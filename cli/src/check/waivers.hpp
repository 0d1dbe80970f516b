// Findings that somebody looked at and decided to live with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eciscope/conformance/finding.hpp"
#include "failure.hpp"

namespace eciscope::cli {

/// A file of lines `RULE [home:0xALIASED_CLI]`, with comments after #.
class Waivers {
 public:
    static Result<Waivers> read(const std::string& path);

    /// Counts the waivers that it uses.
    [[nodiscard]] bool waive(conformance::Rule rule, const std::optional<conformance::CheckedLine>& line);
    /// Lines of the file that waived nothing.
    [[nodiscard]] std::vector<std::string> unused() const;

 private:
    struct Waiver {
        conformance::Rule rule{};
        std::optional<conformance::CheckedLine> line;
        std::string text;
        std::uint64_t uses = 0;
    };
    static std::optional<Waiver> parse(const std::string& text);

    std::vector<Waiver> waivers_;
};

}  // namespace eciscope::cli
