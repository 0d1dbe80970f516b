// One JSON object of a trace as typed values, not yet compared with the specification.
#pragma once

#include <simdjson.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/decoder/message.hpp"
#include "export/json_values.hpp"

namespace eciscope::ewf::detail {

/// Keys of messages, events and the end, in one numbering.
enum class JsonKey : std::uint8_t {
    type,
    index,
    time,
    time_last,
    from,
    link,
    vc,
    class_name,
    op,
    home,
    address,
    aliased_cli,
    fields,
    words,
    block,
    block_last,
    slot,
    count,
    detail,
    from_power_on,
    control,
    messages,
    events,
    interrupted,
    unknown,
};
inline constexpr std::size_t json_key_count = static_cast<std::size_t>(JsonKey::unknown);
[[nodiscard]] std::string_view name(JsonKey key);
[[nodiscard]] JsonKey json_key(std::string_view name);

/// What is wrong with an object; `about` names the key or value.
struct JsonFault {
    DiagnosticKind kind{};
    std::string_view about;
};

/// The values of an object by key. Reading a value that is missing or unusable notes a fault; the first one stays.
class JsonObject {
 public:
    /// Forgets the object before. A key that comes twice is a fault.
    void assign(simdjson::dom::object object);

    [[nodiscard]] bool has(JsonKey key) const { return (present_ >> index(key) & 1) != 0; }
    [[nodiscard]] bool faulty() const { return faulty_; }
    [[nodiscard]] const JsonFault& fault() const { return fault_; }
    void note(DiagnosticKind kind, std::string_view about);

    [[nodiscard]] const simdjson::dom::element& value(JsonKey key) const { return values_[index(key)]; }

    // Each returns zero where there is a fault.
    std::uint64_t number(JsonKey key, std::uint64_t most);
    std::uint64_t decimal_text(JsonKey key);
    SplitTime time(JsonKey key);
    std::string_view text(JsonKey key);

 private:
    static std::size_t index(JsonKey key) { return static_cast<std::size_t>(key); }
    bool need(JsonKey key);

    std::array<simdjson::dom::element, json_key_count> values_{};
    std::uint32_t present_ = 0;
    bool faulty_ = false;
    JsonFault fault_;
};

/// The text of a JSON text, or nothing.
[[nodiscard]] inline std::optional<std::string_view> text_of(const simdjson::dom::element& element) {
    std::string_view text;
    return element.get_string().get(text) == simdjson::SUCCESS ? std::optional(text) : std::nullopt;
}

[[nodiscard]] inline std::optional<std::uint64_t> number_of(const simdjson::dom::element& element) {
    std::uint64_t number = 0;
    return element.get_uint64().get(number) == simdjson::SUCCESS ? std::optional(number) : std::nullopt;
}

/// Fills `event` but for its time and place.
void read_event(JsonObject& object, EventKind kind, Event& event);

/// Appends a message's words; returns how many, or notes a fault and appends none.
std::size_t read_words(JsonObject& object, std::vector<std::uint64_t>& words);

/// The first derived value that contradicts the words, as a path such as fields.dmask; empty if all agree.
[[nodiscard]] std::string contradiction(const JsonObject& object, const MessageHead& message,
                                        std::span<const std::uint64_t> words);

}  // namespace eciscope::ewf::detail
