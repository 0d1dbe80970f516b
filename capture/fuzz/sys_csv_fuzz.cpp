// Any bytes as a table of messages.

#include "eciscope/capture/sys_csv.hpp"
#include "readers.hpp"

using namespace eciscope::capture;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::read_messages({data, size}, read_sys_csv);
    return 0;
}
