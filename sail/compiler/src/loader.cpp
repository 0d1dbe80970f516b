#include "loader.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace eciscope::sailgen {
namespace {

// Includes are not suppressed the second time, so files that include each other twice over grow without bound.
constexpr std::size_t largest_token_count = 2'000'000;
constexpr std::size_t deepest_include = 32;
constexpr std::size_t most_includes = 1000;

struct Condition {
    bool is_active = true;     // this branch is read
    bool outer_active = true;  // the text around is read
    bool had_else = false;
    SourceRange where;
};

std::pair<std::string, std::string> split_directive(const std::string& line) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::size_t argument = std::min(line.find_first_not_of(" \t", end), line.size());
    return {line.substr(1, end - 1), line.substr(argument)};
}

// `name` seen from the folder of `includer`.
std::string relative_to(const std::string& includer, const std::string& name) {
    const std::size_t slash = includer.rfind('/');
    if (name.starts_with('/') || slash == std::string::npos) return name;
    return includer.substr(0, slash + 1) + name;
}

class Loader {
 public:
    Loader(const ReadFile& read, SourceMap& sources, std::vector<Diagnostic>& diagnostics)
        : read_(read), sources_(sources), diagnostics_(diagnostics) {}

    void load_root(const std::string& name) {
        if (const std::optional<std::uint32_t> file = open(name)) {
            load_file(*file);
        } else {
            // No source to point into: the range refers to no file.
            diagnostics_.push_back({{no_file, 0, 0}, "cannot read `" + name + "`", {}});
        }
    }

    std::vector<Token> finish() {
        SourceRange where;
        if (!tokens_.empty()) {
            where = tokens_.back().where;
            where.begin = where.end;
        }
        tokens_.push_back({TokenKind::end_of_input, where, {}, {}, false});
        return std::move(tokens_);
    }

 private:
    static constexpr std::uint32_t no_file = UINT32_MAX;

    std::optional<std::uint32_t> open(const std::string& name) {
        if (const auto known = files_.find(name); known != files_.end()) return known->second;
        std::optional<std::string> text = read_(name);
        if (!text || text->size() > UINT32_MAX / 2) return std::nullopt;
        const auto index = static_cast<std::uint32_t>(sources_.files.size());
        sources_.files.push_back({name, std::move(*text)});
        files_.emplace(name, index);
        return index;
    }

    void error(SourceRange where, std::string message) { diagnostics_.push_back({where, std::move(message), {}}); }

    void load_file(std::uint32_t file) {
        active_.push_back(file);
        std::vector<Condition> conditions;
        // A file included again is lexed again, but its errors are reported once.
        std::vector<Diagnostic> ignored;
        const std::string text = sources_.files[file].text;
        LexedFile lexed = lex(text, file, lexed_.insert(file).second ? diagnostics_ : ignored);
        for (Token& token : lexed.tokens) {
            if (token.kind == TokenKind::end_of_input || is_too_large_) break;
            const bool is_read = conditions.empty() || conditions.back().is_active;
            if (token.kind == TokenKind::directive) {
                directive(token, conditions, is_read);
            } else if (is_read) {
                push(std::move(token));
            }
        }
        for (const Condition& open_condition : conditions) {
            error(open_condition.where, "this `$ifdef` or `$ifndef` has no `$endif` in its file");
        }
        active_.pop_back();
    }

    void push(Token token) {
        if (tokens_.size() >= largest_token_count) {
            if (!is_too_large_) error(token.where, "the program is too large: includes give over 2000000 tokens");
            is_too_large_ = true;
            return;
        }
        tokens_.push_back(std::move(token));
    }

    void directive(const Token& token, std::vector<Condition>& conditions, bool is_read) {
        const auto [word, argument] = split_directive(token.text);
        if (word == "ifdef" || word == "ifndef" || word == "iftarget") {
            // No target of the real compiler is ours.
            const bool holds = word != "iftarget" && defined_.contains(argument) == (word == "ifdef");
            conditions.push_back({is_read && holds, is_read, false, token.where});
        } else if (word == "else" || word == "endif") {
            branch(token, conditions, word == "else");
        } else if (!is_read) {
            return;
        } else if (word == "define") {
            defined_.insert(argument);
        } else if (word == "include") {
            include(token, argument);
        } else if (word == "property" || word == "counterexample") {
            push(token);
        } else {
            error(token.where, "the directive `$" + word + "` is not in the subset");
        }
    }

    void branch(const Token& token, std::vector<Condition>& conditions, bool is_else) {
        if (conditions.empty()) {
            error(token.where, "there is no `$ifdef` or `$ifndef` that this belongs to");
        } else if (!is_else) {
            conditions.pop_back();
        } else if (conditions.back().had_else) {
            error(token.where, "this is a second `$else` for one condition");
        } else {
            Condition& condition = conditions.back();
            condition.had_else = true;
            condition.is_active = condition.outer_active && !condition.is_active;
        }
    }

    void include(const Token& token, const std::string& argument) {
        if (argument == "<prelude.sail>" || argument == "<generic_equality.sail>") {
            push(token);
            return;
        }
        if (argument.size() < 3 || argument.front() != '"' || argument.back() != '"') {
            error(token.where, argument.starts_with('<')
                                   ? "the library file " + argument +
                                         " is not in the subset; there are <prelude.sail> and <generic_equality.sail>"
                                   : "malformed include: write `$include \"file.sail\"` or `$include <prelude.sail>`");
            return;
        }
        const std::string& includer = sources_.files[token.where.file].name;
        const std::string name = relative_to(includer, argument.substr(1, argument.size() - 2));
        const std::optional<std::uint32_t> file = open(name);
        if (!file) {
            error(token.where, "cannot read `" + name + "`");
        } else if (std::find(active_.begin(), active_.end(), *file) != active_.end()) {
            error(token.where, "include cycle: `" + name + "` is being read already");
        } else if (active_.size() >= deepest_include) {
            error(token.where, "includes are nested too deeply");
        } else if (++include_count_ > most_includes) {
            if (include_count_ == most_includes + 1) error(token.where, "there are over 1000 includes");
        } else {
            load_file(*file);
        }
    }

    const ReadFile& read_;
    SourceMap& sources_;
    std::vector<Diagnostic>& diagnostics_;
    std::vector<Token> tokens_;
    std::map<std::string, std::uint32_t> files_;
    std::set<std::uint32_t> lexed_;
    std::vector<std::uint32_t> active_;
    std::set<std::string> defined_;
    std::size_t include_count_ = 0;
    bool is_too_large_ = false;
};

}  // namespace

std::vector<Token> load(const std::vector<std::string>& roots, const ReadFile& read, SourceMap& sources,
                        std::vector<Diagnostic>& diagnostics) {
    Loader loader(read, sources, diagnostics);
    for (const std::string& root : roots) loader.load_root(root);
    return loader.finish();
}

}  // namespace eciscope::sailgen
