// eciscope completion bash|zsh|fish, and the hidden command that prints manual pages for the build.
#include <fmt/format.h>

#include <memory>

#include "completion.hpp"
#include "program.hpp"

namespace eciscope::cli {

namespace {

Exit print(const std::string& text) {
    const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
    return written ? Exit::fine : Exit::damaged;
}

Exit print_completion(const Program& program, const std::string& shell) {
    return print(shell == "bash"  ? bash_completion(program)
                 : shell == "zsh" ? zsh_completion(program)
                                  : fish_completion(program));
}

Exit print_manual(const Program& program, const std::string& name) {
    for (const CLI::App* command : program.commands()) {
        if (command->get_name() == name) {
            return print(manual_page(program, *command));
        }
    }
    return print(manual_page(program, program.app()));
}

}  // namespace

void add_completion(Program& program) {
    auto shell = std::make_shared<std::string>();
    CLI::App* command =
        program.add("completion", "Print a completion script for a shell",
                    {{"Prints a script that teaches a shell the commands and options of this very version."},
                     {{"eciscope completion bash > /etc/bash_completion.d/eciscope", "for bash, for all users"},
                      {"source <(eciscope completion bash)", "for bash, for this session"},
                      {"eciscope completion zsh > \"${fpath[1]}/_eciscope\"", "for zsh"},
                      {"eciscope completion fish > ~/.config/fish/completions/eciscope.fish", "for fish"}}},
                    [&program, shell] { return print_completion(program, *shell); });
    CLI::Option* option = command->add_option("SHELL", *shell, "bash, zsh or fish")
                              ->required()
                              ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""));
    program.takes_words(option, {"bash", "zsh", "fish"});

    auto page = std::make_shared<std::string>();
    CLI::App* manual = program.add("manual", "Print a manual page as roff", {},
                                   [&program, page] { return print_manual(program, *page); });
    manual->group("");
    manual->add_option("COMMAND", *page, "The command; none for the program itself");
}

}  // namespace eciscope::cli
