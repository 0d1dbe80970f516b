#include "message_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <eciscope/spec/eci.hpp>
#include <type_traits>

#include "chunk_pump.hpp"
#include "exchanges.hpp"
#include "matcher.hpp"

namespace eciscope::view {

namespace {

constexpr std::size_t farthest_link = std::size_t{1} << 18;
constexpr std::size_t queue_history = std::size_t{1} << 14;

bool is_gap(const Event& event) {
    switch (event.kind) {
        case EventKind::lost:
        case EventKind::damaged:
        case EventKind::discarded:
        case EventKind::link_down:
        case EventKind::restarted:
            return true;
        default:
            return false;
    }
}

/// Whether something is missing between a message of a chunk and the one before it.
bool gap_before(const TraceBatch& batch, std::size_t message) {
    return std::any_of(batch.events.begin(), batch.events.end(),
                       [message](const Event& event) { return event.before == message && is_gap(event); });
}

template <class Value>
std::string text_of(const eci::field_info& field, const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
        return std::string(name(value));
    } else if constexpr (std::is_same_v<Value, bool>) {
        return value ? "1" : "0";
    } else if constexpr (std::is_integral_v<Value>) {
        const auto number = static_cast<std::uint64_t>(value);
        return field.high - field.low >= 8 ? fmt::format("0x{:x}", number) : fmt::format("{}", number);
    } else {
        return {};
    }
}

Picoseconds between(Picoseconds from, Picoseconds to) {
    return static_cast<Picoseconds>(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from));
}

bool answers(const NearMessage& answer, const NearMessage& request) {
    return can_answer(answer.head.vc, answer.header,
                      {request.number, request.head.first, request.header, request.head.vc});
}

ExchangePart part_of(const NearMessage& message) {
    return exchange_part(message.head.stream, message.head.vc, message.header);
}

/// The next message, or the last before, that has to do with the same exchange.
std::optional<NearMessage> other_end(const NearMessage& message, const ExchangePart& part, const ewf::Reader& reader,
                                     ChunkCache& chunks) {
    std::optional<NearMessage> found;
    const bool forward = part.role == ExchangePart::Role::opens;
    walk(reader, chunks, message.number, forward, farthest_link, false, [&](const NearMessage& other) {
        const ExchangePart its = part_of(other);
        const bool is_of_it = its.role != ExchangePart::Role::none && its.key == part.key;
        if (other.number == message.number || !is_of_it) {
            return true;
        }
        if (its.role != part.role) {
            found = other;
        }
        return false;
    });
    return found;
}

/// Where several requests can be open that nothing tells apart, their order counts.
Links links_in_queue(const NearMessage& message, const ewf::Reader& reader, ChunkCache& chunks) {
    Links links;
    Exchanges exchanges;
    const MessageNumber from = message.number - std::min<MessageNumber>(message.number, queue_history);
    walk(reader, chunks, from, true, queue_history + farthest_link, true, [&](const NearMessage& other) {
        const auto request = exchanges.take(other.head, other.header, other.number);
        if (request && other.number == message.number) {
            links.request = Link{request->number, between(request->time, other.head.first)};
        } else if (request && request->number == message.number) {
            links.answer = Link{other.number, between(request->time, other.head.first)};
        }
        const bool is_answered = links.request || links.answer;
        return !is_answered && (other.number <= message.number || part_of(message).role == ExchangePart::Role::opens);
    });
    return links;
}

}  // namespace

std::optional<ewf::Line> line_of(const NearMessage& message) {
    const eci::message decoded = eci::decode(message.head.vc, message.header);
    const auto index = eci::line_of(decoded);
    if (!index || message.head.word_count == 0) {
        return std::nullopt;
    }
    return ewf::Line{static_cast<std::uint8_t>(eci::home_of(message.head.stream.from, decoded)), *index};
}

MessageRow row_of(const NearMessage& message, MessageKinds& kinds) {
    MessageRow row;
    row.number = message.number;
    row.head = message.head;
    row.header = message.header;
    row.op = kinds.names()[kinds.op_of(message.head.vc, message.header)];
    row.message_class = class_text(message.head.vc);
    row.line = line_of(message);
    if (row.line) {
        row.address = eci::line_address(row.line->aliased_cli);
    }
    return row;
}

std::vector<FieldText> fields_of(const NearMessage& message) {
    std::vector<FieldText> fields;
    if (message.head.word_count == 0) {
        return fields;
    }
    for_each_field(eci::decode(message.head.vc, message.header), [&fields](const auto& field, const auto& value) {
        fields.push_back({std::string(field.name), text_of(field, value), std::string(field.doc)});
    });
    return fields;
}

std::string fragments_of(const NearMessage& message, const ewf::Metadata& metadata) {
    const MessageHead& head = message.head;
    const std::string blocks = head.first_block == head.last_block
                                   ? fmt::format("block {}", head.first_block)
                                   : fmt::format("blocks {} to {}", head.first_block, head.last_block);
    return fmt::format("{} of link {}, {}; header at {}, last word in slot {} at {}", blocks, head.stream.link,
                       direction_text(metadata, head.stream), time_text(head.first), head.slot, time_text(head.last));
}

void walk(const ewf::Reader& reader, ChunkCache& chunks, MessageNumber from, bool forward, std::size_t most,
          bool over_gaps, const std::function<bool(const NearMessage&)>& visit) {
    const auto place = reader.find_message(from);
    if (!place) {
        return;
    }
    std::size_t chunk = place->chunk;
    std::size_t at = place->message;
    for (std::size_t visited = 0; visited < most;) {
        const auto batch = chunks.heads(reader, chunk);
        const std::size_t count = batch == nullptr ? 0 : batch->messages.size();
        if (batch == nullptr && !over_gaps) {
            return;
        }
        at = forward ? at : std::min(at, count - std::min<std::size_t>(count, 1));
        for (; at < count && visited < most; forward ? ++at : --at, ++visited) {
            const MessageHead& head = batch->messages[at];
            const bool gap = !over_gaps && gap_before(*batch, at);
            const bool stops_before = gap && forward && visited != 0;
            if (stops_before || !visit({reader.chunk(chunk).first_message + at, head, header_of(*batch, head)}) ||
                (gap && !forward)) {
                return;
            }
        }
        const bool is_last = forward ? chunk + 1 == reader.chunk_count() : chunk == 0;
        if (is_last) {
            return;
        }
        chunk = forward ? chunk + 1 : chunk - 1;
        at = forward ? 0 : ~std::size_t{0};
    }
}

Links links_of(const NearMessage& message, const ewf::Reader& reader, ChunkCache& chunks) {
    const ExchangePart part = part_of(message);
    if (part.role == ExchangePart::Role::none || message.head.word_count == 0) {
        return {};
    }
    if (part.is_queue) {
        return links_in_queue(message, reader, chunks);
    }
    const auto other = other_end(message, part, reader, chunks);
    Links links;
    if (other && part.role == ExchangePart::Role::opens && answers(*other, message)) {
        links.answer = Link{other->number, between(message.head.first, other->head.first)};
    } else if (other && part.role == ExchangePart::Role::closes && answers(message, *other)) {
        links.request = Link{other->number, between(other->head.first, message.head.first)};
    }
    return links;
}

}  // namespace eciscope::view
