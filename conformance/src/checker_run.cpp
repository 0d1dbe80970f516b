// The checker's way of an ordinary message: everything that is done for each of them.
#include <algorithm>
#include <eciscope/spec/eci.hpp>

#include "checker_impl.hpp"

namespace eciscope::conformance {

inline void Checker::Impl::find_place(const MessageHead& head, std::uint64_t header, Place& place) const {
    const HeaderFact& fact = facts_.of(head.vc, header);
    const auto home = static_cast<std::uint8_t>(head.stream.from ^ fact.to_home);
    place.fact = &fact;
    place.key = line_key(header >> fact.line_shift & line_mask_, home);
    place.hash = LineTable::hash(place.key);
    lines_.prefetch(place.hash);
}

/// Every message's entry of the table is asked for some messages before it is needed, so that it is on its way from
/// memory meanwhile.
void Checker::Impl::run(const TraceBatch& batch, std::size_t from, std::size_t to) {
    std::array<Place, ahead> places;
    const MessageHead* const heads = batch.messages.data();
    const std::uint64_t* const words = batch.words.data();
    const std::size_t prepared = std::min(to, from + ahead);
    for (std::size_t i = from; i < prepared; ++i) {
        find_place(heads[i], words[heads[i].word_offset], places[i % ahead]);
    }
    for (std::size_t i = from; i < to; ++i) {
        message(heads[i], words[heads[i].word_offset], places[i % ahead]);
        if (i + ahead < to) {
            find_place(heads[i + ahead], words[heads[i + ahead].word_offset], places[i % ahead]);
        }
    }
    note_progress(batch, from, to);
}

inline void Checker::Impl::message(const MessageHead& head, std::uint64_t header, const Place& place) {
    if (special_ && !is_usual(head, header, place)) {
        return;
    }
    const HeaderFact& fact = *place.fact;
    const std::uint64_t number = number_++;
    now_ = head.last;
    if (!fact.has_line) {
        if (options_.share == 0) {
            without_line(seen_of(head, header, number), fact);
        }
        return;
    }
    if (options_.shares > 1 && !is_mine(place)) {
        return;
    }
    LineState& at_hand = lines_.first(place.hash);
    LineState& line = at_hand.is(LineState::wanted(place.key, epoch_)) ? at_hand : entry(place);
    if (fact.symbol == no_symbol) {
        past_the_caches(seen_of(head, header, number), place, line);
        return;
    }
    ++of_lines_;
    const std::size_t at = line.state * symbols_ + fact.symbol;
    const StateNumber next = next_[at];
    if (next == impossible) {
        refuse(seen_of(head, header, number), place, line, fact.symbol);
        return;
    }
    ++transitions_[at];
    line.state = next;
    if (fact.closes) {
        close(head, header, number, place, line);
    }
    // Without branches from here on: which kind of message comes next is hard to guess.
    const auto short_number = static_cast<ShortNumber>(number);
    const bool is_first = (line.identity & LineState::first_bit) != 0;
    line.identity &= ~LineState::first_bit;
    recent_.add(head, header, number, is_first ? short_number : line.last, fact.opens);
    line.last = short_number;
    const auto id = static_cast<std::uint8_t>((header >> fact.id_shift & fact.id_mask) | LineState::id_known);
    line.open[fact.to_home] = fact.opens ? short_number : line.open[fact.to_home];
    line.open_id[fact.to_home] = fact.opens ? id : line.open_id[fact.to_home];
    const bool fits =
        eci::vc_parity_of_line(place.key >> 1U) == (head.vc & 1U) && !fact.wrong_circuit && (header & dirty_mask_) == 0;
    if (!fits) {
        look_at_header(seen_of(head, header, number), place, line);
    }
}

inline void Checker::Impl::close(const MessageHead& head, std::uint64_t header, std::uint64_t number,
                                 const Place& place, LineState& line) {
    const HeaderFact& fact = *place.fact;
    const std::size_t which = 1U - fact.to_home;  // a grant, from the home, answers what was sent to it
    const std::uint8_t known = line.open_id[which];
    if (known == 0) {
        return;  // the request came before anything was known of the line
    }
    const auto id = static_cast<std::uint8_t>((header >> fact.id_shift & fact.id_mask) | LineState::id_known);
    line.open_id[which] = 0;
    const RecentMessages::Slot* request = recent_.close(line.open[which]);
    if (request == nullptr) {
        return;
    }
    const HeaderFact& asked = facts_.of(request->vc, request->header);
    latencies_[facts_.number_of(asked)].add(head.first - request->time);
    const std::uint64_t missing = request->header & ~header & facts_.dmask_bits();
    if (id != known || missing != 0 || !facts_.answers(fact, asked)) {
        look_at_answer(seen_of(head, header, number), request->seen(), id == known, place, line);
    }
}

/// What is rare and concerns any message: streams that were never seen before, retries, and exchanges past the caches.
/// False if the message is dealt with.
bool Checker::Impl::is_usual(const MessageHead& head, std::uint64_t header, const Place& place) {
    if ((rested_streams_ >> head.stream.index() & 1U) == 0) {
        first_of_stream(head.stream);
    }
    const bool in_doubt = distrusted_ || (retries_.any() && retries_.covers(head));
    const HeaderFact& fact = *place.fact;
    settle_special();
    if (!fact.has_line || (options_.shares > 1 && !is_mine(place))) {
        return true;
    }
    if (!in_doubt && (others_.empty() || !fact.closes || fact.symbol == no_symbol)) {
        return true;
    }
    const Seen seen = seen_of(head, header, number_);
    if (!in_doubt && !closes_other(seen, place)) {
        return true;
    }
    ++number_;
    ++not_judged_;
    now_ = head.last;
    forget(place, entry(place));
    settle_special();
    return false;
}

}  // namespace eciscope::conformance
