// Cache lines: their data to export, their messages to follow.
#include <cinttypes>
#include <cstdio>

#include <eciscope/spec/eci.hpp>

#include "message_tree.hpp"
#include "settings.hpp"
#include "statistics.hpp"

namespace eciscope::shark {

namespace {

constexpr unsigned sub_line_bytes = 32;
constexpr unsigned sub_lines_of_line = 4;
constexpr unsigned line_bytes = sub_line_bytes * sub_lines_of_line;

int line_tap = -1;
guint followed_line = 0;

struct LineData {
    std::uint8_t mask = 0;   ///< sub-lines that are brought
    std::uint8_t first = 0;  ///< the one that comes first
    bool is_there = false;
};

/// Data of stores through the requester, and of answers.
LineData data_of(const eci::message& message) {
    LineData data;
    if (message.which == eci::message::kind::Mrsp && eci::line_of(message)) {
        data = {eci::mrsp_dmask(eci::encode(message)), 0, true};
        if (message.Mrsp.which == eci::mrsp::kind::Mrsp_grant) {
            data.first = message.Mrsp.Mrsp_grant.fillo;
        }
    } else if (message.which == eci::message::kind::Mreq && message.Mreq.which == eci::mreq::kind::Mreq_line) {
        data = {message.Mreq.Mreq_line.dmask, 0, true};
    }
    return data;
}

/// The line as it lies in memory; sub-lines that the message does not bring are zero.
void copy_line(const ShownMessage& message, const LineData& data, guint8* line) {
    unsigned word = 1;
    for (std::uint8_t k = 0; k < sub_lines_of_line; ++k) {
        const std::uint8_t sub_line = eci::granted_sub_line(k, data.first);
        if ((data.mask >> sub_line & 1U) == 0) {
            continue;
        }
        for (unsigned i = 0; i < sub_line_bytes / 8 && word < message.word_count; ++i, ++word) {
            tvb_memcpy(message.tvb, line + sub_line * sub_line_bytes + 8 * i, message.place(word), 8);
        }
    }
}

tap_packet_status export_line(void* list, packet_info* pinfo, epan_dissect_t*, const void* tapped, tap_flags_t) {
    const auto& tap = *static_cast<const TappedMessage*>(tapped);
    const LineData data = data_of(eci::decode(tap.message.vc, tap.message.header));
    if (!data.is_there || tap.message.word_count < 2) {
        return TAP_PACKET_DONT_REDRAW;
    }
    auto* objects = static_cast<export_object_list_t*>(list);
    auto* entry = g_new0(export_object_entry_t, 1);
    entry->pkt_num = pinfo->num;
    entry->hostname =
        g_strdup_printf("%s to %s", node_name(tap.message.stream.from), node_name(tap.message.stream.reverse().from));
    entry->content_type = g_strdup("application/octet-stream");
    entry->filename =
        g_strdup_printf("0x%010" PRIx64 "-of-node-%u-%08" PRIu64 "-%s-mask-%x.line", tap.address,
                        static_cast<unsigned>(tap.line & 1U), tap.message.index, tap.operation, data.mask);
    entry->payload_len = line_bytes;
    entry->payload_data = static_cast<guint8*>(g_malloc0(line_bytes));
    copy_line(tap.message, data, entry->payload_data);
    objects->add_entry(objects->gui_data, entry);
    return TAP_PACKET_REDRAW;
}

gchar* filter_of_line(guint number) {
    followed_line = number;
    return g_strdup_printf("eci.line.stream eq %u", number);
}

gchar* filter_of_selected(epan_dissect_t* dissected, packet_info*, guint* stream, guint* sub_stream) {
    if (dissected == nullptr) {
        return nullptr;
    }
    GPtrArray* found = proto_get_finfo_ptr_array(dissected->tree, proto_registrar_get_id_byname("eci.line.stream"));
    if (found == nullptr || found->len == 0) {
        return nullptr;
    }
    *stream = fvalue_get_uinteger(&static_cast<field_info*>(g_ptr_array_index(found, 0))->value);
    *sub_stream = 0;
    return filter_of_line(*stream);
}

gchar* filter_of_index(guint stream, guint) {
    return filter_of_line(stream);
}

gchar* filter_of_addresses(address*, address*, int, int) {
    return nullptr;
}

gchar* port_text(wmem_allocator_t* allocator, guint port) {
    return wmem_strdup_printf(allocator, "%u", port);
}

/// A line of text for each message; the side that requests is the client.
tap_packet_status follow_message(void* data, packet_info* pinfo, epan_dissect_t*, const void* tapped, tap_flags_t) {
    const auto& tap = *static_cast<const TappedMessage*>(tapped);
    auto* follow = static_cast<follow_info_t*>(data);
    if (!tap.has_line || tap.message.facts == nullptr || tap.message.facts->line_number != followed_line) {
        return TAP_PACKET_DONT_REDRAW;
    }
    if (follow->client_port == 0) {
        follow->client_port = 1;
        follow->server_port = 1;
        const char* remote = node_name(1U - static_cast<unsigned>(tap.line & 1U));
        const char* home = node_name(static_cast<unsigned>(tap.line & 1U));
        alloc_address_wmem(nullptr, &follow->client_ip, AT_STRINGZ, static_cast<int>(strlen(remote)) + 1, remote);
        alloc_address_wmem(nullptr, &follow->server_ip, AT_STRINGZ, static_cast<int>(strlen(home)) + 1, home);
    }
    char time[64];
    char what[128];
    format_time(tap.message.seconds, tap.message.picoseconds, time, sizeof time);
    describe_message(tap.message, what, sizeof what);
    char line[256];
    const int length = std::snprintf(line, sizeof line, "%s  %s to %s  %s\n", time, node_name(tap.message.stream.from),
                                     node_name(tap.message.stream.reverse().from), what);
    auto* record = g_new0(follow_record_t, 1);
    record->is_server = tap.message.stream.from == (tap.line & 1U);
    record->packet_num = pinfo->num;
    record->abs_ts = pinfo->abs_ts;
    record->data = g_byte_array_new();
    g_byte_array_append(record->data, reinterpret_cast<const guint8*>(line), static_cast<guint>(length));
    follow->bytes_written[record->is_server] += record->data->len;
    follow->payload = g_list_prepend(follow->payload, record);
    return TAP_PACKET_DONT_REDRAW;
}

}  // namespace

void register_lines(int message_protocol) {
    line_tap = register_export_object(message_protocol, export_line, nullptr);
    register_follow_stream(message_protocol, "eci", filter_of_selected, filter_of_index, filter_of_addresses, port_text,
                           follow_message);
}

int export_tap() {
    return line_tap;
}

}  // namespace eciscope::shark
