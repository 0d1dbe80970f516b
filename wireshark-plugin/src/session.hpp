// What is known of the file that is open. Made anew for every file.
#pragma once

#include <memory>

#include "block_trace.hpp"
#include "settings.hpp"
#include "trace.hpp"

namespace eciscope::shark {

struct Session {
    std::unique_ptr<Trace> messages;     ///< of packets that hold one message each
    std::unique_ptr<BlockTrace> blocks;  ///< of packets that hold records of blocks
};

[[nodiscard]] Session& session();

}  // namespace eciscope::shark
