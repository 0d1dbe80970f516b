// A decoder of the same messages as a careful engineer writes it by hand: what the generated one is measured against.
// It is not used for anything else, and nothing of it is generated.
#pragma once

#include <cstdint>

namespace hand {

enum class Kind : std::uint8_t {
    request,
    sized_request,
    barrier,
    forward,
    victim,
    acknowledgement,
    grant,
    barrier_done,
    io_request,
    io_burst,
    io_data,
    io_acknowledgement,
    interrupt,
    link_data,
    opaque,
};

struct Request {
    std::uint8_t unused_58, rreq_id, dmask, ns, unknown_44, unknown_43, unknown_41, fillo, unused_4;
    std::uint64_t aliased_cli;
};
struct SizedRequest {
    std::uint8_t sz, unused_55, rreq_id, dmask, unused_45, stsz;
    std::uint64_t unknown_35;
};
struct Barrier {
    std::uint8_t unused_58, rreq_id, rtad, unused_6, ppvid;
    std::uint64_t unused_49;
};
struct Forward {
    std::uint8_t unused_58, hreq_id, dmask, ns, unused_44, rnode, unused_41, unused_6;
    std::uint64_t aliased_cli;
};
struct Victim {
    std::uint8_t unused_58, unknown_54, dmask, ns, unused_44, unused_6;
    std::uint64_t aliased_cli;
};
struct Acknowledgement {
    std::uint8_t unused_58, hreq_id, dmask, ns, unused_44, unused_6;
    std::uint64_t aliased_cli;
};
struct Grant {
    std::uint8_t nxm, unused_57, rreq_id, dmask, unknown_45, dirty, unused_40, fillo, unused_4;
    std::uint64_t aliased_cli;
};
struct BarrierDone {
    std::uint16_t unused_58;
    std::uint8_t ns, rtad, unused_6, ppvid;
    std::uint64_t unused_44;
};
struct IoRequest {
    std::uint8_t unused_58, ppvid, flid, el, ns, be, did, szoff;
    std::uint64_t offset;
};
struct IoBurst {
    std::uint32_t unknown_58;
    std::uint8_t stsz;
    std::uint64_t unknown_35;
};
struct IoData {
    std::uint8_t unused_58, ppvid, flid, unused_48, nxm, size;
    std::uint64_t unused_44;
};
struct IoAcknowledgement {
    std::uint8_t unused_58, ppvid, flid;
    std::uint64_t unused_48;
};
struct Interrupt {
    std::uint16_t unknown_63;
    std::uint8_t aff1, intid;
    std::uint64_t unknown_43;
};
struct LinkData {
    std::uint64_t payload;
    std::uint8_t unused_2;
};
struct Opaque {
    std::uint64_t rest;
};

struct Message {
    Kind kind;
    std::uint8_t opcode;
    union {
        Request request;
        SizedRequest sized_request;
        Barrier barrier;
        Forward forward;
        Victim victim;
        Acknowledgement acknowledgement;
        Grant grant;
        BarrierDone barrier_done;
        IoRequest io_request;
        IoBurst io_burst;
        IoData io_data;
        IoAcknowledgement io_acknowledgement;
        Interrupt interrupt;
        LinkData link_data;
        Opaque opaque;
    };
};

// `width` bits of w, the lowest of which is bit `low`.
inline std::uint64_t get(std::uint64_t w, unsigned low, unsigned width) {
    return (w >> low) & (~std::uint64_t{0} >> (64 - width));
}
inline std::uint8_t get8(std::uint64_t w, unsigned low, unsigned width) {
    return static_cast<std::uint8_t>(get(w, low, width));
}

inline void opaque(Message& m, std::uint64_t w) {
    m.kind = Kind::opaque;
    m.opaque = {get(w, 0, 59)};
}

inline void memory_request(Message& m, std::uint64_t w) {
    switch (m.opcode) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4:
        case 5:
        case 6:
        case 7:
        case 8:
        case 9:
        case 10:
            m.kind = Kind::request;
            m.request = {get8(w, 55, 4), get8(w, 50, 5), get8(w, 46, 4), get8(w, 45, 1), get8(w, 44, 1),
                         get8(w, 42, 2), get8(w, 40, 2), get8(w, 5, 2),  get8(w, 0, 5),  get(w, 7, 33)};
            break;
        case 19:
        case 21:
        case 22:
        case 23:
        case 25:
        case 26:
            m.kind = Kind::sized_request;
            m.sized_request = {get8(w, 56, 3), get8(w, 55, 1), get8(w, 50, 5), get8(w, 46, 4),
                               get8(w, 40, 6), get8(w, 36, 4), get(w, 0, 36)};
            break;
        case 24:
            m.kind = Kind::barrier;
            m.barrier = {get8(w, 55, 4), get8(w, 50, 5), get8(w, 7, 3), get8(w, 6, 1), get8(w, 0, 6), get(w, 10, 40)};
            break;
        default:
            opaque(m, w);
    }
}

inline void memory_response(Message& m, std::uint64_t w) {
    switch (m.opcode) {
        case 0:
        case 1:
        case 2:
            m.kind = Kind::victim;
            m.victim = {get8(w, 55, 4), get8(w, 50, 5), get8(w, 46, 4), get8(w, 45, 1),
                        get8(w, 40, 5), get8(w, 0, 7),  get(w, 7, 33)};
            break;
        case 3:
        case 4:
        case 5:
        case 6:
        case 7:
        case 8:
            m.kind = Kind::acknowledgement;
            m.acknowledgement = {get8(w, 56, 3), get8(w, 50, 6), get8(w, 46, 4), get8(w, 45, 1),
                                 get8(w, 40, 5), get8(w, 0, 7),  get(w, 7, 33)};
            break;
        case 9:
        case 10:
            m.kind = Kind::grant;
            m.grant = {get8(w, 58, 1), get8(w, 55, 3), get8(w, 50, 5), get8(w, 46, 4), get8(w, 45, 1),
                       get8(w, 41, 4), get8(w, 40, 1), get8(w, 5, 2),  get8(w, 0, 5),  get(w, 7, 33)};
            break;
        case 24:
            m.kind = Kind::barrier_done;
            m.barrier_done = {static_cast<std::uint16_t>(get(w, 46, 13)),
                              get8(w, 45, 1),
                              get8(w, 7, 3),
                              get8(w, 6, 1),
                              get8(w, 0, 6),
                              get(w, 10, 35)};
            break;
        default:
            opaque(m, w);
    }
}

inline void forward(Message& m, std::uint64_t w) {
    if (m.opcode > 14) {
        opaque(m, w);
        return;
    }
    m.kind = Kind::forward;
    m.forward = {get8(w, 56, 3), get8(w, 50, 6), get8(w, 46, 4), get8(w, 45, 1), get8(w, 44, 1),
                 get8(w, 42, 2), get8(w, 40, 2), get8(w, 0, 7),  get(w, 7, 33)};
}

inline void io_request(Message& m, std::uint64_t w) {
    switch (m.opcode) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4:
        case 5:
        case 16:
        case 18:
        case 19:
        case 20:
        case 21:
        case 28:
        case 29:
            m.kind = Kind::io_request;
            m.io_request = {get8(w, 58, 1), get8(w, 52, 6), get8(w, 49, 3), get8(w, 47, 2), get8(w, 46, 1),
                            get8(w, 45, 1), get8(w, 37, 8), get8(w, 0, 4),  get(w, 4, 33)};
            break;
        case 8:
        case 9:
            m.kind = Kind::io_burst;
            m.io_burst = {static_cast<std::uint32_t>(get(w, 40, 19)), get8(w, 36, 4), get(w, 0, 36)};
            break;
        default:
            opaque(m, w);
    }
}

inline void io_response(Message& m, std::uint64_t w) {
    switch (m.opcode) {
        case 0:
        case 2:
            m.kind = Kind::io_data;
            m.io_data = {get8(w, 58, 1), get8(w, 52, 6), get8(w, 49, 3), get8(w, 46, 3),
                         get8(w, 45, 1), get8(w, 0, 4),  get(w, 4, 41)};
            break;
        case 1:
            m.kind = Kind::io_acknowledgement;
            m.io_acknowledgement = {get8(w, 58, 1), get8(w, 52, 6), get8(w, 49, 3), get(w, 0, 49)};
            break;
        default:
            opaque(m, w);
    }
}

inline void interrupt(Message& m, std::uint64_t w) {
    m.opcode = get8(w, 0, 8);
    if (m.opcode != 0x17 && m.opcode != 0x60) {
        m.kind = Kind::opaque;
        m.opaque = {w};
        return;
    }
    m.kind = Kind::interrupt;
    m.interrupt = {static_cast<std::uint16_t>(get(w, 52, 12)), get8(w, 48, 4), get8(w, 44, 4), get(w, 8, 36)};
}

inline void decode(Message& m, std::uint8_t vc, std::uint64_t w) {
    m.opcode = get8(w, 59, 5);
    switch (vc) {
        case 0:
            io_request(m, w);
            break;
        case 1:
            io_response(m, w);
            break;
        case 2:
        case 3:
        case 6:
        case 7:
            memory_request(m, w);
            break;
        case 4:
        case 5:
        case 10:
        case 11:
            memory_response(m, w);
            break;
        case 8:
        case 9:
            forward(m, w);
            break;
        case 12:
            interrupt(m, w);
            break;
        case 13:
            if (m.opcode == 16) {
                m.kind = Kind::link_data;
                m.link_data = {get(w, 3, 56), get8(w, 0, 3)};
            } else {
                opaque(m, w);
            }
            break;
        default:
            m.kind = Kind::opaque;
            m.opaque = {w};
    }
}

}  // namespace hand
