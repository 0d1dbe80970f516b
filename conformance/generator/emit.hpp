// The tables of eciscope/conformance/tables.hpp as C++.
#pragma once

#include <string>
#include <vector>

#include "load.hpp"
#include "machines.hpp"
#include "observer.hpp"

namespace eciscope::conformance::generator {

/// Everything that the tables of one profile are made of.
struct ProfileTables {
    std::string sentence;
    model::Machines machines;
    model::Meanings meanings;
    std::vector<model::StepSet> symbols;
    std::vector<model::Observer> observers;       ///< by tap
    std::vector<std::vector<std::uint8_t>> owed;  ///< by tap, then state
};

[[nodiscard]] std::string emit(const std::vector<ProfileTables>& profiles, const std::vector<model::Shape>& shapes,
                               const model::HeaderBits& bits);

}  // namespace eciscope::conformance::generator
