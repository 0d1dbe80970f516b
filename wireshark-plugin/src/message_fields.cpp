#include "message_fields.hpp"

#include <epan/tfs.h>
#include <epan/unit_strings.h>

#include "eciscope/decoder/message.hpp"

namespace eciscope::shark {

namespace {

MessageFields fields;
MessageExperts experts;
char picoseconds_text[] = " ps";  // Wireshark wants it writable
const unit_name_string picoseconds_unit = {picoseconds_text, nullptr};

using Strings = const void*;

hf_register_info field(int& handle, const char* name, const char* filter, ftenum type, int display, Strings strings,
                       const char* blurb) {
    return {&handle, {name, filter, type, display, strings, 0, blurb, HFILL}};
}

ei_register_info expert(expert_field& handle, const char* filter, int group, int severity, const char* summary) {
    return {&handle, {filter, group, severity, summary, EXPFILL}};
}

void register_place_and_time(int protocol) {
    static hf_register_info infos[] = {
        field(fields.index, "Index", "eci.index", FT_UINT64, BASE_DEC, nullptr, "Number of the message in the trace"),
        field(fields.time_first, "Time of header", "eci.time_first", FT_STRING, BASE_NONE, nullptr,
              "Of the block with the header, in seconds, exact to the picosecond"),
        field(fields.time_last, "Time of last word", "eci.time_last", FT_STRING, BASE_NONE, nullptr,
              "Of the block with the last word, in seconds, exact to the picosecond"),
        field(fields.picoseconds, "Picoseconds", "eci.picoseconds", FT_UINT64, BASE_DEC, nullptr,
              "Picoseconds of the second, of the block with the last word"),
        field(fields.link, "Link", "eci.link", FT_UINT8, BASE_DEC, nullptr, nullptr),
        field(fields.from, "From node", "eci.from", FT_UINT8, BASE_DEC, nullptr, nullptr),
        field(fields.to, "To node", "eci.to", FT_UINT8, BASE_DEC, nullptr, nullptr),
        field(fields.vc, "Virtual circuit", "eci.vc", FT_UINT8, BASE_DEC, nullptr, nullptr),
        field(fields.word_count, "Words", "eci.word_count", FT_UINT8, BASE_DEC, nullptr, "Header and data words"),
        field(fields.word, "Word", "eci.word", FT_UINT64, BASE_HEX, nullptr, "The header, then each word of data"),
        field(fields.data, "Data", "eci.data", FT_BYTES, BASE_NONE, nullptr, "The data words in a row"),
        field(fields.block_first, "First block", "eci.block_first", FT_UINT64, BASE_DEC, nullptr,
              "Ordinal in its stream of the block with the header"),
        field(fields.block_last, "Last block", "eci.block_last", FT_UINT64, BASE_DEC, nullptr,
              "Ordinal in its stream of the block with the last word"),
        field(fields.slot, "Slot", "eci.slot", FT_UINT8, BASE_DEC, nullptr, "Of the last word in its block"),
    };
    proto_register_field_array(protocol, infos, array_length(infos));
}

void register_meaning(int protocol) {
    static hf_register_info infos[] = {
        field(fields.message_class, "Class", "eci.class", FT_STRING, BASE_NONE, nullptr, nullptr),
        field(fields.op, "Operation", "eci.op", FT_STRING, BASE_NONE, nullptr, nullptr),
        field(fields.home, "Home node", "eci.home", FT_UINT8, BASE_DEC, nullptr,
              "The node whose memory holds the line"),
        field(fields.address, "Address", "eci.address", FT_UINT64, BASE_HEX, nullptr,
              "Byte address of the line in its home's memory"),
        field(fields.aliased_address, "Aliased address", "eci.aliased_address", FT_UINT64, BASE_HEX, nullptr,
              "Byte address as the header carries it"),
        field(fields.aliased_cli, "Aliased line index", "eci.aliased_cli", FT_UINT64, BASE_HEX, nullptr,
              "Index of the line as the header carries it"),
        field(fields.line, "Line number", "eci.line", FT_UINT64, BASE_HEX, nullptr,
              "Aliased index, then the home node: names the line among those of both nodes"),
        field(fields.event, "Event", "eci.event", FT_STRING, BASE_NONE, nullptr, "Something between messages"),
        field(fields.event_time, "Time", "eci.event.time", FT_STRING, BASE_NONE, nullptr, nullptr),
        field(fields.event_count, "Count", "eci.event.count", FT_UINT64, BASE_DEC, nullptr, "Absent where not known"),
        field(fields.event_block, "Block", "eci.event.block", FT_UINT64, BASE_DEC, nullptr, "Ordinal in its stream"),
        field(fields.event_detail, "Detail", "eci.event.detail", FT_UINT64, BASE_HEX, nullptr, nullptr),
    };
    proto_register_field_array(protocol, infos, array_length(infos));
}

void register_context(int protocol) {
    static hf_register_info infos[] = {
        field(fields.after_loss, "After a loss", "eci.after_loss", FT_BOOLEAN, BASE_NONE, TFS(&tfs_yes_no),
              "First message of its stream after something was lost"),
        field(fields.request_in, "Request in", "eci.request_in", FT_FRAMENUM, BASE_NONE,
              FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), "The message that this one answers"),
        field(fields.response_in, "Response in", "eci.response_in", FT_FRAMENUM, BASE_NONE,
              FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), "The message that answers this one"),
        field(fields.retired_by, "Retired by", "eci.retired_by", FT_FRAMENUM, BASE_NONE, nullptr,
              "A later request with the same line and id, before any answer"),
        field(fields.time, "Response time", "eci.time", FT_RELATIVE_TIME, BASE_NONE, nullptr,
              "From the request to its answer, both by their headers"),
        field(fields.time_ps, "Response time, exact", "eci.time_ps", FT_INT64, BASE_DEC | BASE_UNIT_STRING,
              &picoseconds_unit, nullptr),
        field(fields.line_stream, "Line, as followed", "eci.line.stream", FT_UINT32, BASE_DEC, nullptr,
              "Lines are numbered as they appear"),
        field(fields.line_previous, "Previous message of the line", "eci.line.previous", FT_FRAMENUM, BASE_NONE,
              nullptr, nullptr),
        field(fields.line_next, "Next message of the line", "eci.line.next", FT_FRAMENUM, BASE_NONE, nullptr, nullptr),
        field(fields.violation, "Rule", "eci.violation", FT_STRING, BASE_NONE, nullptr,
              "The rule of the protocol that the message breaks, or that something was found by"),
        field(fields.state_before, "Line before", "eci.line.state_before", FT_STRING, BASE_NONE, nullptr,
              "What the link had shown of both copies of the line before the message"),
        field(fields.state_after, "Line after", "eci.line.state_after", FT_STRING, BASE_NONE, nullptr,
              "What the link has shown of both copies of the line with the message"),
        field(fields.hypotheses, "Possible before", "eci.line.hypotheses", FT_STRING, BASE_NONE, nullptr,
              "Configurations of the line that were possible before a message that breaks a rule"),
    };
    proto_register_field_array(protocol, infos, array_length(infos));
}

void register_experts(int protocol) {
    static ei_register_info infos[] = {
        expert(experts.reserved, "eci.reserved", PI_UNDECODED, PI_NOTE, "Opcode without a documented meaning"),
        expert(experts.wrong_vc, "eci.wrong_vc", PI_PROTOCOL, PI_WARN, "Not the circuit for a message with this data"),
        expert(experts.wrong_parity, "eci.wrong_parity", PI_PROTOCOL, PI_WARN,
               "The line demands circuits of the other parity"),
        expert(experts.partial, "eci.partial", PI_ASSUMPTION, PI_WARN, "Fewer words than the header asks for"),
        expert(experts.after_loss, "eci.loss_before", PI_SEQUENCE, PI_NOTE, "Something of this stream was lost before"),
        expert(experts.retired, "eci.never_answered", PI_SEQUENCE, PI_NOTE,
               "Asked again with the same id before an answer"),
        expert(experts.finding_violation, "eci.finding.violation", PI_PROTOCOL, PI_ERROR, "Breaks the protocol"),
        expert(experts.finding_warning, "eci.finding.warning", PI_PROTOCOL, PI_WARN, "Doubtful by the protocol"),
        expert(experts.finding_note, "eci.finding.note", PI_PROTOCOL, PI_NOTE, "Worth knowing by the protocol"),
        expert(experts.event, "eci.event.seen", PI_SEQUENCE, PI_WARN, "Something is missing or was damaged"),
        expert(experts.malformed, "eci.malformed", PI_MALFORMED, PI_ERROR, "No packet of a message"),
    };
    expert_register_field_array(expert_register_protocol(protocol), infos, array_length(infos));
}

}  // namespace

const MessageFields& message_fields() {
    return fields;
}

MessageExperts& message_experts() {
    return experts;
}

void register_message_fields(int protocol) {
    register_place_and_time(protocol);
    register_meaning(protocol);
    register_context(protocol);
    register_experts(protocol);
}

}  // namespace eciscope::shark
