#include <algorithm>

#include "sailgen/source.hpp"

namespace eciscope::sailgen {
namespace {

bool is_continuation_byte(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::string_view line_at(std::string_view text, std::size_t offset) {
    const std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
    std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

// A caret under the first code point of the range, `~` under the others on the same line. Tabs of the source line are
// repeated, so that the columns agree however wide a tab is shown.
std::string underline(std::string_view line, std::size_t begin, std::size_t length) {
    std::string marks;
    begin = std::min(begin, line.size());
    for (const char c : line.substr(0, begin)) {
        if (!is_continuation_byte(c)) marks += c == '\t' ? '\t' : ' ';
    }
    marks += '^';
    const std::string_view rest = begin < line.size() ? line.substr(begin + 1) : std::string_view();
    for (const char c : rest.substr(0, length == 0 ? 0 : length - 1)) {
        if (!is_continuation_byte(c)) marks += '~';
    }
    return marks;
}

void render_one(std::string& out, const SourceMap& sources, SourceRange where, std::string_view kind,
                std::string_view message) {
    if (where.file >= sources.files.size()) {
        out.append(kind).append(": ").append(message) += '\n';
        return;
    }
    const SourceFile& file = sources.files[where.file];
    const LineColumn position = sources.position(where.file, where.begin);
    const std::size_t offset = std::min<std::size_t>(where.begin, file.text.size());
    const std::string_view line = line_at(file.text, offset);
    const auto in_line = offset - static_cast<std::size_t>(line.data() - file.text.data());
    out += file.name + ":" + std::to_string(position.line) + ":" + std::to_string(position.column) + ": ";
    out.append(kind).append(": ").append(message) += '\n';
    // Lines of generated size would bury the message.
    constexpr std::size_t longest_line_shown = 400;
    if (line.size() > longest_line_shown) return;
    out.append(line) += '\n';
    out += underline(line, in_line, where.end > where.begin ? where.end - where.begin : 1) + '\n';
}

}  // namespace

LineColumn SourceMap::position(std::uint32_t file, std::uint32_t offset) const {
    LineColumn result;
    if (file >= files.size()) return result;
    const std::string_view text = std::string_view(files[file].text).substr(0, offset);
    result.line += static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
    const std::string_view line = text.substr(text.rfind('\n') + 1);
    result.column += static_cast<std::uint32_t>(
        std::count_if(line.begin(), line.end(), [](char c) { return !is_continuation_byte(c); }));
    return result;
}

std::string_view SourceMap::text(SourceRange range) const {
    if (range.file >= files.size()) return {};
    const std::string_view all = files[range.file].text;
    if (range.begin > all.size() || range.end < range.begin) return {};
    return all.substr(range.begin, range.end - range.begin);
}

std::string render(const SourceMap& sources, const std::vector<Diagnostic>& diagnostics, std::size_t limit) {
    std::string out;
    const std::size_t shown = std::min(limit, diagnostics.size());
    for (std::size_t i = 0; i < shown; ++i) {
        render_one(out, sources, diagnostics[i].where, "error", diagnostics[i].message);
        for (const Note& note : diagnostics[i].notes) render_one(out, sources, note.where, "note", note.message);
    }
    if (shown < diagnostics.size()) {
        const std::size_t rest = diagnostics.size() - shown;
        out += "and " + std::to_string(rest) + (rest == 1 ? " more error\n" : " more errors\n");
    }
    return out;
}

}  // namespace eciscope::sailgen
