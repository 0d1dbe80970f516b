// What the exports say about a message besides its words, as tables made once from the specification.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace eciscope::ewf::detail {

struct LayoutField {
    std::string_view name;
    std::uint8_t low = 0;    ///< lowest bit in the header
    std::uint8_t width = 0;  ///< in bits
    bool quiet = false;      ///< unused or of unknown meaning: worth showing only where it is not zero

    [[nodiscard]] std::uint64_t of(std::uint64_t header) const {
        return header >> low & (~std::uint64_t{0} >> (64 - width));
    }
};

/// Numbers up to this width survive readers that keep numbers as doubles; wider ones are texts.
inline constexpr std::uint8_t exact_number_bits = 53;

/// One operation of one class of messages.
struct MessageLayout {
    std::size_t id = 0;  ///< position in layouts()
    std::string_view class_name;
    /// Name of the operation; RESERVED (with a field `opcode`), UNDOCUMENTED or UNASSIGNED where it has none.
    std::string_view op;
    std::vector<LayoutField> fields;     ///< highest first, without operation and line
    std::optional<LayoutField> line;     ///< the aliased line index, of messages about a line
    std::array<std::uint8_t, 2> home{};  ///< of the line, by sender
    bool documented = false;
};

[[nodiscard]] const std::vector<MessageLayout>& layouts();

/// Every header on each of the circuits 0 to 15 has one.
[[nodiscard]] const MessageLayout& layout_of(std::uint8_t vc, std::uint64_t header);

/// A message as stored may be without words, even without a header: then it has only a class.
struct Described {
    const MessageLayout& layout;
    std::uint64_t header = 0;
};
[[nodiscard]] Described describe(std::uint8_t vc, std::span<const std::uint64_t> words);

/// Of a message about a line.
struct LineFacts {
    std::uint8_t home = 0;
    std::uint64_t address = 0;
    std::uint64_t aliased_cli = 0;
};
[[nodiscard]] LineFacts line_facts(const MessageLayout& layout, std::uint8_t from, std::uint64_t header);

/// Length in words that a header asks for.
[[nodiscard]] std::size_t words_of_header(std::uint8_t vc, std::uint64_t header);

}  // namespace eciscope::ewf::detail
