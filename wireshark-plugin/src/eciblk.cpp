// Records of blocks: on link type USER0, and as UDP datagrams.
#include <cinttypes>
#include <cstdio>

#include <eciscope/spec/eci.hpp>

#include "block_fields.hpp"
#include "block_trace.hpp"
#include "crc24.hpp"  // the decoder's own
#include "eciscope/capture/record.hpp"
#include "message_tree.hpp"
#include "protocols.hpp"
#include "registered_fields.hpp"
#include "session.hpp"

namespace eciscope::shark {

namespace {

using capture::entry_bytes;
using capture::entry_header_bytes;
using capture::record_header_bytes;

constexpr unsigned messages_in_info = 6;
constexpr int words_of_data = static_cast<int>(block_words) - 1;

int protocol = -1;
int record_ett = -1;
int block_ett = -1;
int control_ett = -1;
int parts_ett = -1;
dissector_handle_t handle = nullptr;
unsigned bound_user = 0;
bool is_bound = false;

/// Where the record's fields stand, for the tree; parse_record() reads them for the decoder.
enum RecordOffset : int {
    at_magic = 0,
    at_version = 4,
    at_flags = 5,
    at_link = 6,
    at_count = 7,
    at_sequence = 8,
    at_lost = 12,
    at_time = 16,
};
constexpr std::uint8_t record_version = 1;

struct RecordView {
    tvbuff_t* tvb = nullptr;
    int size = 0;
    unsigned count = 0;  ///< whole blocks that are there
    Stream stream;
};

bool looks_like_record(tvbuff_t* tvb) {
    return tvb_captured_length(tvb) >= record_header_bytes &&
           tvb_memeql(tvb, 0, reinterpret_cast<const guint8*>("ECIB"), 4) == 0 &&
           tvb_get_guint8(tvb, at_version) == record_version && tvb_get_guint8(tvb, at_link) < link_count;
}

RecordView view_of(tvbuff_t* tvb) {
    RecordView record;
    record.tvb = tvb;
    record.size = static_cast<int>(tvb_captured_length(tvb));
    const unsigned declared = tvb_get_guint8(tvb, at_count);
    const auto there =
        static_cast<unsigned>((static_cast<std::size_t>(record.size) - record_header_bytes) / entry_bytes);
    record.count = declared == 0 || declared > capture::most_blocks ? 0 : std::min(declared, there);
    record.stream = {tvb_get_guint8(tvb, at_link), static_cast<std::uint8_t>(tvb_get_guint8(tvb, at_flags) & 1U)};
    return record;
}

void add_header(packet_info* pinfo, proto_tree* tree, const RecordView& record, const FrameResult& result) {
    static int* const flags[] = {const_cast<int*>(&block_fields().direction),
                                 const_cast<int*>(&block_fields().lost_flag), nullptr};
    const BlockFields& hf = block_fields();
    BlockExperts& ei = block_experts();
    tvbuff_t* tvb = record.tvb;
    proto_tree_add_item(tree, hf.magic, tvb, at_magic, 4, ENC_ASCII);
    proto_tree_add_item(tree, hf.version, tvb, at_version, 1, ENC_NA);
    proto_tree_add_bitmask(tree, tvb, at_flags, hf.flags, record_ett, flags, ENC_NA);
    proto_tree_add_item(tree, hf.link, tvb, at_link, 1, ENC_NA);
    proto_item* count = proto_tree_add_item(tree, hf.count, tvb, at_count, 1, ENC_NA);
    if (record.count != tvb_get_guint8(tvb, at_count)) {
        expert_add_info(pinfo, count, &ei.cut);
    }
    proto_item* sequence = proto_tree_add_item(tree, hf.sequence, tvb, at_sequence, 4, ENC_LITTLE_ENDIAN);
    if (result.missing_records != 0) {
        expert_add_info_format(pinfo, sequence, &ei.sequence, "%d sequence numbers %s",
                               std::abs(result.missing_records),
                               result.missing_records > 0 ? "are passed over" : "back");
    }
    proto_item* lost = proto_tree_add_item(tree, hf.lost, tvb, at_lost, 4, ENC_LITTLE_ENDIAN);
    if (tvb_get_letohl(tvb, at_lost) != 0) {
        expert_add_info(pinfo, lost, &ei.lost);
    }
    proto_tree_add_item(tree, hf.time, tvb, at_time, 8, ENC_LITTLE_ENDIAN);
    if (result.is_done && !result.has_ordinal && record.count != 0) {
        expert_add_info(pinfo, sequence, &ei.not_used);
    }
}

void add_credits(proto_tree* tree, tvbuff_t* tvb, int at, std::uint64_t control) {
    const std::uint8_t high = eci::block_type_of(control) == eci::block_type::HI ? 1 : 0;
    for (std::uint8_t bit = 0; bit < 8; ++bit) {
        const auto vc = eci::credited_vc(high, bit);
        if ((eci::control_credits(control) >> bit & 1U) != 0 && vc) {
            proto_item_set_generated(proto_tree_add_uint(tree, block_fields().credited_vc, tvb, at, 8, *vc));
        }
    }
}

void add_words(proto_tree* tree, tvbuff_t* tvb, int at, std::uint64_t control) {
    const BlockFields& hf = block_fields();
    const std::uint32_t vcs = eci::control_vcs(control);
    for (int i = 0; i < words_of_data; ++i) {
        const std::uint8_t vc = eci::slot_vc(vcs, static_cast<std::uint8_t>(i));
        if (vc == eci::empty_slot) {
            continue;
        }
        proto_item* word = proto_tree_add_item(tree, hf.word, tvb, at + 8 * i, 8, ENC_BIG_ENDIAN);
        proto_item_prepend_text(word, "VC %u, ", vc);
        proto_tree* of_word = proto_item_add_subtree(word, parts_ett);
        proto_item_set_generated(proto_tree_add_uint(of_word, hf.vc, tvb, at + 8 * i, 8, vc));
    }
}

void add_crc(packet_info* pinfo, proto_tree* tree, tvbuff_t* tvb, int at, std::uint32_t computed, bool good) {
    const BlockFields& hf = block_fields();
    const int status = good ? PROTO_CHECKSUM_E_GOOD : PROTO_CHECKSUM_E_BAD;
    proto_item* item = proto_tree_add_uint(tree, hf.crc_computed, tvb, at, 8, computed);
    proto_item_set_generated(item);
    proto_item_set_generated(proto_tree_add_uint(tree, hf.crc_status, tvb, at, 8, static_cast<guint32>(status)));
    if (!good) {
        expert_add_info(pinfo, item, &block_experts().crc);
    }
}

void add_block(packet_info* pinfo, proto_tree* tree, const RecordView& record, unsigned number,
               const FrameResult& result) {
    static int* const flags[] = {const_cast<int*>(&block_fields().crc_flag),
                                 const_cast<int*>(&block_fields().lane_flag), nullptr};
    static const LoadBlocks load = load_blocks_versions().front();
    const BlockFields& hf = block_fields();
    tvbuff_t* tvb = record.tvb;
    const int entry = static_cast<int>(record_header_bytes + number * entry_bytes);
    const int block = entry + static_cast<int>(entry_header_bytes);
    const int control_at = block + 8 * words_of_data;
    std::uint64_t words[block_words];
    std::uint32_t crc = 0;
    BlockItem item_of_block;
    item_of_block.bytes = tvb_get_ptr(tvb, block, block_bytes);
    load({&item_of_block, 1}, words, &crc);
    const std::uint64_t control = words[block_words - 1];
    const bool good = crc == eci::control_crc(control);
    if (good && !is_wanted(tree, protocol)) {
        return;
    }
    const char* type = name(eci::block_type_of(control)).data();
    proto_item* item = nullptr;
    proto_tree* sub = proto_tree_add_subtree_format(tree, tvb, entry, static_cast<int>(entry_bytes), block_ett, &item,
                                                    "Block %u: %s%s", number, type, good ? "" : ", CRC is wrong");
    proto_tree_add_item(sub, hf.offset, tvb, entry, 4, ENC_LITTLE_ENDIAN);
    proto_tree_add_bitmask(sub, tvb, static_cast<guint>(entry) + 4, hf.entry_flags, block_ett, flags,
                           ENC_LITTLE_ENDIAN);
    if (result.has_ordinal) {
        proto_item_set_generated(proto_tree_add_uint64(sub, hf.ordinal, tvb, entry, 0, result.first_ordinal + number));
    }
    proto_item_set_generated(proto_tree_add_string(sub, hf.type, tvb, control_at, 8, type));
    proto_item* word = proto_tree_add_item(sub, hf.control, tvb, control_at, 8, ENC_BIG_ENDIAN);
    proto_tree* of_control = proto_item_add_subtree(word, control_ett);
    add_spec_fields(of_control, tvb, control_at, layout_number(eci::layout_of(eci::control_word_backwards(control))));
    add_credits(of_control, tvb, control_at, control);
    add_crc(pinfo, of_control, tvb, control_at, crc, good);
    if (eci::block_type_of(control) == eci::block_type::RESERVED_BLOCK && good) {
        expert_add_info(pinfo, word, &block_experts().reserved_type);
    }
    add_words(sub, tvb, block, control);
}

void add_parts(proto_item* item, tvbuff_t* tvb, const FrameMessage& message) {
    if (message.parts == nullptr || item == nullptr) {
        return;
    }
    const BlockFields& hf = block_fields();
    unsigned count = 0;
    proto_item* title = nullptr;
    proto_tree* tree = proto_tree_add_subtree(proto_item_get_subtree(item), tvb, 0, 0, parts_ett, &title, "Parts");
    for (const MessageFragment* part = message.parts; part != nullptr; part = part->next) {
        ++count;
        proto_item* link = proto_tree_add_uint(tree, hf.fragment, tvb, 0, 0, part->frame);
        proto_item_append_text(link, ", %u words", part->words);
        proto_item_set_generated(link);
    }
    proto_item_set_generated(proto_tree_add_uint(tree, hf.fragment_count, tvb, 0, 0, count));
}

void show_messages(packet_info* pinfo, proto_tree* tree, tvbuff_t* tvb, const FrameResult& result) {
    unsigned shown_in_info = 0;
    for (const FrameMessage* each = result.messages; each != nullptr; each = each->next) {
        ShownMessage message = each->shown;
        message.tvb = tvb;
        message.places = each->places;
        if (each->places == nullptr) {
            const int size = 8 * message.word_count;
            message.tvb = tvb_new_child_real_data(tvb, each->words, static_cast<guint>(size), size);
            add_new_data_source(pinfo, message.tvb, "ECI message");
        }
        if (pinfo->cinfo != nullptr && shown_in_info++ < messages_in_info) {
            char text[128];
            describe_message(message, text, sizeof text);
            col_append_fstr(pinfo->cinfo, COL_INFO, "%s%s", shown_in_info == 1 ? ": " : " | ", text);
        }
        add_parts(show_message(pinfo, tree, message), message.tvb, *each);
    }
    if (shown_in_info > messages_in_info) {
        col_append_fstr(pinfo->cinfo, COL_INFO, " | %u more", shown_in_info - messages_in_info);
    }
}

void show_events(packet_info* pinfo, proto_tree* tree, tvbuff_t* tvb, const FrameResult& result) {
    const BlockFields& hf = block_fields();
    for (const FrameEvent* each = result.events; each != nullptr; each = each->next) {
        const Event& event = each->event;
        const char* kind = name(event.kind).data();
        proto_item* item = proto_tree_add_string(tree, hf.event, tvb, 0, 0, kind);
        proto_item_set_generated(item);
        proto_tree* sub = proto_item_add_subtree(item, parts_ett);
        proto_item_set_generated(proto_tree_add_uint64(sub, hf.event_block, tvb, 0, 0, event.block));
        if (event.count != Event::unknown_count) {
            proto_item_set_generated(proto_tree_add_uint64(sub, hf.event_count, tvb, 0, 0, event.count));
        }
        expert_add_info_format(pinfo, item, &block_experts().event, "%s", kind);
    }
}

void show_record(packet_info* pinfo, proto_tree* tree, const RecordView& record, const FrameResult& result) {
    const BlockFields& hf = block_fields();
    proto_item* item = proto_tree_add_item(tree, protocol, record.tvb, 0, -1, ENC_NA);
    proto_item_append_text(item, ", link %u, %s to %s, %u blocks", record.stream.link, node_name(record.stream.from),
                           node_name(record.stream.reverse().from), record.count);
    proto_tree* sub = proto_item_add_subtree(item, record_ett);
    add_header(pinfo, sub, record, result);
    if (!result.is_done) {
        proto_item_set_generated(proto_tree_add_boolean(sub, hf.pending, record.tvb, 0, 0, 1));
    }
    for (unsigned i = 0; i < record.count; ++i) {
        add_block(pinfo, sub, record, i, result);
    }
    for (const FrameBeginning* each = result.beginnings; each != nullptr; each = each->next) {
        proto_item_set_generated(proto_tree_add_uint(sub, hf.reassembled_in, record.tvb, 0, 0, each->ends_in));
    }
    show_events(pinfo, sub, record.tvb, result);
}

int dissect(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, bool is_datagram) {
    const int size = static_cast<int>(tvb_captured_length(tvb));
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "ECI blocks");
    FrameResult* result = nullptr;
    if (PINFO_FD_VISITED(pinfo)) {
        result = static_cast<FrameResult*>(p_get_proto_data(wmem_file_scope(), pinfo, protocol, 0));
    } else {
        result =
            session().blocks->take(pinfo->num, {tvb_get_ptr(tvb, 0, -1), static_cast<std::size_t>(size)}, is_datagram);
        p_add_proto_data(wmem_file_scope(), pinfo, protocol, 0, result);
    }
    if (!looks_like_record(tvb) || result == nullptr) {
        col_set_str(pinfo->cinfo, COL_INFO, "no record of blocks");
        proto_item* item = proto_tree_add_item(tree, protocol, tvb, 0, -1, ENC_NA);
        expert_add_info(pinfo, item, &block_experts().malformed);
        return size;
    }
    const RecordView record = view_of(tvb);
    if (!is_datagram) {
        set_nodes(pinfo, record.stream);
    }
    col_add_fstr(pinfo->cinfo, COL_INFO, "link %u, record %u, %u blocks", record.stream.link,
                 tvb_get_letohl(tvb, at_sequence), record.count);
    show_record(pinfo, tree, record, *result);
    show_messages(pinfo, tree, tvb, *result);
    return size;
}

int dissect_packet(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void*) {
    return tvb_captured_length(tvb) == 0 ? 0 : dissect(tvb, pinfo, tree, false);
}

int dissect_datagram(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void*) {
    return tvb_captured_length(tvb) == 0 ? 0 : dissect(tvb, pinfo, tree, true);
}

gboolean dissect_any_datagram(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void*) {
    if (!looks_like_record(tvb)) {
        return FALSE;
    }
    dissect(tvb, pinfo, tree, true);
    return TRUE;
}

}  // namespace

void register_eciblk() {
    protocol = proto_register_protocol("Enzian Coherence Interface blocks", "ECI blocks", "eciblk");
    static gint* subtrees[] = {&record_ett, &block_ett, &control_ett, &parts_ett};
    proto_register_subtree_array(subtrees, array_length(subtrees));
    register_block_fields(protocol);
    register_spec_fields(eci_protocol_number(), protocol);
    handle = register_dissector("eciblk", dissect_packet, protocol);
}

void hand_off_eciblk() {
    if (!is_bound) {
        dissector_add_uint_with_preference("udp.port", capture::udp_port,
                                           create_dissector_handle(dissect_datagram, protocol));
        heur_dissector_add("udp", dissect_any_datagram, "ECI blocks over UDP", "eciblk_udp", protocol,
                           HEURISTIC_ENABLE);
    } else {
        dissector_delete_uint("wtap_encap", WTAP_ENCAP_USER0 + static_cast<guint32>(bound_user), handle);
    }
    bound_user = settings().block_user;
    is_bound = true;
    dissector_add_uint("wtap_encap", WTAP_ENCAP_USER0 + static_cast<guint32>(bound_user), handle);
}

}  // namespace eciscope::shark
