// A message as Wireshark shows it: the same tree, columns and taps whether it came as a packet of its own or out of
// blocks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "eciscope/decoder/block.hpp"
#include "facts.hpp"
#include "wireshark.hpp"

namespace eciscope::shark {

/// One message, and where its bytes are. Plain values: see wireshark.hpp.
struct ShownMessage {
    Stream stream;
    std::uint8_t vc = 0;
    std::uint8_t slot = 0;
    std::uint8_t word_count = 0;
    std::uint64_t header = 0;
    std::uint64_t index = 0;
    std::int64_t seconds = 0;  ///< of its completion
    std::uint64_t picoseconds = 0;
    std::int64_t duration = 0;  ///< from the block with its header to that with its last word
    std::uint64_t first_block = 0;
    std::uint64_t last_block = 0;
    const MessageFacts* facts = nullptr;

    tvbuff_t* tvb = nullptr;
    bool has_packet_header = false;         ///< the buffer begins with the header of ewf/message_packet.hpp
    const std::uint16_t* places = nullptr;  ///< of its words; null: they stand in a row from `start`
    int start = 0;

    [[nodiscard]] int place(unsigned word) const {
        return places != nullptr ? places[word] : start + static_cast<int>(8 * word);
    }
};

/// What taps are given of each message.
struct TappedMessage {
    ShownMessage message;
    const char* operation;
    std::uint64_t address;  ///< of the line
    std::uint64_t line;     ///< number by which "follow" knows it
    bool has_line;
};

/// "MREQ RLDX 0x41941000, VC 7": at most `size` characters.
void describe_message(const ShownMessage& message, char* text, std::size_t size);

/// Seconds with twelve digits behind the point.
void format_time(std::int64_t seconds, std::uint64_t picoseconds, char* text, std::size_t size);

/// Whether anybody will look at the protocol's fields: the tree is shown, or a filter or column asks for one of them.
/// The items of a tree that nobody looks at cost more than all the rest.
[[nodiscard]] bool is_wanted(proto_tree* tree, int protocol);

/// Adds the message's tree (if there is one), its expert items and its tap data. Returns the message's own item.
proto_item* show_message(packet_info* pinfo, proto_tree* tree, const ShownMessage& message);

/// Source and destination of the packet.
void set_nodes(packet_info* pinfo, Stream stream);

void register_messages(int protocol);
[[nodiscard]] int message_tap();
/// Whether anything but the columns looks at messages.
[[nodiscard]] bool anybody_looks(proto_tree* tree);

}  // namespace eciscope::shark
