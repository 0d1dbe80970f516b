// Packets of a pcap or pcapng capture, read by libpcap from any Input. Where libpcap gives up, the reader looks for the
// next place that is provably a packet with a record and lets libpcap go on there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "eciscope/capture/input.hpp"

namespace eciscope::capture {

/// What one call of PacketFile::next() passed over.
struct PacketStep {
    enum class Kind : std::uint8_t {
        packet,  ///< `bytes` is a packet
        damage,  ///< boundaries are damaged here; `bytes` may still hold the beginning of a packet, or be empty
        cut,     ///< the same because the file ends
        end,
    };

    Kind kind = Kind::end;
    Bytes bytes;                        ///< valid until the next call
    std::uint64_t offset = 0;           ///< of the packet's header in the source
    std::uint32_t original_length = 0;  ///< on the wire, before a snapshot length cut it
    std::uint64_t container = 0;        ///< bytes of headers passed
    std::uint64_t damaged = 0;          ///< bytes passed that belong to nothing
    std::string why;                    ///< libpcap's words, for damage and cut
};

class PacketFile {
 public:
    /// `input` must outlive the result. The error is libpcap's text.
    [[nodiscard]] static tl::expected<PacketFile, std::string> open(Input& input);

    PacketFile(PacketFile&&) noexcept;
    PacketFile& operator=(PacketFile&&) noexcept;
    ~PacketFile();

    [[nodiscard]] int link_type() const;
    [[nodiscard]] PacketStep next();

 private:
    struct State;
    explicit PacketFile(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace eciscope::capture
