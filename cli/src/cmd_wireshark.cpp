// eciscope wireshark: a trace in Wireshark's window, through a pipe.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>

#include "input_options.hpp"
#include "program.hpp"
#include "run.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

namespace {

struct ViewOptions {
    InputOptions input;
    std::string program = "wireshark";
    std::vector<std::string> arguments;
};

/// A program that reads a pipe, which ends with this object.
class Viewer {
 public:
    static Result<Viewer> start(const std::string& program, const std::vector<std::string>& arguments) {
        std::array<int, 2> pipe{};
        if (pipe2(pipe.data(), O_CLOEXEC) != 0) {
            return tl::unexpected<Failure>(system_failure("cannot make a pipe", errno));
        }
        std::vector<std::string> words = {program, "-i", "-"};
        if (program.find("tshark") == std::string::npos) {
            words.emplace_back("-k");  // begin at once
        }
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> argv;
        for (std::string& word : words) {
            argv.push_back(word.data());
        }
        argv.push_back(nullptr);
        posix_spawn_file_actions_t actions{};
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, pipe[0], STDIN_FILENO);
        pid_t process = 0;
        const int error = posix_spawnp(&process, program.c_str(), &actions, nullptr, argv.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(pipe[0]);
        if (error != 0) {
            ::close(pipe[1]);
            Failure failure = system_failure("cannot start " + program, error);
            failure.remedy = "Install it (Debian: apt install wireshark), or name another with --with.";
            return tl::unexpected<Failure>(failure);
        }
        return Viewer(process, pipe[1]);
    }

    Viewer(Viewer&& other) noexcept
        : process_(std::exchange(other.process_, 0)), pipe_(std::exchange(other.pipe_, -1)) {}
    Viewer& operator=(Viewer&&) = delete;
    ~Viewer() {
        if (process_ != 0) {
            wait();
        }
    }

    [[nodiscard]] std::string path() const { return fmt::format("/dev/fd/{}", pipe_); }

    /// The viewer sees the end of the trace.
    void close_pipe() {
        if (pipe_ >= 0) {
            ::close(std::exchange(pipe_, -1));
        }
    }

    /// Until the user closes it. True if it ended well.
    bool wait() {
        close_pipe();
        int status = 0;
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = 0;
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

 private:
    Viewer(pid_t process, int pipe) : process_(process), pipe_(pipe) {}

    pid_t process_;
    int pipe_;
};

Exit view(const ViewOptions& options, const CommonOptions& common) {
    Diagnostics diagnostics;
    auto source = open_trace(options.input, diagnostics);
    if (!source) {
        return report(source.error());
    }
    auto viewer = Viewer::start(options.program, options.arguments);
    if (!viewer) {
        return report(viewer.error());
    }
    OutputRequest request;
    request.path = viewer->path();
    request.format = OutputFormat::pcapng;
    auto output = open_output(request, options.input.files);
    viewer->close_pipe();
    if (!output) {
        return report(output.error());
    }
    const Exit exit = run_job({**source, **output, diagnostics, common, request, options.input.files});
    output->reset();
    if (!viewer->wait() && exit == Exit::fine) {
        return report({Exit::damaged, options.program + " ended with an error",
                       "'eciscope doctor' says whether its plugin is where it looks.", false});
    }
    return exit;
}

Manual wireshark_manual() {
    return {{"Starts Wireshark on any trace: eciscope finds the messages and hands them over through a pipe, one a "
             "packet. The plugin that comes with eciscope shows what is in them.",
             "A capture of blocks can also be opened in Wireshark directly; the plugin then shows its blocks, and the "
             "messages that end in them."},
            {{"eciscope wireshark boot.ewf", "look at a stored trace"},
             {"eciscope wireshark boot.pcap --with tshark --argument=-V", "the same in a terminal"}}};
}

}  // namespace

void add_wireshark(Program& program) {
    auto options = std::make_shared<ViewOptions>();
    CLI::App* command = program.add("wireshark", "Show a trace in Wireshark", wireshark_manual(),
                                    [&program, options] { return view(*options, program.common()); });
    add_input_options(program, *command, options->input, "Captures, or one stored trace; - is standard input");
    command->add_option("--with", options->program, "The program to start: wireshark, tshark, or a path to one")
        ->type_name("PROGRAM")
        ->capture_default_str();
    command->add_option("--argument", options->arguments, "Hand this argument on to it; may be given several times")
        ->type_name("ARGUMENT")
        ->allow_extra_args(false);
}

}  // namespace eciscope::cli
