#include "eciscope/conformance/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <eciscope/spec/eci.hpp>
#include <map>
#include <utility>

#include "checker_impl.hpp"

namespace eciscope::conformance {

std::array<RuleSeverity, rule_count> usual_severities() {
    std::array<RuleSeverity, rule_count> severities{};
    std::transform(rule_infos().begin(), rule_infos().end(), severities.begin(),
                   [](const RuleInfo& info) { return info.severity; });
    return severities;
}

Checker::Checker(const CheckOptions& options, FindingSink& sink) : impl_(std::make_unique<Impl>(options, sink)) {}
Checker::~Checker() = default;

bool Checker::batch(const TraceBatch& batch) {
    impl_->batch(batch);
    return true;
}

bool Checker::batch_with_gap(const TraceBatch& batch) {
    impl_->lost();
    impl_->distrust(true);
    impl_->batch(batch);
    impl_->distrust(false);
    impl_->lost();
    return true;
}

void Checker::lost() {
    impl_->lost();
}

Summary Checker::finish() {
    return impl_->finish();
}

Checker::Impl::Impl(const CheckOptions& options, FindingSink& sink)
    : options_(options),
      sink_(sink),
      profile_(*options.profile),
      table_(profile_.observers[static_cast<std::size_t>(options.tap)]),
      next_(table_.next.data()),
      symbols_(profile_.symbols.size()),
      facts_(profile_),
      line_mask_((std::uint64_t{1} << line_bits) - 1),
      dirty_mask_(options.severities[static_cast<std::size_t>(Rule::dirty_grant)] == RuleSeverity::off
                      ? 0
                      : facts_.dirty_mask()),
      recent_(options.remembered),
      transitions_(table_.states * symbols_),
      latencies_(vc_count * opcode_count) {}

void Checker::Impl::batch(const TraceBatch& batch) {
    std::size_t from = 0;
    for (const Event& event : batch.events) {
        run(batch, from, event.before);
        from = event.before;
        take(event);
        settle_special();
    }
    run(batch, from, batch.messages.size());
    deliver(continuity_.settled());
}

/// How far each stream came, from the last messages back.
void Checker::Impl::note_progress(const TraceBatch& batch, std::size_t from, std::size_t to) {
    unsigned seen = 0;
    for (std::size_t i = to; i > from && seen != all_streams; --i) {
        const MessageHead& head = batch.messages[i - 1];
        const unsigned stream = 1U << head.stream.index();
        if ((seen & stream) == 0) {
            continuity_.seen(head.stream, head.last);
            seen_streams_ |= stream;
            end_ = std::max(end_, head.last);
        }
        seen |= stream;
    }
}

void Checker::Impl::look_at_answer(const Seen& seen, const Seen& request, bool same_id, const Place& place,
                                   LineState& line) {
    const HeaderFact& asked = facts_.of(request.vc, request.header);
    const HeaderFact& fact = *place.fact;
    if (!same_id) {
        broken(Rule::foreign_id, seen, place, line,
               fmt::format("{} carries id {}, and the {} that it answers (message {}) carries {}.", op_name(seen),
                           seen.header >> fact.id_shift & fact.id_mask, op_name(request), request.number,
                           request.header >> asked.id_shift & asked.id_mask));
    } else if (!facts_.answers(fact, asked)) {
        broken(Rule::mismatched_answer, seen, place, line,
               fmt::format("{} does not answer {} (message {}).", op_name(seen), op_name(request), request.number));
    } else if (!eci::brings_what_was_asked(eci::decode(seen.vc, seen.header),
                                           eci::decode(request.vc, request.header))) {
        broken(
            Rule::sub_lines_missing, seen, place, line,
            fmt::format("{} brings sub-lines {:04b}, and {} (message {}) asked for {:04b}.", op_name(seen),
                        dmask_field.of(seen.header), op_name(request), request.number, dmask_field.of(request.header)));
    }
}

/// Rules that need nothing but the message itself.
void Checker::Impl::look_at_header(const Seen& seen, const Place& place, LineState& line) {
    const HeaderFact& fact = *place.fact;
    const std::uint64_t aliased_cli = place.key >> 1U;
    if (eci::vc_parity_of_line(aliased_cli) != (seen.vc & 1U)) {
        broken(Rule::wrong_parity, seen, place, line,
               fmt::format("Line 0x{:x} demands {} circuits, and this is circuit {}.", aliased_cli,
                           eci::vc_parity_of_line(aliased_cli) == 0 ? "even" : "odd", seen.vc));
    }
    if (fact.wrong_circuit) {
        broken(Rule::wrong_circuit, seen, place, line,
               fmt::format("{} with {} on circuit {}.", op_name(seen), fact.has_mask ? "data" : "no data", seen.vc));
    }
    if (fact.undocumented) {
        broken(Rule::reserved_opcode, seen, place, line,
               fmt::format("Opcode {} on circuit {}.", opcode_field.of(seen.header), seen.vc));
    }
    if (fact.closes && fact.to_home == 0 && (seen.header & dirty_mask_) != 0) {
        broken(Rule::dirty_grant, seen, place, line, "Its dirty bits are set.");
    }
}

/// Loads and stores past the caches, and messages whose effect on the line is not documented: the line may be in any
/// configuration from here on.
void Checker::Impl::past_the_caches(const Seen& seen, const Place& place, LineState& line) {
    const HeaderFact& fact = *place.fact;
    ++not_judged_;
    if (fact.means_nothing) {
        if (fact.opens) {
            const bool is_new =
                others_.open(key_of(*eci::opens(eci::decode(seen.vc, seen.header)), seen.stream.from, place.key), seen);
            if (!is_new) {
                broken(Rule::id_reused, seen, place, line, "A request with this line and id is still open.");
            }
        }
        broken(Rule::unknown_effect, seen, place, line, fmt::format("{} on this line.", op_name(seen)));
    }
    forget(place, line);
    settle_special();
}

bool Checker::Impl::closes_other(const Seen& seen, const Place& place) {
    const auto closes = eci::closes(eci::decode(seen.vc, seen.header));
    return closes && others_.close(key_of(*closes, 1 - seen.stream.from, place.key)).has_value();
}

void Checker::Impl::without_line(const Seen& seen, const HeaderFact& fact) {
    ++without_line_;
    if (fact.undocumented) {
        broken(Rule::reserved_opcode, seen,
               fmt::format("Opcode {} on circuit {}.", opcode_field.of(seen.header), seen.vc));
        return;
    }
    const eci::message message = eci::decode(seen.vc, seen.header);
    if (const auto opened = eci::opens(message)) {
        others_.open(key_of(*opened, seen.stream.from, ExchangeKey::no_line), seen);
    } else if (const auto closed = eci::closes(message)) {
        const auto request = others_.close(key_of(*closed, 1 - seen.stream.from, ExchangeKey::no_line));
        if (request) {
            latencies_[facts_.number_of(facts_.of(request->vc, request->header))].add(seen.time - request->time);
        } else if (saw_everything_ && !others_.overflowed()) {
            broken(Rule::answer_without_request, seen,
                   fmt::format("{} answers nothing that node {} asked for.", op_name(seen), 1 - seen.stream.from));
        } else {
            ++unmatched_;
        }
    }
    settle_special();
}

ExchangeKey Checker::Impl::key_of(const eci::exchange& exchange, std::uint8_t asker, std::uint64_t line) {
    return {line, static_cast<std::uint16_t>(exchange.id), static_cast<std::uint8_t>(exchange.what), asker};
}

/// Whether a direction of a link, or a whole link, left no trace at all: then half of everything is missing.
bool Checker::Impl::is_blind() const {
    bool blind = false;
    for (std::size_t link = 0; link < link_count; ++link) {
        const std::uint32_t both = all_streams >> (stream_count - node_count);
        const std::uint32_t seen = seen_streams_ >> (link * node_count) & both;
        const bool may_be_unused = seen == 0 && options_.one_link;
        blind = blind || (seen != both && !may_be_unused);
    }
    return seen_streams_ != 0 && blind;
}

void Checker::Impl::take(const Event& event) {
    seen_streams_ |= 1U << event.stream.index();
    switch (event.kind) {
        case EventKind::link_up:
            if (event.detail == 1 && number_ == 0) {
                rested_streams_ |= 1U << event.stream.index();
                began_at_rest_ = true;
                break;
            }
            missing(event.stream);
            break;
        case EventKind::restarted:
            // The interposer restarts for all streams at once: what was observed ends here.
            withdraw_since(continuity_.whole_until(event.stream));
            if (restarted_at_ != number_) {
                restarted_at_ = number_;
                report_owed();
            }
            lost();
            break;
        case EventKind::lost:
        case EventKind::damaged:
        case EventKind::discarded:
        case EventKind::link_down:
            missing(event.stream);
            break;
        case EventKind::retry:
            withdraw_since(continuity_.whole_until(event.stream));
            retries_.take(event);
            break;
        case EventKind::replayed:
            retries_.take(event);
            break;
        case EventKind::capture_ends:
            end_ = std::max(end_, event.time);
            if (event.vc == Event::no_vc && event.detail == 1) {
                withdraw_since(continuity_.whole_until(event.stream));
            }
            break;
        case EventKind::handshake:
            break;
    }
}

void Checker::Impl::missing(Stream stream) {
    withdraw_since(continuity_.whole_until(stream));
    lost();
}

/// A stream that did not begin with the power-on handshake was joined midway, and with it everything; what the others
/// brought before it was judged without this one.
void Checker::Impl::first_of_stream(Stream stream) {
    rested_streams_ |= 1U << stream.index();
    withdraw_since(continuity_.whole_until(stream));
    lost();
}

void Checker::Impl::lost() {
    if (lost_at_ == number_ && epoch_ != 0) {
        return;  // nothing was learned since
    }
    lost_at_ = number_;
    saw_everything_ = false;
    ++losses_;
    if (++epoch_ == LineState::epochs) {
        // Numbers of epochs come again: no entry may be taken for one of the new ones.
        lines_.for_each([this](LineState& line) { line.begin(line.key(), 0, table_.anything); });
        epoch_ = 1;
    }
    recent_.forget_open();
    others_.forget();
    begun_.clear();
}

LineState& Checker::Impl::entry(const Place& place) {
    LineState* line = &lines_.find(place.key, place.hash);
    if (line->in_use() && line->epoch() == epoch_) {
        return *line;
    }
    const bool is_new = !line->in_use();
    line->begin(place.key, epoch_, saw_everything_ ? table_.at_rest : table_.anything);
    if (epoch_ != 0 && begun_.size() < most_begun) {
        begun_.push_back(place.key);
    }
    if (is_new) {
        lines_.added();
        line = &lines_.find(place.key, place.hash);
    }
    return *line;
}

}  // namespace eciscope::conformance
