#include "dma_messages.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <eciscope/spec/eci.hpp>

#include "report.hpp"

namespace eciscope::capture {

namespace {

using Kind = DiagnosticKind;

constexpr std::uint64_t circuits = 16;

std::string hex_of(std::uint64_t word) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = 0; i < text.size(); ++i) {
        text[i] = digits[word >> (60 - 4 * i) & 15U];
    }
    return text;
}

}  // namespace

void DmaMessages::up_to(std::uint64_t cycles) {
    while (!stopped_ && !waiting_.empty() &&
           (waiting_.top().cycles + map_.most_stages < cycles || waiting_.size() > most_waiting)) {
        const DmaSample sample = waiting_.top();
        waiting_.pop();
        take(sample);
    }
    flush(batch_messages);
}

void DmaMessages::finish() {
    up_to(UINT64_MAX);
    for (auto& [source, channel] : channels_) {
        give_up(*source, channel, true);
    }
    flush(1);
}

void DmaMessages::take(const DmaSample& sample) {
    if (sample.source->use == DmaSource::Use::marker) {
        take_lost(sample);
        return;
    }
    if (sample.vc >= circuits) {
        ++accounts_.unknown;
        report(diagnostics_, Kind::dma_source_unknown, sample.where,
               [&] { return "circuit " + std::to_string(sample.vc); });
        return;
    }
    Channel& channel = channels_[sample.source];
    if (channel.losses != sample.losses) {
        give_up(*sample.source, channel, false);
        channel.losses = sample.losses;
    }
    if (sample.accepted) {
        take_word(sample, channel);
    } else {
        take_offer(sample, channel);
    }
}

/// Samples of any source may be missing, accepted ones among them. What a channel has begun is given up with its next
/// sample, since sources are late by different times.
void DmaMessages::take_lost(const DmaSample& sample) {
    ++accounts_.lost;
    accounts_.samples_lost += sample.word;
    const bool saturated =
        sample.word == (map_.lost_count.width == 64 ? UINT64_MAX : (std::uint64_t{1} << map_.lost_count.width) - 1);
    report(diagnostics_, Kind::trace_samples_lost, sample.where,
           [&] { return std::to_string(sample.word) + (saturated ? " samples or more" : " samples"); });
    for (std::size_t stream = 0; stream < (map_.tells_links ? stream_count : node_count); ++stream) {
        Event event;
        event.time = time_of(sample.cycles);
        event.kind = EventKind::lost;
        event.count = Event::unknown_count;  // samples are no blocks
        event.stream = Stream::of_index(stream);
        event.before = static_cast<std::uint32_t>(batch_.messages.size());
        batch_.events.push_back(event);
    }
}

void DmaMessages::take_offer(const DmaSample& sample, Channel& channel) {
    ++accounts_.offers;
    const bool same = channel.offer && channel.offer->word == sample.word && channel.offer->vc == sample.vc;
    if (channel.offer && !same) {
        report(diagnostics_, Kind::dma_offer_changed, sample.where, sample.source->stream,
               [&] { return hex_of(channel.offer->word) + " became " + hex_of(sample.word); });
    }
    if (!same) {
        channel.offer = sample;
    }
}

void DmaMessages::take_word(const DmaSample& sample, Channel& channel) {
    ++accounts_.words;
    if (channel.offer && (channel.offer->word != sample.word || channel.offer->vc != sample.vc)) {
        report(diagnostics_, Kind::dma_offer_changed, sample.where, sample.source->stream,
               [&] { return hex_of(channel.offer->word) + " became " + hex_of(sample.word); });
    }
    channel.offer.reset();
    const auto vc = static_cast<std::uint8_t>(sample.vc);
    Begun& message = channel.begun[vc];
    if (message.words.empty()) {
        message.vc = vc;
        message.where = sample.where;
        message.first_cycles = sample.cycles;
        message.wanted = sample.source->every_word ? std::max<std::uint8_t>(eci::message_words(vc, sample.word), 1) : 1;
        if (message.wanted > 1 && !channel.any && (unsure_ || channel.losses != 0)) {
            report(diagnostics_, Kind::dma_pairing_assumed, sample.where, sample.source->stream,
                   [&] { return hex_of(sample.word); });
        }
    }
    channel.any = true;
    message.words.push_back(sample.word);
    message.last_cycles = sample.cycles;
    if (message.words.size() == message.wanted) {
        emit(message, sample.source->stream);
        channel.begun.erase(vc);
    }
}

/// What was begun is handed out as far as it came. It is complete, as far as it ever will be, only now.
void DmaMessages::give_up(const DmaSource& source, Channel& channel, bool at_end) {
    if (at_end && channel.offer) {
        report(diagnostics_, Kind::dma_offer_not_accepted, channel.offer->where, source.stream,
               [&] { return hex_of(channel.offer->word) + " on VC " + std::to_string(channel.offer->vc); });
    }
    for (const auto& [vc, message] : channel.begun) {
        report(diagnostics_, Kind::message_unfinished, message.where, source.stream,
               [words = message.words.size()] { return std::to_string(words) + " words"; });
        emit(message, source.stream);
    }
    channel = {};
}

void DmaMessages::emit(const Begun& message, Stream stream) {
    newest_ = std::max(newest_, message.last_cycles);
    MessageHead head;
    head.first = time_of(message.first_cycles);
    head.last = time_of(newest_);
    head.word_offset = static_cast<std::uint32_t>(batch_.words.size());
    head.word_count = static_cast<std::uint8_t>(message.words.size());
    head.vc = message.vc;
    head.stream = stream;
    batch_.words.insert(batch_.words.end(), message.words.begin(), message.words.end());
    batch_.messages.push_back(head);
}

void DmaMessages::flush(std::size_t at_least) {
    if (!stopped_ && batch_.messages.size() + batch_.events.size() >= at_least) {
        stopped_ = !sink_.batch(batch_);
        batch_.clear();
    }
}

Picoseconds DmaMessages::time_of(std::uint64_t cycles) const {
    return static_cast<Picoseconds>(cycles * map_.cycle_ps);
}

}  // namespace eciscope::capture
