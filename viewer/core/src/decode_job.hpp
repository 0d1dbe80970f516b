// Makes a stored trace of a capture, so that it can be looked at anywhere.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "eciscope/ewf/error.hpp"
#include "trace_model.hpp"

namespace eciscope::view {

struct DecodeProgress {
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_total = 0;  ///< 0: not known
    const Coarse& coarse;           ///< of what was decoded so far
};

struct Decoded {
    std::string path;           ///< of the EWF file
    bool was_there = false;     ///< made earlier
    std::uint64_t damages = 0;  ///< that the capture's readers tell of
};

/// Whether the file is read as it is; else it has to be decoded first. An error: it is nothing that can be.
[[nodiscard]] ewf::Expected<bool> is_stored_trace(const std::string& path);

/// Decodes a capture, or JSON, to an EWF file beside it, or in the cache where that folder cannot be written or another
/// file has the name. `go_on` returning false gives up.
[[nodiscard]] ewf::Expected<Decoded> decode_to_ewf(const std::string& path,
                                                   const std::function<bool(const DecodeProgress&)>& go_on);

}  // namespace eciscope::view
