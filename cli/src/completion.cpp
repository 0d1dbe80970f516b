#include "completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace eciscope::cli {

namespace {

std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) {
        names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
        names.push_back("--" + name);
    }
    return names;
}

bool takes_argument(const CLI::Option& option) {
    return option.get_items_expected_max() > 0;
}

// Every occurrence of `what` becomes `with`.
std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
        text.replace(at, what.size(), with);
    }
    return text;
}

std::string quoted(const std::string& text) {
    return "'" + replaced(text, "'", "'\\''") + "'";
}

const CLI::Option* positional_of(const CLI::App& command) {
    for (const CLI::Option* option : shown_options(command)) {
        if (option->get_positional()) {
            return option;
        }
    }
    return nullptr;
}

// Bash: words that may follow an option with an argument.
std::string bash_arguments(const Program& program, const CLI::App& command) {
    std::string cases;
    for (const CLI::Option* option : shown_options(command)) {
        if (option->get_positional() || !takes_argument(*option)) {
            continue;
        }
        std::string reply = "return";
        if (program.is_file(option)) {
            reply = "COMPREPLY=($(compgen -f -- \"$cur\")); return";
        } else if (const auto words = program.words_of(option); !words.empty()) {
            reply = fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return", fmt::join(words, " "));
        }
        cases += fmt::format("        {}) {} ;;\n", fmt::join(names_of(*option), "|"), reply);
    }
    return cases;
}

std::string bash_command(const Program& program, const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : shown_options(command)) {
        for (std::string& name : names_of(*option)) {
            names.push_back(std::move(name));
        }
    }
    std::string rest = ":";
    if (const CLI::Option* positional = positional_of(command)) {
        const auto words = program.words_of(positional);
        rest = words.empty() ? "COMPREPLY=($(compgen -f -- \"$cur\"))"
                             : fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", fmt::join(words, " "));
    }
    return fmt::format(
        "    {})\n      case $prev in\n{}      esac\n"
        "      case $cur in\n        -*) COMPREPLY=($(compgen -W '{}' -- \"$cur\")) ;;\n        *) {} ;;\n      esac "
        ";;\n",
        command.get_name(), bash_arguments(program, command), fmt::join(names, " "), rest);
}

std::string zsh_option(const Program& program, const CLI::Option& option) {
    std::string argument;
    if (takes_argument(option)) {
        const auto words = program.words_of(&option);
        argument = program.is_file(&option) ? ":file:_files"
                   : words.empty()          ? ":value:"
                                            : fmt::format(":value:({})", fmt::join(words, " "));
    }
    std::string help = replaced(replaced(option.get_description(), "[", "\\["), "]", "\\]");
    help = replaced(help, ":", "\\:");
    const auto names = names_of(option);
    std::string lines;
    for (const std::string& name : names) {
        const std::string others = names.size() > 1 ? fmt::format("({})", fmt::join(names, " ")) : "";
        lines += " \\\n          " + quoted(fmt::format("{}{}[{}]{}", others, name, help, argument));
    }
    return lines;
}

}  // namespace

std::string bash_completion(const Program& program) {
    std::string names;
    std::string cases;
    for (const CLI::App* command : program.commands()) {
        names += command->get_name() + " ";
        cases += bash_command(program, *command);
    }
    return fmt::format(
        "# bash completion for eciscope: eciscope completion bash > /etc/bash_completion.d/eciscope\n"
        "_eciscope() {{\n"
        "  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}\n"
        "  COMPREPLY=()\n"
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "    COMPREPLY=($(compgen -W '{}--help --version' -- \"$cur\"))\n"
        "    return\n"
        "  fi\n"
        "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
        "}}\n"
        "complete -o filenames -F _eciscope eciscope\n",
        names, cases);
}

std::string zsh_completion(const Program& program) {
    std::string commands;
    std::string cases;
    for (const CLI::App* command : program.commands()) {
        commands += fmt::format("    {}\n", quoted(command->get_name() + ":" + command->get_description()));
        std::string options;
        for (const CLI::Option* option : shown_options(*command)) {
            if (!option->get_positional()) {
                options += zsh_option(program, *option);
            } else if (const auto words = program.words_of(option); !words.empty()) {
                options += fmt::format(" \\\n          '1:value:({})'", fmt::join(words, " "));
            } else {
                options += " \\\n          '*:file:_files'";
            }
        }
        cases += fmt::format("    {})\n      _arguments{} ;;\n", command->get_name(), options);
    }
    return fmt::format(
        "#compdef eciscope\n"
        "# zsh completion for eciscope: eciscope completion zsh > \"${{fpath[1]}}/_eciscope\"\n"
        "_eciscope() {{\n"
        "  local -a commands\n"
        "  commands=(\n{}  )\n"
        "  if (( CURRENT == 2 )); then\n"
        "    _describe command commands\n"
        "    _arguments '--help[Show the help]' '--version[Show the version]'\n"
        "    return\n"
        "  fi\n"
        "  local command=${{words[2]}}\n"
        "  shift words\n"
        "  (( CURRENT-- ))\n"
        "  case $command in\n{}  esac\n"
        "}}\n"
        "_eciscope \"$@\"\n",
        commands, cases);
}

std::string fish_completion(const Program& program) {
    std::string text =
        "# fish completion for eciscope: eciscope completion fish > ~/.config/fish/completions/eciscope.fish\n";
    for (const CLI::App* command : program.commands()) {
        text += fmt::format("complete -c eciscope -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                            quoted(command->get_description()));
        const std::string here = fmt::format("-n '__fish_seen_subcommand_from {}'", command->get_name());
        for (const CLI::Option* option : shown_options(*command)) {
            const auto words = program.words_of(option);
            if (option->get_positional()) {
                text += words.empty()
                            ? ""
                            : fmt::format("complete -c eciscope {} -f -a '{}'\n", here, fmt::join(words, " "));
                continue;
            }
            text += "complete -c eciscope " + here;
            for (const std::string& name : option->get_snames()) {
                text += " -s " + name;
            }
            for (const std::string& name : option->get_lnames()) {
                text += " -l " + name;
            }
            if (takes_argument(*option)) {
                text += program.is_file(option) ? " -r -F" : " -x";
                text += words.empty() ? "" : fmt::format(" -a '{}'", fmt::join(words, " "));
            }
            text += " -d " + quoted(option->get_description()) + "\n";
        }
    }
    return text;
}

}  // namespace eciscope::cli
