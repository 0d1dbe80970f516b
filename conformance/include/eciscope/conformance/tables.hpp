// What the specification says about sequences of messages, as tables. They are generated when the project is built
// (conformance/generator) and know nothing that sail/ does not say.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace eciscope::conformance {

namespace model {
struct Machines;
}

/// Where a trace was taken.
enum class Tap : std::uint8_t {
    home_side,  ///< what the home receives and sends, in its order
    in_order,   ///< on the link, in the order in which the nodes sent
    unordered,  ///< on the link, where a sender's queues may have let circuits pass each other
};
inline constexpr std::size_t tap_count = 3;
[[nodiscard]] std::string_view name(Tap tap);

/// A set of steps, one bit each: what one message can mean.
using StepSet = std::uint32_t;
using StateNumber = std::uint16_t;
using SymbolNumber = std::uint8_t;

inline constexpr StateNumber impossible = 0xffff;
inline constexpr SymbolNumber no_symbol = 0xff;

inline constexpr std::size_t opcode_count = 32;
inline constexpr std::size_t vc_count = 16;

/// What an onlooker knows of a line, as an automaton over messages: one small number a line, one lookup a message.
struct ObserverTable {
    std::size_t states = 0;
    StateNumber at_rest = 0;              ///< nobody has a copy, nothing is under way
    StateNumber anything = 0;             ///< any reachable configuration
    std::span<const StateNumber> next;    ///< by state * symbols + symbol; `impossible` where no legal run goes on so
    std::span<const std::uint8_t> owed;   ///< by state: what is certainly not answered yet, bits of `Owed`
    std::span<const std::uint8_t> never;  ///< by symbol: 1 if no state of the subset allows it
};

/// Bits of ObserverTable::owed.
enum Owed : std::uint8_t {
    owed_grant = 1,   ///< the home has not granted what the remote asked for
    owed_answer = 2,  ///< the remote has not answered the home's forward
};

struct Symbol {
    StepSet steps = 0;
    std::string_view name;  ///< "R12", or "A11|A21" where a message can mean several steps
};

/// The symbol of a header whose sub-line mask is empty, and of one whose mask is not.
using SymbolPair = std::array<SymbolNumber, 2>;

/// What two nodes agreed to use.
struct Profile {
    std::string_view name;
    std::string_view sentence;
    std::span<const Symbol> symbols;
    std::span<const SymbolPair, vc_count * opcode_count> meanings;  ///< by vc * opcode_count + opcode
    std::array<ObserverTable, tap_count> observers;
    const model::Machines& (*machines)() = nullptr;  ///< the two machines, for explanations
};

[[nodiscard]] std::span<const Profile> profiles();
[[nodiscard]] const Profile* find_profile(std::string_view name);

/// A run of bits in a header.
struct HeaderField {
    std::uint8_t shift = 0;
    std::uint8_t bits = 0;

    [[nodiscard]] constexpr std::uint64_t of(std::uint64_t header) const {
        return header >> shift & ((std::uint64_t{1} << bits) - 1);
    }
};

/// Where a header names its line and its exchange. Most headers name none.
struct HeaderShape {
    std::uint8_t line_shift = 0;
    std::uint8_t id_shift = 0;
    std::uint8_t id_mask = 0;
    bool has_line = false;
    bool sent_by_home = false;
    bool opens = false;   ///< asks for an answer
    bool closes = false;  ///< is one
};

extern const std::array<HeaderShape, vc_count * opcode_count> header_shapes;
extern const HeaderField opcode_field;
extern const HeaderField dmask_field;
extern const unsigned line_bits;

}  // namespace eciscope::conformance
