// Errors of the EWF library, as values.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

namespace eciscope::ewf {

enum class ErrorCode : std::uint8_t {
    io,             ///< the operating system refused: file missing, disk full, broken pipe
    not_ewf,        ///< the input has neither an EWF header nor a chunk
    version,        ///< written by a later major version of the format
    damaged,        ///< what was asked for is damaged; the rest of the file may be fine
    out_of_range,   ///< no such chunk, message or time
    invalid_trace,  ///< a message or event that the format cannot hold was given to the writer
};

struct Error {
    ErrorCode code{};
    std::string message;
    std::uint64_t offset = 0;  ///< byte of the file, where that is known
};

template <class T>
using Expected = tl::expected<T, Error>;

}  // namespace eciscope::ewf
