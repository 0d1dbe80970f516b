#include "reassembly.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace eciscope {
namespace {

constexpr std::uint8_t slots = block_words - 1;
constexpr std::size_t copied_bytes = slots * sizeof(std::uint64_t);

// What is done for every block is one function, without calls.
#define ECISCOPE_HOT [[gnu::always_inline]]

/// For each circuit, whether all its messages are one word.
constexpr auto one_word = [] {
    std::array<bool, eci::empty_slot + 1> table{};
    for (std::size_t vc = 0; vc < table.size(); ++vc) {
        table[vc] = eci::is_one_word_vc(static_cast<std::uint8_t>(vc));
    }
    return table;
}();

// The circuits of a block are taken one after the other from the upper end of a register; the specification says where
// each stands.
constexpr unsigned register_bits = 32;
constexpr unsigned circuit_bits = std::bit_width(unsigned{eci::empty_slot});
constexpr unsigned unused_bits = register_bits - slots * circuit_bits;
static_assert(slots * circuit_bits < register_bits && std::has_single_bit(eci::empty_slot + 1U));
static_assert([] {
    for (std::uint8_t slot = 0; slot < slots; ++slot) {
        for (std::uint32_t vc = 0; vc <= eci::empty_slot; ++vc) {
            const std::uint32_t circuits = vc << (register_bits - (slot + 1U) * circuit_bits);
            if (eci::slot_vc(circuits >> unused_bits, slot) != vc) {
                return false;
            }
        }
    }
    return true;
}());
/// Times a circuit: that circuit in every slot.
constexpr std::uint32_t everywhere = ~std::uint32_t{0} / eci::empty_slot;

}  // namespace

Reassembly::Reassembly(Context& context, Stream stream) : context_(context), stream_(stream) {
    for (std::uint8_t vc = 0; vc < circuit_count; ++vc) {
        circuits_[vc].vc = vc;
        if (!one_word[vc]) {
            begin_search(vc, any_remaining(vc));
        }
    }
}

Reassembly::Carried Reassembly::block(std::uint32_t vcs, const std::uint64_t* words, const BlockPlace& place,
                                      Ledger* ledger) {
    std::uint64_t carried = 0;
    std::uint64_t overdrawn = 0;
    std::uint32_t circuits = vcs << unused_bits;
    // Nearly all blocks are words of one circuit and nothing behind them: one round of the loop.
    const unsigned used = slots - std::min<unsigned>(slots, static_cast<unsigned>(std::countr_one(vcs)) / circuit_bits);
    for (unsigned slot = 0; slot < used;) {
        const auto vc = static_cast<std::uint8_t>(circuits >> (register_bits - circuit_bits));
        const auto alike = static_cast<unsigned>(std::countl_zero(circuits ^ vc * everywhere)) / circuit_bits;
        const unsigned count = std::min<unsigned>(alike, used - slot);
        if (vc != eci::empty_slot) {
            carried += count;
            run(vc, words + slot, count, slot, place);
            if (ledger != nullptr && !ledger->spend(vc, count)) {
                overdrawn |= std::uint64_t{1} << vc;
            }
        }
        slot += count;
        circuits <<= count * circuit_bits;
    }
    words_ += carried;
    return {carried, overdrawn};
}

ECISCOPE_HOT inline void Reassembly::run(std::uint8_t vc, const std::uint64_t* words, unsigned count, unsigned slot,
                                         const BlockPlace& place) {
    if (one_word[vc]) {
        for (unsigned i = 0; i < count; ++i) {
            single_word(vc, words + i, slot + i, place);
        }
        return;
    }
    if (circuits_[vc].searching) {
        search_run(vc, words, count, slot, place);
    } else {
        synchronised(vc, words, count, slot, place);
    }
}

void Reassembly::search_run(std::uint8_t vc, const std::uint64_t* words, unsigned count, unsigned slot,
                            const BlockPlace& place) {
    for (unsigned taken = 0; taken < count; ++taken) {
        if (circuits_[vc].searching) {
            search(vc, {words[taken], KeptPlace(place), static_cast<std::uint8_t>(slot + taken)});
        } else {
            synchronised(vc, words + taken, 1, slot + taken, place);
        }
    }
}

ECISCOPE_HOT inline void Reassembly::single_word(std::uint8_t vc, const std::uint64_t* word, unsigned slot,
                                                 const BlockPlace& place) {
    context_.output.message(1, word, [&](MessageHead& head) {
        head.first = head.last = place.time;
        head.first_block = head.last_block = place.ordinal;
        head.record = place.record();
        head.word_count = 1;
        head.vc = vc;
        head.stream = stream_;
        head.slot = static_cast<std::uint8_t>(slot);
    });
    ++messages_;
    ++words_in_messages_;
}

ECISCOPE_HOT inline void Reassembly::synchronised(std::uint8_t vc, const std::uint64_t* words, unsigned count,
                                                  unsigned slot, const BlockPlace& place) {
    Circuit& circuit = circuits_[vc];
    while (count != 0) {
        if (circuit.have == 0) {
            circuit.need = eci::message_words(vc, *words);
            circuit.first = place.time;
            circuit.first_block = place.ordinal;
            circuit.record = place.record();
        }
        const unsigned part = std::min<unsigned>(count, circuit.need - circuit.have);
        std::memcpy(circuit.words.data() + circuit.have, words, copied_bytes);  // more than `part`: both ends have room
        circuit.have = static_cast<std::uint8_t>(circuit.have + part);
        words += part;
        count -= part;
        slot += part;
        if (circuit.have == circuit.need) {
            complete(circuit, slot - 1, place);
        }
    }
}

ECISCOPE_HOT inline void Reassembly::complete(Circuit& circuit, unsigned slot, const BlockPlace& place) {
    context_.output.message(circuit.need, circuit.words.data(), [&](MessageHead& head) {
        head.first = circuit.first;
        head.last = place.time;
        head.first_block = circuit.first_block;
        head.last_block = place.ordinal;
        head.record = circuit.record;
        head.word_count = circuit.need;
        head.vc = circuit.vc;
        head.stream = stream_;
        head.slot = static_cast<std::uint8_t>(slot);
    });
    ++messages_;
    words_in_messages_ += circuit.need;
    circuit.have = 0;
}

void Reassembly::note_held(bool before, bool after) {
    if (!before && after) {
        context_.output.begin_undecided();
    } else if (before && !after) {
        context_.output.end_undecided();
    }
}

void Reassembly::begin_search(std::uint8_t vc, RemainingSet possible) {
    Circuit& circuit = circuits_[vc];
    searching_ += circuit.searching ? 0 : 1;
    circuit.searching = true;
    circuit.resync.start(vc, possible);
}

void Reassembly::search(std::uint8_t vc, const PlacedWord& word) {
    Circuit& circuit = circuits_[vc];
    Resync& resync = circuit.resync;
    if (resync.full()) {
        drop_undecided(vc, Resync::capacity / 2, word.place.view());
    }
    note_held(!resync.empty(), true);
    circuit.last_word = word.place.time;
    switch (resync.push(word)) {
        case Resync::Step::open:
            return;
        case Resync::Step::proved:
            settle(vc, word.place.view());
            return;
        case Resync::Step::refuted:
            report(context_, DiagnosticKind::no_message_start, stream_, word.place.view(),
                   [&] { return "circuit " + std::to_string(vc); });
            drop_undecided(vc, resync.size(), word.place.view());
            return;
    }
}

/// The search is over. What was held from the first proved start on goes the usual way, with the places at which it
/// came.
void Reassembly::settle(std::uint8_t vc, const BlockPlace& place) {
    Circuit& circuit = circuits_[vc];
    Resync& resync = circuit.resync;
    const std::size_t start = resync.first_proved_start();
    const bool held = !resync.empty();
    circuit.searching = false;
    --searching_;
    circuit.have = 0;
    discarded(vc, start, place);
    for (std::size_t i = start; i < resync.size(); ++i) {
        const std::array<std::uint64_t, room_behind> word{resync[i].word};
        synchronised(vc, word.data(), 1, resync[i].slot, resync[i].place.view());
    }
    resync.clear();
    note_held(held, false);
}

void Reassembly::drop_undecided(std::uint8_t vc, std::size_t count, const BlockPlace& place) {
    Resync& resync = circuits_[vc].resync;
    const bool held = !resync.empty();
    resync.drop(count);
    discarded(vc, count, place);
    note_held(held, !resync.empty());
}

void Reassembly::drop_progress(std::uint8_t vc, const BlockPlace& place) {
    Circuit& circuit = circuits_[vc];
    if (circuit.searching) {
        drop_undecided(vc, circuit.resync.size(), place);
    }
    discarded(vc, circuit.have, place);
    circuit.have = 0;
}

void Reassembly::discarded(std::uint8_t vc, std::uint64_t words, const BlockPlace& place) {
    if (words == 0) {
        return;
    }
    context_.accounts.words_discarded += words;
    report(context_, DiagnosticKind::words_discarded, stream_, place,
           [&] { return std::to_string(words) + " words of circuit " + std::to_string(vc); });
    Event event;
    event.kind = EventKind::discarded;
    event.time = place.time;
    event.block = place.ordinal;
    event.count = words;
    event.vc = vc;
    event.stream = stream_;
    context_.output.event(event);
}

void Reassembly::reset(const BlockPlace& place) {
    for (std::uint8_t vc = 0; vc < circuit_count; ++vc) {
        drop_progress(vc, place);
        circuits_[vc].searching = false;
    }
    searching_ = 0;
}

void Reassembly::lose(std::uint64_t words, const BlockPlace& place) {
    for (std::uint8_t vc = 0; vc < circuit_count; ++vc) {
        if (one_word[vc] || words == 0) {
            continue;
        }
        Circuit& circuit = circuits_[vc];
        const unsigned missing = circuit.have != 0 ? static_cast<unsigned>(circuit.need - circuit.have) : 0;
        const RemainingSet before = circuit.searching ? circuit.resync.possible() : RemainingSet{1} << missing;
        drop_progress(vc, place);
        begin_search(vc, after_unseen(vc, before, words));
        circuit.last_word = place.time;
    }
}

void Reassembly::circuit_is_between(std::uint8_t vc, const BlockPlace& place) {
    circuits_[vc].resync.now_between();
    settle(vc, place);
}

void Reassembly::nothing_to_send(const BlockPlace& place) {
    for (std::uint8_t vc = 0; vc < circuit_count; ++vc) {
        if (circuits_[vc].searching && circuits_[vc].resync.may_be_between()) {
            circuit_is_between(vc, place);
        }
    }
}

void Reassembly::quiet_until(Picoseconds calm_since, Picoseconds active_at, const BlockPlace& place) {
    if (elapsed(std::max(calm_since, active_at), place.time) >= idle_time) {
        nothing_to_send(place);
        return;
    }
    for (std::uint8_t vc = 0; vc < circuit_count; ++vc) {
        Circuit& circuit = circuits_[vc];
        if (circuit.searching && circuit.resync.may_be_between() &&
            elapsed(std::max(calm_since, circuit.last_word), place.time) >= quiet_time) {
            circuit_is_between(vc, place);
        }
    }
}

Picoseconds Reassembly::undecided_since() const {
    Picoseconds earliest = std::numeric_limits<Picoseconds>::max();
    if (searching_ == 0) {
        return earliest;
    }
    for (const Circuit& circuit : circuits_) {
        if (circuit.searching && !circuit.resync.empty()) {
            earliest = std::min(earliest, circuit.resync[0].place.time);
        }
    }
    return earliest;
}

void Reassembly::give_up(const BlockPlace& place) {
    for (std::uint8_t vc = 0; vc < circuit_count; ++vc) {
        if (circuits_[vc].searching) {
            drop_undecided(vc, circuits_[vc].resync.size(), place);
        }
    }
}

void Reassembly::finish(const BlockPlace& place) {
    give_up(place);
    context_.accounts.words += std::exchange(words_, 0);
    context_.accounts.messages += std::exchange(messages_, 0);
    context_.accounts.words_in_messages += std::exchange(words_in_messages_, 0);
    for (std::uint8_t vc = 0; vc < circuit_count; ++vc) {
        Circuit& circuit = circuits_[vc];
        if (circuit.have == 0) {
            continue;
        }
        context_.accounts.words_unfinished += circuit.have;
        Event event;
        event.kind = EventKind::capture_ends;
        event.time = place.time;
        event.block = place.ordinal;
        event.count = circuit.have;
        event.vc = vc;
        event.stream = stream_;
        context_.output.event(event);
        report(context_, DiagnosticKind::message_unfinished, stream_, place, [&] {
            return std::to_string(circuit.have) + " of " + std::to_string(circuit.need) + " words on circuit " +
                   std::to_string(vc);
        });
        circuit.have = 0;
    }
}

}  // namespace eciscope
