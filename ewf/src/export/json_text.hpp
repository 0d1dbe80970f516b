// JSON that is written once a trace, where speed does not matter.
#pragma once

#include <string>
#include <string_view>

#include "eciscope/ewf/exporter.hpp"

namespace eciscope::ewf::detail {

/// Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// A JSON text with its quotation marks. Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_quoted(std::string_view text);

/// The `capture` object. `shown` is the base that it names.
[[nodiscard]] std::string json_header(const ExportHeader& header, TimeBase shown);

}  // namespace eciscope::ewf::detail
