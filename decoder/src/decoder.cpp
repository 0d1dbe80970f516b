#include "eciscope/decoder/decoder.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "stream_decoder.hpp"

namespace eciscope {

std::string hex_word(std::uint64_t word) {
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(word));
    return text.data();
}

std::string_view name(EventKind kind) {
    switch (kind) {
        case EventKind::lost:
            return "lost";
        case EventKind::damaged:
            return "damaged";
        case EventKind::discarded:
            return "discarded";
        case EventKind::retry:
            return "retry";
        case EventKind::replayed:
            return "replayed";
        case EventKind::link_up:
            return "link_up";
        case EventKind::link_down:
            return "link_down";
        case EventKind::handshake:
            return "handshake";
        case EventKind::restarted:
            return "restarted";
        case EventKind::capture_ends:
            return "capture_ends";
    }
    return "unknown";
}

class Decoder::Impl {
 public:
    Impl(TraceSink& sink, Diagnostics& diagnostics, const DecoderOptions& options)
        : context_(sink, diagnostics, options),
          streams_{StreamDecoder(context_, Stream::of_index(0)), StreamDecoder(context_, Stream::of_index(1)),
                   StreamDecoder(context_, Stream::of_index(2)), StreamDecoder(context_, Stream::of_index(3))} {
        for (std::size_t i = 0; i < stream_count; ++i) {
            streams_[i].set_reverse(streams_[Stream::of_index(i).reverse().index()]);
        }
    }

    bool blocks(std::span<const BlockItem> items) {
        for (const BlockItem& item : items) {
            take(item);
        }
        return !context_.output.stopped();
    }

    bool finish() {
        for (StreamDecoder& stream : streams_) {
            stream.finish(now_);
        }
        context_.output.release({});
        context_.accounts.events = context_.output.events();
        return context_.output.hand_out();
    }

    [[nodiscard]] const DecoderAccounts& accounts() const { return context_.accounts; }

 private:
    void take(const BlockItem& item) {
        if (!began_) {
            began_ = true;
            context_.began = item.time;
        } else if (item.time < now_) {
            went_back(item);
        }
        now_ = item.time;
        OrderedOutput& output = context_.output;
        if (output.anything_undecided()) {
            for (StreamDecoder& stream : streams_) {
                stream.tick(now_);
            }
        }
        streams_[item.stream.index() % stream_count].take(item);
        if (output.crowded()) {
            give_up();
        }
        if (output.due()) {
            output.release(earliest_undecided());
        }
    }

    /// Decides everything, so that what is earlier than the rest cannot mix with it.
    void give_up() {
        for (StreamDecoder& stream : streams_) {
            stream.give_up({now_, 0, {}});
        }
        context_.output.release({});
    }

    void went_back(const BlockItem& item) {
        if (item.kind != BlockItemKind::restarted) {
            report(context_, DiagnosticKind::blocks_out_of_order, item.stream, {item.time, 0, item.where},
                   [&] { return std::to_string(elapsed(item.time, now_)) + " ps"; });
        }
        give_up();
    }

    [[nodiscard]] Bound earliest_undecided() const {
        Bound earliest;
        for (std::uint8_t i = 0; i < stream_count; ++i) {
            earliest = std::min(earliest, Bound{streams_[i].undecided_since(), i});
        }
        return earliest;
    }

    Context context_;
    std::array<StreamDecoder, stream_count> streams_;
    Picoseconds now_ = 0;
    bool began_ = false;
};

Decoder::Decoder(TraceSink& sink, Diagnostics& diagnostics, const DecoderOptions& options)
    : impl_(std::make_unique<Impl>(sink, diagnostics, options)) {}
Decoder::~Decoder() = default;

bool Decoder::blocks(std::span<const BlockItem> items) {
    return impl_->blocks(items);
}
bool Decoder::finish() {
    return impl_->finish();
}
const DecoderAccounts& Decoder::accounts() const {
    return impl_->accounts();
}

}  // namespace eciscope
