// The rows of the timeline.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eciscope/decoder/block.hpp"
#include "eciscope/ewf/reader.hpp"

namespace eciscope::view {

enum class TrackKind : std::uint8_t {
    findings,     ///< violations, owed replies, losses, damage, retries, restarts
    utilisation,  ///< of one stream: payload words against what its blocks could have carried
    credits,      ///< of one stream; only where the source holds blocks
    circuit,      ///< messages of one virtual circuit of one stream
    latency,      ///< from request to answer, one track a request's opcode
    line,         ///< a pinned cache line: both nodes' states, its messages, arrows
};

struct TrackId {
    TrackKind kind{};
    Stream stream;             ///< utilisation, credits, circuit
    std::uint8_t vc = 0;       ///< circuit
    std::uint8_t request = 0;  ///< latency: number in Document::request_kinds()
    ewf::Line line;            ///< line

    friend bool operator==(const TrackId& a, const TrackId& b) {
        return a.kind == b.kind && a.stream.index() == b.stream.index() && a.vc == b.vc && a.request == b.request &&
               a.line.home == b.line.home && a.line.aliased_cli == b.line.aliased_cli;
    }
};

struct TrackInfo {
    TrackId id;
    std::string name;   ///< "VC 6 MREQ", "RLDX latency"
    std::string group;  ///< "link 0, CPU to FPGA"
    std::uint64_t messages = 0;
    std::optional<std::string> missing;  ///< why there is nothing to show, e.g. that EWF holds no credits
};

}  // namespace eciscope::view
