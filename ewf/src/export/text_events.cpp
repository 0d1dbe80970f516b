#include "export/text_events.hpp"

#include <array>
#include <eciscope/spec/eci.hpp>

#include "export/digits.hpp"

namespace eciscope::ewf::detail {

namespace {

/// "5 blocks", "1 block" or "an unknown number of blocks".
std::string counted(std::uint64_t count, std::string_view what) {
    if (count == Event::unknown_count) {
        return "an unknown number of " + std::string(what) + "s";
    }
    return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string circuit(std::uint8_t vc) {
    return vc == Event::no_vc ? std::string("an unknown circuit") : "VC " + std::to_string(vc);
}

std::string handshake(std::uint64_t control) {
    std::array<char, 16> hex;
    put_hex16(hex.data(), control);
    return "handshake: req " + std::to_string(eci::control_req(control)) + " ack " +
           std::to_string(eci::control_ack(control)) + " tx_seq " + std::to_string(eci::control_tx_seq(control)) +
           " rx_seq " + std::to_string(eci::control_rx_seq(control)) + ", control " +
           std::string(hex.data(), hex.size());
}

std::string text_of(const Event& event) {
    switch (event.kind) {
        case EventKind::lost:
            return "LOST: " + counted(event.count, "block") + " missing from block " + std::to_string(event.block);
        case EventKind::damaged:
            return "DAMAGED: block " + std::to_string(event.block) + " failed its CRC; its words are missing";
        case EventKind::discarded:
            return "DISCARDED: " + counted(event.count, "word") + " of " + circuit(event.vc) +
                   ", up to the next provable message start";
        case EventKind::retry:
            return "retry: the receiver asks for blocks again";
        case EventKind::replayed:
            return "replayed: " + counted(event.count, "block") + " seen again";
        case EventKind::link_up:
            return event.detail == 1 ? "link up, from power-on" : "link up, after a reset";
        case EventKind::link_down:
            return "LINK DOWN: the sender began the handshake again";
        case EventKind::handshake:
            return handshake(event.detail);
        case EventKind::restarted:
            return "RESTARTED: the interposer began again; what lies between is unknown";
        case EventKind::capture_ends:
            if (event.vc == Event::no_vc) {
                return event.detail == 1 ? "the capture ends, and was perhaps cut: the last record is full"
                                         : "the capture ends";
            }
            return "CAPTURE ENDS within a message of " + circuit(event.vc) + ", after " + counted(event.count, "word");
    }
    return "event of an unknown kind";
}

}  // namespace

void append_event(const Event& event, std::string& out) {
    out += text_of(event);
}

std::string_view event_colour(EventKind kind) {
    switch (kind) {
        case EventKind::lost:
        case EventKind::damaged:
        case EventKind::discarded:
        case EventKind::restarted:
        case EventKind::capture_ends:
            return "\x1b[1;31m";
        case EventKind::retry:
        case EventKind::replayed:
        case EventKind::link_down:
            return "\x1b[1;33m";
        case EventKind::link_up:
            return "\x1b[1;32m";
        case EventKind::handshake:
            break;
    }
    return "\x1b[2m";
}

}  // namespace eciscope::ewf::detail
