// Why a command could not do its work, for the person who called it.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "exit_codes.hpp"

namespace eciscope::cli {

struct Failure {
    Exit exit = Exit::damaged;
    std::string what;    ///< names the file and the cause
    std::string remedy;  ///< what to do, a whole sentence; may be empty
    /// Whoever read the output went away (`| head`): not worth a word.
    bool reader_left = false;
};

template <class T>
using Result = tl::expected<T, Failure>;

inline tl::unexpected<Failure> fail(Exit exit, std::string what, std::string remedy = {}) {
    return tl::unexpected<Failure>(Failure{exit, std::move(what), std::move(remedy), false});
}

/// A failure of the operating system, with a remedy that suits `error_number`.
[[nodiscard]] Failure system_failure(const std::string& doing, int error_number);

}  // namespace eciscope::cli
