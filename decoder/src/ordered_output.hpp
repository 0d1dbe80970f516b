// Puts messages and events into the order of the trace and hands them out in batches.
//
// As long as nothing is undecided, what arrives is in order already and goes straight into the batch. While some stream
// holds something back (blocks after damage, words of a circuit that looks for a message start), everything goes into a
// stage; release() moves on from there what precedes the earliest thing that is still undecided.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <vector>

#include <eciscope/spec/eci.hpp>
#include "eciscope/decoder/decoder.hpp"

namespace eciscope {

/// A place in the order of the trace: nothing that comes later than this has been decided.
struct Bound {
    Picoseconds time = std::numeric_limits<Picoseconds>::max();
    std::uint8_t stream = 0;

    friend constexpr bool operator<(const Bound& a, const Bound& b) {
        return a.time != b.time ? a.time < b.time : a.stream < b.stream;
    }
};

class OrderedOutput {
 public:
    OrderedOutput(TraceSink& sink, const DecoderOptions& options);

    /// Takes a message with its words. `head` (a callable) fills in all of a MessageHead but its word_offset. Of
    /// `words`, eci::max_message_words may be read, however long the message is.
    template <typename Head>
    void message(unsigned word_count, const std::uint64_t* words, Head&& head) {
        if (!direct_) {
            MessageHead staged;
            head(staged);
            stage(staged, words);
            return;
        }
        if (words_left() < room_for_words) {
            make_room();
        }
        if (word_count == 1) {
            *next_word_ = *words;
        } else {
            std::memcpy(next_word_, words, eci::max_message_words * sizeof *words);
        }
        head(add(word_count));
        if (next_message_ == messages_end_) {
            hand_out();
        }
    }
    /// Takes an event, which stands before the messages of its block.
    void event(const Event& event);

    /// One more thing is undecided, or one less. Between, everything is staged.
    void begin_undecided() {
        ++undecided_;
        direct_ = false;
    }
    void end_undecided() {
        --undecided_;
        due_ = true;
        direct_ = undecided_ == 0 && staged_.empty();
    }

    /// The earliest undecided thing is a later one now.
    void bound_moved() { due_ = true; }

    /// True when release() may have something to do.
    [[nodiscard]] bool due() const { return due_; }
    /// True when so much is staged that somebody has to decide.
    [[nodiscard]] bool crowded() const { return staged_.size() > staged_limit; }
    [[nodiscard]] bool staging() const { return !staged_.empty(); }
    [[nodiscard]] bool anything_undecided() const { return undecided_ != 0; }
    void release(const Bound& bound);

    /// Hands out what the batch holds. Returns false once the sink wants no more.
    bool hand_out();
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] std::uint64_t events() const { return events_; }

    /// Messages and events kept for order at the most; beyond, the undecided is given up.
    static constexpr std::size_t staged_limit = 1U << 16;

 private:
    struct Staged {
        Picoseconds time = 0;
        std::uint64_t block = 0;
        std::uint64_t arrival = 0;
        std::uint32_t index = 0;  ///< into stage_.messages or stage_.events
        std::uint8_t stream = 0;
        std::uint8_t place = 0;  ///< within the block: events first, then by slot
        bool is_event = false;

        friend bool operator<(const Staged& a, const Staged& b) { return a.key() < b.key(); }
        [[nodiscard]] std::tuple<Picoseconds, std::uint8_t, std::uint64_t, std::uint8_t, std::uint64_t> key() const {
            return {time, stream, block, place, arrival};
        }
    };

    /// More than the longest message, so that a fixed number of words can be copied.
    static constexpr std::size_t room_for_words = 24;
    static_assert(room_for_words >= eci::max_message_words);

    [[nodiscard]] std::size_t words_left() const { return static_cast<std::size_t>(words_end_ - next_word_); }
    [[nodiscard]] std::size_t messages() const {
        return static_cast<std::size_t>(next_message_ - batch_.messages.data());
    }
    /// Adds a message to the batch, whose words are those at next_word_.
    MessageHead& add(unsigned word_count) {
        next_message_->word_offset = static_cast<std::uint32_t>(next_word_ - batch_.words.data());
        next_word_ += word_count;
        return *next_message_++;
    }
    void make_room();
    void begin_batch();
    static void append(TraceBatch& batch, MessageHead head, const std::uint64_t* words);
    void stage(const MessageHead& head, const std::uint64_t* words);
    void emit(const Staged& staged);
    void compact();

    TraceSink& sink_;
    static constexpr std::size_t words_at_once = 4096;

    std::size_t batch_messages_;
    // The vectors of the batch are larger than what is in them until it is handed out, and then keep their contents:
    // clearing and growing them again would write everything twice.
    TraceBatch batch_;
    MessageHead* next_message_ = nullptr;
    MessageHead* messages_end_ = nullptr;
    std::uint64_t* next_word_ = nullptr;
    std::uint64_t* words_end_ = nullptr;
    TraceBatch stage_;            ///< contents of what is staged, in order of arrival
    std::vector<Staged> staged_;  ///< what is staged, sorted on release
    std::uint64_t arrivals_ = 0;
    std::uint64_t events_ = 0;
    std::size_t undecided_ = 0;
    bool direct_ = true;  ///< nothing is undecided or staged
    bool due_ = false;
    bool stopped_ = false;
};

}  // namespace eciscope
