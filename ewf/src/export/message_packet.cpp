#include "eciscope/ewf/message_packet.hpp"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstring>

#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/metadata.hpp"

namespace eciscope::ewf {

namespace {

namespace at = packet_offset;

template <std::integral T>
void store(MessagePacketHeader& bytes, std::size_t offset, T value) {
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

template <std::integral T>
T load(std::span<const std::uint8_t> bytes, std::size_t offset) {
    static_assert(std::endian::native == std::endian::little);
    T value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

bool is_sound(const MessagePacket& packet) {
    const bool is_event = packet.kind == PacketKind::event;
    return packet.stream.link < link_count && packet.stream.from < node_count &&
           (packet.vc < vc_slots || (is_event && packet.vc == Event::no_vc)) &&
           (!is_event || packet.event <= static_cast<std::uint8_t>(EventKind::capture_ends));
}

}  // namespace

MessagePacketHeader encode(const MessagePacket& packet) {
    MessagePacketHeader bytes{};
    const bool is_event = packet.kind == PacketKind::event;
    std::copy(message_packet_magic.begin(), message_packet_magic.end(), bytes.begin());
    bytes[at::version] = message_packet_version;
    bytes[at::kind] = static_cast<std::uint8_t>(packet.kind);
    store(bytes, at::header_bytes, static_cast<std::uint16_t>(at::end));
    bytes[at::link] = packet.stream.link;
    bytes[at::from] = packet.stream.from;
    bytes[at::vc] = packet.vc;
    bytes[at::slot] = packet.slot;
    bytes[at::words] = packet.word_count;
    bytes[at::event] = packet.event;
    store(bytes, at::index, packet.index);
    store(bytes, at::seconds, packet.seconds);
    store(bytes, at::picoseconds, packet.picoseconds);
    store(bytes, at::duration, is_event ? packet.count : static_cast<std::uint64_t>(packet.duration));
    store(bytes, at::first_block, is_event ? packet.block : packet.first_block);
    store(bytes, at::last_block, is_event ? packet.detail : packet.last_block);
    return bytes;
}

std::optional<MessagePacket> parse_message_packet(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < at::end ||
        !std::equal(message_packet_magic.begin(), message_packet_magic.end(), bytes.begin()) ||
        bytes[at::version] != message_packet_version ||
        bytes[at::kind] > static_cast<std::uint8_t>(PacketKind::event)) {
        return std::nullopt;
    }
    MessagePacket packet;
    packet.kind = static_cast<PacketKind>(bytes[at::kind]);
    packet.stream = {bytes[at::link], bytes[at::from]};
    packet.vc = bytes[at::vc];
    packet.slot = bytes[at::slot];
    packet.word_count = bytes[at::words];
    packet.event = bytes[at::event];
    packet.index = load<std::uint64_t>(bytes, at::index);
    packet.seconds = load<std::int64_t>(bytes, at::seconds);
    packet.picoseconds = load<std::uint64_t>(bytes, at::picoseconds);
    packet.words_at = load<std::uint16_t>(bytes, at::header_bytes);
    if (packet.kind == PacketKind::message) {
        packet.duration = load<std::int64_t>(bytes, at::duration);
        packet.first_block = load<std::uint64_t>(bytes, at::first_block);
        packet.last_block = load<std::uint64_t>(bytes, at::last_block);
    } else {
        packet.count = load<std::uint64_t>(bytes, at::count);
        packet.block = load<std::uint64_t>(bytes, at::block);
        packet.detail = load<std::uint64_t>(bytes, at::detail);
    }
    const bool whole = packet.words_at >= at::end && packet.words_at <= bytes.size() &&
                       packet.picoseconds < static_cast<std::uint64_t>(picoseconds_per_second);
    return whole && is_sound(packet) ? std::optional(packet) : std::nullopt;
}

}  // namespace eciscope::ewf
