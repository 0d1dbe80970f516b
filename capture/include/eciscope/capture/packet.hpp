// From a captured Ethernet frame to the record inside its UDP datagram.
#pragma once

#include <cstdint>

#include "eciscope/capture/input.hpp"
#include "eciscope/decoder/diagnostic.hpp"

namespace eciscope::capture {

inline constexpr int link_type_ethernet = 1;
inline constexpr int link_type_user0 = 147;

struct Payload {
    Bytes bytes;  ///< the record, if the datagram is one
    bool is_record = false;
    std::uint64_t headers = 0;  ///< bytes of the frame before the payload
    std::uint64_t padding = 0;  ///< bytes of the frame after it
};

/// Finds the payload of a datagram to port 60443: VLAN tags, IPv4 with options, IPv6 with extension headers. Checksums
/// are not looked at: the interposer does not need to fill them in.
[[nodiscard]] Payload payload_of_frame(Bytes frame, const Position& where, Diagnostics& diagnostics);

}  // namespace eciscope::capture
