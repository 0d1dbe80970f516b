// Handshake, retry and replay of a stream.
#include <algorithm>
#include <string>

#include <eciscope/spec/eci.hpp>
#include "stream_decoder.hpp"

namespace eciscope {
namespace {

/// What a SYNC block asks for.
enum class Request : std::uint8_t {
    none = eci::req_none,
    init = eci::req_init,
    retry_going_on = eci::req_retry_acknowledged,
    retry = eci::req_retry
};

Request request_of(std::uint64_t control) {
    return static_cast<Request>(eci::control_req(control));
}

}  // namespace

void StreamDecoder::sync(std::uint64_t control, const BlockPlace& place) {
    ++context_.accounts.handshake;
    idle_run_ = 0;
    disturbed_at_ = place.time;
    const Request request = request_of(control);
    const auto asks = static_cast<std::uint8_t>(eci::control_req(control) << 1 | eci::control_ack(control));
    if (!in_handshake_ || asks != last_request_) {
        event(EventKind::handshake, place, 0, control);
    }
    in_handshake_ = true;
    last_request_ = asks;
    switch (request) {
        case Request::init:
            init_request(place);
            return;
        case Request::retry:
            in_retry_ = true;  // its own sequence number is a retry pointer here, which some senders move
            reverse_->retry_requested(eci::control_rx_seq(control), place);
            return;
        case Request::retry_going_on:
            in_retry_ = true;
            own_tx_seq_ = eci::control_tx_seq(control);
            reverse_->partner_rx_seq_ = eci::control_rx_seq(control);
            return;
        case Request::none:
            return;
    }
}

/// The sender begins the link anew: both counts start at nought and no message is in progress.
void StreamDecoder::init_request(const BlockPlace& place) {
    if (in_init_) {
        return;
    }
    in_init_ = true;
    if (traffic_seen_) {
        event(EventKind::link_down, place);
    }
    supersede_held();
    abandon_replay(place);
    reassembly_.reset(place);
    history_.fill(Fate::lost_track);
    learn_sequence(0);
    ledger_.link_initialised();
    partner_is_behind_ = true;
}

void StreamDecoder::retry_requested(std::uint8_t rx_seq, const BlockPlace& place) {
    if (!retry_requested_) {
        const BlockPlace here{place.time, ordinal_, place.origin, place.block};
        event(EventKind::retry, here, 0, rx_seq);
    }
    retry_requested_ = true;
    partner_rx_seq_ = rx_seq;
    evidence_since_ = place.time;
}

void StreamDecoder::end_handshake(const BlockPlace& place) {
    in_handshake_ = false;
    if (in_init_) {
        in_init_ = false;
        event(EventKind::link_up, place, 0, traffic_seen_ ? 0 : 1);
    } else if (in_retry_) {
        begin_replay(place);
    }
    in_retry_ = false;
    retry_requested_ = false;
    own_tx_seq_.reset();
    partner_rx_seq_.reset();
}

void StreamDecoder::learn_sequence(std::uint8_t tx_seq) {
    sequence_base_ = static_cast<std::uint8_t>(tx_seq - static_cast<std::uint8_t>(sent_));
    sequence_doubt_ = never;
}

/// How many of the blocks sent so far the partner wants again, if that can be told.
std::optional<std::uint64_t> StreamDecoder::blocks_to_repeat(const BlockPlace& place) {
    const bool certain = sent_ <= sequence_doubt_;
    const auto counted = static_cast<std::uint8_t>(sequence_base_ + sent_);
    if (certain && own_tx_seq_ && *own_tx_seq_ != counted) {
        report(context_, DiagnosticKind::sequence_mismatch, stream_, place,
               [&] { return "sender says " + std::to_string(*own_tx_seq_) + ", counted " + std::to_string(counted); });
    }
    if (!partner_rx_seq_ || (!own_tx_seq_ && !certain)) {
        return std::nullopt;
    }
    const std::uint8_t end = own_tx_seq_ ? *own_tx_seq_ : counted;
    const auto count = static_cast<std::uint8_t>(end - *partner_rx_seq_);
    constexpr std::uint8_t most = 128;  // half of the numbers: beyond, the partner would be ahead of the sender
    if (count > most) {
        report(context_, DiagnosticKind::sequence_mismatch, stream_, place,
               [&] { return "partner received " + std::to_string(*partner_rx_seq_) + " of " + std::to_string(end); });
        return 0;
    }
    return count;
}

void StreamDecoder::begin_replay(const BlockPlace& place) {
    abandon_replay(place);
    const std::optional<std::uint64_t> count = blocks_to_repeat(place);
    if (own_tx_seq_) {
        learn_sequence(*own_tx_seq_);
    }
    if (count) {
        next_ = sent_ - *count;
        release_before(next_);
    } else if (!held_.empty()) {
        next_ = held_.front().index;
    } else {
        guess_replay_ = retry_requested_;
    }
    supersede_held();
    disturbed_at_ = place.time;
}

/// Neither side's count is known: the first copy shows which block it repeats.
void StreamDecoder::guess_replay(std::uint64_t control) {
    guess_replay_ = false;
    for (std::uint64_t back = 1; back < History::length; ++back) {
        if (history_.fate(sent_ - back) == Fate::taken && history_.control(sent_ - back) == control) {
            next_ = sent_ - back;
            replay_guessed_ = true;
            return;
        }
    }
}

void StreamDecoder::end_replay(const BlockPlace& place) {
    if (replay_copies_ != 0) {
        event(EventKind::replayed, place, replay_copies_);
    }
    replay_copies_ = 0;
    replay_guessed_ = false;
    disturbed_at_ = std::max(disturbed_at_, place.time);
}

void StreamDecoder::abandon_replay(const BlockPlace& place) {
    end_replay(place);
    next_ = sent_;
    guess_replay_ = false;
}

}  // namespace eciscope
