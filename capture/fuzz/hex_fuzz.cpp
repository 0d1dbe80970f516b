// Any bytes as hexadecimal text of blocks.

#include "readers.hpp"

using namespace eciscope::capture;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::read_blocks({data, size}, FileKind::hex);
    return 0;
}
