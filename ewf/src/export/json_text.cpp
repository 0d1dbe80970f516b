#include "export/json_text.hpp"

#include <array>
#include <cstdint>

#include "export/digits.hpp"
#include "export/json_names.hpp"

namespace eciscope::ewf::detail {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

/// Bytes of the UTF-8 character that `text` begins with; 0 if it begins with none.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
    const std::uint8_t lead = byte(0);
    const std::size_t size = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
    if (size == 0 || size > text.size()) {
        return 0;
    }
    for (std::size_t at = 1; at < size; ++at) {
        if ((byte(at) & 0xc0) != 0x80) {
            return 0;
        }
    }
    // Longer than needed, surrogates, and beyond U+10FFFF.
    const bool invalid = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
                         (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f);
    return invalid ? 0 : size;
}

template <class Info>
std::string list_of(const std::vector<Info>& infos) {
    std::string out = "[";
    for (const Info& info : infos) {
        out += out.size() > 1 ? "," : "";
        out += "{\"id\":" + std::to_string(info.id) + ",\"name\":" + json_quoted(info.name) + "}";
    }
    return out + "]";
}

std::string provenance_text(const Provenance& provenance) {
    std::string out = "{\"tool\":" + json_quoted(provenance.tool) +
                      ",\"tool_version\":" + json_quoted(provenance.tool_version) + ",\"sources\":[";
    bool first = true;
    for (const Provenance::Source& source : provenance.sources) {
        out += first ? "" : ",";
        first = false;
        out += "{\"name\":" + json_quoted(source.name) + ",\"bytes\":\"" + std::to_string(source.bytes) +
               "\",\"hash\":" + json_quoted(source.hash) + "}";
    }
    return out + "]}";
}

}  // namespace

std::string valid_utf8(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t size = utf8_length(text);
        out += size == 0 ? replacement : text.substr(0, size);
        text.remove_prefix(size == 0 ? 1 : size);
    }
    return out;
}

std::string json_quoted(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const std::size_t size = utf8_length(text);
        const auto lead = static_cast<std::uint8_t>(text.front());
        if (size == 0) {
            out += replacement;
        } else if (lead == '"' || lead == '\\') {
            out += '\\';
            out += text.front();
        } else if (lead < 0x20 || lead == 0x7f) {
            std::array<char, 8> hex;
            put_hex8(hex.data(), lead);
            out += "\\u";
            out.append(&hex[4], 4);
        } else {
            out += text.substr(0, size);
        }
        text.remove_prefix(size == 0 ? 1 : size);
    }
    return out + "\"";
}

std::string json_header(const ExportHeader& header, TimeBase shown) {
    std::string out = R"({"type":"capture","format":")" + std::string(json_format_name) + R"(","version":)" +
                      std::to_string(json_format_version) + R"(,"base":")" + std::to_string(shown.unix_seconds) +
                      R"(","clock":")" + std::string(json_name(header.metadata.clock)) + R"(","nodes":)" +
                      list_of(header.metadata.nodes) + R"(,"links":)" + list_of(header.metadata.links);
    if (header.provenance) {
        out += ",\"provenance\":" + provenance_text(*header.provenance);
    }
    return out + "}";
}

}  // namespace eciscope::ewf::detail
