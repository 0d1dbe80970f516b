#include "block_fields.hpp"

#include <epan/tfs.h>

#include <cstdint>

namespace eciscope::shark {

namespace {

BlockFields fields;
BlockExperts experts;

hf_register_info field(int& handle, const char* name, const char* filter, ftenum type, int display, const void* strings,
                       std::uint64_t mask, const char* blurb) {
    return {&handle, {name, filter, type, display, strings, mask, blurb, HFILL}};
}

ei_register_info expert(expert_field& handle, const char* filter, int group, int severity, const char* summary) {
    return {&handle, {filter, group, severity, summary, EXPFILL}};
}

const true_false_string directions = {"node 1 to node 0", "node 0 to node 1"};
char picoseconds_text[] = " ps";  // Wireshark wants it writable
const unit_name_string picoseconds_unit = {picoseconds_text, nullptr};

void register_record(int protocol) {
    static hf_register_info infos[] = {
        field(fields.magic, "Magic", "eciblk.magic", FT_STRING, BASE_NONE, nullptr, 0, nullptr),
        field(fields.version, "Version", "eciblk.version", FT_UINT8, BASE_DEC, nullptr, 0, nullptr),
        field(fields.flags, "Flags", "eciblk.flags", FT_UINT8, BASE_HEX, nullptr, 0, nullptr),
        field(fields.direction, "Direction", "eciblk.direction", FT_BOOLEAN, 8, TFS(&directions), 0x01, nullptr),
        field(fields.lost_flag, "Blocks were lost before", "eciblk.lost_flag", FT_BOOLEAN, 8, TFS(&tfs_yes_no), 0x02,
              nullptr),
        field(fields.link, "Link", "eciblk.link", FT_UINT8, BASE_DEC, nullptr, 0, nullptr),
        field(fields.count, "Blocks", "eciblk.count", FT_UINT8, BASE_DEC, nullptr, 0, nullptr),
        field(fields.sequence, "Sequence number", "eciblk.sequence", FT_UINT32, BASE_DEC, nullptr, 0,
              "Of the record in its stream"),
        field(fields.lost, "Lost blocks", "eciblk.lost", FT_UINT32, BASE_DEC, nullptr, 0,
              "Before the first block; 4294967295: some"),
        field(fields.time, "Time", "eciblk.time", FT_UINT64, BASE_DEC, nullptr, 0,
              "Of the first block, nanoseconds of the interposer's epoch"),
        field(fields.pending, "Messages to come", "eciblk.pending", FT_BOOLEAN, BASE_NONE, TFS(&tfs_yes_no), 0,
              "The decoder was not done with these blocks when the frame was shown; the second pass has all messages"),
        field(fields.reassembled_in, "Message goes on; it ends in", "eciblk.reassembled_in", FT_FRAMENUM, BASE_NONE,
              nullptr, 0, nullptr),
        field(fields.event, "Event", "eciblk.event", FT_STRING, BASE_NONE, nullptr, 0, "Something between messages"),
        field(fields.event_count, "Count", "eciblk.event.count", FT_UINT64, BASE_DEC, nullptr, 0,
              "Absent where not known"),
        field(fields.event_block, "Block", "eciblk.event.block", FT_UINT64, BASE_DEC, nullptr, 0,
              "Ordinal in its stream"),
        field(fields.fragment, "Part", "eciblk.fragment", FT_FRAMENUM, BASE_NONE, nullptr, 0,
              "A frame with words of the message"),
        field(fields.fragment_count, "Parts", "eciblk.fragment.count", FT_UINT32, BASE_DEC, nullptr, 0,
              "Frames that the message is spread over"),
    };
    proto_register_field_array(protocol, infos, array_length(infos));
}

void register_entry(int protocol) {
    static hf_register_info infos[] = {
        field(fields.offset, "Time in record", "eciblk.offset", FT_UINT32, BASE_DEC | BASE_UNIT_STRING,
              &picoseconds_unit, 0, "From the record's time"),
        field(fields.entry_flags, "Flags", "eciblk.block_flags", FT_UINT16, BASE_HEX, nullptr, 0, nullptr),
        field(fields.crc_flag, "Interposer saw a CRC error", "eciblk.crc_flag", FT_BOOLEAN, 16, TFS(&tfs_yes_no),
              0x0001, nullptr),
        field(fields.lane_flag, "Interposer saw a lane error", "eciblk.lane_flag", FT_BOOLEAN, 16, TFS(&tfs_yes_no),
              0x0002, nullptr),
        field(fields.ordinal, "Ordinal", "eciblk.ordinal", FT_UINT64, BASE_DEC, nullptr, 0,
              "Of the block in its stream, known lost ones counted"),
        field(fields.type, "Type", "eciblk.type", FT_STRING, BASE_NONE, nullptr, 0, nullptr),
        field(fields.control, "Control word", "eciblk.control", FT_UINT64, BASE_HEX, nullptr, 0, nullptr),
        field(fields.word, "Word", "eciblk.word", FT_UINT64, BASE_HEX, nullptr, 0, nullptr),
        field(fields.vc, "Virtual circuit", "eciblk.vc", FT_UINT8, BASE_DEC, nullptr, 0, "Of a word"),
        field(fields.crc_computed, "CRC computed", "eciblk.crc_computed", FT_UINT24, BASE_HEX, nullptr, 0, nullptr),
        field(fields.crc_status, "CRC status", "eciblk.crc_status", FT_UINT8, BASE_NONE, VALS(proto_checksum_vals), 0,
              nullptr),
        field(fields.credited_vc, "Credit for circuit", "eciblk.credited_vc", FT_UINT8, BASE_DEC, nullptr, 0,
              "Buffer for eight words is free again"),
    };
    proto_register_field_array(protocol, infos, array_length(infos));
}

}  // namespace

const BlockFields& block_fields() {
    return fields;
}

BlockExperts& block_experts() {
    return experts;
}

void register_block_fields(int protocol) {
    register_record(protocol);
    register_entry(protocol);
    static ei_register_info infos[] = {
        expert(experts.crc, "eciblk.crc_bad", PI_CHECKSUM, PI_ERROR, "CRC of the block is wrong"),
        expert(experts.sequence, "eciblk.sequence_gap", PI_SEQUENCE, PI_WARN, "Records are missing or out of order"),
        expert(experts.lost, "eciblk.blocks_lost", PI_SEQUENCE, PI_WARN, "Blocks were lost before this record"),
        expert(experts.reserved_type, "eciblk.reserved_type", PI_UNDECODED, PI_WARN, "Block type is not documented"),
        expert(experts.malformed, "eciblk.malformed", PI_MALFORMED, PI_ERROR, "No record of blocks"),
        expert(experts.cut, "eciblk.cut", PI_MALFORMED, PI_WARN, "Not all blocks of the record are there"),
        expert(experts.event, "eciblk.event.seen", PI_SEQUENCE, PI_NOTE, "Event of the link"),
        expert(experts.not_used, "eciblk.not_used", PI_SEQUENCE, PI_NOTE,
               "The record is a duplicate or came too late: its blocks were not used"),
    };
    expert_register_field_array(expert_register_protocol(protocol), infos, array_length(infos));
}

}  // namespace eciscope::shark
