#include "eciscope/ewf/ndjson_writer.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string>

#include "export/digits.hpp"
#include "export/export_rules.hpp"
#include "export/json_names.hpp"
#include "export/json_text.hpp"
#include "export/message_layout.hpp"
#include "export/output_buffer.hpp"

namespace eciscope::ewf {

namespace {

using detail::put;

/// A text copied as a whole register or two, then cut to its length.
struct Piece {
    static constexpr std::size_t capacity = 32;
    std::array<char, capacity> text{};
    std::size_t size = 0;

    explicit Piece(std::string_view from) : size(std::min(from.size(), capacity)) { from.copy(text.data(), size); }
    char* put_into(char* out) const {
        std::memcpy(out, text.data(), capacity);
        return out + size;
    }
};

struct FieldPiece {
    Piece key;  ///< `"rreq_id":`, with the quotation mark that opens a text value
    detail::LayoutField field;
};

/// What all messages of one layout have in common, ready to be copied.
struct LayoutPieces {
    std::string names;  ///< `,"class":"MREQ","op":"RLDX"`
    std::vector<FieldPiece> fields;
};

std::string joined(std::initializer_list<std::string_view> parts) {
    std::string all;
    for (const std::string_view part : parts) {
        all += part;
    }
    return all;
}

std::vector<LayoutPieces> make_pieces() {
    std::vector<LayoutPieces> all;
    for (const detail::MessageLayout& layout : detail::layouts()) {
        LayoutPieces pieces;
        pieces.names = joined({",\"class\":\"", layout.class_name, "\",\"op\":\"", layout.op, "\""});
        for (const detail::LayoutField& field : layout.fields) {
            const bool text = field.width > detail::exact_number_bits;
            pieces.fields.push_back({Piece(joined({"\"", field.name, text ? "\":\"" : "\":"})), field});
        }
        all.push_back(std::move(pieces));
    }
    return all;
}

const LayoutPieces& pieces_of(const detail::MessageLayout& layout) {
    static const std::vector<LayoutPieces> all = make_pieces();
    return all[layout.id];
}

char* put_fields(char* out, const LayoutPieces& pieces, std::uint64_t header) {
    out = put(out, ",\"fields\":{");
    char* const start = out;
    for (const FieldPiece& piece : pieces.fields) {
        const std::uint64_t value = piece.field.of(header);
        if (piece.field.quiet && value == 0) {
            continue;
        }
        out = piece.key.put_into(out);
        if (piece.field.width > detail::exact_number_bits) {
            out = detail::put_hex(out, value);
            *out++ = '"';
        } else {
            out = detail::put_decimal(out, value);
        }
        *out++ = ',';
    }
    out -= out != start ? 1 : 0;
    return put(out, "}");
}

char* put_words(char* out, std::span<const std::uint64_t> words) {
    out = put(out, ",\"words\":[");
    for (const std::uint64_t word : words) {
        *out++ = '"';
        out = detail::put_hex16(out, word);
        out = put(out, "\",");
    }
    out -= words.empty() ? 0 : 1;
    return put(out, "]");
}

char* put_stream(char* out, Stream stream) {
    out = put(out, "\",\"from\":0,\"link\":0");
    out[-10] = static_cast<char>('0' + stream.from);
    out[-1] = static_cast<char>('0' + stream.link);
    return out;
}

}  // namespace

class NdjsonWriter::Impl {
 public:
    Impl(ByteSink& sink, JsonForm form) : out_(sink), array_(form == JsonForm::array) {}

    bool batch(const TraceBatch& batch, const ExportHeader& header) {
        if (!started_ && !batch.empty()) {
            start(header, detail::start_base(header.base, batch));
        }
        std::size_t event = 0;
        for (std::size_t i = 0; i < batch.messages.size() && out_.good(); ++i) {
            for (; event < batch.events.size() && batch.events[event].before <= i; ++event) {
                put_event(batch.events[event]);
            }
            put_message(batch, batch.messages[i]);
        }
        for (; event < batch.events.size() && out_.good(); ++event) {
            put_event(batch.events[event]);
        }
        return out_.good();
    }

    Expected<void> finish(const ExportHeader& header, bool interrupted) {
        if (!started_) {
            start(header, header.base);
        }
        char* out = put(begin_object(), "{\"type\":\"end\",\"messages\":");
        out = detail::put_decimal(out, messages_);
        out = put(out, ",\"events\":");
        out = detail::put_decimal(out, events_);
        out = put(out, ",\"words\":");
        out = detail::put_decimal(out, words_);
        out = put(out, interrupted ? std::string_view(",\"interrupted\":true") : std::string_view());
        out = put(out, array_ ? std::string_view("}\n]\n") : std::string_view("}\n"));
        out_.advance_to(out);
        out_.flush();
        return out_.status();
    }

 private:
    void start(const ExportHeader& header, TimeBase shown) {
        started_ = true;
        if (!detail::usable(header.base) || !detail::usable(shown)) {
            out_.fail({ErrorCode::invalid_trace, "the base of the trace's times is out of range", 0});
            return;
        }
        time_ = detail::TimeFormat(header.base);
        index_ = header.first_index;
        out_.append(array_ ? "[\n" : "");
        out_.append(detail::json_header(header, shown));
    }

    /// Ends the object before and returns where the next begins.
    char* begin_object() {
        char* out = out_.room();
        return array_ ? put(out, ",\n") : put(out, "\n");
    }

    void put_message(const TraceBatch& batch, const MessageHead& message) {
        if (!detail::writable(batch, message)) {
            out_.fail(detail::unwritable_message());
            return;
        }
        const auto words = batch.words_of(message);
        const auto [layout, header] = detail::describe(message.vc, words);
        const LayoutPieces& pieces = pieces_of(layout);

        char* out = put(begin_object(), "{\"type\":\"message\",\"index\":");
        out = detail::put_decimal(out, index_);
        out = put(out, ",\"time\":\"");
        out = time_.put_time(out, message.first);
        out = put(out, "\",\"time_last\":\"");
        out = time_.put_time(out, message.last);
        out = put_stream(out, message.stream);
        out = put(out, ",\"vc\":");
        out = detail::put_decimal(out, message.vc);
        out = put(out, pieces.names);
        if (layout.line) {
            out = put_line(out, detail::line_facts(layout, message.stream.from, header));
        }
        out = put_fields(out, pieces, header);
        out = put_words(out, words);
        out = put(out, ",\"block\":\"");
        out = detail::put_decimal(out, message.first_block);
        out = put(out, "\",\"block_last\":\"");
        out = detail::put_decimal(out, message.last_block);
        out = put(out, "\",\"slot\":");
        out = detail::put_decimal(out, message.slot);
        out_.advance_to(put(out, "}"));
        ++messages_;
        ++index_;
        words_ += words.size();
    }

    static char* put_line(char* out, const detail::LineFacts& facts) {
        out = put(out, ",\"home\":");
        out = detail::put_decimal(out, facts.home);
        out = put(out, ",\"address\":\"");
        out = detail::put_hex(out, facts.address);
        out = put(out, "\",\"aliased_cli\":\"");
        out = detail::put_hex(out, facts.aliased_cli);
        return put(out, "\"");
    }

    void put_event(const Event& event) {
        if (!detail::writable(event)) {
            out_.fail(detail::unwritable_event());
            return;
        }
        const detail::EventKeys keys = detail::event_keys(event.kind);
        char* out = put(begin_object(), "{\"type\":\"");
        out = put(out, name(event.kind));
        out = put(out, "\",\"time\":\"");
        out = time_.put_time(out, event.time);
        out = put_stream(out, event.stream);
        if (event.vc != Event::no_vc) {
            out = put(out, ",\"vc\":");
            out = detail::put_decimal(out, event.vc);
        }
        out = put(out, ",\"block\":\"");
        out = detail::put_decimal(out, event.block);
        out = put(out, "\"");
        out = put_count(out, event, keys);
        out = put_detail(out, event, keys);
        out_.advance_to(put(out, "}"));
        ++events_;
    }

    static char* put_count(char* out, const Event& event, const detail::EventKeys& keys) {
        if (event.count == Event::unknown_count) {
            return put(out, ",\"count\":null");
        }
        if (keys.count || event.count != 0) {
            out = put(out, ",\"count\":\"");
            out = detail::put_decimal(out, event.count);
            out = put(out, "\"");
        }
        return out;
    }

    static char* put_detail(char* out, const Event& event, const detail::EventKeys& keys) {
        if (keys.power_on && event.detail <= 1) {
            return put(out, event.detail == 1 ? std::string_view(",\"from_power_on\":true")
                                              : std::string_view(",\"from_power_on\":false"));
        }
        if (keys.control) {
            out = put(out, ",\"control\":\"");
            out = detail::put_hex16(out, event.detail);
            return put(out, "\"");
        }
        if (event.detail != 0) {
            out = put(out, ",\"detail\":\"");
            out = detail::put_hex(out, event.detail);
            out = put(out, "\"");
        }
        return out;
    }

    // Room for the longest object: 255 words, every field of the widest kind.
    static_assert(detail::OutputBuffer::room_bytes >= 1024 + 19 * 255 + 16 * (Piece::capacity + 24));

    detail::OutputBuffer out_;
    detail::TimeFormat time_;
    std::uint64_t index_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t events_ = 0;
    std::uint64_t words_ = 0;
    bool array_;
    bool started_ = false;
};

NdjsonWriter::NdjsonWriter(ByteSink& sink, JsonForm form, ExportHeader header)
    : Exporter(std::move(header)), impl_(std::make_unique<Impl>(sink, form)) {}

NdjsonWriter::~NdjsonWriter() = default;

bool NdjsonWriter::batch(const TraceBatch& batch) {
    return impl_->batch(batch, header());
}

Expected<void> NdjsonWriter::finish() {
    return impl_->finish(header(), interrupted());
}

}  // namespace eciscope::ewf
