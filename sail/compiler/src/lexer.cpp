#include "lexer.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace eciscope::sailgen {
namespace {

constexpr std::string_view operator_characters = "!%&*+-./:<=>@^|";
constexpr std::string_view bracket_characters = "()[]{},;";

constexpr std::array reserved_words =
    std::to_array<std::string_view>({"and",           "as",        "assert",     "by",
                                     "bitone",        "bitzero",   "cast",       "clause",
                                     "configuration", "constant",  "constraint", "dec",
                                     "default",       "do",        "effect",     "else",
                                     "end",           "enum",      "exit",       "false",
                                     "forall",        "foreach",   "forwards",   "function",
                                     "backwards",     "if",        "impl",       "import",
                                     "impure",        "in",        "inc",        "instantiation",
                                     "let",           "mapping",   "match",      "module",
                                     "monadic",       "mutual",    "newtype",    "operator",
                                     "outcome",       "overload",  "private",    "pure",
                                     "ref",           "register",  "repeat",     "return",
                                     "scattered",     "sizeof",    "struct",     "termination_measure",
                                     "then",          "throw",     "true",       "try",
                                     "type",          "undefined", "union",      "until",
                                     "val",           "var",       "while",      "with",
                                     "bitfield",      "Int",       "Nat",        "Bool",
                                     "Type",          "Order",     "catch"});

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '?';
}
bool is_name_part(char c) {
    return is_name_start(c) || is_digit(c) || c == '\'';
}
bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

std::optional<unsigned> hex_digit(char c) {
    if (is_digit(c)) return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

// A doc comment's lines without their common decoration: leading blanks and `*`.
std::string clean_doc(std::string_view body) {
    std::string result;
    body = trimmed(body);
    while (!body.empty()) {
        const std::size_t line_end = std::min(body.find('\n'), body.size());
        std::string_view line = trimmed(body.substr(0, line_end));
        if (line.starts_with('*')) line = trimmed(line.substr(1));
        if (!result.empty()) result += '\n';
        result += line;
        body.remove_prefix(std::min(line_end + 1, body.size()));
    }
    return result;
}

class Lexer {
 public:
    Lexer(const std::string& text, std::uint32_t file, std::vector<Diagnostic>& diagnostics)
        : text_(text), file_(file), diagnostics_(diagnostics) {}

    LexedFile run() {
        while (skip_blanks()) read_token();
        add(TokenKind::end_of_input, at_, {});
        return std::move(result_);
    }

 private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool starts(std::string_view prefix) const { return text_.compare(at_, prefix.size(), prefix) == 0; }

    SourceRange range_from(std::size_t begin) const {
        return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
    }
    void error(std::size_t begin, std::string message) {
        diagnostics_.push_back({range_from(begin), std::move(message), {}});
    }
    void add(TokenKind kind, std::size_t begin, std::string value) {
        result_.tokens.push_back({kind, range_from(begin), std::move(value), std::move(doc_), second_doc_});
        doc_.clear();
        second_doc_ = false;
    }

    // Moves to the next token; false at the end of the text.
    bool skip_blanks() {
        while (at_ < text_.size()) {
            if (is_space(peek())) {
                ++at_;
            } else if (starts("//")) {
                skip_line_comment();
            } else if (starts("/*")) {
                skip_block_comment();
            } else {
                return true;
            }
        }
        return false;
    }

    void skip_line_comment() {
        const std::size_t begin = at_;
        at_ = std::min(text_.find('\n', at_), text_.size());
        if (at_ == text_.size()) error(begin, "a `//` comment must be ended by a newline, not by the end of the file");
    }

    void skip_block_comment() {
        const std::size_t begin = at_;
        const bool is_doc = starts("/*!");
        std::size_t depth = 0;
        do {
            if (starts("/*")) {
                ++depth;
                at_ += 2;
            } else if (starts("*/")) {
                --depth;
                at_ += 2;
            } else {
                ++at_;
            }
        } while (depth > 0 && at_ < text_.size());
        if (depth > 0) {
            at_ = begin + 2;
            error(begin, "this comment is never closed: `*/` is missing");
            at_ = text_.size();
            return;
        }
        if (is_doc) {
            second_doc_ = second_doc_ || !doc_.empty();
            doc_ = clean_doc(std::string_view(text_).substr(begin + 3, at_ - begin - 5));
        }
    }

    void read_token() {
        const std::size_t begin = at_;
        const char c = peek();
        if (is_name_start(c)) {
            skip_name();
            add(TokenKind::name, begin, text_.substr(begin, at_ - begin));
        } else if (is_digit(c) || (c == '-' && is_digit(peek(1)))) {
            read_number();
        } else if (c == '\'' && is_name_start(peek(1))) {
            ++at_;
            skip_name();
            add(TokenKind::type_variable, begin, text_.substr(begin, at_ - begin));
        } else if (c == '"') {
            read_string();
        } else if (c == '$') {
            read_directive();
        } else if (bracket_characters.find(c) != std::string_view::npos) {
            ++at_;
            add(TokenKind::symbol, begin, std::string(1, c));
        } else if (operator_characters.find(c) != std::string_view::npos) {
            read_operator();
        } else {
            skip_stray();
        }
    }

    void skip_name() {
        while (is_name_part(peek())) ++at_;
    }

    void read_operator() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && operator_characters.find(peek()) != std::string_view::npos) {
            // A comment directly behind an operator ends it.
            if (at_ > begin && (starts("//") || starts("/*"))) break;
            ++at_;
        }
        // `= -1` may be written `=-1` only with a blank in Sail; the run is one token here as well.
        if (peek() == '_' && is_name_part(peek(1))) skip_name();
        add(TokenKind::symbol, begin, text_.substr(begin, at_ - begin));
    }

    void read_number() {
        const std::size_t begin = at_;
        if (starts("0b") || starts("0x")) {
            read_bits();
            return;
        }
        ++at_;
        while (is_digit(peek())) ++at_;
        if (peek() == '.' && is_digit(peek(1))) {
            ++at_;
            while (is_digit(peek())) ++at_;
            error(begin, "real numbers are not in the subset");
        }
        if (is_name_start(peek())) {
            skip_name();
            error(begin, "malformed number `" + text_.substr(begin, at_ - begin) + "`");
            add(TokenKind::stray, begin, {});
            return;
        }
        add(TokenKind::number, begin, text_.substr(begin, at_ - begin));
    }

    void read_bits() {
        const std::size_t begin = at_;
        const bool is_hex = peek(1) == 'x';
        at_ += 2;
        std::string digits;
        bool malformed = false;
        for (; is_name_part(peek()); ++at_) {
            const std::optional<unsigned> digit = hex_digit(peek());
            if (peek() == '_') continue;
            if (!digit || (!is_hex && *digit > 1)) {
                malformed = true;
            } else if (is_hex) {
                for (unsigned bit = 4; bit-- > 0;) digits += ((*digit >> bit) & 1U) != 0 ? '1' : '0';
            } else {
                digits += peek();
            }
        }
        if (malformed || digits.empty()) {
            error(begin, "malformed bit literal `" + text_.substr(begin, at_ - begin) + "`");
            add(TokenKind::stray, begin, {});
            return;
        }
        add(TokenKind::bits, begin, std::move(digits));
    }

    void read_string() {
        const std::size_t begin = at_++;
        std::string value;
        while (at_ < text_.size() && peek() != '"' && peek() != '\n') {
            if (peek() == '\\') {
                read_escape(value);
            } else {
                value += text_[at_++];
            }
        }
        if (peek() != '"' || at_ >= text_.size()) {
            error(begin, "this string is never closed: `\"` is missing");
        } else {
            ++at_;
        }
        add(TokenKind::string, begin, std::move(value));
    }

    void read_escape(std::string& value) {
        constexpr std::string_view letters = "\\ntbr'\"";
        constexpr std::string_view meanings = "\\\n\t\b\r'\"";
        const std::size_t begin = at_++;
        const char c = peek();
        if (const std::size_t found = letters.find(c); found != std::string_view::npos && at_ < text_.size()) {
            value += meanings[found];
            ++at_;
            return;
        }
        if (is_digit(c) && is_digit(peek(1)) && is_digit(peek(2))) {
            const int code = (c - '0') * 100 + (peek(1) - '0') * 10 + (peek(2) - '0');
            at_ += 3;
            if (code > 255) error(begin, "the escape is above 255");
            value += static_cast<char>(code & 0xFF);
            return;
        }
        if (c == 'x' && hex_digit(peek(1)) && hex_digit(peek(2))) {
            value += static_cast<char>(*hex_digit(peek(1)) * 16 + *hex_digit(peek(2)));
            at_ += 3;
            return;
        }
        error(begin, "unknown escape in a string; there are \\\\ \\n \\t \\b \\r \\' \\\" \\DDD \\xHH");
    }

    void read_directive() {
        const std::size_t begin = at_;
        if (peek(1) == '[') {
            const std::size_t close = text_.find(']', at_);
            if (close == std::string::npos) {
                at_ += 2;
                error(begin, "this attribute is never closed: `]` is missing");
                return;
            }
            at_ = close + 1;
            add(TokenKind::attribute, begin,
                std::string(trimmed(std::string_view(text_).substr(begin + 2, close - begin - 2))));
            return;
        }
        at_ = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = std::string_view(text_).substr(begin, at_ - begin);
        line = trimmed(line.substr(0, line.find("//")));
        at_ = begin + line.size();
        add(TokenKind::directive, begin, std::string(line));
    }

    // One diagnostic for a run of characters that begin no token.
    void skip_stray() {
        const std::size_t begin = at_;
        const auto starts_something = [](char c) {
            return is_space(c) || is_name_part(c) || c == '"' || c == '$' ||
                   operator_characters.find(c) != std::string_view::npos ||
                   bracket_characters.find(c) != std::string_view::npos;
        };
        do {
            ++at_;
        } while (at_ < text_.size() && !starts_something(peek()));
        error(begin, "this is not part of Sail's alphabet outside comments and strings");
        add(TokenKind::stray, begin, {});
    }

    const std::string& text_;
    std::uint32_t file_;
    std::vector<Diagnostic>& diagnostics_;
    LexedFile result_;
    std::size_t at_ = 0;
    std::string doc_;
    bool second_doc_ = false;
};

}  // namespace

LexedFile lex(const std::string& text, std::uint32_t file, std::vector<Diagnostic>& diagnostics) {
    return Lexer(text, file, diagnostics).run();
}

bool is_reserved_word(std::string_view word) {
    return std::find(reserved_words.begin(), reserved_words.end(), word) != reserved_words.end();
}

std::string part_doc(const std::string& text, std::uint32_t begin, std::uint32_t end) {
    const std::string_view all = text;
    std::string_view rest = all.substr(end);
    rest = rest.substr(0, rest.find('\n'));
    while (!rest.empty() && (is_space(rest.front()) || rest.front() == ',' || rest.front() == '}'))
        rest.remove_prefix(1);
    if (rest.starts_with("//!")) return std::string(trimmed(rest.substr(3)));

    std::vector<std::string_view> lines;
    std::size_t line_begin = begin == 0 ? 0 : all.rfind('\n', begin - 1) + 1;
    if (!trimmed(all.substr(line_begin, begin - line_begin)).empty()) return {};
    while (line_begin > 0) {
        const std::size_t previous = line_begin < 2 ? 0 : all.rfind('\n', line_begin - 2) + 1;
        const std::string_view line = trimmed(all.substr(previous, line_begin - 1 - previous));
        if (!line.starts_with("//!")) break;
        lines.push_back(trimmed(line.substr(3)));
        line_begin = previous;
    }
    std::string result;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        if (!result.empty()) result += '\n';
        result += *line;
    }
    return result;
}

}  // namespace eciscope::sailgen
