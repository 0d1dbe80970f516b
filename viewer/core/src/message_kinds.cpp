#include "message_kinds.hpp"

#include <algorithm>
#include <eciscope/spec/eci.hpp>

#include "eciscope/decoder/names.hpp"

namespace eciscope::view {

MessageKinds::MessageKinds() {
    table_.fill(by_whole_header);
    for (std::size_t vc = 0; vc < conformance::vc_count; ++vc) {
        const auto circuit = static_cast<std::uint8_t>(vc);
        if (eci::class_of_vc(circuit) == eci::message_class::MXC) {
            continue;  // its operations stand elsewhere than opcodes do
        }
        for (std::size_t opcode = 0; opcode < conformance::opcode_count; ++opcode) {
            const std::uint64_t header = std::uint64_t{opcode} << conformance::opcode_field.shift;
            table_[vc * conformance::opcode_count + opcode] = number_of(op_name(circuit, header));
        }
    }
}

OpNumber MessageKinds::find(std::uint8_t vc, std::uint64_t header) {
    return number_of(op_name(vc, header));
}

OpNumber MessageKinds::number_of(std::string_view name) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) {
        names_.emplace_back(name);
        return static_cast<OpNumber>(names_.size() - 1);
    }
    return static_cast<OpNumber>(at - names_.begin());
}

}  // namespace eciscope::view
