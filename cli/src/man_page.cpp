#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "completion.hpp"
#include "version.hpp"

namespace eciscope::cli {

namespace {

// Text as roff: hyphens that must stay hyphens, no line that begins with a control character.
std::string roff(std::string_view text) {
    std::string safe;
    for (const char character : text) {
        switch (character) {
            case '\\':
                safe += "\\e";
                break;
            case '-':
                safe += "\\-";
                break;
            default:
                safe += character;
        }
    }
    return safe.starts_with('.') || safe.starts_with('\'') ? "\\&" + safe : safe;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char character) { return static_cast<char>(std::toupper(character)); });
    return text;
}

std::string option_heading(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) {
        names.push_back("\\fB" + roff("-" + name) + "\\fR");
    }
    for (const std::string& name : option.get_lnames()) {
        names.push_back("\\fB" + roff("--" + name) + "\\fR");
    }
    std::string heading = fmt::format("{}", fmt::join(names, ", "));
    if (option.get_positional()) {
        heading = "\\fI" + roff(option.get_name(true)) + "\\fR";
    } else if (option.get_items_expected_max() > 0) {
        heading += " \\fI" + roff(option.get_type_name()) + "\\fR";
    }
    return heading;
}

std::string options_section(const CLI::App& command) {
    std::string text = ".SH OPTIONS\n";
    for (const CLI::Option* option : shown_options(command)) {
        text += fmt::format(".TP\n{}\n{}\n", option_heading(*option), roff(option->get_description()));
    }
    return text;
}

std::string commands_section(const Program& program) {
    std::string text = ".SH COMMANDS\n";
    for (const CLI::App* command : program.commands()) {
        text += fmt::format(".TP\n\\fBeciscope {}\\fR\n{}. See\n.BR eciscope\\-{} (1).\n", roff(command->get_name()),
                            roff(command->get_description()), roff(command->get_name()));
    }
    return text;
}

constexpr std::string_view exit_section = R"(.SH EXIT STATUS
.TP
.B 0
All of the input was used. Blocks that the capture itself says or shows to be missing, and damage that the link repaired by
sending again, are in the output as events and do not change this.
.TP
.B 1
A check found violations.
.TP
.B 2
The input is damaged (everything that could be had of it was written), or is no trace at all (the message says what it looks like
instead), or something could not be read or written (the message names the file and the cause). Also if the sums of the accounts do
not agree, which is a fault of the program and is reported as one.
.TP
.B 3
The command line makes no sense, for example EWF to a terminal, or an output that is one of the inputs.
.TP
.B 130, 143
Interrupted by Ctrl\-C, or by SIGTERM. What was done by then was written as a whole file. A second signal ends the program at once.
.PP
If whoever reads the output goes away, as in
.BR "eciscope decode boot.ewf | head" ,
the program ends quietly with status 0.
)";

constexpr std::string_view environment_section = R"(.SH ENVIRONMENT
.TP
.B NO_COLOR
If not empty, no colours are used unless asked for with \fB\-\-color always\fR.
.TP
.B COLUMNS
Width of the terminal, if it is not to be asked.
.TP
.B LC_ALL, LC_CTYPE, LANG
If the character set is not UTF\-8, bars are drawn with ASCII characters.
)";

}  // namespace

std::string manual_page(const Program& program, const CLI::App& command) {
    const bool whole = &command == &program.app();
    const std::string page = whole ? "eciscope" : "eciscope-" + command.get_name();
    const Manual& manual = program.manual(command);
    std::string text =
        fmt::format(".TH {} 1 \"\" \"eciscope {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
                    roff(upper(page)), version, roff(page), roff(command.get_description()));
    if (whole) {
        text += ".B eciscope\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n";
    } else {
        std::string rest;
        for (const CLI::Option* option : shown_options(command)) {
            if (option->get_positional()) {
                const bool many = option->get_items_expected_max() > 1;
                const std::string operand = "\\fI" + roff(option->get_name(true)) + "\\fR" + (many ? "..." : "");
                rest += option->get_required() ? " " + operand : " [" + operand + "]";
            }
        }
        text += fmt::format("\\fBeciscope {}\\fR [\\fIOPTION\\fR]...{}\n", roff(command.get_name()), rest);
    }
    text += ".SH DESCRIPTION\n";
    for (const std::string& paragraph : manual.paragraphs) {
        text += ".PP\n" + roff(paragraph) + "\n";
    }
    text += whole ? commands_section(program) + options_section(command) : options_section(command);
    text += ".SH EXAMPLES\n";
    for (const Example& example : manual.examples) {
        text += fmt::format(".TP\n.B {}\n{}\n", roff(example.line), roff(example.meaning));
    }
    text += fmt::format("{}{}", exit_section, environment_section);
    return text + (whole ? "" : ".SH SEE ALSO\n.BR eciscope (1)\n");
}

}  // namespace eciscope::cli
