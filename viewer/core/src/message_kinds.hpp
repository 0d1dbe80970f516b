// Which operation a message is, as a small number: names come from the specification, one table lookup a message.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "eciscope/conformance/tables.hpp"
#include "eciscope/decoder/message.hpp"

namespace eciscope::view {

using OpNumber = std::uint16_t;

class MessageKinds {
 public:
    MessageKinds();

    /// Circuit and opcode as one number.
    static constexpr std::size_t kind_count = conformance::vc_count * conformance::opcode_count;
    [[nodiscard]] static std::size_t kind_of(std::uint8_t vc, std::uint64_t header) {
        return (vc % conformance::vc_count) * conformance::opcode_count + conformance::opcode_field.of(header);
    }
    /// Whether all messages of a kind are one operation.
    [[nodiscard]] bool tells_op(std::size_t kind) const { return table_[kind] != by_whole_header; }

    [[nodiscard]] OpNumber op_of(std::uint8_t vc, std::uint64_t header) {
        const OpNumber known = table_[kind_of(vc, header)];
        return known != by_whole_header ? known : find(vc, header);
    }
    /// Names of all operations met, by number.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
    static constexpr OpNumber by_whole_header = 0xffff;

    OpNumber find(std::uint8_t vc, std::uint64_t header);
    OpNumber number_of(std::string_view name);

    std::array<OpNumber, kind_count> table_{};
    std::vector<std::string> names_;
};

}  // namespace eciscope::view
