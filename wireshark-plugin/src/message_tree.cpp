#include "message_tree.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <limits>

#include <eciscope/spec/eci.hpp>

#include "eciscope/decoder/names.hpp"
#include "eciscope/ewf/message_packet.hpp"
#include "message_fields.hpp"
#include "registered_fields.hpp"
#include "settings.hpp"
#include "statistics.hpp"

namespace eciscope::shark {

namespace {

namespace at = ewf::packet_offset;

int eci_protocol = -1;
int eci_tap = -1;
int message_ett = -1;
int header_ett = -1;
int data_ett = -1;

constexpr std::size_t longest_time = 48;
constexpr std::size_t longest_line = 128;
constexpr unsigned address_shift = 7;  // bytes in a line, as a power of two

const char* operation_of(const ShownMessage& message) {
    return message.word_count == 0 ? "UNDOCUMENTED" : op_name(message.vc, message.header).data();
}

TappedMessage tapped(const ShownMessage& message, const eci::message& decoded) {
    TappedMessage tap{};
    tap.message = message;
    tap.operation = operation_of(message);
    if (const auto index = eci::line_of(decoded)) {
        tap.has_line = true;
        tap.address = eci::line_address(*index);
        tap.line = *index << 1 | eci::home_of(message.stream.from, decoded);
    }
    return tap;
}

void generated(proto_item* item) {
    proto_item_set_generated(item);
}

/// A field of the packet's own header; of a message out of blocks it follows from where that was found.
struct Origin {
    int offset;
    int length;
    bool is_there;
};

Origin origin_of(const ShownMessage& message, std::size_t offset, int length) {
    return message.has_packet_header ? Origin{static_cast<int>(offset), length, true} : Origin{0, 0, false};
}

void mark(proto_item* item, const Origin& origin) {
    if (!origin.is_there) {
        generated(item);
    }
}

void add_small(proto_tree* tree, int field, const ShownMessage& message, std::size_t offset, unsigned value) {
    const Origin origin = origin_of(message, offset, 1);
    mark(proto_tree_add_uint(tree, field, message.tvb, origin.offset, origin.length, value), origin);
}

void add_large(proto_tree* tree, int field, const ShownMessage& message, std::size_t offset, std::uint64_t value) {
    const Origin origin = origin_of(message, offset, 8);
    mark(proto_tree_add_uint64(tree, field, message.tvb, origin.offset, origin.length, value), origin);
}

void add_time(proto_tree* tree, const ShownMessage& message) {
    const MessageFields& hf = message_fields();
    char text[longest_time];
    constexpr auto second = picoseconds_per_second;
    std::int64_t rest = static_cast<std::int64_t>(message.picoseconds) - message.duration % second;
    std::int64_t seconds = message.seconds - message.duration / second;
    if (rest < 0) {
        rest += second;
        --seconds;
    } else if (rest >= second) {
        rest -= second;
        ++seconds;
    }
    format_time(seconds, static_cast<std::uint64_t>(rest), text, sizeof text);
    generated(proto_tree_add_string(tree, hf.time_first, message.tvb, 0, 0, text));
    format_time(message.seconds, message.picoseconds, text, sizeof text);
    const Origin origin = origin_of(message, at::seconds, 16);
    mark(proto_tree_add_string(tree, hf.time_last, message.tvb, origin.offset, origin.length, text), origin);
    add_large(tree, hf.picoseconds, message, at::picoseconds, message.picoseconds);
}

void add_place(proto_tree* tree, const ShownMessage& message) {
    const MessageFields& hf = message_fields();
    add_large(tree, hf.index, message, at::index, message.index);
    add_small(tree, hf.link, message, at::link, message.stream.link);
    const Origin from = origin_of(message, at::from, 1);
    mark(proto_tree_add_uint_format_value(tree, hf.from, message.tvb, from.offset, from.length, message.stream.from,
                                          "%u (%s)", message.stream.from, node_name(message.stream.from)),
         from);
    const std::uint8_t to = message.stream.reverse().from;
    generated(proto_tree_add_uint_format_value(tree, hf.to, message.tvb, 0, 0, to, "%u (%s)", to, node_name(to)));
    add_small(tree, hf.vc, message, at::vc, message.vc);
    add_large(tree, hf.block_first, message, at::first_block, message.first_block);
    add_large(tree, hf.block_last, message, at::last_block, message.last_block);
    add_small(tree, hf.slot, message, at::slot, message.slot);
    add_small(tree, hf.word_count, message, at::words, message.word_count);
}

void add_line(proto_tree* tree, const ShownMessage& message, const eci::message& decoded) {
    const MessageFields& hf = message_fields();
    const auto index = eci::line_of(decoded);
    if (!index) {
        return;
    }
    const std::uint8_t home = eci::home_of(message.stream.from, decoded);
    const int header = message.place(0);
    generated(proto_tree_add_uint_format_value(tree, hf.home, message.tvb, header, 8, home, "%u (%s)", home,
                                               node_name(home)));
    generated(proto_tree_add_uint64(tree, hf.address, message.tvb, header, 8, eci::line_address(*index)));
    generated(proto_tree_add_uint64(tree, hf.aliased_address, message.tvb, header, 8, *index << address_shift));
    generated(proto_tree_add_uint64(tree, hf.aliased_cli, message.tvb, header, 8, *index));
    generated(proto_tree_add_uint64(tree, hf.line, message.tvb, header, 8, *index << 1 | home));
}

/// Words that lie here and there in blocks, put in a row as they are in memory.
void add_scattered_data(proto_tree* tree, const ShownMessage& message) {
    std::array<guint8, 8 * std::numeric_limits<std::uint8_t>::max()> bytes;
    const int size = 8 * (message.word_count - 1);
    for (unsigned i = 1; i < message.word_count; ++i) {
        tvb_memcpy(message.tvb, &bytes[8 * (i - 1)], message.place(i), 8);
    }
    proto_tree_add_bytes_with_length(tree, message_fields().data, message.tvb, message.place(1), 8, bytes.data(), size);
}

void add_words(proto_tree* tree, const ShownMessage& message, const eci::message& decoded) {
    const MessageFields& hf = message_fields();
    if (message.word_count == 0) {
        return;
    }
    const eci::layout_info& layout = eci::layout_of(decoded);
    proto_item* header = proto_tree_add_item(tree, hf.word, message.tvb, message.place(0), 8, ENC_BIG_ENDIAN);
    proto_item_append_text(header, "  header: %.*s", static_cast<int>(layout.doc.size()), layout.doc.data());
    add_spec_fields(proto_item_add_subtree(header, header_ett), message.tvb, message.place(0), layout_number(layout));
    if (message.word_count == 1) {
        return;
    }
    proto_tree* data = proto_tree_add_subtree_format(tree, message.tvb, message.place(1), 8, data_ett, nullptr,
                                                     "Data: %u words", message.word_count - 1U);
    for (unsigned i = 1; i < message.word_count; ++i) {
        proto_tree_add_item(data, hf.word, message.tvb, message.place(i), 8, ENC_BIG_ENDIAN);
    }
    if (message.places == nullptr) {
        proto_tree_add_item(data, hf.data, message.tvb, message.place(1), 8 * (message.word_count - 1), ENC_NA);
    } else {
        add_scattered_data(data, message);
    }
}

void add_frame(proto_tree* tree, int field, tvbuff_t* tvb, std::uint32_t frame) {
    if (frame != 0) {
        generated(proto_tree_add_uint(tree, field, tvb, 0, 0, frame));
    }
}

void add_state(proto_tree* tree, int field, tvbuff_t* tvb, const conformance::LineKnowledge* known) {
    if (known != nullptr) {
        generated(proto_tree_add_string(tree, field, tvb, 0, 0, known->text.c_str()));
    }
}

void add_context(proto_tree* tree, const ShownMessage& message) {
    const MessageFields& hf = message_fields();
    const MessageFacts* facts = message.facts;
    if (facts == nullptr) {
        return;
    }
    add_frame(tree, hf.request_in, message.tvb, facts->request_in);
    add_frame(tree, hf.response_in, message.tvb, facts->response_in);
    add_frame(tree, hf.retired_by, message.tvb, facts->retired_by);
    if (facts->request_in != 0 || facts->response_in != 0) {
        nstime_t time = {};
        time.secs = static_cast<time_t>(facts->elapsed / picoseconds_per_second);
        time.nsecs = static_cast<int>(facts->elapsed % picoseconds_per_second / picoseconds_per_nanosecond);
        generated(proto_tree_add_time(tree, hf.time, message.tvb, 0, 0, &time));
        generated(proto_tree_add_int64(tree, hf.time_ps, message.tvb, 0, 0, facts->elapsed));
    }
    if (facts->has_line_number) {
        generated(proto_tree_add_uint(tree, hf.line_stream, message.tvb, 0, 0, facts->line_number));
    }
    add_state(tree, hf.state_before, message.tvb, facts->line_before);
    add_state(tree, hf.state_after, message.tvb, facts->line_after);
    add_frame(tree, hf.line_previous, message.tvb, facts->line_previous);
    add_frame(tree, hf.line_next, message.tvb, facts->line_next);
    if (facts->after_loss) {
        generated(proto_tree_add_boolean(tree, hf.after_loss, message.tvb, 0, 0, 1));
    }
}

void add_findings(packet_info* pinfo, proto_tree* tree, const ShownMessage& message) {
    using conformance::RuleSeverity;
    const MessageFields& hf = message_fields();
    MessageExperts& ei = message_experts();
    const bool all = settings().checking == checking_all;
    for (const FindingNote* note = message.facts->findings; note != nullptr; note = note->next) {
        const bool broken = note->severity == RuleSeverity::violation;
        if (!broken && !all) {
            continue;
        }
        proto_item* item = proto_tree_add_string(tree, hf.violation, message.tvb, 0, 0, note->rule);
        generated(item);
        expert_field& kind = broken                                    ? ei.finding_violation
                             : note->severity == RuleSeverity::warning ? ei.finding_warning
                                                                       : ei.finding_note;
        expert_add_info_format(pinfo, item, &kind, "%s: %s", note->rule, note->text);
        if (note->states != nullptr && note->states[0] != '\0') {
            generated(proto_tree_add_string(tree, hf.hypotheses, message.tvb, 0, 0, note->states));
        }
    }
}

void add_experts(packet_info* pinfo, proto_tree* tree, proto_item* item, const ShownMessage& message,
                 const eci::message& decoded) {
    MessageExperts& ei = message_experts();
    if (!eci::is_documented(decoded)) {
        expert_add_info(pinfo, item, &ei.reserved);
    }
    if (!eci::vc_kind_fits(message.vc, decoded)) {
        expert_add_info(pinfo, item, &ei.wrong_vc);
    }
    if (!eci::vc_parity_fits(message.vc, decoded)) {
        expert_add_info(pinfo, item, &ei.wrong_parity);
    }
    if (message.word_count < eci::message_words(message.vc, message.header)) {
        expert_add_info(pinfo, item, &ei.partial);
    }
    if (message.facts == nullptr) {
        return;
    }
    if (message.facts->after_loss) {
        expert_add_info(pinfo, item, &ei.after_loss);
    }
    if (message.facts->retired_by != 0) {
        expert_add_info(pinfo, item, &ei.retired);
    }
    add_findings(pinfo, tree, message);
}

void queue_tap(int to, packet_info* pinfo, const ShownMessage& message, const eci::message& decoded) {
    auto* tap = wmem_new(pinfo->pool, TappedMessage);
    *tap = tapped(message, decoded);
    tap_queue_packet(to, pinfo, tap);
}

void fill_tree(proto_item* item, proto_tree* tree, const ShownMessage& message, const eci::message& decoded) {
    const MessageFields& hf = message_fields();
    char text[longest_line];
    describe_message(message, text, sizeof text);
    proto_item_set_text(item, "Enzian Coherence Interface, %s, %s to %s", text, node_name(message.stream.from),
                        node_name(message.stream.reverse().from));
    const auto class_name = name(eci::class_of_vc(message.vc));
    generated(proto_tree_add_string(tree, hf.message_class, message.tvb, 0, 0, class_name.data()));
    generated(proto_tree_add_string(tree, hf.op, message.tvb, 0, 0, operation_of(message)));
    if (message.word_count != 0) {
        add_line(tree, message, decoded);
    }
    add_place(tree, message);
    add_time(tree, message);
    add_context(tree, message);
    add_words(tree, message, decoded);
}

}  // namespace

void format_time(std::int64_t seconds, std::uint64_t picoseconds, char* text, std::size_t size) {
    const bool before = seconds < 0;
    std::uint64_t whole =
        before ? std::uint64_t{0} - static_cast<std::uint64_t>(seconds) : static_cast<std::uint64_t>(seconds);
    if (before && picoseconds != 0) {  // sign and magnitude: a rest after second -1 is -0.something
        --whole;
        picoseconds = static_cast<std::uint64_t>(picoseconds_per_second) - picoseconds;
    }
    std::snprintf(text, size, "%s%" PRIu64 ".%012" PRIu64, before ? "-" : "", whole, picoseconds);
}

void describe_message(const ShownMessage& message, char* text, std::size_t size) {
    const eci::message decoded = eci::decode(message.vc, message.header);
    const TappedMessage tap = tapped(message, decoded);
    char line[longest_time] = "";
    if (tap.has_line) {
        const std::uint64_t aliased = tap.line >> 1 << address_shift;
        std::snprintf(line, sizeof line, " %s0x%" PRIx64, settings().show_aliased ? "aliased " : "",
                      settings().show_aliased ? aliased : tap.address);
    }
    char data[longest_time] = "";
    if (message.word_count > 1) {
        std::snprintf(data, sizeof data, ", %u words of data", message.word_count - 1U);
    }
    std::snprintf(text, size, "%s%s  VC %u%s", tap.operation, line, message.vc, data);
}

bool is_wanted(proto_tree* tree, int protocol) {
    return tree != nullptr && (PTREE_DATA(tree)->visible != 0 ||
                               proto_registrar_get_nth(static_cast<guint>(protocol))->ref_type != HF_REF_TYPE_NONE);
}

proto_item* show_message(packet_info* pinfo, proto_tree* tree, const ShownMessage& message) {
    const eci::message decoded = eci::decode(message.vc, message.header);
    const bool whole = message.has_packet_header || message.word_count == 0;
    const int length = message.places == nullptr ? 8 * message.word_count : 8;
    proto_item* item =
        proto_tree_add_item(tree, eci_protocol, message.tvb, whole ? 0 : message.place(0), whole ? -1 : length, ENC_NA);
    if (is_wanted(tree, eci_protocol)) {
        tree = proto_item_add_subtree(item, message_ett);
        fill_tree(item, tree, message, decoded);
    }
    if (message.word_count != 0) {
        add_experts(pinfo, tree, item, message, decoded);
    }
    if (have_tap_listener(eci_tap)) {
        queue_tap(eci_tap, pinfo, message, decoded);
    }
    if (have_tap_listener(export_tap())) {
        queue_tap(export_tap(), pinfo, message, decoded);
    }
    return item;
}

void set_nodes(packet_info* pinfo, Stream stream) {
    const char* from = node_name(stream.from);
    const char* to = node_name(stream.reverse().from);
    set_address(&pinfo->src, AT_STRINGZ, static_cast<int>(strlen(from)) + 1, from);
    set_address(&pinfo->dst, AT_STRINGZ, static_cast<int>(strlen(to)) + 1, to);
    pinfo->p2p_dir = stream.from == 0 ? P2P_DIR_SENT : P2P_DIR_RECV;
}

bool anybody_looks(proto_tree* tree) {
    static const int expert_tap = find_tap_id("expert");
    static const int expert_protocol = proto_get_id_by_filter_name("_ws.expert");
    return is_wanted(tree, eci_protocol) || is_wanted(tree, expert_protocol) || have_tap_listener(eci_tap) ||
           have_tap_listener(export_tap()) || have_tap_listener(expert_tap);
}

int message_tap() {
    return eci_tap;
}

void register_messages(int protocol) {
    eci_protocol = protocol;
    register_message_fields(protocol);
    static gint* subtrees[] = {&message_ett, &header_ett, &data_ett};
    proto_register_subtree_array(subtrees, array_length(subtrees));
    eci_tap = register_tap("eci");
}

}  // namespace eciscope::shark
