// Shell completion and manual pages, made from the command line's own tree so that they cannot drift from it.
#pragma once

#include <string>

#include "program.hpp"

namespace eciscope::cli {

[[nodiscard]] std::string bash_completion(const Program& program);
[[nodiscard]] std::string zsh_completion(const Program& program);
[[nodiscard]] std::string fish_completion(const Program& program);

/// The manual page of a command, or of the program itself, as roff.
[[nodiscard]] std::string manual_page(const Program& program, const CLI::App& command);

}  // namespace eciscope::cli
