// Cuts a stream of JSON into the texts of its objects, in bounded memory: lines, or the elements of one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "eciscope/ewf/error.hpp"
#include "eciscope/ewf/io.hpp"

namespace eciscope::ewf::detail {

struct JsonPiece {
    enum class Kind : std::uint8_t {
        object,       ///< `text` is a line or an array element; whether it is JSON is not known yet
        too_long,     ///< one was passed over
        array_fault,  ///< a comma or bracket is missing, or too much, or bytes stand where none belong
    };
    Kind kind = Kind::object;
    std::string_view text;     ///< valid until the next call; padding_bytes behind it may be read
    std::uint64_t offset = 0;  ///< of its first byte in the stream
    std::uint64_t line = 0;    ///< counted from 1
    bool at_end = false;       ///< the stream ended within it, or right behind it without a line feed
};

class JsonSplitter {
 public:
    static constexpr std::size_t padding_bytes = 128;

    JsonSplitter(ByteStream& stream, std::size_t read_bytes, std::size_t max_object_bytes);

    /// False at the end. Fails only where the stream does.
    Expected<bool> next(JsonPiece& piece);

    [[nodiscard]] bool is_array() const { return form_ == Form::array; }
    /// Of an array, at the end: its closing bracket was there.
    [[nodiscard]] bool array_closed() const { return state_ == State::behind_array; }
    [[nodiscard]] std::uint64_t offset() const { return base_offset_ + begin_; }
    [[nodiscard]] std::uint64_t line() const { return line_; }

 private:
    enum class Form : std::uint8_t { unknown, lines, array };
    /// Where in an array the next byte stands.
    enum class State : std::uint8_t {
        first,         ///< behind the opening bracket
        element,       ///< behind a comma
        separator,     ///< behind an element
        anything,      ///< behind damage
        inside,        ///< within an element
        skipping,      ///< within something damaged or too long, up to the end of the line
        behind_array,  ///< behind the closing bracket
    };
    enum class Step : std::uint8_t { more, piece };

    Expected<bool> fill();
    Expected<bool> find_form();
    Expected<bool> next_line(JsonPiece& piece);
    bool skip_line(JsonPiece& piece, std::size_t end) const;
    bool take_line(JsonPiece& piece, std::size_t end);
    Expected<bool> next_element(JsonPiece& piece);
    Step scan_between(JsonPiece& piece);
    Step scan_inside(JsonPiece& piece);
    Step scan_skipping(JsonPiece& piece);
    Step take(JsonPiece& piece, std::size_t end, State after);
    bool fault(JsonPiece& piece);
    void set_piece(JsonPiece& piece, JsonPiece::Kind kind, std::size_t end) const;
    void drop_to(std::size_t position);

    ByteStream& stream_;
    std::size_t read_bytes_;
    std::size_t max_object_bytes_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;          ///< first byte not given out yet
    std::size_t scan_ = 0;           ///< first byte not looked at yet
    std::size_t end_ = 0;            ///< behind the last byte read
    std::uint64_t base_offset_ = 0;  ///< of the buffer's first byte in the stream
    std::uint64_t line_ = 1;         ///< of the byte at begin_
    std::uint64_t lines_seen_ = 0;   ///< line feeds between begin_ and scan_
    std::size_t pending_drop_ = 0;   ///< end of the piece given out last
    std::uint32_t depth_ = 0;
    Form form_ = Form::unknown;
    State state_ = State::first;
    bool stream_ended_ = false;
    bool in_string_ = false;
    bool escaped_ = false;
    bool fault_reported_ = false;  ///< since the last element
    bool skip_is_line_ = false;    ///< what is skipped is an over-long line that was not reported yet
};

}  // namespace eciscope::ewf::detail
