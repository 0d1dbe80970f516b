#include "eciscope/capture/packet.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "eciscope/capture/record.hpp"
#include "report.hpp"

namespace eciscope::capture {

namespace {

using Kind = DiagnosticKind;

constexpr std::size_t udp_header_bytes = 8;
constexpr std::uint8_t protocol_udp = 17;

std::uint16_t load_be16(Bytes bytes, std::size_t at) {
    return static_cast<std::uint16_t>((bytes[at] << 8) | bytes[at + 1]);
}

/// A part of the frame that is known to be UDP.
struct Datagram {
    std::size_t at = 0;   ///< of the UDP header in the frame
    std::size_t end = 0;  ///< of the IP packet in the frame, as far as it is there
    bool first_fragment = false;
    bool later_fragment = false;
    bool length_wrong = false;
};

/// The end of an IP packet by its header's figure; a figure of 0 stands in frames captured before segmentation.
std::size_t end_by(std::size_t declared, std::size_t least, std::size_t start, std::size_t size, bool& wrong) {
    if (declared == 0) {
        return size;
    }
    wrong = declared < least;
    return wrong ? size : std::min(size, start + declared);
}

std::optional<Datagram> in_ipv4(Bytes frame, std::size_t start) {
    if (frame.size() < start + 20 || frame[start] >> 4 != 4 || frame[start + 9] != protocol_udp) {
        return std::nullopt;
    }
    const std::size_t header = std::size_t{4} * (frame[start] & 0x0f);
    if (header < 20 || start + header > frame.size()) {
        return std::nullopt;
    }
    const std::uint16_t fragment = load_be16(frame, start + 6);
    Datagram datagram;
    datagram.at = start + header;
    datagram.end =
        end_by(load_be16(frame, start + 2), header + udp_header_bytes, start, frame.size(), datagram.length_wrong);
    datagram.later_fragment = (fragment & 0x1fff) != 0;
    datagram.first_fragment = !datagram.later_fragment && (fragment & 0x2000) != 0;
    return datagram;
}

std::optional<Datagram> in_ipv6(Bytes frame, std::size_t start) {
    constexpr std::size_t header = 40;
    constexpr std::uint8_t fragment_header = 44;
    constexpr std::uint8_t authentication_header = 51;
    if (frame.size() < start + header || frame[start] >> 4 != 6) {
        return std::nullopt;
    }
    Datagram datagram;
    std::uint8_t next = frame[start + 6];
    std::size_t at = start + header;
    while (next != protocol_udp) {
        const bool is_known =
            next == 0 || next == 43 || next == 60 || next == fragment_header || next == authentication_header;
        if (!is_known || at + 8 > frame.size()) {
            return std::nullopt;
        }
        std::size_t length = 8 * (std::size_t{frame[at + 1]} + 1);
        if (next == fragment_header) {
            const std::uint16_t fragment = load_be16(frame, at + 2);
            length = 8;
            datagram.later_fragment = (fragment & 0xfff8) != 0;
            datagram.first_fragment = !datagram.later_fragment && (fragment & 1) != 0;
        } else if (next == authentication_header) {
            length = 4 * (std::size_t{frame[at + 1]} + 2);
        }
        next = frame[at];
        at += length;
        if (datagram.later_fragment) {
            break;
        }
    }
    if (next != protocol_udp || at > frame.size()) {
        return std::nullopt;
    }
    datagram.at = at;
    datagram.end = end_by(load_be16(frame, start + 4), at - start - header + udp_header_bytes, start + header,
                          frame.size(), datagram.length_wrong);
    return datagram;
}

std::optional<Datagram> find_datagram(Bytes frame) {
    constexpr std::size_t addresses = 12;
    std::size_t at = addresses;
    while (at + 2 <= frame.size()) {
        const std::uint16_t type = load_be16(frame, at);
        at += 2;
        switch (type) {
            case 0x8100:
            case 0x88a8:
            case 0x9100:
                at += 2;
                break;
            case 0x0800:
                return in_ipv4(frame, at);
            case 0x86dd:
                return in_ipv6(frame, at);
            default:
                return std::nullopt;
        }
    }
    return std::nullopt;
}

}  // namespace

Payload payload_of_frame(Bytes frame, const Position& where, Diagnostics& diagnostics) {
    const std::optional<Datagram> datagram = find_datagram(frame);
    if (datagram && datagram->later_fragment) {
        // Its port stands in the first fragment only, so it may belong to anyone.
        report(diagnostics, Kind::datagram_fragmented, where, [&] {
            return "later fragment of some datagram, " + std::to_string(frame.size()) + " bytes passed over";
        });
        return {};
    }
    if (!datagram || datagram->at + udp_header_bytes > frame.size() || load_be16(frame, datagram->at + 2) != udp_port) {
        return {};
    }
    const std::size_t start = datagram->at + udp_header_bytes;
    const std::size_t length = load_be16(frame, datagram->at + 4);
    std::size_t end = std::max(start, datagram->end);
    const bool length_wrong = length != 0 && length < udp_header_bytes;
    if (datagram->length_wrong || length_wrong) {
        report(diagnostics, Kind::datagram_malformed, where, [&] {
            return "UDP length " + std::to_string(length) + ", " + std::to_string(frame.size() - start) +
                   " bytes follow the header";
        });
    }
    if (length >= udp_header_bytes) {
        end = std::min(end, datagram->at + length);
    }
    if (datagram->first_fragment) {
        report(diagnostics, Kind::datagram_fragmented, where,
               [&] { return "first fragment, " + std::to_string(end - start) + " bytes of the record"; });
    }
    return {frame.subspan(start, end - start), true, start, frame.size() - end};
}

}  // namespace eciscope::capture
