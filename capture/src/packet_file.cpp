#include "eciscope/capture/packet_file.hpp"

#include <pcap/pcap.h>
#include <stdio_ext.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

#include "eciscope/capture/packet.hpp"
#include "eciscope/capture/record.hpp"

namespace eciscope::capture {

namespace {

constexpr std::size_t pcap_file_header = 24;
constexpr std::size_t pcap_packet_header = 16;
constexpr std::size_t pcapng_packet_header = 28;  ///< of an enhanced packet block
constexpr std::uint32_t pcapng_packet_block = 6;
constexpr std::uint32_t pcapng_section_block = 0x0A0D0D0A;
constexpr std::uint32_t most_block = 16U << 20;  ///< libpcap's own limit for a block of pcapng
constexpr std::uint32_t most_captured = 262144;  ///< libpcap's own limit for these link types

/// Bytes of a frame before the record: Ethernet, up to two VLAN tags, IPv4 or IPv6 without options, UDP.
constexpr std::array<std::size_t, 6> frame_headers = {42, 46, 50, 62, 66, 70};
constexpr std::size_t longest_context = pcapng_packet_header + frame_headers.back() + record_header_bytes;

std::uint32_t load32(const std::uint8_t* p, bool big_endian) {
    return big_endian ? std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3]
                      : load_le32(p);
}

bool is_record(Bytes bytes) {
    return bytes.size() >= record_header_bytes && std::memcmp(bytes.data(), "ECIB", 4) == 0 && bytes[4] == 1 &&
           bytes[6] < link_count && bytes[7] >= 1 && bytes[7] <= most_blocks;
}

std::size_t record_size(Bytes record) {
    return record_header_bytes + record[7] * entry_bytes;
}

}  // namespace

struct PacketFile::State {
    explicit State(Input& from) : input(&from) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (pcap != nullptr) {
            pcap_close(pcap);  // closes the FILE as well
        } else if (file != nullptr) {
            std::fclose(file);
        }
    }

    Input* input;
    FILE* file = nullptr;
    pcap_t* pcap = nullptr;
    bool big_endian = false;
    bool is_pcapng = false;
    bool searching = false;
    /// The file header as libpcap is shown it: a damaged snapshot length there would cut every packet.
    std::array<std::uint8_t, pcap_file_header> shown_header{};

    std::uint64_t fed_up_to = 0;  ///< libpcap is given no byte beyond this: the end of the packet it is at
    std::array<char, std::size_t{16} << 10> stdio_buffer{};

    [[nodiscard]] std::uint64_t portion();
    void discard_fed();
    static ssize_t read(void* cookie, char* to, std::size_t size);
    tl::expected<void, std::string> open();
    PacketStep next();

    [[nodiscard]] std::size_t header_size() const { return is_pcapng ? pcapng_packet_header : pcap_packet_header; }
    [[nodiscard]] std::optional<std::size_t> record_offset(Bytes packet) const;
    [[nodiscard]] bool is_packet_with_record(Bytes bytes) const;
    [[nodiscard]] bool is_misframed(Bytes packet) const;
    std::uint64_t find_packet();
    PacketStep salvage(std::uint64_t start, std::string why);
};

/// How many bytes libpcap may have next: a whole packet with its header and no more. The stream's buffer is then empty
/// whenever libpcap hands out a packet, and the input's position is libpcap's own.
std::uint64_t PacketFile::State::portion() {
    if (!is_pcapng) {
        const bool at_file_header = input->position() < pcap_file_header;
        const Bytes header = input->peek(at_file_header ? pcap_file_header : pcap_packet_header);
        const bool whole = !at_file_header && header.size() == pcap_packet_header;
        const std::uint32_t captured = whole ? load32(header.data() + 8, big_endian) : 0;
        return header.size() + (captured <= most_captured ? captured : 0);
    }
    const Bytes header = input->peek(12);
    if (header.size() < 12) {
        return header.size();
    }
    if (load_le32(header.data()) == pcapng_section_block) {
        big_endian = header[8] == 0x1a;
    }
    const std::uint32_t length = load32(header.data() + 4, big_endian);
    return length >= 12 && length <= most_block ? length : header.size();
}

/// Before the input is moved: what libpcap was given and did not take is of no use any more.
void PacketFile::State::discard_fed() {
    ::__fpurge(file);
    std::clearerr(file);
    fed_up_to = 0;
}

ssize_t PacketFile::State::read(void* cookie, char* to, std::size_t size) {
    auto& self = *static_cast<State*>(cookie);
    const std::uint64_t position = self.input->position();
    if (position >= self.fed_up_to) {
        self.fed_up_to = position + self.portion();
    }
    auto* bytes = reinterpret_cast<std::uint8_t*>(to);
    const std::size_t wanted = std::min<std::uint64_t>(size, self.fed_up_to - position);
    const std::size_t count = wanted == 0 ? 0 : self.input->read({bytes, wanted});
    if (position < pcap_file_header && !self.is_pcapng) {
        const std::size_t shown = std::min<std::size_t>(count, pcap_file_header - static_cast<std::size_t>(position));
        std::memcpy(bytes, self.shown_header.data() + position, shown);
    }
    return static_cast<ssize_t>(count);
}

tl::expected<void, std::string> PacketFile::State::open() {
    const Bytes head = input->peek(pcap_file_header);
    std::copy(head.begin(), head.end(), shown_header.begin());
    is_pcapng = head.size() >= 4 && load_le32(head.data()) == pcapng_section_block;
    if (is_pcapng) {
        big_endian = head.size() >= 12 && head[8] == 0x1a;
    } else {
        big_endian = !head.empty() && head[0] == 0xa1;
        const std::array<std::uint8_t, 4> little = {0, 0, 4, 0};
        std::copy(little.begin(), little.end(), shown_header.begin() + 16);
        if (big_endian) {
            std::reverse(shown_header.begin() + 16, shown_header.begin() + 20);
        }
    }
    file = ::fopencookie(this, "rb", {State::read, nullptr, nullptr, nullptr});
    if (file == nullptr) {
        return tl::unexpected(std::string("out of memory"));
    }
    (void)std::setvbuf(file, stdio_buffer.data(), _IOFBF, stdio_buffer.size());
    std::array<char, PCAP_ERRBUF_SIZE> error{};
    pcap = ::pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, error.data());
    if (pcap == nullptr) {
        return tl::unexpected(std::string(error.data()));
    }
    return {};
}

/// Where in a packet its record begins, if it holds one.
std::optional<std::size_t> PacketFile::State::record_offset(Bytes packet) const {
    if (::pcap_datalink(pcap) == link_type_user0) {
        return is_record(packet) ? std::optional<std::size_t>(0) : std::nullopt;
    }
    for (const std::size_t offset : frame_headers) {
        if (packet.size() > offset && is_record(packet.subspan(offset))) {
            return offset;
        }
    }
    return std::nullopt;
}

/// A packet header whose captured length is just that of the record behind it: no accident.
bool PacketFile::State::is_packet_with_record(Bytes bytes) const {
    if (bytes.size() < header_size() + record_header_bytes) {
        return false;
    }
    if (is_pcapng && load32(bytes.data(), big_endian) != pcapng_packet_block) {
        return false;
    }
    const std::uint32_t captured = load32(bytes.data() + header_size() - 8, big_endian);
    const Bytes packet = bytes.subspan(header_size());
    const std::optional<std::size_t> offset = record_offset(packet);
    return offset && captured == *offset + record_size(packet.subspan(*offset));
}

/// A packet that libpcap read without complaint, but by a damaged length: it is not the record that it should be, and
/// what follows it is no packet.
bool PacketFile::State::is_misframed(Bytes packet) const {
    if (::pcap_datalink(pcap) != link_type_user0 || (is_record(packet) && record_size(packet) == packet.size())) {
        return false;
    }
    const Bytes following = input->peek(header_size() + record_header_bytes);
    if (following.empty()) {
        return packet.size() > longest_record;
    }
    if (following.size() < header_size() + record_header_bytes) {
        return false;
    }
    return std::memcmp(following.data() + header_size(), "ECIB", 4) != 0 ||
           load32(following.data() + header_size() - 8, big_endian) > most_captured;
}

/// Passes bytes up to the next sure packet and says how many.
std::uint64_t PacketFile::State::find_packet() {
    std::uint64_t passed = 0;
    while (true) {
        const Bytes window = input->peek(Input::longest_peek);
        std::size_t from = 0;
        while (from < window.size()) {
            const void* found = ::memmem(window.data() + from, window.size() - from, "ECIB", 4);
            if (found == nullptr) {
                break;
            }
            const auto at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - window.data());
            from = at + 1;
            const std::size_t nearest = header_size();
            for (std::size_t before = nearest; before <= std::min(at, nearest + frame_headers.back()); before += 2) {
                if (is_packet_with_record(window.subspan(at - before))) {
                    (void)input->skip(at - before);
                    return passed + at - before;
                }
            }
        }
        if (window.size() < Input::longest_peek) {
            return passed + input->skip(window.size());
        }
        passed += input->skip(window.size() - longest_context);
    }
}

/// Takes what can be used of the packet at `start`, whose length cannot be believed, and begins a search behind it.
PacketStep PacketFile::State::salvage(std::uint64_t start, std::string why) {
    PacketStep step;
    step.kind = PacketStep::Kind::damage;
    step.offset = start;
    step.why = std::move(why);
    const std::uint64_t reached = input->position();
    const bool at_end = input->peek(1).empty();
    searching = true;
    discard_fed();
    if (!input->seek(start)) {
        step.damaged = reached - start;
        return step;
    }
    const Bytes window = input->peek(Input::longest_peek);
    const Bytes packet = window.subspan(std::min(window.size(), header_size()));
    const std::optional<std::size_t> offset = record_offset(packet);
    const bool is_packet_block =
        !is_pcapng || (window.size() >= 4 && load32(window.data(), big_endian) == pcapng_packet_block);
    const std::size_t size = offset ? *offset + record_size(packet.subspan(*offset)) : 0;
    if (at_end && (!offset || size > packet.size())) {
        step.kind = PacketStep::Kind::cut;
    }
    if (offset && is_packet_block) {
        step.bytes = packet.first(std::min(size, packet.size()));
        step.original_length = static_cast<std::uint32_t>(step.bytes.size());
        step.container = header_size();
        (void)input->seek(start + header_size() + step.bytes.size());
    } else {
        step.damaged = input->skip(1);  // or the search would find this place again
    }
    return step;
}

PacketStep PacketFile::State::next() {
    PacketStep step;
    if (searching) {
        step.damaged = find_packet();
        searching = false;
    }
    const std::uint64_t start = input->position();
    pcap_pkthdr* header = nullptr;
    const std::uint8_t* data = nullptr;
    const int result = ::pcap_next_ex(pcap, &header, &data);
    if (result == PCAP_ERROR_BREAK) {
        step.container = input->position() - start;
        return step;
    }
    const bool misframed = result == 1 && is_misframed({data, header->caplen});
    if (result != 1 || misframed) {
        PacketStep rest =
            salvage(start, misframed ? "the packet's length does not lead to another packet" : ::pcap_geterr(pcap));
        rest.damaged += step.damaged;
        return rest;
    }
    step.kind = PacketStep::Kind::packet;
    step.bytes = {data, header->caplen};
    step.offset = start;
    step.original_length = header->len;
    const std::uint64_t passed = input->position() - start;
    step.container = is_pcapng ? passed - header->caplen : pcap_packet_header;
    step.damaged += passed - header->caplen - step.container;
    return step;
}

tl::expected<PacketFile, std::string> PacketFile::open(Input& input) {
    auto state = std::make_unique<State>(input);
    if (auto opened = state->open(); !opened) {
        return tl::unexpected(opened.error());
    }
    return PacketFile(std::move(state));
}

PacketFile::PacketFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
PacketFile::PacketFile(PacketFile&&) noexcept = default;
PacketFile& PacketFile::operator=(PacketFile&&) noexcept = default;
PacketFile::~PacketFile() = default;

int PacketFile::link_type() const {
    return ::pcap_datalink(state_->pcap);
}

PacketStep PacketFile::next() {
    return state_->next();
}

}  // namespace eciscope::capture
