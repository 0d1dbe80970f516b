// A stored trace through several checkers at once, which divide its lines.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "eciscope/conformance/checker.hpp"
#include "eciscope/ewf/reader.hpp"

namespace eciscope::conformance {

/// Every thread decodes its part of the chunks and checks its share of the lines. Findings come in the same order as
/// from one checker, when all is done. `go_on` is asked between chunks, with the number of messages read; false ends
/// the trace there. Nothing is returned if a chunk cannot be read: then one checker alone must find out what is
/// missing.
[[nodiscard]] std::optional<Summary> check_in_parallel(const ewf::Reader& reader, const CheckOptions& options,
                                                       unsigned threads, FindingSink& sink,
                                                       const std::function<bool(std::uint64_t)>& go_on);

}  // namespace eciscope::conformance
