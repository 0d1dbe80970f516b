// The decoder's diagnostics as rules of the family link.
#pragma once

#include <vector>

#include "check/report.hpp"
#include "eciscope/conformance/checker.hpp"
#include "eciscope/decoder/diagnostic.hpp"

namespace eciscope::cli {

[[nodiscard]] std::vector<LinkFinding> link_findings(const Diagnostics& diagnostics,
                                                     const conformance::CheckOptions& options);

}  // namespace eciscope::cli
