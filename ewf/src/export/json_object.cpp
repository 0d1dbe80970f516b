#include "export/json_object.hpp"

#include <algorithm>

#include "export/json_names.hpp"
#include "export/message_layout.hpp"

namespace eciscope::ewf::detail {

namespace {

constexpr std::array<std::string_view, json_key_count> key_names = {
    "type", "index", "time",    "time_last",     "from",    "link",     "vc",     "class",
    "op",   "home",  "address", "aliased_cli",   "fields",  "words",    "block",  "block_last",
    "slot", "count", "detail",  "from_power_on", "control", "messages", "events", "interrupted"};

/// A value as the number that it stands for: numbers up to 53 bits as such, wider ones as "0x" texts.
std::optional<std::uint64_t> field_value(const simdjson::dom::element& element, std::uint8_t width) {
    if (width <= exact_number_bits) {
        return number_of(element);
    }
    const auto text = text_of(element);
    return text ? parse_hex(*text) : std::nullopt;
}

bool is_hex(const simdjson::dom::element& element, std::uint64_t expected) {
    const auto text = text_of(element);
    return text && parse_hex(*text) == expected;
}

/// The fields come in the order of the layout, so that each is looked for where the last one was found.
std::string field_contradiction(simdjson::dom::object fields, const MessageLayout& layout, std::uint64_t header) {
    std::size_t at = 0;
    for (const simdjson::dom::key_value_pair& given : fields) {
        std::size_t tried = 0;
        for (; tried < layout.fields.size(); ++tried, at = at + 1 < layout.fields.size() ? at + 1 : 0) {
            if (layout.fields[at].name == given.key) {
                break;
            }
        }
        const bool known = tried < layout.fields.size();
        if (!known || field_value(given.value, layout.fields[at].width) != layout.fields[at].of(header)) {
            return "fields." + std::string(given.key.substr(0, 32));
        }
    }
    return {};
}

}  // namespace

std::string_view name(JsonKey key) {
    return key == JsonKey::unknown ? std::string_view("?") : key_names[static_cast<std::size_t>(key)];
}

JsonKey json_key(std::string_view name) {
    const auto* found = std::find(key_names.begin(), key_names.end(), name);
    return static_cast<JsonKey>(found - key_names.begin());
}

void JsonObject::note(DiagnosticKind kind, std::string_view about) {
    if (!faulty_) {
        faulty_ = true;
        fault_ = {kind, about};
    }
}

void JsonObject::assign(simdjson::dom::object object) {
    present_ = 0;
    faulty_ = false;
    for (const simdjson::dom::key_value_pair& pair : object) {
        const JsonKey key = json_key(pair.key);
        if (key == JsonKey::unknown) {
            continue;
        }
        if (has(key)) {
            note(DiagnosticKind::json_key_duplicate, eciscope::ewf::detail::name(key));
        }
        present_ |= std::uint32_t{1} << index(key);
        values_[index(key)] = pair.value;
    }
}

bool JsonObject::need(JsonKey key) {
    if (!has(key)) {
        note(DiagnosticKind::json_key_missing, eciscope::ewf::detail::name(key));
    }
    return has(key);
}

std::uint64_t JsonObject::number(JsonKey key, std::uint64_t most) {
    const auto number = need(key) ? number_of(value(key)) : std::uint64_t{0};
    if (!number || *number > most) {
        note(DiagnosticKind::json_value_unusable, eciscope::ewf::detail::name(key));
        return 0;
    }
    return *number;
}

std::string_view JsonObject::text(JsonKey key) {
    const auto text = need(key) ? text_of(value(key)) : std::string_view();
    if (!text) {
        note(DiagnosticKind::json_value_unusable, eciscope::ewf::detail::name(key));
    }
    return text.value_or(std::string_view());
}

std::uint64_t JsonObject::decimal_text(JsonKey key) {
    const auto number = parse_decimal(text(key));
    if (!number) {
        note(DiagnosticKind::json_value_unusable, eciscope::ewf::detail::name(key));
    }
    return number.value_or(0);
}

SplitTime JsonObject::time(JsonKey key) {
    const auto time = parse_time(text(key));
    if (!time) {
        note(DiagnosticKind::json_value_unusable, eciscope::ewf::detail::name(key));
    }
    return time.value_or(SplitTime{});
}

void read_event(JsonObject& object, EventKind kind, Event& event) {
    const EventKeys keys = event_keys(kind);
    event.kind = kind;
    event.vc =
        object.has(JsonKey::vc) ? static_cast<std::uint8_t>(object.number(JsonKey::vc, vc_slots - 1)) : Event::no_vc;
    event.block = object.decimal_text(JsonKey::block);
    if (object.has(JsonKey::count) && object.value(JsonKey::count).is_null()) {
        event.count = Event::unknown_count;
    } else if (object.has(JsonKey::count) || keys.count) {
        event.count = object.decimal_text(JsonKey::count);
    }
    if (keys.power_on && !object.has(JsonKey::detail)) {
        if (!object.has(JsonKey::from_power_on)) {
            object.note(DiagnosticKind::json_key_missing, name(JsonKey::from_power_on));
            return;
        }
        bool power_on = false;
        if (object.value(JsonKey::from_power_on).get_bool().get(power_on) != simdjson::SUCCESS) {
            object.note(DiagnosticKind::json_value_unusable, name(JsonKey::from_power_on));
        }
        event.detail = power_on ? 1 : 0;
        return;
    }
    if (keys.control) {
        const auto word = parse_word(object.text(JsonKey::control));
        if (!word) {
            object.note(DiagnosticKind::json_value_unusable, name(JsonKey::control));
        }
        event.detail = word.value_or(0);
    } else if (object.has(JsonKey::detail)) {
        const auto value = parse_hex(object.text(JsonKey::detail));
        if (!value) {
            object.note(DiagnosticKind::json_value_unusable, name(JsonKey::detail));
        }
        event.detail = value.value_or(0);
    }
}

std::size_t read_words(JsonObject& object, std::vector<std::uint64_t>& words) {
    if (!object.has(JsonKey::words)) {
        object.note(DiagnosticKind::json_key_missing, name(JsonKey::words));
        return 0;
    }
    simdjson::dom::array array;
    if (object.value(JsonKey::words).get_array().get(array) != simdjson::SUCCESS) {
        object.note(DiagnosticKind::json_value_unusable, name(JsonKey::words));
        return 0;
    }
    const std::size_t before = words.size();
    for (const simdjson::dom::element element : array) {
        const auto text = text_of(element);
        const auto word = text ? parse_word(*text) : std::nullopt;
        if (!word) {
            object.note(DiagnosticKind::json_word_malformed, name(JsonKey::words));
            words.resize(before);
            return 0;
        }
        words.push_back(*word);
    }
    return words.size() - before;
}

std::string contradiction(const JsonObject& object, const MessageHead& message, std::span<const std::uint64_t> words) {
    const Described described = describe(message.vc, words);
    const MessageLayout& layout = described.layout;
    const std::uint64_t header = described.header;
    const LineFacts facts = layout.line ? line_facts(layout, message.stream.from, header) : LineFacts{};
    const auto text_differs = [&](JsonKey key, std::string_view right) {
        return object.has(key) && text_of(object.value(key)) != right;
    };
    const auto hex_differs = [&](JsonKey key, std::uint64_t right) {
        return object.has(key) && !(layout.line && is_hex(object.value(key), right));
    };
    if (text_differs(JsonKey::class_name, layout.class_name)) {
        return "class";
    }
    if (text_differs(JsonKey::op, layout.op)) {
        return "op";
    }
    if (object.has(JsonKey::home) && !(layout.line && number_of(object.value(JsonKey::home)) == facts.home)) {
        return "home";
    }
    if (hex_differs(JsonKey::address, facts.address)) {
        return "address";
    }
    if (hex_differs(JsonKey::aliased_cli, facts.aliased_cli)) {
        return "aliased_cli";
    }
    if (!object.has(JsonKey::fields)) {
        return {};
    }
    simdjson::dom::object fields;
    return object.value(JsonKey::fields).get_object().get(fields) == simdjson::SUCCESS
               ? field_contradiction(fields, layout, header)
               : std::string("fields");
}

}  // namespace eciscope::ewf::detail
