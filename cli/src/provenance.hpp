// How a stored trace came about: written into EWF on request, never part of the canonical bytes.
#pragma once

#include <string>
#include <vector>

#include "eciscope/ewf/metadata.hpp"

namespace eciscope::cli {

/// The program with its version, and the inputs; of regular files also size and hash, for which they are read once
/// more.
[[nodiscard]] ewf::Provenance provenance_of(const std::vector<std::string>& files);

}  // namespace eciscope::cli
