// Options that take a number of things.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace eciscope::cli {

/// CLI11 takes "-1" as the greatest number of an unsigned type; this does not. To be called last, since it has to come
/// before what reads sizes such as 1G.
inline CLI::Option* not_negative(CLI::Option* option) {
    return option->transform(CLI::Validator(
        [](std::string& text) {
            return text.find('-') == std::string::npos ? std::string() : text + " is less than nothing";
        },
        ""));
}

}  // namespace eciscope::cli
