#include "block_trace.hpp"

#include <algorithm>
#include <cstring>

#include <eciscope/spec/eci.hpp>

namespace eciscope::shark {

namespace {

/// Small batches: where the words of a message stand is looked up while its blocks are still remembered.
DecoderOptions options_of_viewer() {
    DecoderOptions options;
    options.batch_messages = 64;
    return options;
}

std::uint64_t load_word(const std::uint8_t* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return __builtin_bswap64(word);
}

template <class T>
T* file_memory() {
    return new (wmem_alloc(wmem_file_scope(), sizeof(T))) T();
}

template <class T>
void append(T*& first, T*& last, T* added) {
    (first == nullptr ? first : last->next) = added;
    last = added;
}

}  // namespace

BlockTrace::BlockTrace(bool check)
    : decoder_(*this, diagnostics_, options_of_viewer()), merger_(*this, diagnostics_, accounts_), trace_(check) {}

FrameResult* BlockTrace::take(std::uint32_t frame, std::span<const std::uint8_t> payload, bool may_be_late) {
    auto* result = file_memory<FrameResult>();
    results_[frame] = result;
    Position where;
    where.record = frame;
    capture::ParsedRecord parsed = capture::parse_record(payload, where, diagnostics_);
    if (parsed.record && !finished_) {
        auto& next = next_sequence_[parsed.record->stream.index()];
        result->missing_records = next ? capture::sequence_distance(*next, parsed.record->sequence) : 0;
        next = parsed.record->sequence + 1;
        parsed.record->may_be_late = may_be_late;
        merger_.push(*parsed.record);
    }
    return result;
}

void BlockTrace::finish() {
    if (!finished_) {
        merger_.finish();
        decoder_.finish();
        trace_.finish();
        finished_ = true;
        for (StreamPast& past : past_) {
            past.seen.clear();
        }
        for (auto& [frame, result] : results_) {
            result->is_done = true;
        }
        results_.clear();
    }
}

bool BlockTrace::blocks(std::span<const BlockItem> items) {
    for (const BlockItem& item : items) {
        remember(item);
        decoder_.blocks({&item, 1});
    }
    return true;
}

void BlockTrace::remember(const BlockItem& item) {
    StreamPast& past = past_[item.stream.index()];
    if (item.kind != BlockItemKind::block) {
        const bool known = item.kind == BlockItemKind::lost && item.lost != BlockItem::unknown_count;
        past.next_ordinal += known ? item.lost : 0;
        return;
    }
    const auto frame = static_cast<std::uint32_t>(item.where().record);
    const std::uint64_t ordinal = past.next_ordinal++;
    const bool goes_on = !past.runs.empty() && past.runs.back().frame == frame &&
                         ordinal - past.runs.back().ordinal == item.block - past.runs.back().block;
    if (!goes_on) {
        past.runs.push_back({ordinal, frame, item.block});
        if (const auto found = results_.find(frame); found != results_.end() && !found->second->has_ordinal) {
            found->second->has_ordinal = true;
            found->second->first_ordinal = ordinal - item.block;
        }
    }
    const std::uint64_t control = load_word(item.bytes + 8 * (block_words - 1));
    Seen seen{ordinal, frame, item.block, eci::control_vcs(control), {}};
    for (std::size_t i = 0; i < seen.words.size(); ++i) {
        seen.words[i] = load_word(item.bytes + 8 * i);
    }
    past.seen.push_back(seen);
    if (past.seen.size() > most_seen) {
        past.seen.pop_front();
    }
}

const BlockTrace::Run* BlockTrace::run_of(const StreamPast& past, std::uint64_t ordinal) const {
    const auto after = std::upper_bound(past.runs.begin(), past.runs.end(), ordinal,
                                        [](std::uint64_t value, const Run& run) { return value < run.ordinal; });
    return after == past.runs.begin() ? nullptr : &*(after - 1);
}

FrameResult* BlockTrace::result_of(Stream stream, std::uint64_t ordinal, std::uint32_t* frame) {
    const Run* run = run_of(past_[stream.index()], ordinal);
    const auto found = run == nullptr ? results_.end() : results_.find(run->frame);
    if (found == results_.end()) {
        return nullptr;
    }
    *frame = run->frame;
    return found->second;
}

bool BlockTrace::batch(const TraceBatch& batch) {
    facts_.clear();
    for (const MessageHead& head : batch.messages) {
        facts_.push_back(add(batch, head));
    }
    for (const Event& event : batch.events) {
        add_event(event);
    }
    trace_.take(batch, facts_);
    return true;
}

MessageFacts* BlockTrace::add(const TraceBatch& batch, const MessageHead& head) {
    std::uint32_t frame = 0;
    const std::uint64_t index = index_++;
    FrameResult* result = result_of(head.stream, head.last_block, &frame);
    if (result == nullptr) {
        return &nowhere_;
    }
    auto* message = file_memory<FrameMessage>();
    const std::int64_t whole = head.last / picoseconds_per_second - (head.last % picoseconds_per_second < 0 ? 1 : 0);
    ShownMessage& shown = message->shown;
    shown.stream = head.stream;
    shown.vc = head.vc;
    shown.slot = head.slot;
    shown.word_count = head.word_count;
    shown.header = head.word_count != 0 ? batch.words[head.word_offset] : 0;
    shown.index = index;
    shown.seconds = merger_.base().value_or(TimeBase{}).unix_seconds + whole;
    shown.picoseconds = static_cast<std::uint64_t>(head.last - whole * picoseconds_per_second);
    shown.duration = head.last - head.first;
    shown.first_block = head.first_block;
    shown.last_block = head.last_block;
    shown.facts = &message->facts;
    message->facts.frame = frame;
    const auto words = batch.words_of(head);
    place(*message, frame, words, find_words(past_[head.stream.index()], head, words));
    append(result->messages, result->last_message, message);
    return &message->facts;
}

/// Goes back from the last word through the blocks seen lately. What is not the message's next word, in a slot of its
/// circuit, belongs to a block that the far end did not take.
bool BlockTrace::find_words(const StreamPast& past, const MessageHead& head, std::span<const std::uint64_t> words) {
    std::size_t left = words.size();
    auto block = std::upper_bound(past.seen.begin(), past.seen.end(), head.last_block,
                                  [](std::uint64_t value, const Seen& seen) { return value < seen.ordinal; });
    while (left != 0 && block != past.seen.begin()) {
        --block;
        if (block->ordinal < head.first_block) {
            return false;
        }
        const bool is_last = block->ordinal == head.last_block;
        for (int slot = is_last ? head.slot : static_cast<int>(block_words) - 2; slot >= 0 && left != 0; --slot) {
            const auto at = static_cast<std::size_t>(slot);
            if (eci::slot_vc(block->vcs, static_cast<std::uint8_t>(slot)) != head.vc) {
                continue;
            }
            if (block->words[at] != words[left - 1]) {
                break;
            }
            --left;
            const std::size_t offset = capture::record_header_bytes + block->block * capture::entry_bytes +
                                       capture::entry_header_bytes + 8 * at;
            places_[left] = {block->frame, static_cast<std::uint16_t>(offset)};
        }
    }
    return left == 0;
}

void BlockTrace::place(FrameMessage& message, std::uint32_t frame, std::span<const std::uint64_t> words, bool found) {
    const bool here = found && std::all_of(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(words.size()),
                                           [frame](const WordPlace& word) { return word.frame == frame; });
    if (here) {
        auto* places = static_cast<std::uint16_t*>(wmem_alloc(wmem_file_scope(), 2 * words.size() + 1));
        for (std::size_t i = 0; i < words.size(); ++i) {
            places[i] = places_[i].offset;
        }
        message.places = places;
        return;
    }
    auto* bytes = static_cast<std::uint8_t*>(wmem_alloc(wmem_file_scope(), 8 * words.size() + 1));
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint64_t word = __builtin_bswap64(words[i]);
        std::memcpy(bytes + 8 * i, &word, sizeof word);
    }
    message.words = bytes;
    MessageFragment* last = nullptr;
    for (std::size_t i = 0; found && i < words.size(); ++i) {
        if (last == nullptr || last->frame != places_[i].frame) {
            auto* part = file_memory<MessageFragment>();
            part->frame = places_[i].frame;
            (last == nullptr ? message.parts : last->next) = part;
            last = part;
        }
        ++last->words;
    }
    for (const MessageFragment* part = message.parts; part != nullptr; part = part->next) {
        if (const auto other = results_.find(part->frame); part->frame != frame && other != results_.end()) {
            auto* beginning = file_memory<FrameBeginning>();
            beginning->ends_in = frame;
            append(other->second->beginnings, other->second->last_beginning, beginning);
        }
    }
}

void BlockTrace::add_event(const Event& event) {
    std::uint32_t frame = 0;
    if (FrameResult* result = result_of(event.stream, event.block, &frame)) {
        auto* added = file_memory<FrameEvent>();
        added->event = event;
        append(result->events, result->last_event, added);
    }
}

}  // namespace eciscope::shark
