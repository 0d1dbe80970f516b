// What is wrong with a file and what to do about it, and the same for the installation.
#pragma once

#include <string>

#include "common_options.hpp"
#include "exit_codes.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

struct Examination {
    std::string text;
    Exit exit = Exit::fine;
};

/// Reads all of the file.
[[nodiscard]] Examination examine_file(const InputOptions& input, const CommonOptions& common);

/// Versions, terminal, permissions, room, tools.
[[nodiscard]] Examination examine_installation();

/// A part of it: whether Wireshark finds its plugin, and else why not.
[[nodiscard]] std::string examine_wireshark();

}  // namespace eciscope::cli
