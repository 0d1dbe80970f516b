// What a message's channel, opcode and mask alone tell about it, worked out once from the specification.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "eciscope/conformance/tables.hpp"

namespace eciscope::conformance {

struct alignas(16) HeaderFact {
    SymbolPair symbol{no_symbol, no_symbol};
    std::uint8_t line_shift = 0;
    std::uint8_t id_shift = 0;
    std::uint8_t id_mask = 0;
    bool has_line = false;
    bool by_home = false;
    bool opens = false;
    bool closes = false;
    bool undocumented = false;
    std::array<bool, 2> wrong_circuit{};  ///< by "mask is not empty"
    std::array<bool, 2> suspicious{};     ///< the same, or undocumented
};

class HeaderFacts {
 public:
    explicit HeaderFacts(const Profile& profile);

    [[nodiscard]] static std::size_t index(std::uint8_t vc, std::uint64_t header, HeaderField opcode) {
        return (vc % vc_count) * opcode_count + opcode.of(header);
    }
    [[nodiscard]] const HeaderFact& operator[](std::size_t index) const { return facts_[index]; }

    /// Whether a message of one kind can answer one of another (indices as above), ids and line apart.
    [[nodiscard]] bool answers(std::size_t answer, std::size_t request) const {
        return answers_[answer * (vc_count * opcode_count) + request];
    }

    /// Header bits by which a grant shows dirty data.
    [[nodiscard]] std::uint64_t dirty_mask() const { return dirty_mask_; }

 private:
    std::array<HeaderFact, vc_count * opcode_count> facts_{};
    std::vector<bool> answers_;
    std::uint64_t dirty_mask_ = 0;
};

}  // namespace eciscope::conformance
