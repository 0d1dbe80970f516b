#include "ordered_output.hpp"

#include <algorithm>

namespace eciscope {

OrderedOutput::OrderedOutput(TraceSink& sink, const DecoderOptions& options)
    : sink_(sink), batch_messages_(std::max<std::size_t>(options.batch_messages, 1)) {
    begin_batch();
}

void OrderedOutput::begin_batch() {
    batch_.messages.resize(batch_messages_);
    next_message_ = batch_.messages.data();
    messages_end_ = next_message_ + batch_messages_;
    next_word_ = batch_.words.data();
    words_end_ = next_word_ + batch_.words.size();
}

void OrderedOutput::make_room() {
    const auto used = static_cast<std::size_t>(next_word_ - batch_.words.data());
    batch_.words.resize(used + words_at_once);
    next_word_ = batch_.words.data() + used;
    words_end_ = batch_.words.data() + batch_.words.size();
}

void OrderedOutput::append(TraceBatch& batch, MessageHead head, const std::uint64_t* words) {
    head.word_offset = static_cast<std::uint32_t>(batch.words.size());
    batch.words.insert(batch.words.end(), words, words + head.word_count);
    batch.messages.push_back(head);
}

void OrderedOutput::event(const Event& event) {
    ++events_;
    if (undecided_ == 0 && staged_.empty()) {
        batch_.events.push_back(event);
        batch_.events.back().before = static_cast<std::uint32_t>(messages());
        if (batch_.events.size() >= batch_messages_) {
            hand_out();
        }
        return;
    }
    Staged staged;
    staged.time = event.time;
    staged.block = event.block;
    staged.arrival = arrivals_++;
    staged.index = static_cast<std::uint32_t>(stage_.events.size());
    staged.stream = static_cast<std::uint8_t>(event.stream.index());
    staged.is_event = true;
    stage_.events.push_back(event);
    staged_.push_back(staged);
}

void OrderedOutput::stage(const MessageHead& head, const std::uint64_t* words) {
    Staged staged;
    staged.time = head.last;
    staged.block = head.last_block;
    staged.arrival = arrivals_++;
    staged.index = static_cast<std::uint32_t>(stage_.messages.size());
    staged.stream = static_cast<std::uint8_t>(head.stream.index());
    staged.place = static_cast<std::uint8_t>(head.slot + 1);
    append(stage_, head, words);
    staged_.push_back(staged);
}

void OrderedOutput::emit(const Staged& staged) {
    if (staged.is_event) {
        batch_.events.push_back(stage_.events[staged.index]);
        batch_.events.back().before = static_cast<std::uint32_t>(messages());
    } else {
        const MessageHead& from = stage_.messages[staged.index];
        if (words_left() < room_for_words) {
            make_room();
        }
        std::copy_n(stage_.words.data() + from.word_offset, from.word_count, next_word_);
        MessageHead& to = add(from.word_count);
        const std::uint32_t offset = to.word_offset;
        to = from;
        to.word_offset = offset;
    }
    if (next_message_ == messages_end_ || batch_.events.size() >= batch_messages_) {
        hand_out();
    }
}

void OrderedOutput::release(const Bound& bound) {
    due_ = false;
    const auto rest = std::partition(staged_.begin(), staged_.end(), [&](const Staged& staged) {
        return Bound{staged.time, staged.stream} < bound;
    });
    std::sort(staged_.begin(), rest);
    std::for_each(staged_.begin(), rest, [&](const Staged& staged) { emit(staged); });
    staged_.erase(staged_.begin(), rest);
    direct_ = undecided_ == 0 && staged_.empty();
    compact();
}

void OrderedOutput::compact() {
    if (staged_.empty()) {
        stage_.clear();
        return;
    }
    // Rewriting is worth its while once most of the stage is behind us.
    constexpr std::size_t few = 4096;
    if (stage_.messages.size() + stage_.events.size() < few + 2 * staged_.size()) {
        return;
    }
    TraceBatch kept;
    for (Staged& staged : staged_) {
        if (staged.is_event) {
            kept.events.push_back(stage_.events[staged.index]);
            staged.index = static_cast<std::uint32_t>(kept.events.size() - 1);
        } else {
            const MessageHead& head = stage_.messages[staged.index];
            append(kept, head, stage_.words.data() + head.word_offset);
            staged.index = static_cast<std::uint32_t>(kept.messages.size() - 1);
        }
    }
    stage_ = std::move(kept);
}

bool OrderedOutput::hand_out() {
    if (messages() != 0 || !batch_.events.empty()) {
        batch_.messages.resize(messages());
        batch_.words.resize(static_cast<std::size_t>(next_word_ - batch_.words.data()));
        if (!stopped_) {
            stopped_ = !sink_.batch(batch_);
        }
        batch_.events.clear();
        begin_batch();
    }
    return !stopped_;
}

}  // namespace eciscope
