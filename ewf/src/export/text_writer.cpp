#include "eciscope/ewf/text_writer.hpp"

#include <algorithm>
#include <eciscope/spec/eci.hpp>
#include <string_view>

#include "export/digits.hpp"
#include "export/export_rules.hpp"
#include "export/message_layout.hpp"
#include "export/output_buffer.hpp"
#include "export/text_events.hpp"

namespace eciscope::ewf {

namespace {

using detail::LayoutField;
using detail::MessageLayout;
using detail::put;

constexpr std::size_t index_width = 7;
constexpr std::size_t time_width = 20;
constexpr std::size_t class_width = 4;
constexpr std::size_t op_width = 8;
constexpr std::size_t address_width = 13;
constexpr std::size_t fields_width = 22;  ///< of what most messages with data have, so that data stands in one column

std::string_view colour_of(const MessageLayout& layout) {
    using eci::message_class;
    const std::string_view kind = layout.class_name;
    if (!layout.documented) {
        return "\x1b[31m";
    }
    if (kind == name(message_class::MREQ)) {
        return "\x1b[32m";
    }
    if (kind == name(message_class::MRSP)) {
        return "\x1b[36m";
    }
    if (kind == name(message_class::MFWD)) {
        return "\x1b[33m";
    }
    return kind == name(message_class::IREQ) || kind == name(message_class::IRSP) ? "\x1b[35m" : "\x1b[34m";
}

/// An I/O request that names bytes.
std::optional<eci::ireq_bytes> io_request(std::uint8_t vc, std::uint64_t header) {
    if (eci::class_of_vc(vc) != eci::message_class::IREQ) {
        return std::nullopt;
    }
    const eci::message message = eci::decode(vc, header);
    const bool bytes = message.Ireq.which == eci::ireq::kind::Ireq_bytes;
    return bytes ? std::optional(message.Ireq.Ireq_bytes) : std::nullopt;
}

/// Lines of one batch. All numbers and texts go through here.
class Lines {
 public:
    Lines(const TextOptions& options, TextState& state, std::string& out)
        : options_(options), state_(state), out_(out), absolute_(state.base) {}

    void headings();
    void message(const MessageHead& message, std::span<const std::uint64_t> words);
    void event(const Event& event);

 private:
    template <class Put>
    void number(Put&& put_number) {
        std::array<char, 48> text;
        out_.append(text.data(), static_cast<std::size_t>(put_number(text.data()) - text.data()));
    }
    void padded(std::string_view text, std::size_t width) {
        out_ += text;
        out_.append(width - std::min(width, text.size()), ' ');
    }
    void right(std::string_view text, std::size_t width) {
        out_.append(width - std::min(width, text.size()), ' ');
        out_ += text;
    }
    void colour(std::string_view escape) { out_ += options_.colour ? escape : std::string_view(); }
    void start(std::string_view index, Picoseconds time, Stream stream);
    void time(Picoseconds time);
    void address(const MessageLayout& layout, const MessageHead& message, std::uint64_t header);
    void fields(const MessageLayout& layout, std::uint8_t vc, std::span<const std::uint64_t> words);
    void field(const LayoutField& field, std::uint64_t value);
    void data(std::span<const std::uint64_t> words);

    const TextOptions& options_;
    TextState& state_;
    std::string& out_;
    detail::TimeFormat absolute_;
};

void Lines::headings() {
    colour("\x1b[2m");
    if (options_.show_index) {
        right("#", index_width);
        out_ += ' ';
    }
    right(options_.time == TextTime::delta ? "since before" : "seconds", time_width);
    out_ += options_.ascii ? "  dir  link vc " : "  dir link vc ";
    padded("class", class_width + 1);
    out_ += ' ';
    padded("op", op_width);
    out_ += " home ";
    padded("address", address_width);
    out_ += " fields, data";
    colour("\x1b[0m");
    out_ += '\n';
}

/// Seconds with digits in groups of three: milli, micro, nano, pico.
void Lines::time(Picoseconds time) {
    std::array<char, 64> plain;
    std::array<char, 64> grouped;
    char* end = plain.data();
    if (options_.time == TextTime::absolute) {
        end = absolute_.put_time(end, time);
    } else {
        const Picoseconds zero = options_.time == TextTime::delta ? state_.previous_time : state_.first_time;
        const bool back = time < zero;
        const std::uint64_t distance = back ? static_cast<std::uint64_t>(zero) - static_cast<std::uint64_t>(time)
                                            : static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(zero);
        constexpr auto second = static_cast<std::uint64_t>(picoseconds_per_second);
        *end++ = back ? '-' : '+';
        end = detail::put_decimal(end, distance / second);
        *end++ = '.';
        end = detail::put_fixed<12>(end, distance % second);
    }
    const std::string_view text(plain.data(), static_cast<std::size_t>(end - plain.data()));
    char* to = put(grouped.data(), text.substr(0, text.size() - 9));
    for (std::size_t at = text.size() - 9; at < text.size(); at += 3) {
        *to++ = '\'';
        to = put(to, text.substr(at, 3));
    }
    right({grouped.data(), static_cast<std::size_t>(to - grouped.data())}, time_width);
    state_.previous_time = time;
}

void Lines::start(std::string_view index, Picoseconds at, Stream stream) {
    if (!state_.started) {
        state_.started = true;
        state_.first_time = state_.previous_time = at;
        if (options_.headings) {
            headings();
        }
    }
    if (options_.show_index) {
        right(index, index_width);
        out_ += ' ';
    }
    time(at);
    out_ += "  ";
    out_ += static_cast<char>('0' + stream.from % 10);
    out_ += options_.ascii ? std::string_view("->") : std::string_view("\u2192");
    out_ += static_cast<char>('0' + stream.reverse().from % 10);
    out_ += "  ";
    out_ += static_cast<char>('0' + stream.link % 10);
}

void Lines::message(const MessageHead& message, std::span<const std::uint64_t> words) {
    const auto [layout, header] = detail::describe(message.vc, words);
    std::array<char, 24> index;
    const char* end = detail::put_decimal(index.data(), state_.index++);
    start({index.data(), static_cast<std::size_t>(end - index.data())}, message.last, message.stream);
    out_ += message.vc < 10 ? "    " : "   ";
    number([&](char* to) { return detail::put_decimal(to, message.vc); });
    out_ += ' ';
    colour(colour_of(layout));
    padded(layout.class_name, class_width);
    out_ += "  ";
    padded(layout.op, op_width);
    colour("\x1b[0m");
    address(layout, message, header);
    const std::size_t fields_start = out_.size();
    fields(layout, message.vc, words);
    if (words.size() > 1) {
        padded({}, fields_width - std::min(fields_width, out_.size() - fields_start));
    }
    data(words.empty() ? words : words.subspan(1));
    while (out_.ends_with(' ')) {
        out_.pop_back();
    }
    out_ += '\n';
}

/// Home and address: a line's in the memory of its home, an I/O request's in the space of its devices.
void Lines::address(const MessageLayout& layout, const MessageHead& message, std::uint64_t header) {
    const std::optional<eci::ireq_bytes> io = io_request(message.vc, header);
    out_ += "      ";
    const auto hex = [&](std::uint64_t value, std::size_t digits) {
        std::array<char, 16> text;
        detail::put_hex16(text.data(), value);
        out_ += "0x";
        out_.append(&text[text.size() - digits], digits);
        out_.append(address_width - 2 - digits, ' ');
    };
    if (layout.line) {
        const detail::LineFacts facts = detail::line_facts(layout, message.stream.from, header);
        out_[out_.size() - 2] = static_cast<char>('0' + facts.home);
        hex(facts.address, 10);
    } else if (io) {
        hex(eci::io_address(*io), 11);
    } else {
        out_.append(address_width, ' ');
    }
}

void Lines::fields(const MessageLayout& layout, std::uint8_t vc, std::span<const std::uint64_t> words) {
    if (words.empty()) {
        out_ += " without words";
        return;
    }
    const std::uint64_t header = words.front();
    if (!layout.documented) {
        out_ += " header ";
        number([&](char* to) { return detail::put_hex16(to, header); });
        return;
    }
    const std::optional<eci::ireq_bytes> io = io_request(vc, header);
    for (const LayoutField& each : layout.fields) {
        const std::uint64_t value = each.of(header);
        // What the address column says already, and bits without a known meaning; set bits that should be clear show.
        const bool in_address = io && (each.name == "did" || each.name == "offset" || each.name == "szoff");
        const bool rarely_set = each.quiet || each.width == 1 || each.name == "fillo" || each.name == "dirty";
        if (!in_address && !each.name.starts_with("unknown_") && (value != 0 || !rarely_set)) {
            field(each, value);
        }
    }
    if (io) {
        out_ += ' ';
        number([&](char* to) { return detail::put_decimal(to, static_cast<std::uint64_t>(eci::io_size(io->szoff))); });
        out_ += 'B';
    }
}

/// Flags as their name, masks and long fields in hexadecimal, the rest in decimal.
void Lines::field(const LayoutField& field, std::uint64_t value) {
    out_ += ' ';
    out_ += field.name;
    if (field.width == 1) {
        return;
    }
    out_ += '=';
    number([&](char* to) {
        return field.width > 16 || field.quiet ? detail::put_hex(to, value)
               : field.name == "dmask"         ? put(to, std::string_view("0123456789abcdef").substr(value & 15, 1))
                                               : detail::put_decimal(to, value);
    });
}

/// The first words; words that are all the same once, with their number.
void Lines::data(std::span<const std::uint64_t> words) {
    if (words.empty() || options_.data_words == 0) {
        return;
    }
    const bool same = words.size() > 1 && std::equal(words.begin() + 1, words.end(), words.begin());
    const std::size_t shown = same ? 1 : std::min<std::size_t>(options_.data_words, words.size());
    out_ += "  ";
    colour("\x1b[2m");
    if (same) {
        number([&](char* to) { return detail::put_decimal(to, words.size()); });
        out_ += options_.ascii ? std::string_view("x ") : std::string_view("\u00d7 ");
    }
    for (std::size_t i = 0; i < shown; ++i) {
        out_ += i == 0 ? "" : " ";
        number([&](char* to) { return detail::put_hex16(to, words[i]); });
    }
    if (!same && shown < words.size()) {
        out_ += options_.ascii ? std::string_view(" ...+") : std::string_view(" \u2026+");
        number([&](char* to) { return detail::put_decimal(to, words.size() - shown); });
    }
    colour("\x1b[0m");
}

void Lines::event(const Event& event) {
    start("--", event.time, event.stream);
    out_ += options_.ascii ? std::string_view("  == ") : std::string_view("  \u2550\u2550 ");
    colour(detail::event_colour(event.kind));
    detail::append_event(event, out_);
    colour("\x1b[0m");
    out_ += '\n';
}

}  // namespace

void append_text(const TraceBatch& batch, const TextOptions& options, TextState& state, std::string& out) {
    Lines lines(options, state, out);
    std::size_t event = 0;
    for (std::size_t i = 0; i < batch.messages.size(); ++i) {
        for (; event < batch.events.size() && batch.events[event].before <= i; ++event) {
            lines.event(batch.events[event]);
        }
        const MessageHead& message = batch.messages[i];
        if (detail::writable(batch, message)) {
            lines.message(message, batch.words_of(message));
        }
    }
    for (; event < batch.events.size(); ++event) {
        lines.event(batch.events[event]);
    }
}

class TextWriter::Impl {
 public:
    Impl(ByteSink& sink, const TextOptions& options) : out_(sink), options_(options) {}

    bool batch(const TraceBatch& batch, const ExportHeader& header) {
        if (!state_.started) {
            state_.base = header.base;
            state_.index = header.first_index;
        }
        if (!detail::usable(state_.base)) {
            out_.fail({ErrorCode::invalid_trace, "the base of the trace's times is out of range", 0});
            return false;
        }
        text_.clear();
        append_text(batch, options_, state_, text_);
        out_.append(text_);
        return out_.good();
    }

    Expected<void> finish() {
        out_.flush();
        return out_.status();
    }

 private:
    detail::OutputBuffer out_;
    TextOptions options_;
    TextState state_;
    std::string text_;
};

TextWriter::TextWriter(ByteSink& sink, const TextOptions& options, ExportHeader header)
    : Exporter(std::move(header)), impl_(std::make_unique<Impl>(sink, options)) {}

TextWriter::~TextWriter() = default;

bool TextWriter::batch(const TraceBatch& batch) {
    return impl_->batch(batch, header());
}

Expected<void> TextWriter::finish() {
    return impl_->finish();
}

}  // namespace eciscope::ewf
