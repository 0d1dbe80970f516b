// Fills the tables by evaluating the specification.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "machines.hpp"
#include "observer.hpp"
#include "sailgen/ir.hpp"

namespace eciscope::conformance::model {

/// Names of the subsets, in the order of the specification.
[[nodiscard]] std::vector<std::string> subset_names(const sailgen::Program& program);

/// The machines of a remote that keeps to one subset against a home that keeps to another. The error names the rule
/// that could not be evaluated.
[[nodiscard]] tl::expected<Machines, std::string> load_machines(const sailgen::Program& program,
                                                                const std::string& remote_subset,
                                                                const std::string& home_subset);

/// What a header can mean, by channel, opcode and whether its sub-line mask is empty: headers that differ in nothing
/// else mean the same.
struct Meanings {
    struct Row {
        std::uint8_t vc = 0;
        std::uint8_t opcode = 0;
        bool has_dmask = false;
        StepSet steps = 0;
    };
    std::vector<Row> rows;  ///< those that mean something
};
[[nodiscard]] tl::expected<Meanings, std::string> load_meanings(const sailgen::Program& program);

}  // namespace eciscope::conformance::model
