// A trace as it grows during the first pass over a file: every message once, in order. Finds out what a message has to
// do with those before it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "eciscope/conformance/checker.hpp"
#include "eciscope/conformance/line_states.hpp"
#include "eciscope/decoder/message.hpp"
#include "exchanges.hpp"
#include "facts.hpp"
#include "line_ends.hpp"

namespace eciscope::shark {

class Trace final : public conformance::FindingSink {
 public:
    /// `check`: whether messages are held against the protocol's rules.
    explicit Trace(bool check);
    ~Trace() override;

    /// One after the other, where they come so. What is asked of facts must be asked after catch_up().
    void add(const MessageHead& head, std::uint64_t header, MessageFacts* facts);
    void add(Event event);
    void catch_up();

    /// The messages of the batch, whose facts are given in the same order, and its events. Facts and what they point to
    /// live as long as the file.
    void take(const TraceBatch& batch, const std::vector<MessageFacts*>& facts);
    /// No message follows: what is still owed is noted at the request.
    void finish();

    void violation(const conformance::Violation& violation) override;
    void owed(const conformance::OwedReply& owed) override;

 private:
    void take_event(const Event& event);
    /// A message, and what the matching and its line need of it.
    struct Taken {
        Exchanged exchanged;
        std::uint64_t line;
    };
    static constexpr std::uint64_t no_line = ~std::uint64_t{0};
    static constexpr std::size_t most_pending = 256;

    void decode(const TraceBatch& batch);
    void follow_line(const MessageHead& head, std::uint64_t header, LineEnd& line, MessageFacts& facts);
    void take_message(const MessageHead& head, const Taken& taken, MessageFacts& facts);
    void note(std::uint64_t number, conformance::Rule rule, conformance::RuleSeverity severity, const char* text,
              const char* states);

    std::unique_ptr<conformance::Checker> checker_;
    std::unique_ptr<conformance::LineStates> states_;
    Exchanges exchanges_;
    LineEnds lines_;
    std::vector<Taken> taken_;  // kept for its memory
    TraceBatch pending_;
    std::vector<MessageFacts*> pending_facts_;
    std::vector<MessageFacts*> by_number_;
    std::uint8_t disturbed_streams_ = 0;  ///< something was lost since the last message of these, one bit each
    std::uint8_t begun_streams_ = 0;      ///< with the power-on handshake or a message, one bit each
    bool any_message_ = false;
    bool finished_ = false;
};

}  // namespace eciscope::shark
