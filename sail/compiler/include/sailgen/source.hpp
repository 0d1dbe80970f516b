// Source texts, positions in them, and diagnostics about them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace eciscope::sailgen {

// Bytes [begin, end) of one source text; `file` indexes SourceMap::files.
struct SourceRange {
    std::uint32_t file = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

struct SourceFile {
    std::string name;  // as the user gave it, or as the including file reaches it
    std::string text;
};

struct LineColumn {
    std::uint32_t line = 1;    // from 1
    std::uint32_t column = 1;  // from 1, in code points, a tab counting as one
};

struct SourceMap {
    std::vector<SourceFile> files;

    [[nodiscard]] LineColumn position(std::uint32_t file, std::uint32_t offset) const;
    [[nodiscard]] std::string_view text(SourceRange range) const;
};

struct Note {
    SourceRange where;
    std::string message;
};

// Every diagnostic is an error; what would be a warning in Sail is an error here or nothing.
struct Diagnostic {
    SourceRange where;
    std::string message;
    std::vector<Note> notes;
};

// How many diagnostics are printed; the number of those beyond is printed in their place.
inline constexpr std::size_t default_diagnostic_limit = 50;

// `file:line:column: error: message`, the source line and a caret, for each diagnostic and note.
[[nodiscard]] std::string render(const SourceMap& sources, const std::vector<Diagnostic>& diagnostics,
                                 std::size_t limit = default_diagnostic_limit);

}  // namespace eciscope::sailgen
