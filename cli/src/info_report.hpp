// What `info` found, as text for people and as JSON for programs.
#pragma once

#include <optional>
#include <string>

#include "eciscope/decoder/diagnostic.hpp"
#include "terminal.hpp"
#include "trace_facts.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

struct InfoFindings {
    std::string name;  ///< of the input
    std::optional<std::uint64_t> bytes;
    const TraceSource& source;
    const TraceFacts& facts;
    const Diagnostics& diagnostics;
    std::string digest;  ///< of the trace's canonical form; empty if not asked for
    std::string digest_remark;
    std::size_t top_lines = 10;
};

[[nodiscard]] std::string info_text(const InfoFindings& findings, const Terminal& terminal);
[[nodiscard]] std::string info_json(const InfoFindings& findings);

}  // namespace eciscope::cli
