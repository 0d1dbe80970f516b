#include "eciscope/decoder/names.hpp"

#include <eciscope/spec/eci.hpp>
#include <type_traits>

namespace eciscope {

namespace {

constexpr std::uint8_t circuits = 16;

// The name of the operation that a message's structure holds, if any.
template <class Structure>
std::string_view op_of(const Structure& structure) {
    std::string_view op = "UNDOCUMENTED";
    for_each_field(structure, [&op](const auto& field, const auto& value) {
        if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>) {
            op = name(value);
        } else if (field.name == "opcode") {
            op = "RESERVED";
        }
    });
    return op;
}

}  // namespace

std::string_view op_name(std::uint8_t vc, std::uint64_t header) {
    if (eci::class_of_vc(vc % circuits) == eci::message_class::UNASSIGNED) {
        return "UNASSIGNED";
    }
    return eci::visit_struct(eci::decode(vc % circuits, header),
                             [](const auto& structure) { return op_of(structure); });
}

}  // namespace eciscope
