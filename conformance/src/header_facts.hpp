// What a message's channel, opcode and mask alone tell about it, worked out once from the specification.
#pragma once

#include <cstdint>
#include <vector>

#include "eciscope/conformance/tables.hpp"

namespace eciscope::conformance {

/// Of all messages with one channel, one opcode, and a sub-line mask that is empty or not.
struct alignas(16) HeaderFact {
    SymbolNumber symbol = no_symbol;
    std::uint8_t line_shift = 0;
    std::uint8_t id_shift = 0;
    std::uint8_t id_mask = 0;
    std::uint8_t to_home = 1;  ///< 1 if it is sent to the home of its line, 0 if by it
    bool has_line = false;
    bool opens = false;
    bool closes = false;
    bool has_mask = false;
    bool undocumented = false;
    bool wrong_circuit = false;
    bool means_nothing = true;  ///< for coherence, whatever its mask
};

class HeaderFacts {
 public:
    explicit HeaderFacts(const Profile& profile);

    [[nodiscard]] const HeaderFact& of(std::uint8_t vc, std::uint64_t header) const {
        const std::uint64_t opcode = header >> opcode_shift_ & (opcode_count - 1);
        const std::uint64_t mask = (header & dmask_bits_) != 0 ? 1 : 0;
        return facts_[((vc % vc_count) * opcode_count + opcode) * 2 + mask];
    }

    /// A number for channel and opcode.
    [[nodiscard]] std::size_t number_of(const HeaderFact& fact) const {
        return static_cast<std::size_t>(&fact - facts_.data()) / 2;
    }

    /// Whether a message of one kind can answer one of another, ids and line apart.
    [[nodiscard]] bool answers(const HeaderFact& answer, const HeaderFact& request) const {
        return answers_[number_of(answer) * (vc_count * opcode_count) + number_of(request)] != 0;
    }

    /// Header bits by which a grant shows dirty data.
    [[nodiscard]] std::uint64_t dirty_mask() const { return dirty_mask_; }
    /// Header bits of the sub-line mask.
    [[nodiscard]] std::uint64_t dmask_bits() const { return dmask_bits_; }

 private:
    std::uint64_t dmask_bits_;
    unsigned opcode_shift_;
    std::vector<HeaderFact> facts_;
    std::vector<std::uint8_t> answers_;
    std::uint64_t dirty_mask_ = 0;
};

}  // namespace eciscope::conformance
