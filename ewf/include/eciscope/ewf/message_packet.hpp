// One message, or one event between messages, as the packet of a pcapng file (docs/wireshark.md): a header of fixed
// little-endian fields, then the message's words as they were on the link, most significant byte first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "eciscope/decoder/block.hpp"

namespace eciscope::ewf {

inline constexpr std::uint16_t message_link_type = 148;  ///< LINKTYPE_USER1
inline constexpr std::array<std::uint8_t, 4> message_packet_magic{'E', 'C', 'I', 'M'};
inline constexpr std::uint8_t message_packet_version = 1;

enum class PacketKind : std::uint8_t { message, event };

/// Where the header's fields stand. The two kinds share the last three places.
namespace packet_offset {
inline constexpr std::size_t magic = 0;
inline constexpr std::size_t version = 4;
inline constexpr std::size_t kind = 5;
inline constexpr std::size_t header_bytes = 6;  ///< 16 bits: a later version may add fields behind those known here
inline constexpr std::size_t link = 8;
inline constexpr std::size_t from = 9;
inline constexpr std::size_t vc = 10;
inline constexpr std::size_t slot = 11;
inline constexpr std::size_t words = 12;
inline constexpr std::size_t event = 13;
inline constexpr std::size_t reserved = 14;
inline constexpr std::size_t index = 16;
inline constexpr std::size_t seconds = 24;
inline constexpr std::size_t picoseconds = 32;
inline constexpr std::size_t duration = 40;  ///< of a message
inline constexpr std::size_t first_block = 48;
inline constexpr std::size_t last_block = 56;
inline constexpr std::size_t count = 40;  ///< of an event
inline constexpr std::size_t block = 48;
inline constexpr std::size_t detail = 56;
inline constexpr std::size_t end = 64;
}  // namespace packet_offset

struct MessagePacket {
    PacketKind kind{};
    Stream stream;
    std::uint8_t vc = 0;          ///< 0xff: an event of no circuit
    std::uint8_t slot = 0;        ///< of the last word in its block
    std::uint8_t word_count = 0;  ///< that follow the header
    std::uint8_t event = 0;       ///< EventKind
    std::uint64_t index = 0;      ///< number of the message in the trace; of an event: of the message that follows
    std::int64_t seconds = 0;     ///< of the trace's clock; a message's time is that of its last word
    std::uint64_t picoseconds = 0;
    std::int64_t duration = 0;  ///< picoseconds from the block with the header to that with the last word
    std::uint64_t first_block = 0;
    std::uint64_t last_block = 0;
    std::uint64_t count = 0;
    std::uint64_t block = 0;
    std::uint64_t detail = 0;
    std::size_t words_at = packet_offset::end;  ///< where the words begin
};

using MessagePacketHeader = std::array<std::uint8_t, packet_offset::end>;

[[nodiscard]] MessagePacketHeader encode(const MessagePacket& packet);

/// None where the bytes are no such packet: too short, or of another magic or version, or of a stream that does not
/// exist. There may be fewer words than the header says: the packet may be cut.
[[nodiscard]] std::optional<MessagePacket> parse_message_packet(std::span<const std::uint8_t> bytes);

}  // namespace eciscope::ewf
