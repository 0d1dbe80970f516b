// Statistics of messages: by circuit and operation, response times by request, conversations about lines.
#include "statistics.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include <eciscope/spec/eci.hpp>

#include "eciscope/decoder/names.hpp"
#include "message_tree.hpp"
#include "protocols.hpp"
#include "spec_fields.hpp"

namespace eciscope::shark {

namespace {

const char* const tree_title = "Messages by circuit and operation";

const std::vector<std::string>& operations() {
    static const std::vector<std::string> names = operation_names();
    return names;
}

void begin_tree(stats_tree* tree) {
    stats_tree_create_node(tree, tree_title, 0, STAT_DT_INT, TRUE);
}

tap_packet_status count_in_tree(stats_tree* tree, packet_info*, epan_dissect_t*, const void* data, tap_flags_t) {
    const auto& tap = *static_cast<const TappedMessage*>(data);
    const std::uint8_t vc = tap.message.vc;
    char circuit[32];
    std::snprintf(circuit, sizeof circuit, "VC %u %s", vc, name(eci::class_of_vc(vc)).data());
    tick_stat_node(tree, tree_title, 0, TRUE);
    const int parent = stats_tree_parent_id_by_name(tree, tree_title);
    const int node = tick_stat_node(tree, circuit, parent, TRUE);
    tick_stat_node(tree, tap.operation, node, FALSE);
    return TAP_PACKET_REDRAW;
}

void begin_response_times(struct register_srt*, GArray* tables) {
    const auto rows = static_cast<int>(operations().size());
    srt_stat_table* table = init_srt_table("ECI response times", "ECI", tables, rows, "Request", nullptr, nullptr);
    for (int i = 0; i < rows; ++i) {
        init_srt_table_row(table, i, operations()[static_cast<std::size_t>(i)].c_str());
    }
}

tap_packet_status count_response_time(void* data, packet_info* pinfo, epan_dissect_t*, const void* tapped,
                                      tap_flags_t) {
    const auto& message = static_cast<const TappedMessage*>(tapped)->message;
    if (message.facts == nullptr || message.facts->request_in == 0) {
        return TAP_PACKET_DONT_REDRAW;
    }
    const auto request = op_name(message.facts->request_vc, message.facts->request_header);
    const auto row = std::lower_bound(operations().begin(), operations().end(), request);
    if (row == operations().end() || *row != request) {
        return TAP_PACKET_DONT_REDRAW;
    }
    // The table takes the time from a request's to the packet's own, which is that of a record where blocks are shown.
    const Picoseconds elapsed = message.facts->elapsed;
    nstime_t since = {};
    since.secs = static_cast<time_t>(elapsed / picoseconds_per_second);
    since.nsecs = static_cast<int>(elapsed % picoseconds_per_second / picoseconds_per_nanosecond);
    nstime_t asked = {};
    nstime_delta(&asked, &pinfo->abs_ts, &since);
    auto* tables = static_cast<srt_data_t*>(data)->srt_array;
    add_srt_table_data(g_array_index(tables, srt_stat_table*, 0), static_cast<int>(row - operations().begin()), &asked,
                       pinfo);
    return TAP_PACKET_REDRAW;
}

// A line is a conversation: both of its ends are the line itself, named by the number that eci.line has.

const char* filter_of_conversation(conv_item_t*, conv_filter_type_e) {
    return "eci.line";
}

ct_dissector_info_t conversation_info = {filter_of_conversation};

const char* filter_of_endpoint(endpoint_item_t*, conv_filter_type_e) {
    return "eci.line";
}

et_dissector_info_t endpoint_info = {filter_of_endpoint};

struct LineAddress {
    explicit LineAddress(const TappedMessage& tap) {
        std::snprintf(text, sizeof text, "0x%" PRIx64, tap.line);
        set_address(&line, AT_STRINGZ, static_cast<int>(strlen(text)) + 1, text);
    }
    char text[24];
    address line = ADDRESS_INIT_NONE;
};

int bytes_of(const TappedMessage& tap) {
    return 8 * tap.message.word_count;
}

tap_packet_status count_conversation(void* table, packet_info* pinfo, epan_dissect_t*, const void* data,
                                     tap_flags_t flags) {
    const auto& tap = *static_cast<const TappedMessage*>(data);
    auto* hash = static_cast<conv_hash_t*>(table);
    hash->flags = flags;
    if (tap.has_line) {
        const LineAddress about(tap);
        add_conversation_table_data(hash, &about.line, &about.line, 0, 0, 1, bytes_of(tap), &pinfo->rel_ts,
                                    &pinfo->abs_ts, &conversation_info, CONVERSATION_NONE);
    }
    return TAP_PACKET_REDRAW;
}

tap_packet_status count_endpoint(void* table, packet_info*, epan_dissect_t*, const void* data, tap_flags_t flags) {
    const auto& tap = *static_cast<const TappedMessage*>(data);
    auto* hash = static_cast<conv_hash_t*>(table);
    hash->flags = flags;
    if (tap.has_line) {
        const LineAddress about(tap);
        add_endpoint_table_data(hash, &about.line, 0, TRUE, 1, bytes_of(tap), &endpoint_info, ENDPOINT_NONE);
    }
    return TAP_PACKET_REDRAW;
}

}  // namespace

void register_statistics(int message_protocol) {
    register_srt_table(message_protocol, "eci", 1, count_response_time, begin_response_times, nullptr);
    register_conversation_table(message_protocol, TRUE, count_conversation, count_endpoint);
    register_lines(message_protocol);
}

void register_statistics_tree() {
    stats_tree_register_plugin("eci", "eci", "ECI/Messages by circuit and operation", 0, count_in_tree, begin_tree,
                               nullptr);
}

}  // namespace eciscope::shark
