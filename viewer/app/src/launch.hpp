// From the command line to a window, a picture or figures.
#pragma once

namespace eciscope::view {

/// The process's exit code: 0 fine, 2 the file cannot be read, 3 wrong usage.
int launch(int argc, char** argv);

}  // namespace eciscope::view
