// Traces by hand: one call a message, with the specification's own structures.
#pragma once

#include <cstdint>
#include <eciscope/spec/eci.hpp>
#include <vector>

#include "eciscope/conformance/checker.hpp"
#include "eciscope/decoder/message.hpp"

namespace eciscope::conformance::tests {

inline constexpr std::uint8_t cpu = 0;
inline constexpr std::uint8_t fpga = 1;  ///< the home in these traces

class TraceBuilder {
 public:
    static constexpr std::uint64_t line = 0x101;  ///< odd: on even circuits

    /// The power-on handshake of every stream.
    TraceBuilder& powers_on() {
        for (std::size_t stream = 0; stream < stream_count; ++stream) {
            event(EventKind::link_up, Stream::of_index(stream), 1);
        }
        return *this;
    }
    TraceBuilder& event(EventKind kind, Stream stream, std::uint64_t detail = 0) {
        Event event;
        event.kind = kind;
        event.time = time_;
        event.stream = stream;
        event.detail = detail;
        event.before = static_cast<std::uint32_t>(batch_.messages.size());
        batch_.events.push_back(event);
        return *this;
    }
    TraceBuilder& sees_both_directions() {
        return event(EventKind::handshake, {0, 0}).event(EventKind::handshake, {0, 1});
    }
    TraceBuilder& waits(Picoseconds time) {
        time_ += time;
        return *this;
    }

    TraceBuilder& request(eci::mreq_line_op op, std::uint8_t from, std::uint8_t id = 0,
                          std::uint64_t aliased_cli = line, std::uint8_t dmask = 0xf) {
        eci::message m{};
        m = eci::decode(6, 0);
        m.Mreq.Mreq_line.op = op;
        m.Mreq.Mreq_line.rreq_id = id;
        m.Mreq.Mreq_line.dmask = dmask;
        m.Mreq.Mreq_line.aliased_cli = aliased_cli;
        return add(circuit(6, aliased_cli), from, eci::encode(m));
    }
    TraceBuilder& grant(eci::mrsp_grant_op op, std::uint8_t from, std::uint8_t id = 0, std::uint8_t dmask = 0xf,
                        std::uint64_t aliased_cli = line) {
        eci::mrsp_grant grant{};
        grant.op = op;
        grant.rreq_id = id;
        grant.dmask = dmask;
        grant.aliased_cli = aliased_cli;
        return add(circuit(dmask != 0 ? 4 : 10, aliased_cli), from, header_of(grant));
    }
    TraceBuilder& forward(eci::mfwd_op op, std::uint8_t from, std::uint8_t id = 0, std::uint64_t aliased_cli = line) {
        eci::message m = eci::decode(8, 0);
        m.Mfwd.Mfwd_line.op = op;
        m.Mfwd.Mfwd_line.hreq_id = id;
        m.Mfwd.Mfwd_line.dmask = 0xf;
        m.Mfwd.Mfwd_line.aliased_cli = aliased_cli;
        return add(circuit(8, aliased_cli), from, eci::encode(m));
    }
    TraceBuilder& ack(eci::mrsp_ack_op op, std::uint8_t from, std::uint8_t id = 0, std::uint8_t dmask = 0,
                      std::uint64_t aliased_cli = line) {
        eci::mrsp_ack ack{};
        ack.op = op;
        ack.hreq_id = id;
        ack.dmask = dmask;
        ack.aliased_cli = aliased_cli;
        return add(circuit(dmask != 0 ? 4 : 10, aliased_cli), from, header_of(ack));
    }
    TraceBuilder& victim(eci::mrsp_victim_op op, std::uint8_t from, std::uint8_t dmask = 0,
                         std::uint64_t aliased_cli = line) {
        eci::mrsp_victim victim{};
        victim.op = op;
        victim.dmask = dmask;
        victim.aliased_cli = aliased_cli;
        return add(circuit(dmask != 0 ? 4 : 10, aliased_cli), from, header_of(victim));
    }
    TraceBuilder& add(std::uint8_t vc, std::uint8_t from, std::uint64_t header, std::uint8_t link = 0,
                      std::uint64_t block = 0) {
        MessageHead head;
        head.first = time_;
        head.last = time_;
        head.first_block = block;
        head.last_block = block;
        head.word_offset = static_cast<std::uint32_t>(batch_.words.size());
        head.word_count = 1;
        head.vc = vc;
        head.stream = {link, from};
        batch_.words.push_back(header);
        batch_.messages.push_back(head);
        time_ += 1000;
        return *this;
    }

    [[nodiscard]] const TraceBatch& batch() const { return batch_; }
    [[nodiscard]] Picoseconds time() const { return time_; }

 private:
    static std::uint8_t circuit(std::uint8_t even, std::uint64_t aliased_cli) {
        return static_cast<std::uint8_t>(even + eci::vc_parity_of_line(aliased_cli));
    }
    static std::uint64_t header_of(const eci::mrsp_grant& grant) {
        const std::uint8_t opcode = grant.op == eci::mrsp_grant_op::PSHA ? 9 : 10;
        eci::message m = eci::decode(4, std::uint64_t{opcode} << opcode_field.shift);
        m.Mrsp.Mrsp_grant = grant;
        return eci::encode(m);
    }
    static std::uint64_t header_of(const eci::mrsp_ack& ack) {
        eci::message m = eci::decode(4, std::uint64_t{3} << opcode_field.shift);
        m.Mrsp.Mrsp_ack = ack;
        return eci::encode(m);
    }
    static std::uint64_t header_of(const eci::mrsp_victim& victim) {
        eci::message m = eci::decode(4, 0);
        m.Mrsp.Mrsp_victim = victim;
        return eci::encode(m);
    }

    TraceBatch batch_;
    Picoseconds time_ = 1000;
};

struct Findings final : FindingSink {
    std::vector<Violation> violations;
    std::vector<Violation> notes;
    std::vector<OwedReply> replies;

    void violation(const Violation& v) override {
        (v.severity == RuleSeverity::violation ? violations : notes).push_back(v);
    }
    void owed(const OwedReply& o) override { replies.push_back(o); }
};

struct Verdict {
    Findings findings;
    Summary summary;

    /// The traces use one link, and tell of both directions.
    explicit Verdict(const TraceBuilder& trace, CheckOptions options = {}) {
        options.one_link = true;
        Checker checker(options, findings);
        checker.batch(TraceBuilder().sees_both_directions().batch());
        checker.batch(trace.batch());
        summary = checker.finish();
    }
    [[nodiscard]] std::vector<Rule> rules() const {
        std::vector<Rule> rules;
        for (const Violation& v : findings.violations) {
            rules.push_back(v.rule);
        }
        return rules;
    }
};

}  // namespace eciscope::conformance::tests
