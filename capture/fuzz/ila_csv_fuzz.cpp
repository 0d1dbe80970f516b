// Any bytes as a logic analyser's table of messages, and as one of blocks.

#include "eciscope/capture/ila_csv.hpp"
#include "readers.hpp"

using namespace eciscope::capture;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::read_messages({data, size}, read_ila_messages);
    fuzz::read_blocks({data, size}, FileKind::ila_blocks);
    return 0;
}
