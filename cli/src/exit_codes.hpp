// How the program ends. Documented in the manual page, section EXIT STATUS.
#pragma once

namespace eciscope::cli {

enum class Exit : int {
    fine = 0,      ///< all of the input was used; losses that the capture itself names are in the output as events
    findings = 1,  ///< a check found violations
    damaged =
        2,      ///< the input is damaged (what could be had was written), is no trace, or could not be read or written
    usage = 3,  ///< the command line makes no sense
    interrupted = 130,  ///< Ctrl-C; what was done is in the output
    terminated = 143,   ///< SIGTERM; what was done is in the output
};

}  // namespace eciscope::cli
