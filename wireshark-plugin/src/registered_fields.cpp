#include "registered_fields.hpp"

#include <epan/tfs.h>

#include <vector>

namespace eciscope::shark {

namespace {

constexpr unsigned decimal_bits = 16;  ///< wider fields are shown in hexadecimal

std::vector<int>& handles() {
    static std::vector<int> all(spec_fields().fields.size(), -1);
    return all;
}

const val64_string* value_names(const SpecField& field) {
    static std::vector<std::vector<val64_string>> kept;
    std::vector<val64_string>& strings = kept.emplace_back();
    for (const MemberName& member : field.names) {
        strings.push_back({member.value, member.name.c_str()});
    }
    strings.push_back({0, nullptr});
    return strings.data();
}

hf_register_info info_of(const SpecField& field, int& handle) {
    const char* blurb = field.doc.empty() ? nullptr : field.doc.c_str();
    header_field_info info = {
        field.name.c_str(), field.filter.c_str(), FT_UINT64, BASE_DEC, nullptr, field.mask(), blurb, HFILL};
    if (!field.names.empty()) {
        info.display = BASE_DEC | BASE_VAL64_STRING;
        info.strings = VALS64(value_names(field));
    } else if (field.is_truth) {
        info.type = FT_BOOLEAN;
        info.display = 64;  // the width of the word that the bit stands in
        info.strings = TFS(&tfs_set_notset);
    } else if (field.width > decimal_bits) {
        info.display = BASE_HEX;
    }
    if (field.width == 64) {
        info.bitmask = 0;
    }
    return {&handle, info};
}

}  // namespace

void register_spec_fields(int message_protocol, int block_protocol) {
    static std::vector<hf_register_info> of_messages;
    static std::vector<hf_register_info> of_blocks;
    const std::vector<SpecField>& fields = spec_fields().fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const bool is_block = fields[i].filter.starts_with("eciblk.");
        (is_block ? of_blocks : of_messages).push_back(info_of(fields[i], handles()[i]));
    }
    proto_register_field_array(message_protocol, of_messages.data(), static_cast<int>(of_messages.size()));
    proto_register_field_array(block_protocol, of_blocks.data(), static_cast<int>(of_blocks.size()));
}

void add_spec_fields(proto_tree* tree, tvbuff_t* tvb, int offset, std::size_t layout) {
    for (const std::size_t field : spec_fields().of_layout[layout]) {
        proto_tree_add_item(tree, handles()[field], tvb, offset, 8, ENC_BIG_ENDIAN);
    }
}

}  // namespace eciscope::shark
