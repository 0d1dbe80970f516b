// What an EWF file says about its trace besides messages and events.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "eciscope/decoder/block.hpp"
#include "eciscope/decoder/time.hpp"

namespace eciscope::ewf {

inline constexpr std::size_t vc_slots = 16;  ///< a virtual circuit has four bits

/// Which clock times are of.
enum class Clock : std::uint8_t {
    unknown = 0,
    unix_time = 1,   ///< seconds since 1970
    interposer = 2,  ///< the interposer's own epoch
};

struct NodeInfo {
    std::uint8_t id = 0;
    std::string name;
    friend bool operator==(const NodeInfo&, const NodeInfo&) = default;
};

struct LinkInfo {
    std::uint8_t id = 0;
    std::string name;
    friend bool operator==(const LinkInfo&, const LinkInfo&) = default;
};

/// Part of the canonical bytes: two files of the same trace agree in it.
struct Metadata {
    std::vector<NodeInfo> nodes{{0, "CPU"}, {1, "FPGA"}};
    std::vector<LinkInfo> links{{0, "link 0"}, {1, "link 1"}};
    Clock clock = Clock::unknown;
    friend bool operator==(const Metadata&, const Metadata&) = default;
};

/// How a file was made. Never part of the canonical bytes, written only on request, and where somebody interrupted it.
struct Provenance {
    struct Source {
        std::string name;
        std::uint64_t bytes = 0;
        std::string hash;  ///< e.g. "sha256:…"
        friend bool operator==(const Source&, const Source&) = default;
    };
    std::string tool;
    std::string tool_version;
    std::vector<Source> sources;
    bool interrupted = false;  ///< the input went on where the trace ends
    friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// Counted by the writer from the trace itself.
struct StreamSummary {
    std::uint64_t messages = 0;
    std::uint64_t words = 0;
    std::uint64_t events = 0;
    friend bool operator==(const StreamSummary&, const StreamSummary&) = default;
};

struct Contents {
    TimeBase base;
    std::uint64_t messages = 0;
    std::uint64_t words = 0;
    std::uint64_t events = 0;
    std::uint64_t chunks = 0;
    std::array<StreamSummary, stream_count> streams{};  ///< by Stream::index()
    Picoseconds first_min = 0;                          ///< earliest time of the trace; 0 if it is empty
    Picoseconds last_max = 0;                           ///< latest time of the trace
    /// A link came up from power-on before the first message, so no message can have come before.
    bool from_power_on = false;
    friend bool operator==(const Contents&, const Contents&) = default;
};

/// XXH3-128 of the canonical part, big-endian as xxhsum prints it.
using Digest = std::array<std::uint8_t, 16>;
[[nodiscard]] std::string to_text(const Digest& digest);

}  // namespace eciscope::ewf
