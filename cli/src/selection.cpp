#include "selection.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "eciscope/decoder/lines.hpp"
#include "names.hpp"

namespace eciscope::cli {

namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    text.remove_prefix(hex ? 2 : 0);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
    const bool whole = error == std::errc{} && end == text.data() + text.size() && !text.empty();
    return whole ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<LineWish> parse_line(const std::string& text) {
    std::string_view rest = text;
    LineWish wish;
    if (const std::size_t at = rest.find('@'); at != std::string_view::npos) {
        const auto home = parse_number(rest.substr(at + 1));
        if (!home || *home >= node_count) {
            return std::nullopt;
        }
        wish.home = static_cast<std::uint8_t>(*home);
        rest = rest.substr(0, at);
    }
    const bool aliased = rest.starts_with("a:");
    const auto number = parse_number(rest.substr(aliased ? 2 : 0));
    if (!number || *number >= (aliased ? line_count : last_address + 1)) {
        return std::nullopt;
    }
    wish.aliased_cli = aliased ? *number : aliased_cli_of_address(*number);
    return wish;
}

std::optional<MessageRange> parse_range(const std::string& text) {
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) {
        return std::nullopt;
    }
    MessageRange range;
    const std::string_view first = std::string_view(text).substr(0, dots);
    const std::string_view end = std::string_view(text).substr(dots + 2);
    const auto first_number = first.empty() ? std::optional(range.first) : parse_number(first);
    const auto end_number = end.empty() ? std::optional(range.end) : parse_number(end);
    if (!first_number || !end_number || *first_number > *end_number) {
        return std::nullopt;
    }
    return MessageRange{*first_number, *end_number};
}

Selector::Selector(const Selection& selection, TraceSink& sink) : selection_(selection), sink_(sink) {
    for (std::size_t vc = 0; vc < vcs_.size(); ++vc) {
        const auto number = static_cast<std::uint8_t>(vc);
        vcs_[vc] = (selection.vcs.empty() || selection.vcs.contains(number)) &&
                   (selection.classes.empty() || selection.classes.contains(class_name(number)));
    }
}

void Selector::begin(TimeBase base) {
    base_ = base;
}

void Selector::set_start(Picoseconds start) {
    started_ = true;
    if (selection_.from_time) {
        from_ = selection_.from_time->from(base_, start);
    }
    if (selection_.to_time) {
        to_ = selection_.to_time->from(base_, start);
    }
}

bool Selector::wants(const TraceBatch& batch, const MessageHead& message) const {
    if (message.last < from_ || message.last >= to_ || !vcs_[message.vc]) {
        return false;
    }
    const std::uint64_t header = batch.words[message.word_offset];
    if (!selection_.ops.empty() && !selection_.ops.contains(op_name(message.vc, header))) {
        return false;
    }
    if (selection_.lines.empty()) {
        return true;
    }
    const auto line = line_of(message.stream, message.vc, header);
    return line && std::any_of(selection_.lines.begin(), selection_.lines.end(), [&line](const LineWish& wish) {
               return wish.aliased_cli == line->aliased_cli && (!wish.home || *wish.home == line->home);
           });
}

bool Selector::wants(const Event& event) const {
    return event.time >= from_ && event.time < to_ && (event.vc == Event::no_vc || vcs_[event.vc]) &&
           number_ >= selection_.messages.first && number_ <= selection_.messages.end;
}

bool Selector::batch(const TraceBatch& batch) {
    if (!started_ && !batch.empty()) {
        const Picoseconds message = batch.messages.empty() ? to_ : batch.messages.front().last;
        const Picoseconds event = batch.events.empty() ? to_ : batch.events.front().time;
        set_start(std::min(message, event));
    }
    part_.clear();
    std::size_t next_event = 0;
    const auto take_events = [&](std::size_t before) {
        for (; next_event < batch.events.size() && batch.events[next_event].before <= before; ++next_event) {
            if (wants(batch.events[next_event])) {
                part_.events.push_back(batch.events[next_event]);
                part_.events.back().before = static_cast<std::uint32_t>(part_.messages.size());
            }
        }
    };
    for (std::size_t index = 0; index < batch.messages.size(); ++index, ++number_) {
        take_events(index);
        const MessageHead& message = batch.messages[index];
        if (number_ < selection_.messages.first || number_ >= selection_.messages.end || !wants(batch, message)) {
            continue;
        }
        part_.messages.push_back(message);
        part_.messages.back().word_offset = static_cast<std::uint32_t>(part_.words.size());
        const auto words = batch.words_of(message);
        part_.words.insert(part_.words.end(), words.begin(), words.end());
    }
    take_events(batch.messages.size());
    seen_ += batch.messages.size();
    passed_ += part_.messages.size();
    const bool over = !batch.messages.empty() && is_over(batch.messages.back().last);
    return (part_.empty() || sink_.batch(part_)) && !over;
}

bool Selector::may_hold(const ewf::ChunkInfo& chunk) const {
    const std::uint64_t end = chunk.first_message + chunk.messages;
    if (end < selection_.messages.first || chunk.first_message >= selection_.messages.end || chunk.last_max < from_ ||
        chunk.last_min >= to_) {
        return false;
    }
    if (chunk.events != 0) {
        return true;
    }
    for (std::size_t vc = 0; vc < chunk.vc_messages.size(); ++vc) {
        if (vcs_[vc] && chunk.vc_messages[vc] != 0) {
            return true;
        }
    }
    return false;
}

}  // namespace eciscope::cli
