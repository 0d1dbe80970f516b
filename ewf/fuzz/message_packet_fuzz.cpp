// Any bytes as a packet of a message: what is read of them and written again is the same header.
#include <algorithm>
#include <cstdlib>

#include "eciscope/ewf/message_packet.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace eciscope::ewf;  // NOLINT(google-build-using-namespace)
    const auto packet = parse_message_packet({data, size});
    if (!packet) {
        return 0;
    }
    MessagePacketHeader header = encode(*packet);
    const auto again = parse_message_packet(header);
    if (packet->words_at > size || !again || again->index != packet->index || again->seconds != packet->seconds ||
        again->duration != packet->duration || again->count != packet->count || again->stream != packet->stream) {
        std::abort();
    }
    return 0;
}
