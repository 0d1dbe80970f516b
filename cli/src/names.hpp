// What the specification calls a message, and which line it is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eciscope/decoder/message.hpp"
#include "eciscope/decoder/names.hpp"
#include "eciscope/ewf/reader.hpp"

namespace eciscope::cli {

using eciscope::op_name;

/// "MREQ", "MRSP", …
[[nodiscard]] std::string_view class_name(std::uint8_t vc);

/// All of them, for completion and for checking what the user asks for.
[[nodiscard]] const std::vector<std::string>& class_names();
[[nodiscard]] const std::vector<std::string>& op_names();

/// The line that a message is about.
[[nodiscard]] std::optional<ewf::Line> line_of(Stream stream, std::uint8_t vc, std::uint64_t header);

/// Its plain byte address within the home's memory, and back.
[[nodiscard]] std::uint64_t line_address(std::uint64_t aliased_cli);
[[nodiscard]] std::uint64_t aliased_cli_of_address(std::uint64_t address);

}  // namespace eciscope::cli
