// What the user sets in Wireshark's preferences, and the state of the file that is open.
#pragma once

#include <memory>

#include "trace.hpp"

namespace eciscope::shark {

enum CheckingLevel : int { checking_off, checking_violations, checking_all };

struct Settings {
    unsigned message_user = 1;  ///< number n of WTAP_ENCAP_USERn
    unsigned block_user = 0;
    const char* node_names[2] = {"CPU", "FPGA"};
    int show_aliased = 0;  ///< in the Info column
    int checking = checking_all;
};

[[nodiscard]] Settings& settings();

[[nodiscard]] inline const char* node_name(unsigned node) {
    return settings().node_names[node & 1U];
}

}  // namespace eciscope::shark
