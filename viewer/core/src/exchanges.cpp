#include "exchanges.hpp"

#include <algorithm>
#include <eciscope/spec/eci.hpp>

#include "eciscope/conformance/tables.hpp"

namespace eciscope::view {

namespace {

using conformance::opcode_count;
using conformance::vc_count;

constexpr std::size_t kinds = vc_count * opcode_count;

constexpr unsigned id_bits = 16;  // wider than what the specification has

ExchangeKey key_of(std::uint64_t what, std::uint64_t id, std::uint64_t line, std::uint8_t asker) {
    std::uint64_t key = what << 1U | asker;
    key = key << id_bits | id;
    return key << conformance::line_bits | line;
}

bool is_queue(eci::exchange_kind kind) {
    return kind == eci::exchange_kind::Io_store || kind == eci::exchange_kind::Sli_load;
}

std::size_t kind_of(std::uint8_t vc, std::uint64_t header) {
    return (vc % vc_count) * opcode_count + conformance::opcode_field.of(header);
}

ExchangePart decoded_part(Stream stream, std::uint8_t vc, std::uint64_t header) {
    const eci::message message = eci::decode(vc, header);
    const auto part = [&](ExchangePart::Role role, const eci::exchange& exchange, std::uint8_t asker) {
        return ExchangePart{
            role, is_queue(exchange.what),
            key_of(static_cast<std::uint64_t>(exchange.what), exchange.id, eci::line_of(message).value_or(0), asker)};
    };
    if (const auto closed = eci::closes(message)) {
        return part(ExchangePart::Role::closes, *closed, stream.reverse().from);
    }
    const auto opened = eci::opens(message);
    if (opened && eci::reply_to(message) != eci::reply_rule::Reply_none) {
        return part(ExchangePart::Role::opens, *opened, stream.from);
    }
    return {};
}

/// What circuit and opcode alone tell of messages about lines, which are nearly all.
struct KindPart {
    ExchangePart::Role role = ExchangePart::Role::none;
    bool is_about_line = false;
    std::uint8_t what = 0;
    std::uint8_t line_shift = 0;
    std::uint8_t id_shift = 0;
    std::uint8_t id_mask = 0;
};

std::array<KindPart, kinds> kind_parts() {
    std::array<KindPart, kinds> parts{};
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        const auto vc = static_cast<std::uint8_t>(kind / opcode_count);
        const std::uint64_t header = std::uint64_t{kind % opcode_count} << conformance::opcode_field.shift;
        const eci::message message = eci::decode(vc, header);
        const auto closed = eci::closes(message);
        const auto opened = eci::opens(message);
        parts[kind].role = decoded_part({}, vc, header).role;
        const conformance::HeaderShape& shape = conformance::header_shapes[kind];
        parts[kind].is_about_line = shape.has_line;
        parts[kind].line_shift = shape.line_shift;
        parts[kind].id_shift = shape.id_shift;
        parts[kind].id_mask = shape.id_mask;
        if (closed || opened) {
            parts[kind].what = static_cast<std::uint8_t>(closed ? closed->what : opened->what);
        }
    }
    return parts;
}

}  // namespace

ExchangePart exchange_part(Stream stream, std::uint8_t vc, std::uint64_t header) {
    static const std::array<KindPart, kinds> parts = kind_parts();
    const KindPart& part = parts[kind_of(vc, header)];
    if (!part.is_about_line) {
        return decoded_part(stream, vc, header);
    }
    if (part.role == ExchangePart::Role::none) {
        return {};
    }
    const std::uint64_t line = header >> part.line_shift & ((std::uint64_t{1} << conformance::line_bits) - 1);
    const auto closes = static_cast<std::uint8_t>(part.role == ExchangePart::Role::closes ? 1 : 0);
    const auto asker = static_cast<std::uint8_t>(stream.from ^ closes);
    return {part.role, false, key_of(part.what, header >> part.id_shift & part.id_mask, line, asker)};
}

bool can_answer(std::uint8_t vc, std::uint64_t answer, const OpenRequest& request) {
    enum class Known : std::uint8_t { no_answer, yes, no };
    thread_local std::vector<Known> known(kinds * kinds);
    Known& at = known[kind_of(vc, answer) * kinds + kind_of(request.vc, request.header)];
    if (at == Known::no_answer) {
        const bool answers = eci::answers(eci::decode(vc, answer), eci::decode(request.vc, request.header));
        at = answers ? Known::yes : Known::no;
    }
    return at == Known::yes;
}

std::optional<OpenRequest> Exchanges::take(const MessageHead& head, std::uint64_t header, std::uint64_t number) {
    const ExchangePart part = exchange_part(head.stream, head.vc, header);
    switch (part.role) {
        case ExchangePart::Role::opens:
            open(part, {number, head.first, header, head.vc});
            return std::nullopt;
        case ExchangePart::Role::closes:
            return part.is_queue ? close_queued(part, head.vc, header) : close(part, head.vc, header);
        case ExchangePart::Role::none:
            break;
    }
    return std::nullopt;
}

void Exchanges::forget() {
    if (++epoch_ == 0) {
        std::fill(buckets_.begin(), buckets_.end(), Bucket{});
        epoch_ = 1;
    }
    queues_.clear();
    queued_ = 0;
}

std::size_t Exchanges::bucket_of(ExchangeKey key) {
    const std::uint64_t hash = key * 0x9e3779b97f4a7c15U;
    return (hash >> 40U) % (slot_count / ways);
}

void Exchanges::open(const ExchangePart& part, const OpenRequest& request) {
    if (part.is_queue) {
        if (queued_ == most_queued) {
            queues_.clear();
            queued_ = 0;
        }
        queues_[part.key].push_back(request);
        ++queued_;
        return;
    }
    const std::size_t number = bucket_of(part.key);
    Bucket& bucket = buckets_[number];
    const auto age = static_cast<std::uint32_t>(request.number);
    std::size_t taken = 0;
    std::uint32_t oldest = 0;
    for (std::size_t way = 0; way < ways; ++way) {
        const bool is_used = bucket.epochs[way] == epoch_;
        if (is_used && bucket.keys[way] == part.key) {
            taken = way;
            break;
        }
        const std::uint32_t since = is_used ? age - bucket.ages[way] : ~std::uint32_t{0};
        taken = since > oldest ? way : taken;
        oldest = std::max(oldest, since);
    }
    bucket.keys[taken] = part.key;
    bucket.epochs[taken] = epoch_;
    bucket.ages[taken] = age;
    requests_[number * ways + taken] = request;
}

std::optional<OpenRequest> Exchanges::close(const ExchangePart& part, std::uint8_t vc, std::uint64_t answer) {
    const std::size_t number = bucket_of(part.key);
    Bucket& bucket = buckets_[number];
    for (std::size_t way = 0; way < ways; ++way) {
        if (bucket.epochs[way] != epoch_ || bucket.keys[way] != part.key) {
            continue;
        }
        const OpenRequest& request = requests_[number * ways + way];
        if (!can_answer(vc, answer, request)) {
            return std::nullopt;
        }
        bucket.epochs[way] = 0;
        return request;
    }
    return std::nullopt;
}

std::optional<OpenRequest> Exchanges::close_queued(const ExchangePart& part, std::uint8_t vc, std::uint64_t answer) {
    const auto found = queues_.find(part.key);
    if (found == queues_.end()) {
        return std::nullopt;
    }
    const OpenRequest request = found->second.front();
    if (!can_answer(vc, answer, request)) {
        return std::nullopt;
    }
    found->second.pop_front();
    --queued_;
    if (found->second.empty()) {
        queues_.erase(found);
    }
    return request;
}

}  // namespace eciscope::view
