// Statistics of messages: by circuit and operation, response times, lines to export and to follow.
#include "protocols.hpp"
#include "wireshark.hpp"

namespace eciscope::shark {

void register_statistics(int) {}

}  // namespace eciscope::shark
