// Between the core's strings (UTF-8) and Qt's.
#pragma once

#include <QString>
#include <string>
#include <string_view>

#include "eciscope/view/document.hpp"

namespace eciscope::view {

[[nodiscard]] inline QString to_qt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// 1,204,567
[[nodiscard]] QString grouped(std::uint64_t number);

/// 0x80@1: a line as it is typed and shown.
[[nodiscard]] QString line_text(const ewf::Line& line);

/// What `line_text` writes; the node may be left out and is 0 then.
[[nodiscard]] ewf::Expected<ewf::Line> parse_line(const QString& text);

/// "now" as people of that trace count it: the date where the clock is known.
[[nodiscard]] QString moment_text(const Facts& facts, Picoseconds time);

/// "1359.224872569018": seconds of the trace's clock, all digits, as `eciscope check` prints them.
[[nodiscard]] QString seconds_text(const TimeBase& base, Picoseconds time);

/// Reads what `seconds_text` writes, or seconds from the trace's first moment with a leading "+".
[[nodiscard]] ewf::Expected<Picoseconds> parse_seconds(const QString& text, const Facts& facts);

}  // namespace eciscope::view
