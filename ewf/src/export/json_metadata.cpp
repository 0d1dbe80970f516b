#include "export/json_metadata.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "export/json_names.hpp"

namespace eciscope::ewf::detail {

namespace {

void note(std::optional<JsonFault>& fault, std::string_view about) {
    if (!fault) {
        fault = JsonFault{DiagnosticKind::json_value_unusable, about};
    }
}

std::string string_at(simdjson::dom::object object, std::string_view key, std::optional<JsonFault>& fault) {
    std::string_view text;
    if (object[key].get_string().get(text) != simdjson::SUCCESS) {
        note(fault, key);
    }
    return std::string(text);
}

/// Nodes or links: objects with id and name.
template <class Info>
std::vector<Info> infos_at(simdjson::dom::object object, std::string_view key, std::vector<Info> otherwise,
                           std::optional<JsonFault>& fault) {
    simdjson::dom::element element;
    if (object[key].get(element) != simdjson::SUCCESS) {
        return otherwise;
    }
    simdjson::dom::array array;
    if (element.get_array().get(array) != simdjson::SUCCESS) {
        note(fault, key);
        return otherwise;
    }
    std::vector<Info> infos;
    for (const simdjson::dom::element each : array) {
        simdjson::dom::object info;
        std::uint64_t id = 0;
        if (each.get_object().get(info) != simdjson::SUCCESS || info["id"].get_uint64().get(id) != simdjson::SUCCESS ||
            id > 255) {
            note(fault, key);
            return otherwise;
        }
        infos.push_back({static_cast<std::uint8_t>(id), string_at(info, "name", fault)});
    }
    return infos;
}

Provenance provenance_of(simdjson::dom::object object, std::optional<JsonFault>& fault) {
    Provenance result;
    result.tool = string_at(object, "tool", fault);
    result.tool_version = string_at(object, "tool_version", fault);
    simdjson::dom::array sources;
    if (object["sources"].get_array().get(sources) != simdjson::SUCCESS) {
        note(fault, "provenance.sources");
        return result;
    }
    for (const simdjson::dom::element each : sources) {
        simdjson::dom::object source;
        if (each.get_object().get(source) != simdjson::SUCCESS) {
            note(fault, "provenance.sources");
            continue;
        }
        const auto bytes = parse_decimal(string_at(source, "bytes", fault));
        if (!bytes) {
            note(fault, "provenance.sources.bytes");
        }
        result.sources.push_back(
            {string_at(source, "name", fault), bytes.value_or(0), string_at(source, "hash", fault)});
    }
    return result;
}

Clock clock_of(std::string_view text, std::optional<JsonFault>& fault) {
    for (const Clock clock : {Clock::unknown, Clock::unix_time, Clock::interposer}) {
        if (json_name(clock) == text) {
            return clock;
        }
    }
    note(fault, "clock");
    return Clock::unknown;
}

}  // namespace

JsonHeader read_json_header(simdjson::dom::object object, std::optional<JsonFault>& fault) {
    JsonHeader header;
    std::uint64_t version = 0;
    if (object["version"].get_uint64().get(version) != simdjson::SUCCESS) {
        note(fault, "version");
    }
    header.version_known = version <= json_format_version;
    if (string_at(object, "format", fault) != json_format_name) {
        note(fault, "format");
    }
    const auto base = parse_signed(string_at(object, "base", fault));
    if (base && usable(TimeBase{*base})) {
        header.base = TimeBase{*base};
    } else {
        note(fault, "base");
    }
    std::string_view clock;
    if (object["clock"].get_string().get(clock) == simdjson::SUCCESS) {
        header.metadata.clock = clock_of(clock, fault);
    }
    header.metadata.nodes = infos_at(object, "nodes", std::move(header.metadata.nodes), fault);
    header.metadata.links = infos_at(object, "links", std::move(header.metadata.links), fault);
    simdjson::dom::element provenance;
    if (object["provenance"].get(provenance) == simdjson::SUCCESS) {
        simdjson::dom::object inner;
        if (provenance.get_object().get(inner) == simdjson::SUCCESS) {
            header.provenance = provenance_of(inner, fault);
        } else {
            note(fault, "provenance");
        }
    }
    return header;
}

}  // namespace eciscope::ewf::detail
