// Builds captures for tests, byte by byte from the format's page and not with the code under test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace eciscope::capture::test {

using Buffer = std::vector<std::uint8_t>;

void put_le(Buffer& to, std::uint64_t value, int bytes);
void put_be(Buffer& to, std::uint64_t value, int bytes);
void append(Buffer& to, const Buffer& bytes);

/// 2023-11-14 and a bit: what the interposer's clock says when a test begins.
inline constexpr std::uint64_t epoch_ns = 1'700'000'000'000'000'000;

/// One record, sound unless told otherwise. Block i of record number s holds the bytes s, i, and then a pattern.
struct RecordBuilder {
    int link = 0;
    int from = 0;
    std::uint32_t sequence = 0;
    std::uint64_t time_ns = epoch_ns;
    int blocks = 4;
    std::uint32_t spacing_ps = 4340;
    std::uint32_t lost = 0;

    // Oddities.
    std::string magic = "ECIB";
    int version = 1;
    int extra_flags = 0;     ///< or-ed into the header's flags
    int flip_lost_flag = 0;  ///< 1: the flag contradicts the count
    int declared = -1;       ///< number of blocks in the header, if not `blocks`
    int entry_flags = 0;     ///< of every entry
    int reserved = 0;        ///< of every entry
    bool times_backwards = false;
    std::size_t cut = 0;  ///< bytes missing at the end
    Buffer trailing;

    [[nodiscard]] Buffer bytes() const;
};

/// Classic pcap or pcapng around packets.
struct CaptureBuilder {
    bool pcapng = false;
    bool big_endian = false;
    bool microseconds = false;
    std::uint32_t link_type = 147;
    std::uint32_t snaplen = 262144;
    Buffer out;

    CaptureBuilder& begin();
    /// `original` is the length on the wire when a snapshot length cut the packet.
    CaptureBuilder& packet(const Buffer& bytes, std::uint32_t original = 0);
    CaptureBuilder& record(const RecordBuilder& record) { return packet(record.bytes()); }
    /// Bytes that belong to nothing.
    CaptureBuilder& junk(const Buffer& bytes);

 private:
    void put(std::uint64_t value, int bytes);
};

/// Ethernet, VLAN tags, IP, UDP around a payload.
struct FrameBuilder {
    int vlan_tags = 0;
    bool ipv6 = false;
    int option_words = 0;  ///< IPv4 options, or 8-byte IPv6 extension headers
    std::uint16_t port = 60443;
    int udp_length = -1;         ///< if not the true one
    std::uint16_t fragment = 0;  ///< IPv4 flags and offset
    int padding = 0;
    std::uint8_t protocol = 17;

    [[nodiscard]] Buffer around(const Buffer& payload) const;
};

/// A file of tests/data.
[[nodiscard]] Buffer data_file(const std::string& name);

/// The records of a classic little-endian pcap, to be packed anew.
[[nodiscard]] std::vector<Buffer> packets_of(const Buffer& pcap);

}  // namespace eciscope::capture::test
