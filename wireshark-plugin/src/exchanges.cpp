#include "exchanges.hpp"

#include "eciscope/conformance/tables.hpp"

namespace eciscope::shark {

namespace {

constexpr unsigned id_bits = 9;

std::uint64_t key_of(const eci::exchange& exchange, const eci::message& message, std::uint8_t asker) {
    const std::uint64_t line = eci::line_of(message).value_or(0);
    std::uint64_t key = static_cast<std::uint64_t>(exchange.what);
    key = key << 1 | asker;
    key = key << id_bits | exchange.id;
    return key << conformance::line_bits | line;
}

/// Whether a node can have several open that nothing tells apart.
bool is_queue(eci::exchange_kind kind) {
    return kind == eci::exchange_kind::Io_store || kind == eci::exchange_kind::Sli_load;
}

}  // namespace

void Exchanges::take(const Exchanged& exchanged, MessageFacts& facts) {
    if (const auto closed = eci::closes(exchanged.message)) {
        close(*closed, exchanged, facts);
    } else if (const auto opened = eci::opens(exchanged.message)) {
        open(*opened, exchanged, facts);
    }
}

void Exchanges::open(const eci::exchange& exchange, const Exchanged& exchanged, MessageFacts& facts) {
    if (eci::reply_to(exchanged.message) == eci::reply_rule::Reply_none) {
        return;
    }
    facts.opens = true;
    if (open_.size() >= most_open) {
        forget();
    }
    auto& waiting = open_[key_of(exchange, exchanged.message, exchanged.stream.from)];
    if (!is_queue(exchange.what)) {
        for (const Open& before : waiting) {
            before.facts->retired_by = facts.frame;
        }
        waiting.clear();
    } else if (waiting.size() >= most_open) {
        waiting.clear();
    }
    waiting.push_back({&facts, exchanged.header, exchanged.time, exchanged.vc});
}

void Exchanges::close(const eci::exchange& exchange, const Exchanged& exchanged, MessageFacts& facts) {
    const auto found = open_.find(key_of(exchange, exchanged.message, exchanged.stream.reverse().from));
    if (found == open_.end()) {
        return;
    }
    auto& waiting = found->second;
    const Open request = waiting.front();
    const eci::message asked = eci::decode(request.vc, request.header);
    if (!eci::answers(exchanged.message, asked)) {
        return;
    }
    facts.request_in = request.facts->frame;
    facts.request_header = request.header;
    facts.request_vc = request.vc;
    facts.elapsed =
        static_cast<Picoseconds>(static_cast<std::uint64_t>(exchanged.time) - static_cast<std::uint64_t>(request.time));
    request.facts->response_in = facts.frame;
    request.facts->elapsed = facts.elapsed;
    waiting.erase(waiting.begin());
    if (waiting.empty()) {
        open_.erase(found);
    }
}

}  // namespace eciscope::shark
