#include "findings_collector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "eciscope/decoder/names.hpp"

namespace eciscope::view {

namespace {

using conformance::RuleSeverity;

constexpr std::size_t most_history = 24;

std::uint8_t code(Worst worst) {
    return static_cast<std::uint8_t>(worst);
}

Worst worst_of(RuleSeverity severity) {
    return severity == RuleSeverity::violation ? Worst::violation : Worst::note;
}

std::uint64_t line_of(const std::optional<conformance::CheckedLine>& line) {
    return line ? line->aliased_cli << 1U | line->home : FindingRecord::no_line;
}

FindingRecord record_of(FindingKind kind, conformance::Rule rule, RuleSeverity severity,
                        const conformance::Seen& message, const std::optional<conformance::CheckedLine>& line) {
    FindingRecord record;
    record.kind = kind;
    record.code = static_cast<std::uint8_t>(rule);
    record.worst = code(worst_of(severity));
    record.time = message.time;
    record.number = message.number;
    record.stream = static_cast<std::uint8_t>(message.stream.index());
    record.vc = message.vc;
    record.line = line_of(line);
    return record;
}

std::string list_of(const char* title, const std::vector<std::string>& parts, std::size_t all) {
    if (parts.empty()) {
        return {};
    }
    const std::string rest = all > parts.size() ? fmt::format("; and {} more", all - parts.size()) : "";
    return fmt::format("{}: {}{}\n", title, fmt::join(parts, "; "), rest);
}

std::string details_of(const conformance::Violation& violation) {
    const conformance::RuleInfo& rule = conformance::info_of(violation.rule);
    std::string text = fmt::format("{}\nSource: {}\n", rule.sentence, rule.source);
    if (violation.at_fault) {
        text += fmt::format("At fault: node {}\n", *violation.at_fault);
    }
    text += list_of("Possible instead", violation.expected, violation.expected.size());
    text += list_of("Before it", violation.hypotheses, violation.hypothesis_count);
    if (!violation.assumptions.empty()) {
        text += fmt::format("Assumed: {}\n", violation.assumptions);
    }
    const std::size_t count = violation.history.size();
    text += count == 0 ? "" : violation.history_is_whole ? "The line's history:\n" : "The line's last messages:\n";
    for (std::size_t i = count - std::min(count, most_history); i < count; ++i) {
        const conformance::HistoryEntry& entry = violation.history[i];
        text += fmt::format("  message {} at {}, node {}: {} {}\n", entry.message.number, time_text(entry.message.time),
                            entry.message.stream.from, op_name(entry.message.vc, entry.message.header), entry.meaning);
    }
    return text;
}

}  // namespace

Worst worst_of(EventKind kind) {
    switch (kind) {
        case EventKind::lost:
        case EventKind::discarded:
        case EventKind::restarted:
            return Worst::loss;
        case EventKind::damaged:
            return Worst::damage;
        case EventKind::retry:
            return Worst::retry;
        case EventKind::link_up:
        case EventKind::link_down:
            return Worst::note;
        case EventKind::replayed:
        case EventKind::handshake:
        case EventKind::capture_ends:
            break;
    }
    return Worst::nothing;
}

void FindingsCollector::event(const Event& event, std::uint64_t number) {
    const Worst worst = worst_of(event.kind);
    if (worst == Worst::nothing) {
        return;
    }
    FindingRecord record;
    record.kind = FindingKind::event;
    record.code = static_cast<std::uint8_t>(event.kind);
    record.worst = code(worst);
    record.time = event.time;
    record.number = number;
    record.count = event.count;
    record.detail = event.detail;
    record.stream = static_cast<std::uint8_t>(event.stream.index());
    record.vc = event.vc;
    add(record, {}, {});
}

void FindingsCollector::damaged_chunk(const ewf::ChunkInfo& chunk) {
    FindingRecord record;
    record.kind = FindingKind::damaged_chunk;
    record.worst = code(Worst::damage);
    record.time = chunk.last_min;
    record.number = chunk.first_message;
    record.count = chunk.messages;
    record.vc = Event::no_vc;
    add(record, {}, {});
}

void FindingsCollector::violation(const conformance::Violation& violation) {
    conformance::Violation numbered = violation;
    numbered.message.number = number_of(violation.message.number);
    for (conformance::HistoryEntry& entry : numbered.history) {
        entry.message.number = number_of(entry.message.number);
    }
    add(record_of(FindingKind::violation, violation.rule, violation.severity, numbered.message, violation.line),
        violation.explanation, details_of(numbered));
}

void FindingsCollector::owed(const conformance::OwedReply& owed) {
    FindingRecord record = record_of(FindingKind::owed, owed.rule, owed.severity, owed.request, owed.line);
    record.number = number_of(owed.request.number);
    record.count = static_cast<std::uint64_t>(owed.age);
    record.detail = owed.owed_by;
    add(record, {}, {});
}

void FindingsCollector::number_from(std::uint64_t counted, std::uint64_t number) {
    const bool goes_on = !numbering_.empty() && number - numbering_.back().second == counted - numbering_.back().first;
    if (!goes_on) {
        numbering_.emplace_back(counted, number);
    }
}

std::uint64_t FindingsCollector::number_of(std::uint64_t counted) const {
    const auto after = std::upper_bound(numbering_.begin(), numbering_.end(), std::pair(counted, ~std::uint64_t{0}));
    return after == numbering_.begin() ? counted : std::prev(after)->second + (counted - std::prev(after)->first);
}

void FindingsCollector::add(FindingRecord record, std::string_view text, std::string_view details) {
    if (records_.size() >= most_findings) {
        ++dropped_;
        return;
    }
    if (texts_.size() + text.size() + details.size() <= most_text_bytes) {
        record.text_at = texts_.size();
        record.text_bytes = static_cast<std::uint32_t>(text.size());
        record.details_bytes = static_cast<std::uint32_t>(details.size());
        texts_ += text;
        texts_ += details;
    }
    records_.push_back(record);
}

void FindingsCollector::keep(const FindingRecord& record, std::string_view text, std::string_view details) {
    FindingRecord kept = record;
    kept.text_at = kept.text_bytes = kept.details_bytes = 0;
    add(kept, text, details);
}

void FindingsCollector::move_to_completion(const ewf::Reader& reader, const std::function<bool()>& go_on) {
    std::vector<FindingRecord*> of_messages;
    for (FindingRecord& record : records_) {
        if (record.kind == FindingKind::violation || record.kind == FindingKind::owed) {
            of_messages.push_back(&record);
        }
    }
    std::sort(of_messages.begin(), of_messages.end(),
              [](const FindingRecord* a, const FindingRecord* b) { return a->number < b->number; });
    TraceBatch batch;
    std::size_t read = ~std::size_t{0};
    for (FindingRecord* const record : of_messages) {
        const auto place = reader.find_message(record->number);
        if (!place) {
            continue;
        }
        if (place->chunk != read) {
            if (!go_on()) {
                return;
            }
            (void)reader.read_chunk(place->chunk, batch, ewf::Parts::heads);  // a failure leaves the batch empty
            read = place->chunk;
        }
        if (place->message < batch.messages.size()) {
            record->time = batch.messages[place->message].last;
        }
    }
}

void FindingsCollector::write(IndexFile& file, IndexDirectory& directory) {
    std::stable_sort(records_.begin(), records_.end(),
                     [](const FindingRecord& a, const FindingRecord& b) { return a.time < b.time; });
    directory.findings = records_.size();
    directory.findings_at = file.append_values<FindingRecord>(records_);
    directory.text_bytes = texts_.size();
    directory.text_at = file.append_values<char>(texts_);
    directory.findings_dropped = dropped_;
}

}  // namespace eciscope::view
