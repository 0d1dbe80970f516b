#include "stream_decoder.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include <eciscope/spec/eci.hpp>

namespace eciscope {
namespace {

constexpr std::uint64_t words_per_block = block_words - 1;
constexpr std::size_t control_word = block_words - 1;

}  // namespace

StreamDecoder::StreamDecoder(Context& context, Stream stream)
    : context_(context), reassembly_(context, stream), stream_(stream) {
    history_.fill(Fate::unseen);
}

// Inlined where it is used: it is done for nearly every block.
[[gnu::always_inline]] inline void StreamDecoder::accept(const std::uint64_t* words, std::uint64_t index,
                                                         const BlockPlace& place) {
    const std::uint64_t control = words[control_word];
    active_at_ = place.time;
    if (index + History::length >= sent_) {
        history_.set(index, Fate::taken, control);  // unless it was held for so long that its place is another's
    }
    const bool known = ledger_.known();
    const Reassembly::Carried carried =
        reassembly_.block(eci::control_vcs(control), words, place, known ? &ledger_ : nullptr);
    const std::uint64_t only_credits = carried.words == 0 ? 1 : 0;  // added, not branched on: it is hard to foresee
    accepted_ += 1;
    only_credits_ += only_credits;
    if (known) {
        account_credits(control, carried.overdrawn, place);
    }
}

[[gnu::always_inline]] inline void StreamDecoder::account_credits(std::uint64_t control, std::uint64_t overdrawn,
                                                                  const BlockPlace& place) {
    if (overdrawn != 0) {
        credit_overdrawn(overdrawn, place);
    }
    ledger_.sent_block();
    const auto high = static_cast<std::uint8_t>(eci::block_type_of(control) == eci::block_type::HI ? 1 : 0);
    reverse_->ledger_.granted(high, eci::control_credits(control));
    acknowledge(control, place);
}

[[gnu::always_inline]] inline void StreamDecoder::acknowledge(std::uint64_t control, const BlockPlace& place) {
    if (eci::control_ack(control) != 0 && reverse_->ledger_.known() && !reverse_->ledger_.acknowledged()) {
        acknowledged_ahead(place);
    }
}

/// True while nothing is going on but blocks with words or credits, one after the other.
inline bool StreamDecoder::in_step() const {
    return next_ == sent_ && held_.empty() && !in_handshake_ && !guess_replay_ && !reassembly_.searching();
}

void StreamDecoder::take(const BlockItem& item, const std::uint64_t* words, std::uint32_t crc) {
    const std::uint64_t control = words[control_word];
    const bool good = crc == eci::control_crc(control) && !item.crc_flagged && item.crc_present;
    const BlockPlace place{item.time, ordinal_++, item.record, item.block};
    ++blocks_;
    if (good && eci::is_sequenced(control) && in_step() && place.ordinal != 0) {
        traffic_seen_ = true;
        idle_run_ = 0;
        next_ = ++sent_;
        accept(words, sent_ - 1, place);
        return;
    }
    take_any(item, words, crc, place);
}

void StreamDecoder::take_any(const BlockItem& item, const std::uint64_t* words, std::uint32_t crc,
                             const BlockPlace& place) {
    const std::uint64_t control = words[control_word];
    if (place.ordinal == 0 || began_again_) {
        began_again_ = false;
        // What came before is unknown, unless the interposer says that there was nothing.
        disturbed_at_ = active_at_ = item.stream_begins ? context_.began : place.time;
    }
    if ((crc != eci::control_crc(control) || item.crc_flagged || !item.crc_present) && damage(item, crc, control)) {
        damaged(words, place);
        return;
    }
    if (reassembly_.searching() && held_.empty()) {
        reassembly_.quiet_until(disturbed_at_, active_at_, place);
    }
    if (eci::is_sequenced(control)) {
        data(words, place);
        return;
    }
    switch (eci::block_type_of(control)) {
        case eci::block_type::SYNC:
            sync(control, place);
            return;
        case eci::block_type::IDLE_BLOCK:
            idle(control, place);
            return;
        default:
            ++context_.accounts.damaged;
            report(context_, DiagnosticKind::reserved_block, stream_, place, [&] { return hex_word(control); });
    }
}

/// Whether a block whose checksum is wrong, flagged or absent is damaged.
bool StreamDecoder::damage(const BlockItem& item, std::uint32_t crc, std::uint64_t control) {
    const BlockPlace place{item.time, ordinal_, item.record, item.block};
    if (!item.crc_present) {
        return item.crc_flagged;
    }
    if (crc == eci::control_crc(control)) {
        report(context_, DiagnosticKind::crc_flag_unfounded, stream_, place, [] { return std::string(); });
        return false;
    }
    report(context_, DiagnosticKind::block_damaged, stream_, place,
           [&] { return "control word " + hex_word(control) + ", computed CRC " + hex_word(crc); });
    return true;
}

// --- blocks that count in sequence numbers

void StreamDecoder::data(const std::uint64_t* words, const BlockPlace& place) {
    if (in_handshake_) {
        end_handshake(place);
    }
    traffic_seen_ = true;
    idle_run_ = 0;
    if (guess_replay_) {
        guess_replay(words[control_word]);
    }
    const std::uint64_t index = next_++;
    if (index == sent_ && held_.empty()) {
        ++sent_;
        accept(words, index, place);
    } else {
        data_out_of_turn(words, index, place);
    }
}

void StreamDecoder::data_out_of_turn(const std::uint64_t* words, std::uint64_t index, const BlockPlace& place) {
    const std::uint64_t control = words[control_word];
    if (index == sent_) {
        ++sent_;
        hold({words, place, index, false});
        return;
    }
    if (replay_guessed_ && history_.control(index) != control) {
        end_replay(place);  // the guess was wrong or the replay shorter: from here on blocks are new
        next_ = sent_;
        data(words, place);
        return;
    }
    ++replay_copies_;
    active_at_ = place.time;
    const Fate fate = history_.fate(index);
    if (next_ == sent_) {
        end_replay(place);
    }
    switch (fate) {
        case Fate::taken:
        case Fate::held:
            ++context_.accounts.replayed;
            if (eci::control_vcs(history_.control(index)) != eci::control_vcs(control)) {
                report(context_, DiagnosticKind::replay_differs, stream_, place,
                       [&] { return hex_word(history_.control(index)) + " came again as " + hex_word(control); });
            }
            return;
        case Fate::given_up:
        case Fate::lost_track:
            ++context_.accounts.discarded;
            report(context_, DiagnosticKind::replay_unusable, stream_, place, [&] { return hex_word(control); });
            return;
        case Fate::superseded:
            --superseded_;
            ++context_.accounts.replayed;  // the copy that was held
            break;
        case Fate::unseen:
        case Fate::damaged:
            break;
    }
    if (held_.empty()) {
        accept(words, index, place);
    } else {
        hold({words, place, index, false});
    }
}

void StreamDecoder::credit_overdrawn(std::uint64_t circuits, const BlockPlace& place) {
    // While the partner's blocks are held back, its credits are not in the ledger yet.
    if (!reverse_->holds()) {
        report(context_, DiagnosticKind::credit_overdrawn, stream_, place,
               [&] { return "circuit " + std::to_string(std::countr_zero(circuits)); });
    }
}

void StreamDecoder::acknowledged_ahead(const BlockPlace& place) {
    report(context_, DiagnosticKind::ack_ahead, stream_, place, [] { return std::string(); });
}

void StreamDecoder::damaged(const std::uint64_t* words, const BlockPlace& place) {
    ++context_.accounts.damaged;
    idle_run_ = 0;
    disturbed_at_ = place.time;
    // The type bits may be damaged too; a wrong guess is put right by the sequence numbers of the next handshake.
    const bool sequenced = eci::is_sequenced(words[control_word]);
    if (sequenced && in_handshake_) {
        end_handshake(place);
    }
    const std::uint64_t index = next_;
    if (sequenced) {
        const bool copy = next_++ != sent_;
        const Fate fate = history_.fate(index);
        if (copy) {
            ++replay_copies_;
            if (next_ == sent_) {
                end_replay(place);
            }
            if (fate != Fate::superseded && fate != Fate::damaged && fate != Fate::unseen) {
                return;  // nothing is missing here; the far end asks once more for what it misses
            }
        } else {
            ++sent_;
        }
        if (!copy || fate != Fate::superseded) {
            history_.set(index, Fate::damaged, words[control_word]);
        }
    }
    sequence_doubt_ = std::min(sequence_doubt_, index + 1);
    hold({words, place, index, true});
}

// --- holding back what follows damage

void StreamDecoder::hold(const Held& held) {
    if (held_.size() >= context_.options.held_blocks) {
        report(context_, DiagnosticKind::hold_gave_up, stream_, held.place.view(),
               [&] { return std::to_string(held_.size()) + " blocks held"; });
        release_all();
        if (!held.damaged) {
            accept(held.words.data(), held.index, held.place.view());
            return;
        }
    }
    if (held_.empty()) {
        context_.output.begin_undecided();
        evidence_since_ = held.place.time;
    }
    if (!held.damaged) {
        history_.set(held.index, Fate::held, held.words[control_word]);
    }
    held_.push_back(held);
}

/// The far end took the oldest `count` held blocks; what was damaged among them was damaged at the tap alone.
void StreamDecoder::release_front(std::size_t count) {
    if (count == 0) {
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Held& held = held_[i];
        if (reassembly_.searching()) {
            reassembly_.quiet_until(disturbed_at_, active_at_, held.place.view());
        }
        active_at_ = held.place.time;
        if (!held.damaged) {
            accept(held.words.data(), held.index, held.place.view());
            continue;
        }
        if (held.index + History::length >= sent_ && history_.fate(held.index) == Fate::damaged) {
            history_.set(held.index, Fate::given_up);
        }
        event(EventKind::damaged, held.place.view(), 1, held.words[control_word]);
        reassembly_.lose(words_per_block, held.place.view());
        forget_ledgers();
    }
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(count));
    if (held_.empty()) {
        context_.output.end_undecided();
    } else {
        evidence_since_ = held_.front().place.time;
        context_.output.bound_moved();
    }
}

void StreamDecoder::release_before(std::uint64_t index) {
    const auto end = std::find_if(held_.begin(), held_.end(), [&](const Held& held) { return held.index >= index; });
    release_front(static_cast<std::size_t>(end - held_.begin()));
}

/// The far end did not take what is held: copies come, or the link begins anew.
void StreamDecoder::supersede_held() {
    if (held_.empty()) {
        return;
    }
    for (const Held& held : held_) {
        if (!held.damaged && held.index + History::length >= sent_) {
            history_.set(held.index, Fate::superseded);
        }
        if (!held.damaged) {
            ++superseded_;
        }
    }
    held_.clear();
    context_.output.end_undecided();
}

/// The partner says how many blocks it has received. That it counts on past a damaged block means that it took it.
void StreamDecoder::partner_received(std::uint8_t rx_seq, const BlockPlace& place) {
    if (sent_ <= sequence_doubt_) {
        const auto ahead = static_cast<std::int8_t>(rx_seq - static_cast<std::uint8_t>(sequence_base_ + sent_));
        if (ahead > 0 && partner_is_behind_) {
            partner_is_behind_ = false;
            report(context_, DiagnosticKind::rx_seq_ahead, stream_, place,
                   [&] { return std::to_string(ahead) + " blocks"; });
        }
    }
    if (held_.empty() || !partner_is_behind_ || held_.front().index >= sequence_doubt_) {
        return;
    }
    const std::uint64_t first = held_.front().index;
    const auto taken = static_cast<std::uint8_t>(rx_seq - static_cast<std::uint8_t>(sequence_base_ + first));
    if (taken == 0 || taken > sent_ - first) {
        return;
    }
    const auto end = std::find_if(held_.begin(), held_.end(),
                                  [&](const Held& held) { return held.index >= first + taken && held.damaged; });
    release_front(static_cast<std::size_t>(end - held_.begin()));
}

// --- idle, loss, end

void StreamDecoder::idle(std::uint64_t control, const BlockPlace& place) {
    if (in_handshake_) {
        end_handshake(place);
    }
    traffic_seen_ = true;
    ++context_.accounts.idle;
    if (++idle_run_ >= Reassembly::idle_blocks && reassembly_.searching() && held_.empty()) {
        reassembly_.nothing_to_send(place);
    }
    acknowledge(control, place);
    reverse_->partner_received(eci::control_rx_seq(control), place);
}

void StreamDecoder::lost(const BlockItem& item) {
    if (item.lost == 0) {
        return;
    }
    const BlockPlace place{item.time, ordinal_, item.record, item.block};
    release_all();
    abandon_replay(place);
    const bool known = item.lost != BlockItem::unknown_count;
    if (known) {
        context_.accounts.lost += item.lost;
        ordinal_ += item.lost;
    } else {
        ++context_.accounts.lost_unknown;
    }
    event(EventKind::lost, place, item.lost);
    // More than a few blocks leave everything possible on every circuit, so the product need not be exact beyond.
    reassembly_.lose(std::min<std::uint64_t>(item.lost, block_words) * words_per_block, place);
    history_.fill(Fate::lost_track);
    sequence_doubt_ = 0;
    forget_ledgers();
    idle_run_ = 0;
    disturbed_at_ = item.time;
}

void StreamDecoder::restarted(const BlockItem& item) {
    const BlockPlace place{item.time, ordinal_, item.record, item.block};
    release_all();
    abandon_replay(place);
    event(EventKind::restarted, place);
    reassembly_.lose(std::numeric_limits<std::uint64_t>::max(), place);
    history_.fill(Fate::unseen);
    sequence_doubt_ = 0;
    forget_ledgers();
    idle_run_ = 0;
    disturbed_at_ = item.time;
    in_handshake_ = in_init_ = traffic_seen_ = false;
    began_again_ = true;
}

void StreamDecoder::forget_ledgers() {
    ledger_.forget();
    reverse_->ledger_.forget();
}

void StreamDecoder::give_up(const BlockPlace& place) {
    release_all();
    reassembly_.give_up(place);
}

void StreamDecoder::finish(Picoseconds end) {
    const BlockPlace place{end, ordinal_, {}};
    release_all();
    if (next_ != sent_) {
        end_replay(place);
    }
    reassembly_.finish(place);
    context_.accounts.discarded += superseded_;
    superseded_ = 0;
    context_.accounts.blocks += std::exchange(blocks_, 0);
    context_.accounts.data += accepted_ - only_credits_;
    context_.accounts.credit += only_credits_;
    accepted_ = only_credits_ = 0;
}

Picoseconds StreamDecoder::undecided_since() const {
    const Picoseconds held = held_.empty() ? std::numeric_limits<Picoseconds>::max() : held_.front().place.time;
    return std::min(held, reassembly_.undecided_since());
}

void StreamDecoder::event(EventKind kind, const BlockPlace& place, std::uint64_t count, std::uint64_t detail) {
    Event event;
    event.kind = kind;
    event.time = place.time;
    event.block = place.ordinal;
    event.count = count;
    event.detail = detail;
    event.stream = stream_;
    context_.output.event(event);
}

}  // namespace eciscope
