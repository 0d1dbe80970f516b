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
[[nodiscard]] tl::expected<Meanings, std::string> load_meanings(const sailgen::Program& program,
                                                                const std::string& subset);

/// A run of bits of a header; no bits where the header has no such field.
struct BitRun {
    std::uint8_t shift = 0;
    std::uint8_t bits = 0;
};

/// Where a header says which line it is about, and which exchange of that line.
struct Shape {
    std::uint8_t vc = 0;
    std::uint8_t opcode = 0;
    BitRun line;
    BitRun id;
    bool sent_by_home = false;
    bool opens = false;   ///< an exchange of the line
    bool closes = false;  ///< an exchange of the line
};

/// The shapes of all headers that name a line. Where the fields stand is found out by asking the specification about
/// headers of a single bit.
[[nodiscard]] tl::expected<std::vector<Shape>, std::string> load_shapes(const sailgen::Program& program);

/// The bits of a header's sub-line mask and of its opcode.
struct HeaderBits {
    BitRun dmask;
    BitRun opcode;
};
[[nodiscard]] tl::expected<HeaderBits, std::string> load_header_bits(const sailgen::Program& program);

}  // namespace eciscope::conformance::model
