#include "names.hpp"

#include <algorithm>
#include <eciscope/spec/eci.hpp>
#include <set>

namespace eciscope::cli {

namespace {

constexpr std::uint8_t circuits = 16;
constexpr std::uint64_t opcodes = 32;
/// Where the specification reads the opcode.
constexpr unsigned opcode_shift = [] {
    unsigned bit = 0;
    while (eci::opcode_of(std::uint64_t{1} << bit) == 0) {
        ++bit;
    }
    return bit;
}();

std::vector<std::string> all_class_names() {
    std::vector<std::string> names;
    for (std::uint8_t vc = 0; vc < circuits; ++vc) {
        const std::string name(class_name(vc));
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
    }
    return names;
}

// The interrupt channel's operations stand elsewhere than the others' opcodes, so that bytes at every place are tried.
std::vector<std::string> all_op_names() {
    std::set<std::string> names;
    for (std::uint8_t vc = 0; vc < circuits; ++vc) {
        for (std::uint64_t opcode = 0; opcode < opcodes; ++opcode) {
            names.emplace(op_name(vc, opcode << opcode_shift));
        }
        const bool elsewhere = eci::class_of_vc(vc) == eci::message_class::MXC;
        for (unsigned place = 0; elsewhere && place <= 56; ++place) {
            for (std::uint64_t byte = 0; byte < 256; ++byte) {
                names.emplace(op_name(vc, byte << place));
            }
        }
    }
    return {names.begin(), names.end()};
}

}  // namespace

std::string_view class_name(std::uint8_t vc) {
    return name(eci::class_of_vc(vc % circuits));
}

const std::vector<std::string>& class_names() {
    static const std::vector<std::string> names = all_class_names();
    return names;
}

const std::vector<std::string>& op_names() {
    static const std::vector<std::string> names = all_op_names();
    return names;
}

std::optional<ewf::Line> line_of(Stream stream, std::uint8_t vc, std::uint64_t header) {
    const eci::message message = eci::decode(vc % circuits, header);
    const auto aliased_cli = eci::line_of(message);
    if (!aliased_cli) {
        return std::nullopt;
    }
    return ewf::Line{static_cast<std::uint8_t>(eci::home_of(stream.from, message)), *aliased_cli};
}

std::uint64_t line_address(std::uint64_t aliased_cli) {
    return eci::line_address(aliased_cli);
}

std::uint64_t aliased_cli_of_address(std::uint64_t address) {
    return eci::aliased_cli_of_address(address);
}

}  // namespace eciscope::cli
