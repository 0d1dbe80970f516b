// eciscope view: a trace in the timeline viewer, a program of its own, so that eciscope needs no Qt.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>

#include "failure.hpp"
#include "program.hpp"
#include "run.hpp"

namespace eciscope::cli {

namespace {

constexpr const char* viewer_name = "eciscope-view";

/// Where it stands beside this program: installed in one folder, or both in a tree of a build.
std::string find_beside() {
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) {
        return {};
    }
    const std::filesystem::path folder = self.parent_path();
    for (const auto& candidate : {folder / viewer_name, folder.parent_path() / "viewer" / "app" / viewer_name}) {
        if (access(candidate.c_str(), X_OK) == 0) {
            return candidate.string();
        }
    }
    return {};
}

Exit view(const CLI::App& command, const std::string& file) {
    const std::string beside = find_beside();
    std::vector<std::string> words = {beside.empty() ? viewer_name : beside};
    if (!file.empty()) {
        words.push_back(file);
    }
    const std::vector<std::string> rest = command.remaining();
    words.insert(words.end(), rest.begin(), rest.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    Failure failure = system_failure(fmt::format("cannot start {}", words.front()), errno);
    if (errno == ENOENT) {
        failure.remedy =
            "The viewer is built where Qt 6 is installed (Debian: apt install qt6-base-dev qt6-svg-dev); build "
            "eciscope again.";
    }
    return report(failure);
}

Manual manual() {
    return {{"Starts eciscope-view, the timeline viewer, on a capture or stored trace. Whatever else is given is "
             "handed on to it: "
             "'eciscope-view --help' lists it.",
             "With --export it needs no display."},
            {{"eciscope view boot.pcap", "look at a whole boot, then at one message"},
             {"eciscope view boot.ewf --export boot.png --line 0x80@1",
              "a picture for a report, with the states of one cache line"}}};
}

}  // namespace

void add_view(Program& program) {
    auto file = std::make_shared<std::string>();
    auto command = std::make_shared<const CLI::App*>(nullptr);
    CLI::App* added = program.add("view", "Show a trace in the timeline viewer", manual(),
                                  [file, command] { return view(**command, *file); });
    *command = added;
    program.takes_files(added->add_option("FILE", *file, "A capture or stored trace")->type_name("FILE"));
    added->allow_extras();
}

}  // namespace eciscope::cli
