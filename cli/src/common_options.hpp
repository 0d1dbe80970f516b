// Options that every command has.
#pragma once

#include "terminal.hpp"

namespace eciscope::cli {

struct CommonOptions {
    bool verbose = false;  ///< every diagnostic that was kept, not one of each kind
    bool quiet = false;    ///< nothing on standard error but why the program failed
    bool no_progress = false;
    ColourChoice colour = ColourChoice::automatic;
};

}  // namespace eciscope::cli
