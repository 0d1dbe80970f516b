#include "eciscope/ewf/ndjson_reader.hpp"

#include <simdjson.h>
#include <algorithm>
#include <type_traits>
#include <utility>

#include "export/json_metadata.hpp"
#include "export/json_names.hpp"
#include "export/json_object.hpp"
#include "export/json_splitter.hpp"
#include "export/message_layout.hpp"

namespace eciscope::ewf {

namespace {

using detail::JsonKey;
using detail::JsonPiece;
using Kind = DiagnosticKind;

constexpr std::uint64_t most_exact = (std::uint64_t{1} << detail::exact_number_bits) - 1;
constexpr std::size_t most_words = 255;  ///< what a batch can hold

std::optional<EventKind> event_kind(std::string_view type) {
    for (std::size_t i = 0; i <= static_cast<std::size_t>(detail::last_event_kind); ++i) {
        const auto kind = static_cast<EventKind>(i);
        if (name(kind) == type) {
            return kind;
        }
    }
    return std::nullopt;
}

}  // namespace

bool looks_like_json_trace(std::span<const std::uint8_t> start) {
    const auto* text = static_cast<const char*>(static_cast<const void*>(start.data()));
    std::string_view rest(text, start.size());
    if (rest.starts_with("\xef\xbb\xbf")) {
        rest.remove_prefix(3);
    }
    const auto skip = [&](std::string_view bytes) {
        rest.remove_prefix(std::min(rest.find_first_not_of(bytes), rest.size()));
    };
    skip(" \t\r\n");
    const bool array = rest.starts_with('[');
    rest.remove_prefix(array ? 1 : 0);
    skip(" \t\r\n");
    if (!rest.starts_with('{')) {
        return array && (rest.empty() || rest.starts_with(']'));
    }
    return rest.substr(0, 512).find("\"type\"") != std::string_view::npos;
}

class NdjsonReader::Impl {
 public:
    Impl(ByteStream& stream, Diagnostics& diagnostics, std::string name, const NdjsonReaderOptions& options)
        : splitter_(stream, options.read_bytes, max_object_bytes),
          parser_(2 * max_object_bytes),
          diagnostics_(diagnostics),
          batch_messages_(std::max<std::size_t>(options.batch_messages, 1)),
          source_(diagnostics.add_source(std::move(name))) {}

    Expected<bool> next(TraceBatch& batch) {
        batch.clear();
        batch_ = &batch;
        first_message_ += messages_of_last_batch_;
        messages_of_last_batch_ = 0;
        while (!ended_ && batch.messages.size() < batch_messages_ && batch.events.size() < batch_messages_) {
            auto more = splitter_.next(piece_);
            if (!more) {
                return more;
            }
            if (!*more) {
                ended_ = true;
                finish();
                break;
            }
            take_piece();
        }
        messages_of_last_batch_ = batch.messages.size();
        return !batch.empty();
    }

    [[nodiscard]] TimeBase time_base() const { return base_.value_or(TimeBase{}); }
    [[nodiscard]] const Metadata& metadata() const { return metadata_; }
    [[nodiscard]] const std::optional<Provenance>& provenance() const { return provenance_; }
    [[nodiscard]] std::uint64_t first_message() const { return first_message_; }
    [[nodiscard]] const NdjsonAccounts& accounts() const { return accounts_; }

 private:
    /// `detail` makes the text of an example; it is not called for those that are only counted.
    template <class Detail>
    requires std::is_invocable_r_v<std::string, Detail>
    void report(Kind kind, Detail detail) {
        if (!diagnostics_.wants(kind)) {
            diagnostics_.count(kind);
            return;
        }
        Diagnostic diagnostic;
        diagnostic.kind = kind;
        diagnostic.where = {.source = source_, .offset = piece_.offset, .record = piece_.line, .block = 0};
        diagnostic.detail = detail();
        diagnostics_.report(std::move(diagnostic));
    }
    void report(Kind kind, std::string_view detail = {}) {
        report(kind, [&] { return std::string(detail); });
    }

    /// A message may have been among what was rejected: the next number is taken as it comes.
    void reject(Kind kind, std::string_view detail = {}) {
        report(kind, detail);
        ++accounts_.rejected;
        number_known_ = false;
    }

    void take_piece() {
        if (piece_.kind == JsonPiece::Kind::array_fault) {
            report(Kind::json_array_malformed);
            return;
        }
        const bool first = accounts_.objects++ == 0;
        if (piece_.kind == JsonPiece::Kind::too_long) {
            reject(Kind::json_object_too_long);
            return;
        }
        simdjson::dom::object object;
        const auto error = parser_.parse(piece_.text.data(), piece_.text.size(), false).get_object().get(object);
        if (error != simdjson::SUCCESS) {
            reject(Kind::json_object_malformed,
                   piece_.at_end ? std::string_view("the input ends within it") : simdjson::error_message(error));
            return;
        }
        object_.assign(object);
        const std::string_view type = object_.text(JsonKey::type);
        if (first && type != "capture") {
            report(Kind::json_header_missing);
        }
        if (object_.faulty()) {
            reject(object_.fault().kind, object_.fault().about);
            return;
        }
        take_object(type, object, first);
    }

    void take_object(std::string_view type, simdjson::dom::object object, bool first) {
        const bool capture = type == "capture";
        if (end_seen_ || (capture && !first)) {
            reject(Kind::json_object_misplaced, type.substr(0, 32));
        } else if (type == "message") {
            take_message();
        } else if (capture) {
            take_capture(object);
        } else if (type == "end") {
            take_end();
        } else if (const auto kind = event_kind(type)) {
            take_event(*kind);
        } else {
            report(Kind::json_type_unknown, type.substr(0, 32));
            ++accounts_.unknown;
        }
    }

    void take_capture(simdjson::dom::object object) {
        std::optional<detail::JsonFault> fault;
        detail::JsonHeader header = detail::read_json_header(object, fault);
        if (fault) {
            report(fault->kind, fault->about);
        }
        if (!header.version_known) {
            report(Kind::json_version_foreign);
        }
        base_ = header.base;
        metadata_ = std::move(header.metadata);
        provenance_ = std::move(header.provenance);
        ++accounts_.headers;
    }

    /// A time as the batch has it. A trace without a header takes the second of its first time as its base.
    Picoseconds time_at(JsonKey key) {
        const detail::SplitTime time = object_.time(key);
        if (object_.faulty()) {
            return 0;
        }
        if (!base_ && detail::usable(TimeBase{time.seconds})) {
            base_ = TimeBase{time.seconds};
        }
        const auto relative = detail::relative_to(time_base(), time);
        if (!relative) {
            object_.note(Kind::time_out_of_range, detail::name(key));
        }
        return relative.value_or(0);
    }

    [[nodiscard]] Stream stream() {
        return {static_cast<std::uint8_t>(object_.number(JsonKey::link, link_count - 1)),
                static_cast<std::uint8_t>(object_.number(JsonKey::from, node_count - 1))};
    }

    void take_message() {
        MessageHead message;
        message.first = time_at(JsonKey::time);
        message.stream = stream();
        message.vc = static_cast<std::uint8_t>(object_.number(JsonKey::vc, vc_slots - 1));
        read_place(message);
        const std::size_t before = batch_->words.size();
        const std::size_t count = detail::read_words(object_, batch_->words);
        if (count > most_words) {
            object_.note(Kind::json_value_unusable, detail::name(JsonKey::words));
        }
        const std::uint64_t number =
            object_.has(JsonKey::index) ? object_.number(JsonKey::index, most_exact) : next_number_;
        if (object_.faulty()) {
            batch_->words.resize(before);
            reject(object_.fault().kind, object_.fault().about);
            return;
        }
        message.word_offset = static_cast<std::uint32_t>(before);
        message.word_count = static_cast<std::uint8_t>(count);
        take_number(number);
        check_order(message.last);
        check_words(message);
        batch_->messages.push_back(message);
        ++accounts_.messages;
        words_ += count;
    }

    /// The words count, whatever else the object says; a message of a wrong length is kept as it was stored.
    void check_words(const MessageHead& message) {
        const auto words = batch_->words_of(message);
        if (words.empty() || words.size() != detail::words_of_header(message.vc, words[0])) {
            report(Kind::json_length_contradictory);
        }
        if (const std::string path = detail::contradiction(object_, message, words); !path.empty()) {
            report(Kind::json_contradiction, path);
        }
    }

    /// Completion and place in the blocks. Without them the message is still whole.
    void read_place(MessageHead& message) {
        const auto has = [&](JsonKey key) { return object_.has(key); };
        message.last = has(JsonKey::time_last) ? time_at(JsonKey::time_last) : message.first;
        message.first_block = has(JsonKey::block) ? object_.decimal_text(JsonKey::block) : 0;
        message.last_block = has(JsonKey::block_last) ? object_.decimal_text(JsonKey::block_last) : message.first_block;
        message.slot = has(JsonKey::slot) ? static_cast<std::uint8_t>(object_.number(JsonKey::slot, 255)) : 0;
        for (const JsonKey key : {JsonKey::time_last, JsonKey::block, JsonKey::block_last, JsonKey::slot}) {
            if (!has(key)) {
                report(Kind::json_key_assumed, detail::name(key));
                return;
            }
        }
    }

    void take_number(std::uint64_t number) {
        if (accounts_.messages == 0) {
            first_message_ = number;
        } else if (number_known_ && number != next_number_) {
            report(Kind::json_index_jumps,
                   [&] { return "expected " + std::to_string(next_number_) + ", found " + std::to_string(number); });
        }
        number_known_ = true;
        next_number_ = number + 1;
    }

    void check_order(Picoseconds last) {
        if (any_time_ && last < latest_) {
            report(Kind::json_order_wrong);
        }
        latest_ = any_time_ ? std::max(latest_, last) : last;
        any_time_ = true;
    }

    void take_event(EventKind kind) {
        Event event;
        event.time = time_at(JsonKey::time);
        event.stream = stream();
        event.before = static_cast<std::uint32_t>(batch_->messages.size());
        detail::read_event(object_, kind, event);
        if (object_.faulty()) {
            reject(object_.fault().kind, object_.fault().about);
            return;
        }
        batch_->events.push_back(event);
        ++accounts_.events;
    }

    bool is_interrupted() {
        bool interrupted = false;
        if (object_.has(JsonKey::interrupted) &&
            object_.value(JsonKey::interrupted).get_bool().get(interrupted) != simdjson::SUCCESS) {
            object_.note(Kind::json_value_unusable, detail::name(JsonKey::interrupted));
        }
        return interrupted;
    }

    void take_end() {
        const std::uint64_t messages = object_.number(JsonKey::messages, most_exact);
        const std::uint64_t events = object_.number(JsonKey::events, most_exact);
        const std::uint64_t words = object_.has(JsonKey::words) ? object_.number(JsonKey::words, most_exact) : words_;
        const bool interrupted = is_interrupted();
        if (object_.faulty()) {
            reject(object_.fault().kind, object_.fault().about);
            return;
        }
        end_seen_ = true;
        if (interrupted) {
            report(Kind::trace_interrupted);
        }
        ++accounts_.headers;
        if (messages != accounts_.messages || events != accounts_.events || words != words_) {
            report(Kind::json_counts_disagree, [&] {
                return "says " + std::to_string(messages) + " messages, " + std::to_string(words) + " words and " +
                       std::to_string(events) + " events, read were " + std::to_string(accounts_.messages) + ", " +
                       std::to_string(words_) + " and " + std::to_string(accounts_.events);
            });
        }
    }

    void finish() {
        piece_.offset = splitter_.offset();
        piece_.line = splitter_.line();
        if (!end_seen_) {
            report(Kind::json_cut_short);
        } else if (splitter_.is_array() && !splitter_.array_closed()) {
            report(Kind::json_array_malformed, "the closing bracket is missing");
        }
    }

    detail::JsonSplitter splitter_;
    simdjson::dom::parser parser_;
    Diagnostics& diagnostics_;
    std::size_t batch_messages_;
    std::uint32_t source_;
    TraceBatch* batch_ = nullptr;
    JsonPiece piece_;
    detail::JsonObject object_;
    std::optional<TimeBase> base_;
    Metadata metadata_;
    std::optional<Provenance> provenance_;
    NdjsonAccounts accounts_;
    std::uint64_t words_ = 0;
    std::uint64_t first_message_ = 0;
    std::uint64_t messages_of_last_batch_ = 0;
    std::uint64_t next_number_ = 0;
    Picoseconds latest_ = 0;
    bool any_time_ = false;
    bool number_known_ = true;
    bool end_seen_ = false;
    bool ended_ = false;
};

NdjsonReader::NdjsonReader(ByteStream& stream, Diagnostics& diagnostics, std::string name,
                           const NdjsonReaderOptions& options)
    : impl_(std::make_unique<Impl>(stream, diagnostics, std::move(name), options)) {}

NdjsonReader::~NdjsonReader() = default;

Expected<bool> NdjsonReader::next(TraceBatch& batch) {
    return impl_->next(batch);
}

TimeBase NdjsonReader::time_base() const {
    return impl_->time_base();
}

const Metadata& NdjsonReader::metadata() const {
    return impl_->metadata();
}

const std::optional<Provenance>& NdjsonReader::provenance() const {
    return impl_->provenance();
}

std::uint64_t NdjsonReader::first_message() const {
    return impl_->first_message();
}

const NdjsonAccounts& NdjsonReader::accounts() const {
    return impl_->accounts();
}

}  // namespace eciscope::ewf
