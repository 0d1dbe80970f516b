// The command line as one tree, from which parsing, --help, completion and manual pages all come.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common_options.hpp"
#include "exit_codes.hpp"

namespace eciscope::cli {

struct Example {
    std::string line;
    std::string meaning;
};

/// What a manual page says beyond the options: paragraphs, and examples that --help shows as well.
struct Manual {
    std::vector<std::string> paragraphs;
    std::vector<Example> examples;
};

class Program {
 public:
    Program();

    /// Adds a command; `run` is called if it was the one given.
    CLI::App* add(const std::string& name, const std::string& summary, Manual manual, std::function<Exit()> run);
    /// Says that an option takes file names. All others take values.
    void takes_files(const CLI::Option* option) { file_options_.push_back(option); }
    /// Says which words an option takes.
    void takes_words(const CLI::Option* option, std::vector<std::string> words) { words_[option] = std::move(words); }

    /// Parses and runs.
    Exit run(int argc, char** argv);

    [[nodiscard]] CLI::App& app() { return app_; }
    [[nodiscard]] const CLI::App& app() const { return app_; }
    [[nodiscard]] const CommonOptions& common() const { return common_; }
    [[nodiscard]] const Manual& manual(const CLI::App& command) const { return manuals_.at(command.get_name()); }
    [[nodiscard]] bool is_file(const CLI::Option* option) const;
    [[nodiscard]] std::vector<std::string> words_of(const CLI::Option* option) const;
    /// Commands that are shown to users.
    [[nodiscard]] std::vector<const CLI::App*> commands() const;

 private:
    void add_common(CLI::App& command);

    CLI::App app_;
    CommonOptions common_;
    std::map<std::string, Manual> manuals_;
    std::vector<const CLI::Option*> file_options_;
    std::map<const CLI::Option*, std::vector<std::string>> words_;
    std::function<Exit()> chosen_;
};

/// Options of `command` that a user may give, hidden ones left out.
[[nodiscard]] std::vector<const CLI::Option*> shown_options(const CLI::App& command);

// Each in its cmd_*.cpp.
void add_decode(Program& program);
void add_convert(Program& program);
void add_info(Program& program);
void add_check(Program& program);
void add_cut(Program& program);
void add_merge(Program& program);
void add_recover(Program& program);
void add_wireshark(Program& program);
void add_view(Program& program);
void add_doctor(Program& program);
void add_capture(Program& program);
void add_replay(Program& program);
void add_completion(Program& program);

}  // namespace eciscope::cli
