#include "eciscope/decoder/decoder.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "crc24.hpp"
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
        while (!items.empty()) {
            const auto round = items.first(std::min(items.size(), blocks_at_once));
            const auto marker = std::find_if(round.begin(), round.end(),
                                             [](const BlockItem& item) { return item.kind != BlockItemKind::block; });
            const auto count = static_cast<std::size_t>(marker - round.begin());
            if (count == 0) {
                take_marker(items.front());
                items = items.subspan(1);
                continue;
            }
            load_blocks_(items.first(count), words_.data(), checksums_.data());
            for (std::size_t i = 0; i < count; ++i) {
                before(items[i]);
                stream_of(items[i]).take(items[i], words_.data() + i * block_words, checksums_[i]);
                after();
            }
            items = items.subspan(count);
        }
        return !context_.output.stopped();
    }

    void may_go_on(Stream stream) { may_go_on_[stream.index()] = true; }

    bool finish() {
        for (StreamDecoder& stream : streams_) {
            stream.finish(now_);
        }
        if (began_) {
            tell_end();
        }
        context_.output.release({});
        context_.accounts.events = context_.output.events();
        return context_.output.hand_out();
    }

    [[nodiscard]] const DecoderAccounts& accounts() const { return context_.accounts; }

 private:
    /// Enough for the checksums of some to overlap; all fit into the first cache.
    static constexpr std::size_t blocks_at_once = 32;

    StreamDecoder& stream_of(const BlockItem& item) { return streams_[item.stream.index() % stream_count]; }

    /// How long the link was watched: what has no answer by then may have waited longer than to the last message.
    void tell_end() {
        for (std::size_t i = 0; i < stream_count; ++i) {
            if (streams_[i].ordinal() == 0) {
                continue;
            }
            Event end;
            end.kind = EventKind::capture_ends;
            end.time = now_;
            end.block = streams_[i].ordinal();
            end.detail = may_go_on_[i] ? 1 : 0;
            end.stream = Stream::of_index(i);
            context_.output.event(end);
        }
    }

    void take_marker(const BlockItem& item) {
        before(item);
        stream_of(item).take_marker(item);
        after();
    }

    void before(const BlockItem& item) {
        if (!began_) {
            began_ = true;
            context_.began = item.time;
        } else if (item.time < now_) {
            went_back(item);
        }
        now_ = item.time;
        if (context_.output.anything_undecided()) {
            for (StreamDecoder& stream : streams_) {
                stream.tick(now_);
            }
        }
    }

    void after() {
        OrderedOutput& output = context_.output;
        if (output.staging() && output.crowded()) {
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
            report(context_, DiagnosticKind::blocks_out_of_order, item.stream, {item.time, 0, item.record, item.block},
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
    LoadBlocks load_blocks_ = load_blocks_versions().front();
    std::array<std::uint64_t, blocks_at_once * block_words + Reassembly::room_behind> words_{};
    std::array<std::uint32_t, blocks_at_once> checksums_{};
    Picoseconds now_ = 0;
    std::array<bool, stream_count> may_go_on_{};
    bool began_ = false;
};

Decoder::Decoder(TraceSink& sink, Diagnostics& diagnostics, const DecoderOptions& options)
    : impl_(std::make_unique<Impl>(sink, diagnostics, options)) {}
Decoder::~Decoder() = default;

bool Decoder::blocks(std::span<const BlockItem> items) {
    return impl_->blocks(items);
}
void Decoder::may_go_on(Stream stream) {
    impl_->may_go_on(stream);
}

bool Decoder::finish() {
    return impl_->finish();
}
const DecoderAccounts& Decoder::accounts() const {
    return impl_->accounts();
}

}  // namespace eciscope
