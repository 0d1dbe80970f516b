#include "exchanges.hpp"

#include <algorithm>

namespace eciscope::view {

namespace {

// Widths of the key's parts; wider than what the specification has.
constexpr unsigned line_bits = 33;
constexpr unsigned id_bits = 16;

ExchangeKey key_of(const eci::exchange& exchange, const eci::message& message, std::uint8_t asker) {
    const std::uint64_t line = eci::line_of(message).value_or(0);
    std::uint64_t key = static_cast<std::uint64_t>(exchange.what) << 1U | asker;
    key = key << id_bits | exchange.id;
    return key << line_bits | line;
}

bool is_queue(eci::exchange_kind kind) {
    return kind == eci::exchange_kind::Io_store || kind == eci::exchange_kind::Sli_load;
}

}  // namespace

ExchangePart exchange_part(Stream stream, const eci::message& message) {
    ExchangePart part;
    if (const auto closed = eci::closes(message)) {
        part = {ExchangePart::Role::closes, is_queue(closed->what), key_of(*closed, message, stream.reverse().from)};
    } else if (const auto opened = eci::opens(message)) {
        if (eci::reply_to(message) != eci::reply_rule::Reply_none) {
            part = {ExchangePart::Role::opens, is_queue(opened->what), key_of(*opened, message, stream.from)};
        }
    }
    return part;
}

std::optional<OpenRequest> Exchanges::take(const MessageHead& head, std::uint64_t header, std::uint64_t number) {
    const eci::message message = eci::decode(head.vc, header);
    const ExchangePart part = exchange_part(head.stream, message);
    switch (part.role) {
        case ExchangePart::Role::opens:
            open(part, {number, head.first, header, head.vc});
            return std::nullopt;
        case ExchangePart::Role::closes:
            return part.is_queue ? close_queued(part, message) : close(part, message);
        case ExchangePart::Role::none:
            break;
    }
    return std::nullopt;
}

void Exchanges::forget() {
    if (++epoch_ == 0) {
        std::fill(slots_.begin(), slots_.end(), Slot{});
        epoch_ = 1;
    }
    queues_.clear();
    queued_ = 0;
}

Exchanges::Slot* Exchanges::bucket(ExchangeKey key) {
    const std::uint64_t hash = key * 0x9e3779b97f4a7c15U;
    return &slots_[(hash >> 40U) % (slot_count / ways) * ways];
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
    Slot* const slots = bucket(part.key);
    Slot* taken = slots;
    for (std::size_t way = 0; way < ways; ++way) {
        Slot& slot = slots[way];
        if (slot.epoch == epoch_ && slot.key == part.key) {
            taken = &slot;
            break;
        }
        const bool is_free = slot.epoch != epoch_;
        const bool is_older = taken->epoch == epoch_ && slot.request.number < taken->request.number;
        taken = is_free || is_older ? &slot : taken;
    }
    *taken = {part.key, request, epoch_};
}

std::optional<OpenRequest> Exchanges::close(const ExchangePart& part, const eci::message& answer) {
    Slot* const slots = bucket(part.key);
    for (std::size_t way = 0; way < ways; ++way) {
        Slot& slot = slots[way];
        if (slot.epoch != epoch_ || slot.key != part.key) {
            continue;
        }
        if (!eci::answers(answer, eci::decode(slot.request.vc, slot.request.header))) {
            return std::nullopt;
        }
        slot.epoch = 0;
        return slot.request;
    }
    return std::nullopt;
}

std::optional<OpenRequest> Exchanges::close_queued(const ExchangePart& part, const eci::message& answer) {
    const auto found = queues_.find(part.key);
    if (found == queues_.end()) {
        return std::nullopt;
    }
    const OpenRequest request = found->second.front();
    if (!eci::answers(answer, eci::decode(request.vc, request.header))) {
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
