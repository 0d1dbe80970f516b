// Packets of one message or event each: the pseudo-header that `eciscope convert` writes.
#include <cinttypes>
#include <cstdio>

#include "eciscope/ewf/message_packet.hpp"
#include "message_fields.hpp"
#include "message_tree.hpp"
#include "protocols.hpp"
#include "session.hpp"

namespace eciscope::shark {

namespace {

using ewf::MessagePacket;
using ewf::PacketKind;

int protocol = -1;
int event_ett = -1;
dissector_handle_t handle = nullptr;
unsigned bound_user = 0;
bool is_bound = false;

/// Trace times are taken modulo 2^64 picoseconds, which is enough to subtract them.
Picoseconds time_of(const MessagePacket& packet) {
    constexpr std::uint64_t second = picoseconds_per_second;
    return static_cast<Picoseconds>(static_cast<std::uint64_t>(packet.seconds) * second + packet.picoseconds);
}

MessageHead head_of(const MessagePacket& packet) {
    MessageHead head;
    head.last = time_of(packet);
    head.first =
        static_cast<Picoseconds>(static_cast<std::uint64_t>(head.last) - static_cast<std::uint64_t>(packet.duration));
    head.first_block = packet.first_block;
    head.last_block = packet.last_block;
    head.word_count = packet.word_count;
    head.vc = packet.vc;
    head.slot = packet.slot;
    head.stream = packet.stream;
    return head;
}

Event event_of(const MessagePacket& packet) {
    Event event;
    event.time = time_of(packet);
    event.block = packet.block;
    event.count = packet.count;
    event.detail = packet.detail;
    event.kind = static_cast<EventKind>(packet.event);
    event.vc = packet.vc;
    event.stream = packet.stream;
    return event;
}

/// The packet's message or event joins the trace; what is found out of it stays with the frame.
MessageFacts* first_visit(packet_info* pinfo, const MessagePacket& packet, std::uint64_t header) {
    if (packet.kind != PacketKind::message) {
        session().messages->add(event_of(packet));
        return nullptr;
    }
    auto* own = wmem_new(wmem_file_scope(), MessageFacts);
    *own = MessageFacts{};
    own->frame = pinfo->num;
    p_add_proto_data(wmem_file_scope(), pinfo, protocol, 0, own);
    session().messages->add(head_of(packet), header, own);
    return own;
}

void show_event(packet_info* pinfo, tvbuff_t* tvb, proto_tree* tree, const MessagePacket& packet) {
    namespace at = ewf::packet_offset;
    const MessageFields& hf = message_fields();
    const char* kind = name(static_cast<EventKind>(packet.event)).data();
    const bool counted = packet.count != Event::unknown_count;
    col_add_fstr(pinfo->cinfo, COL_INFO, "[%s]", kind);
    if (counted && packet.count != 0) {
        col_append_fstr(pinfo->cinfo, COL_INFO, " %" PRIu64, packet.count);
    }
    proto_item* item = proto_tree_add_item(tree, protocol, tvb, 0, -1, ENC_NA);
    proto_item_append_text(item, ", event %s", kind);
    proto_tree* event = proto_item_add_subtree(item, event_ett);
    proto_item* what = proto_tree_add_string(event, hf.event, tvb, at::event, 1, kind);
    char time[64];
    format_time(packet.seconds, packet.picoseconds, time, sizeof time);
    proto_tree_add_string(event, hf.event_time, tvb, at::seconds, 16, time);
    proto_tree_add_uint(event, hf.link, tvb, at::link, 1, packet.stream.link);
    proto_tree_add_uint(event, hf.from, tvb, at::from, 1, packet.stream.from);
    if (packet.vc != Event::no_vc) {
        proto_tree_add_uint(event, hf.vc, tvb, at::vc, 1, packet.vc);
    }
    if (counted) {
        proto_tree_add_uint64(event, hf.event_count, tvb, at::count, 8, packet.count);
    }
    proto_tree_add_uint64(event, hf.event_block, tvb, at::block, 8, packet.block);
    proto_tree_add_uint64(event, hf.event_detail, tvb, at::detail, 8, packet.detail);
    switch (static_cast<EventKind>(packet.event)) {
        case EventKind::lost:
        case EventKind::damaged:
        case EventKind::discarded:
        case EventKind::restarted:
            expert_add_info_format(pinfo, what, &message_experts().event, "%s", kind);
            break;
        default:
            break;
    }
}

ShownMessage shown(tvbuff_t* tvb, const MessagePacket& packet, std::uint64_t header, const MessageFacts* facts) {
    ShownMessage message;
    message.stream = packet.stream;
    message.vc = packet.vc;
    message.slot = packet.slot;
    message.word_count = packet.word_count;
    message.header = header;
    message.index = packet.index;
    message.seconds = packet.seconds;
    message.picoseconds = packet.picoseconds;
    message.duration = packet.duration;
    message.first_block = packet.first_block;
    message.last_block = packet.last_block;
    message.facts = facts;
    message.tvb = tvb;
    message.has_packet_header = true;
    message.start = static_cast<int>(packet.words_at);
    return message;
}

std::optional<MessagePacket> packet_in(tvbuff_t* tvb) {
    const auto size = static_cast<std::size_t>(tvb_captured_length(tvb));
    auto packet = ewf::parse_message_packet({tvb_get_ptr(tvb, 0, -1), size});
    if (packet && packet->kind == PacketKind::message) {
        const std::size_t there = (size - packet->words_at) / 8;
        packet->word_count = static_cast<std::uint8_t>(std::min<std::size_t>(packet->word_count, there));
    }
    return packet;
}

int dissect(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void*) {
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "ECI");
    const std::optional<MessagePacket> packet = packet_in(tvb);
    if (!packet) {
        proto_item* item = proto_tree_add_item(tree, protocol, tvb, 0, -1, ENC_NA);
        col_set_str(pinfo->cinfo, COL_INFO, "no packet of a message");
        expert_add_info(pinfo, item, &message_experts().malformed);
        return static_cast<int>(tvb_captured_length(tvb));
    }
    const std::uint64_t header = packet->word_count != 0 ? tvb_get_ntoh64(tvb, static_cast<int>(packet->words_at)) : 0;
    const auto* facts = PINFO_FD_VISITED(pinfo)
                            ? static_cast<const MessageFacts*>(p_get_proto_data(wmem_file_scope(), pinfo, protocol, 0))
                            : first_visit(pinfo, *packet, header);
    set_nodes(pinfo, packet->stream);
    if (pinfo->cinfo == nullptr && !anybody_looks(tree)) {
        proto_tree_add_item(tree, protocol, tvb, 0, -1, ENC_NA);  // statistics of protocols count it
        return static_cast<int>(tvb_captured_length(tvb));
    }
    session().messages->catch_up();
    if (packet->kind == PacketKind::event) {
        show_event(pinfo, tvb, tree, *packet);
        return static_cast<int>(tvb_captured_length(tvb));
    }
    const ShownMessage message = shown(tvb, *packet, header, facts);
    if (pinfo->cinfo != nullptr) {
        char text[128];
        describe_message(message, text, sizeof text);
        col_add_str(pinfo->cinfo, COL_INFO, text);
    }
    show_message(pinfo, tree, message);
    return static_cast<int>(tvb_captured_length(tvb));
}

}  // namespace

void register_eci() {
    protocol = proto_register_protocol("Enzian Coherence Interface", "ECI", "eci");
    static gint* subtrees[] = {&event_ett};
    proto_register_subtree_array(subtrees, array_length(subtrees));
    register_messages(protocol);
    handle = register_dissector("eci", dissect, protocol);
}

void hand_off_eci() {
    if (is_bound) {
        dissector_delete_uint("wtap_encap", WTAP_ENCAP_USER0 + bound_user, handle);
    }
    bound_user = settings().message_user;
    is_bound = true;
    dissector_add_uint("wtap_encap", WTAP_ENCAP_USER0 + bound_user, handle);
}

int eci_protocol_number() {
    return protocol;
}

}  // namespace eciscope::shark
