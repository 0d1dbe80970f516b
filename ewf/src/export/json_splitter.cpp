#include "export/json_splitter.hpp"

#include <algorithm>
#include <cstring>

namespace eciscope::ewf::detail {

namespace {

/// No object of a trace is nested deeper; what is, has lost a bracket.
constexpr std::uint32_t max_depth = 8;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

JsonSplitter::JsonSplitter(ByteStream& stream, std::size_t read_bytes, std::size_t max_object_bytes)
    : stream_(stream),
      read_bytes_(std::max<std::size_t>(read_bytes, 1)),
      max_object_bytes_(max_object_bytes),
      buffer_(2 * read_bytes_ + padding_bytes) {}

/// Reads on; false at the end of the stream. What begin_ has passed makes room first.
Expected<bool> JsonSplitter::fill() {
    if (stream_ended_) {
        return false;
    }
    if (buffer_.size() - padding_bytes - end_ < read_bytes_) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        base_offset_ += begin_;
        end_ -= begin_;
        scan_ -= begin_;
        begin_ = 0;
        if (buffer_.size() - padding_bytes - end_ < read_bytes_) {
            buffer_.resize(2 * buffer_.size() + read_bytes_);
        }
    }
    auto* const bytes = static_cast<std::uint8_t*>(static_cast<void*>(buffer_.data() + end_));
    auto read = stream_.read({bytes, read_bytes_});
    if (!read) {
        return tl::unexpected(std::move(read.error()));
    }
    end_ += *read;
    stream_ended_ = *read == 0;
    return !stream_ended_;
}

void JsonSplitter::drop_to(std::size_t position) {
    line_ += lines_seen_;
    lines_seen_ = 0;
    begin_ = position;
    scan_ = std::max(scan_, position);
}

/// Passes leading white space and a byte order mark; an opening bracket says that this is an array.
Expected<bool> JsonSplitter::find_form() {
    bool mark_possible = true;
    while (true) {
        for (; scan_ < end_; ++scan_) {
            const std::string_view left(buffer_.data() + scan_, end_ - scan_);
            if (mark_possible && left.substr(0, 3) == byte_order_mark.substr(0, left.size())) {
                if (left.size() < byte_order_mark.size() && !stream_ended_) {
                    break;
                }
                if (left.size() >= byte_order_mark.size()) {
                    scan_ += byte_order_mark.size() - 1;
                    mark_possible = false;
                    continue;
                }
            }
            mark_possible = false;
            if (!is_space(buffer_[scan_])) {
                form_ = buffer_[scan_] == '[' ? Form::array : Form::lines;
                drop_to(scan_ + (form_ == Form::array ? 1 : 0));
                return true;
            }
            lines_seen_ += buffer_[scan_] == '\n' ? 1U : 0U;
        }
        drop_to(scan_);
        auto more = fill();
        if (!more || (!*more && scan_ == end_)) {
            return more;
        }
    }
}

Expected<bool> JsonSplitter::next(JsonPiece& piece) {
    if (pending_drop_ != 0) {
        drop_to(pending_drop_);
        pending_drop_ = 0;
    }
    if (form_ == Form::unknown) {
        auto found = find_form();
        if (!found || !*found) {
            return found;
        }
    }
    return form_ == Form::array ? next_element(piece) : next_line(piece);
}

void JsonSplitter::set_piece(JsonPiece& piece, JsonPiece::Kind kind, std::size_t end) const {
    piece.kind = kind;
    piece.text =
        kind == JsonPiece::Kind::object ? std::string_view(buffer_.data() + begin_, end - begin_) : std::string_view();
    piece.offset = base_offset_ + begin_;
    piece.line = line_;
    piece.at_end = false;
}

Expected<bool> JsonSplitter::next_line(JsonPiece& piece) {
    while (true) {
        const void* found = std::memchr(buffer_.data() + scan_, '\n', end_ - scan_);
        const bool whole = found != nullptr;
        const std::size_t end =
            whole ? static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) : end_;
        const bool last = !whole && stream_ended_;
        if (!whole && !last && end_ - begin_ <= max_object_bytes_) {
            scan_ = end_;
            if (auto more = fill(); !more) {
                return more;
            }
            continue;
        }
        const std::size_t behind = whole ? end + 1 : end;
        const bool too_long = skip_is_line_ || end - begin_ > max_object_bytes_;
        const bool given = too_long ? skip_line(piece, end) : take_line(piece, end);
        lines_seen_ = whole ? 1 : 0;
        scan_ = behind;
        if (given && !too_long) {
            piece.at_end = last;
            pending_drop_ = behind;
            return true;
        }
        drop_to(behind);
        skip_is_line_ = too_long && !whole && !last;
        if (given || last) {
            return given;
        }
    }
}

/// An over-long line, or a further part of one: true for the first part, which is the one to report.
bool JsonSplitter::skip_line(JsonPiece& piece, std::size_t end) const {
    if (!skip_is_line_) {
        set_piece(piece, JsonPiece::Kind::too_long, end);
    }
    return !skip_is_line_;
}

/// False if the line is empty.
bool JsonSplitter::take_line(JsonPiece& piece, std::size_t end) {
    while (begin_ < end && is_space(buffer_[begin_])) {
        ++begin_;
    }
    while (end > begin_ && is_space(buffer_[end - 1])) {
        --end;
    }
    set_piece(piece, JsonPiece::Kind::object, end);
    return begin_ != end;
}

Expected<bool> JsonSplitter::next_element(JsonPiece& piece) {
    while (true) {
        while (scan_ < end_) {
            const Step step = state_ == State::inside     ? scan_inside(piece)
                              : state_ == State::skipping ? scan_skipping(piece)
                                                          : scan_between(piece);
            if (step == Step::piece) {
                return true;
            }
        }
        if (stream_ended_) {
            if (state_ != State::inside || begin_ == end_) {
                return false;
            }
            take(piece, end_, State::anything);
            piece.at_end = true;
            return true;
        }
        if (auto more = fill(); !more) {
            return more;
        }
    }
}

/// Between elements: true if damage is to be reported here, once until the next element.
bool JsonSplitter::fault(JsonPiece& piece) {
    if (fault_reported_) {
        return false;
    }
    fault_reported_ = true;
    set_piece(piece, JsonPiece::Kind::array_fault, scan_);
    return true;
}

JsonSplitter::Step JsonSplitter::scan_between(JsonPiece& piece) {
    while (scan_ < end_ && is_space(buffer_[scan_])) {
        lines_seen_ += buffer_[scan_] == '\n' ? 1U : 0U;
        ++scan_;
    }
    drop_to(scan_);
    if (scan_ == end_) {
        return Step::more;
    }
    bool right = state_ == State::anything;
    switch (buffer_[scan_]) {
        case '{': {
            right = right || state_ == State::first || state_ == State::element;
            const bool report = !right && fault(piece);
            state_ = State::inside;
            depth_ = 0;
            in_string_ = escaped_ = false;
            return report ? Step::piece : Step::more;
        }
        case ',':
            right = right || state_ == State::separator;
            state_ = state_ == State::behind_array ? state_ : State::element;
            break;
        case ']':
            right = right || state_ == State::separator || state_ == State::first;
            state_ = State::behind_array;
            break;
        default:
            right = false;
            break;
    }
    const bool report = !right && fault(piece);
    drop_to(++scan_);
    return report ? Step::piece : Step::more;
}

JsonSplitter::Step JsonSplitter::take(JsonPiece& piece, std::size_t end, State after) {
    set_piece(piece, JsonPiece::Kind::object, end);
    scan_ = end;
    pending_drop_ = end;
    state_ = after;
    fault_reported_ = false;
    return Step::piece;
}

JsonSplitter::Step JsonSplitter::scan_inside(JsonPiece& piece) {
    const char* const bytes = buffer_.data();
    const std::size_t limit = std::min(end_, begin_ + max_object_bytes_);
    for (; scan_ < limit; ++scan_) {
        const char c = bytes[scan_];
        if (c == '\n') {
            if (in_string_) {  // not allowed in JSON: a quotation mark is missing
                return take(piece, scan_, State::anything);
            }
            ++lines_seen_;
        } else if (in_string_) {
            in_string_ = c != '"' || escaped_;
            escaped_ = c == '\\' && !escaped_;
        } else if (c == '"') {
            in_string_ = true;
        } else if (c == '{' || c == '[') {
            // An object at the start of a line within another: the one before is cut short.
            if (depth_ > 0 && c == '{' && scan_ > 0 && bytes[scan_ - 1] == '\n') {
                --lines_seen_;
                return take(piece, scan_ - 1, State::anything);
            }
            if (++depth_ > max_depth) {
                state_ = State::skipping;
                return take(piece, scan_, State::skipping);
            }
        } else if ((c == '}' || c == ']') && --depth_ == 0) {
            return take(piece, scan_ + 1, State::separator);
        }
    }
    if (scan_ == begin_ + max_object_bytes_) {
        set_piece(piece, JsonPiece::Kind::too_long, scan_);
        drop_to(scan_);
        state_ = State::skipping;
        return Step::piece;
    }
    return Step::more;
}

JsonSplitter::Step JsonSplitter::scan_skipping(JsonPiece& /*piece*/) {
    const void* found = std::memchr(buffer_.data() + scan_, '\n', end_ - scan_);
    const bool whole = found != nullptr;
    scan_ = whole ? static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) : end_;
    state_ = whole ? State::anything : State::skipping;
    drop_to(scan_);
    return Step::more;
}

}  // namespace eciscope::ewf::detail
