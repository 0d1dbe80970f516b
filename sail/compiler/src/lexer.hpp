// Tokens of one source text. Comments are not tokens; doc comments are kept beside them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sailgen/source.hpp"

namespace eciscope::sailgen {

enum class TokenKind : std::uint8_t {
    end_of_input,
    name,           // identifiers and reserved words
    type_variable,  // 'n
    number,
    bits,  // 0b…, 0x…
    string,
    symbol,     // operators and brackets
    directive,  // $include <…>, whole line
    attribute,  // $[…]
    stray,      // reported already
};

struct Token {
    TokenKind kind = TokenKind::end_of_input;
    SourceRange where;
    std::string text;  // strings: the decoded value; bits: the binary digits; attributes: what is in the brackets
    std::string doc;   // the `/*! */` comment before it
    bool is_second_doc = false;  // a further doc comment stood before that one
};

struct LexedFile {
    std::vector<Token> tokens;  // ends with end_of_input
};

[[nodiscard]] LexedFile lex(const std::string& text, std::uint32_t file, std::vector<Diagnostic>& diagnostics);

[[nodiscard]] bool is_reserved_word(std::string_view word);

// The `//!` comments belonging to the part of a definition at [begin, end): those behind it on its last line, else
// those alone on the lines before it.
[[nodiscard]] std::string part_doc(const std::string& text, std::uint32_t begin, std::uint32_t end);

}  // namespace eciscope::sailgen
