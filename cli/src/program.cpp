#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "log.hpp"
#include "version.hpp"

namespace eciscope::cli {

namespace {

std::string footer_of(const Manual& manual) {
    std::string text = "Examples:\n";
    for (const Example& example : manual.examples) {
        text += fmt::format("  {}\n      {}\n", example.line, example.meaning);
    }
    return text;
}

const Manual& program_manual() {
    static const Manual manual = {
        {"eciscope reads what an interposer captured on the links of an Enzian Coherence Interface, finds the messages "
         "in "
         "it, and stores, cuts, merges and describes them.",
         "Any command that reads a trace takes captures (pcap, pcapng, a plain dump of blocks, a table of blocks), "
         "EWF, "
         "NDJSON and JSON alike, and knows them by their content. A file named - is standard input."},
        {{"eciscope decode boot.pcap -o boot.ewf", "store a capture as EWF"},
         {"eciscope info boot.ewf", "say what is in it"},
         {"eciscope decode boot.ewf | less -S", "read it"},
         {"eciscope doctor", "look at this installation"}}};
    return manual;
}

}  // namespace

Program::Program() : app_("Capture, decode, store and check traffic of the Enzian Coherence Interface", "eciscope") {
    app_.set_version_flag("--version", std::string("eciscope ") + version, "Show the version");
    app_.set_help_flag("-h,--help", "Show this help");
    app_.require_subcommand(1);
    app_.fallthrough(false);
    app_.get_formatter()->column_width(34);
    manuals_["eciscope"] = program_manual();
    app_.footer(footer_of(program_manual()) + "\nA command's own help: eciscope COMMAND --help");
}

CLI::App* Program::add(const std::string& name, const std::string& summary, Manual manual, std::function<Exit()> run) {
    CLI::App* command = app_.add_subcommand(name, summary);
    command->footer(footer_of(manual));
    command->set_help_flag("-h,--help", "Show this help");
    command->callback([this, run = std::move(run)] { chosen_ = run; });
    manuals_[name] = std::move(manual);
    add_common(*command);
    return command;
}

void Program::add_common(CLI::App& command) {
    const std::string group = "Common options";
    command.add_flag("-v,--verbose", common_.verbose, "List every diagnostic that was kept, not one of each kind")
        ->group(group);
    command.add_flag("-q,--quiet", common_.quiet, "Say nothing on standard error but why the program failed")
        ->group(group);
    const std::map<std::string, ColourChoice> choices = {
        {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
    CLI::Option* colour = command.add_option("--color", common_.colour, "Colours: auto, always or never")
                              ->transform(CLI::CheckedTransformer(choices).description(""))
                              ->type_name("WHEN")
                              ->group(group);
    takes_words(colour, {"auto", "always", "never"});
    command.add_flag("--no-progress", common_.no_progress, "Draw no progress bar")->group(group);
}

bool Program::is_file(const CLI::Option* option) const {
    return std::find(file_options_.begin(), file_options_.end(), option) != file_options_.end();
}

std::vector<std::string> Program::words_of(const CLI::Option* option) const {
    const auto found = words_.find(option);
    return found == words_.end() ? std::vector<std::string>{} : found->second;
}

std::vector<const CLI::App*> Program::commands() const {
    return app_.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> shown_options(const CLI::App& command) {
    return command.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

Exit Program::run(int argc, char** argv) {
    try {
        app_.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help, --version
        app_.exit(asked);
        return std::fflush(stdout) == 0 ? Exit::fine : Exit::damaged;
    } catch (const CLI::ParseError& error) {
        const std::string command =
            app_.get_subcommands().empty() ? "" : " " + app_.get_subcommands().front()->get_name();
        fmt::print(stderr, "eciscope: {}\n  → eciscope{} --help says how it is called.\n", error.what(), command);
        return Exit::usage;
    }
    start_log(common_);
    return chosen_();
}

}  // namespace eciscope::cli
