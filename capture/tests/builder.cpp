#include "builder.hpp"

#include <fstream>
#include <iterator>

namespace eciscope::capture::test {

void put_le(Buffer& to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
        to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
}

void put_be(Buffer& to, std::uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) {
        to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
}

void append(Buffer& to, const Buffer& bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

Buffer RecordBuilder::bytes() const {
    Buffer out(magic.begin(), magic.end());
    const int lost_flag = (lost != 0 ? 2 : 0) ^ (flip_lost_flag != 0 ? 2 : 0);
    out.push_back(static_cast<std::uint8_t>(version));
    out.push_back(static_cast<std::uint8_t>(from | lost_flag | extra_flags));
    out.push_back(static_cast<std::uint8_t>(link));
    out.push_back(static_cast<std::uint8_t>(declared >= 0 ? declared : blocks));
    put_le(out, sequence, 4);
    put_le(out, lost, 4);
    put_le(out, time_ns, 8);
    for (int i = 0; i < blocks; ++i) {
        const int place = times_backwards ? blocks - 1 - i : i;
        put_le(out, static_cast<std::uint32_t>(place) * spacing_ps, 4);
        put_le(out, static_cast<std::uint64_t>(entry_flags), 2);
        put_le(out, static_cast<std::uint64_t>(reserved), 2);
        put_be(out, sequence, 4);
        put_be(out, static_cast<std::uint64_t>(i), 4);
        for (int byte = 8; byte < 64; ++byte) {
            out.push_back(static_cast<std::uint8_t>(byte * 3 + i + link * 64 + from * 128));
        }
    }
    append(out, trailing);
    out.resize(out.size() - cut);
    return out;
}

void CaptureBuilder::put(std::uint64_t value, int bytes) {
    if (big_endian) {
        put_be(out, value, bytes);
    } else {
        put_le(out, value, bytes);
    }
}

CaptureBuilder& CaptureBuilder::begin() {
    if (pcapng) {
        put(0x0A0D0D0A, 4);  // section header
        put(28, 4);
        put(0x1A2B3C4D, 4);
        put(1, 2);
        put(0, 2);
        put(~std::uint64_t{0}, 8);
        put(28, 4);
        put(1, 4);  // interface description
        put(20, 4);
        put(link_type, 2);
        put(0, 2);
        put(snaplen, 4);
        put(20, 4);
        return *this;
    }
    put(microseconds ? 0xA1B2C3D4 : 0xA1B23C4D, 4);
    put(2, 2);
    put(4, 2);
    put(0, 8);
    put(snaplen, 4);
    put(link_type, 4);
    return *this;
}

CaptureBuilder& CaptureBuilder::packet(const Buffer& bytes, std::uint32_t original) {
    const auto length = static_cast<std::uint32_t>(bytes.size());
    const std::uint32_t on_wire = original == 0 ? length : original;
    if (pcapng) {
        const std::uint32_t padded = (length + 3) & ~3U;
        put(6, 4);
        put(32 + padded, 4);
        put(0, 4);
        put(0, 8);
        put(length, 4);
        put(on_wire, 4);
        append(out, bytes);
        put(0, static_cast<int>(padded - length));
        put(32 + padded, 4);
        return *this;
    }
    put(1'700'000'000, 4);
    put(0, 4);
    put(length, 4);
    put(on_wire, 4);
    append(out, bytes);
    return *this;
}

CaptureBuilder& CaptureBuilder::junk(const Buffer& bytes) {
    append(out, bytes);
    return *this;
}

Buffer FrameBuilder::around(const Buffer& payload) const {
    Buffer out(12, 0x02);
    for (int i = 0; i < vlan_tags; ++i) {
        put_be(out, i + 1 == vlan_tags ? 0x8100 : 0x88a8, 2);
        put_be(out, 7, 2);
    }
    const std::size_t options = static_cast<std::size_t>(option_words);
    const std::size_t datagram = 8 + payload.size();
    if (ipv6) {
        put_be(out, 0x86dd, 2);
        put_be(out, 0x60000000, 4);
        put_be(out, options * 8 + datagram, 2);
        put_be(out, options > 0 ? 60 : protocol, 1);
        put_be(out, 64, 1);
        out.resize(out.size() + 32, 0xfd);
        for (std::size_t i = 0; i < options; ++i) {
            put_be(out, i + 1 == options ? protocol : 60, 1);
            put_be(out, 0, 7);
        }
    } else {
        put_be(out, 0x0800, 2);
        put_be(out, 0x45 + options, 1);
        put_be(out, 0, 1);
        put_be(out, 20 + options * 4 + datagram, 2);
        put_be(out, 0, 2);
        put_be(out, fragment, 2);
        put_be(out, 64, 1);
        put_be(out, protocol, 1);
        put_be(out, 0, 2);
        put_be(out, 0x0a0000010a000002, 8);
        out.resize(out.size() + options * 4, 1);
    }
    put_be(out, 40000, 2);
    put_be(out, port, 2);
    put_be(out, udp_length >= 0 ? static_cast<std::uint64_t>(udp_length) : datagram, 2);
    put_be(out, 0, 2);
    append(out, payload);
    out.resize(out.size() + static_cast<std::size_t>(padding), 0);
    return out;
}

Buffer data_file(const std::string& name) {
    std::ifstream in(std::string(ECISCOPE_TEST_DATA) + "/" + name, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    return {bytes.begin(), bytes.end()};
}

std::vector<Buffer> packets_of(const Buffer& pcap) {
    std::vector<Buffer> packets;
    std::size_t at = 24;
    while (at + 16 <= pcap.size()) {
        std::size_t length = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            length |= std::size_t{pcap[at + 8 + i]} << (8 * i);
        }
        const auto begin = pcap.begin() + static_cast<std::ptrdiff_t>(at + 16);
        packets.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(length));
        at += 16 + length;
    }
    return packets;
}

}  // namespace eciscope::capture::test
