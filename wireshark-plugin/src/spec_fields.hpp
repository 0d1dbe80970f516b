// The fields of the specification as a viewer of packets names them. Nothing here knows of Wireshark, and nothing here
// knows of a particular field: what is added in sail/ appears by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <eciscope/spec/eci.hpp>

namespace eciscope::shark {

struct MemberName {
    std::uint64_t value = 0;  ///< as it stands in the word
    std::string name;
    bool operator<(const MemberName& other) const { return value < other.value; }
    bool operator==(const MemberName& other) const { return value == other.value; }
};

/// A field at one place. Structs of one class that have it at the same place share it; where one has it elsewhere, it
/// is another field of the same name, so that a filter finds both.
struct SpecField {
    std::string filter;  ///< "eci.mreq.rreq_id"
    std::string name;    ///< "rreq_id"
    std::string doc;
    unsigned low = 0;
    unsigned width = 0;
    bool is_truth = false;          ///< one bit, wherever a field of this name stands
    std::vector<MemberName> names;  ///< of its values, in order; empty for numbers

    [[nodiscard]] std::uint64_t mask() const { return (~std::uint64_t{0} >> (64 - width)) << low; }
};

struct SpecFields {
    std::vector<SpecField> fields;
    /// For each of eci::layouts, which fields it has, highest first.
    std::vector<std::vector<std::size_t>> of_layout;
};

[[nodiscard]] const SpecFields& spec_fields();

/// Position in eci::layouts.
[[nodiscard]] inline std::size_t layout_number(const eci::layout_info& layout) {
    return static_cast<std::size_t>(&layout - eci::layouts.data());
}

/// Names of all operations, in order.
[[nodiscard]] std::vector<std::string> operation_names();

}  // namespace eciscope::shark
