// What `eciscope check` writes, in one of its formats.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "counting_sink.hpp"
#include "eciscope/conformance/finding.hpp"
#include "terminal.hpp"

namespace eciscope::cli {

/// What the decoder found of a link, as a rule.
struct LinkFinding {
    conformance::Rule rule{};
    conformance::RuleSeverity severity{};
    std::uint64_t count = 0;
    std::string what;
    std::string where;  ///< of the first: file and offset
};

/// What every report says of the run.
struct CheckContext {
    std::string input;  ///< file names
    TimeBase base;      ///< of all times; set before the first finding
    std::uint64_t most_shown = 100;
    Terminal terminal;
};

class CheckReport {
 public:
    virtual ~CheckReport() = default;
    virtual void violation(const conformance::Violation& violation) = 0;
    virtual void owed(const conformance::OwedReply& owed) = 0;
    virtual void link(const LinkFinding& finding) = 0;
    /// The last call.
    virtual void summary(const conformance::Summary& summary) = 0;
};

/// `format` is one of check_formats(). `context` and `out` must outlive the report.
[[nodiscard]] const std::vector<std::string>& check_formats();
[[nodiscard]] std::unique_ptr<CheckReport> make_check_report(const std::string& format, const CheckContext& context,
                                                             CountingSink& out);

// Each in its report_*.cpp.
[[nodiscard]] std::unique_ptr<CheckReport> text_report(const CheckContext& context, CountingSink& out);
[[nodiscard]] std::unique_ptr<CheckReport> ndjson_report(const CheckContext& context, CountingSink& out);
[[nodiscard]] std::unique_ptr<CheckReport> junit_report(const CheckContext& context, CountingSink& out);
[[nodiscard]] std::unique_ptr<CheckReport> html_report(const CheckContext& context, CountingSink& out);

/// What all of them need.
void write_text(CountingSink& out, const std::string& text);
[[nodiscard]] std::string xml_escaped(const std::string& text);
[[nodiscard]] std::string op_text(const conformance::Seen& message);
/// "0x41941000 of node 1 (aliased 0x833130)"
[[nodiscard]] std::string line_text(const conformance::CheckedLine& line);
/// "VC 4, link 0, node 1 → node 0"
[[nodiscard]] std::string way_text(const conformance::Seen& message);

}  // namespace eciscope::cli
