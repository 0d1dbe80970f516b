// Messages of one stream, put together word by word for each virtual circuit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <eciscope/spec/eci.hpp>
#include "context.hpp"
#include "ledger.hpp"
#include "resync.hpp"

namespace eciscope {

class Reassembly {
 public:
    Reassembly(Context& context, Stream stream);

    /// What a block carried. Two whole registers: packing them into one costs more than all the rest of the call.
    struct Carried {
        std::uint64_t words = 0;
        std::uint64_t overdrawn = 0;  ///< bit set of the circuits for which the sender had no credit left
    };

    /// A block's words must have so many others behind them, so that a fixed number can be copied from any slot on.
    static constexpr std::size_t room_behind = eci::max_message_words;

    /// Takes the words of an accepted block. `vcs` are its seven circuits; `ledger` is null while nothing is known of
    /// it.
    Carried block(std::uint32_t vcs, const std::uint64_t* words, const BlockPlace& place, Ledger* ledger);

    /// A link was initialised: every circuit is between messages.
    void reset(const BlockPlace& place);

    /// Up to `words` words of every circuit went by unseen before this place.
    void lose(std::uint64_t words, const BlockPlace& place);

    /// True while some circuit looks for a message start.
    [[nodiscard]] bool searching() const { return searching_ != 0; }

    /// The stream was seen without a gap up to `place`; nothing disturbed it after `calm_since`, nothing but idle
    /// blocks was sent after `active_at`. Decides searching circuits that are between messages by idle_time or
    /// quiet_time.
    void quiet_until(Picoseconds calm_since, Picoseconds active_at, const BlockPlace& place);

    /// The sender showed that it has no word to send: every circuit is between messages.
    void nothing_to_send(const BlockPlace& place);

    /// Time of the earliest word whose message is undecided; the largest time where there is none.
    [[nodiscard]] Picoseconds undecided_since() const;

    /// Throws away the words of searching circuits; the search itself goes on.
    void give_up(const BlockPlace& place);

    /// The input has ended.
    void finish(const BlockPlace& place);

    // A sender that has begun a message has the credits for all of it and sends idle blocks only when it has no word to
    // send. The largest gap between words of a message in any capture is two block slots, 8.7 ns.

    /// So many idle blocks in a row show that a sender has nothing to send; one alone may be a hiccup.
    static constexpr unsigned idle_blocks = 2;
    /// A stream that sent nothing for so long, more than four block slots, is between messages on all circuits.
    static constexpr std::uint64_t idle_time = 20 * picoseconds_per_nanosecond;
    /// A circuit that had no word for so long is between messages, however busy the others are.
    static constexpr std::uint64_t quiet_time = 200 * picoseconds_per_nanosecond;

 private:
    static constexpr std::size_t circuit_count = eci::empty_slot + 1;
    static constexpr std::size_t longest_message = eci::max_message_words;

    struct Circuit {
        std::uint8_t have = 0;  ///< words of the message in progress, 0 = between messages
        std::uint8_t need = 0;  ///< its length
        std::uint8_t vc = 0;
        bool searching = false;
        Picoseconds first = 0;  ///< when the message in progress began, and where
        std::uint64_t first_block = 0;
        std::uint64_t record = 0;
        Picoseconds last_word = 0;                                         ///< only kept while searching
        std::array<std::uint64_t, longest_message + block_words> words{};  ///< room for a fixed-size copy at the end
        Resync resync;
    };

    void run(std::uint8_t vc, const std::uint64_t* words, unsigned count, unsigned slot, const BlockPlace& place);
    void search_run(std::uint8_t vc, const std::uint64_t* words, unsigned count, unsigned slot,
                    const BlockPlace& place);
    void synchronised(std::uint8_t vc, const std::uint64_t* words, unsigned count, unsigned slot,
                      const BlockPlace& place);
    void search(std::uint8_t vc, const PlacedWord& word);
    void settle(std::uint8_t vc, const BlockPlace& place);
    void circuit_is_between(std::uint8_t vc, const BlockPlace& place);
    void begin_search(std::uint8_t vc, RemainingSet possible);
    void single_word(std::uint8_t vc, const std::uint64_t* word, unsigned slot, const BlockPlace& place);
    void complete(Circuit& circuit, unsigned slot, const BlockPlace& place);
    void drop_undecided(std::uint8_t vc, std::size_t count, const BlockPlace& place);
    void drop_progress(std::uint8_t vc, const BlockPlace& place);
    void discarded(std::uint8_t vc, std::uint64_t words, const BlockPlace& place);
    /// Keeps the output's count of undecided things in step around a change of a circuit's held words.
    void note_held(bool before, bool after);

    Context& context_;
    Stream stream_;
    unsigned searching_ = 0;   ///< number of circuits that search
    std::uint64_t words_ = 0;  ///< these go into the accounts at the end
    std::uint64_t messages_ = 0;
    std::uint64_t words_in_messages_ = 0;
    std::array<Circuit, circuit_count> circuits_;
};

}  // namespace eciscope
