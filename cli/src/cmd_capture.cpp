// eciscope capture: the interposer's datagrams from a network interface into files.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "figures.hpp"
#include "live/capture_report.hpp"
#include "live/recorder.hpp"
#include "log.hpp"
#include "names.hpp"
#include "program.hpp"
#include "run.hpp"
#include "whole_numbers.hpp"

namespace eciscope::cli {

namespace {

struct CaptureOptions {
    InterfaceOptions interface;
    std::string output;
    std::string decode;
    std::string duration;
    std::uint64_t count = 0;
    std::uint64_t size = 0;
    Rotation rotation;
    std::string rotate_time;
    std::vector<std::string> ops;
    std::vector<std::string> lines;
    bool violation = false;
    std::string post;
};

Result<std::chrono::nanoseconds> duration_of(const char* option, const std::string& text) {
    if (text.empty()) {
        return std::chrono::nanoseconds(0);
    }
    const auto wish = parse_time("+" + text);
    const Picoseconds time = wish ? wish->from({}, 0) : 0;
    if (time < 1000) {
        return fail(Exit::usage, fmt::format("{} {}: not a duration", option, text),
                    "Write it like 500ms, 10s or 3600s.");
    }
    return std::chrono::nanoseconds(time / 1000);
}

Result<TriggerOptions> trigger_of(const CaptureOptions& options) {
    TriggerOptions trigger;
    trigger.ops.insert(options.ops.begin(), options.ops.end());
    trigger.violation = options.violation;
    for (const std::string& text : options.lines) {
        const auto line = parse_line(text);
        if (!line) {
            return fail(Exit::usage, fmt::format("--until-line: {} makes no sense", text),
                        "Give an address as 0x41941000, with its home as 0x41941000@1, or a:ALIASED@1.");
        }
        trigger.lines.push_back(*line);
    }
    return trigger;
}

struct Plan {
    StopConditions stop;
    Rotation rotation;
    TriggerOptions trigger;
};

Result<void> check(const CaptureOptions& options, const Plan& plan) {
    if (plan.rotation.ring != 0 && !plan.rotation.is_on()) {
        return fail(Exit::usage, "--ring without --rotate-size or --rotate-time",
                    "It says how many of several files are kept.");
    }
    if (plan.rotation.is_on() && options.output == "-") {
        return fail(Exit::usage, "standard output cannot be rotated", "Give -o a file name.");
    }
    if (options.output == "-" && look_at(STDOUT_FILENO).is_terminal) {
        return fail(Exit::usage, "a capture is not for a terminal", "Give -o FILE, or send the output into a pipe.");
    }
    if (options.decode == "-") {
        return fail(Exit::usage, "--decode takes a file", "'eciscope capture -o - | eciscope decode -' makes a pipe.");
    }
    if (!options.post.empty() && !plan.trigger.is_on()) {
        return fail(Exit::usage, "--post without a trigger", "Give --until-op, --until-line or --until-violation.");
    }
    return {};
}

Result<Plan> plan_of(const CaptureOptions& options) {
    Plan plan;
    const auto duration = duration_of("--duration", options.duration);
    const auto rotate = duration_of("--rotate-time", options.rotate_time);
    const auto post = duration_of("--post", options.post);
    for (const auto* each : {&duration, &rotate, &post}) {
        if (!*each) {
            return tl::unexpected<Failure>(each->error());
        }
    }
    auto trigger = trigger_of(options);
    if (!trigger) {
        return tl::unexpected<Failure>(trigger.error());
    }
    plan.trigger = std::move(*trigger);
    plan.stop.after_trigger = *post;
    plan.stop.duration = options.duration.empty() ? std::nullopt : std::optional(*duration);
    plan.stop.records = options.count == 0 ? std::nullopt : std::optional(options.count);
    plan.stop.bytes = options.size == 0 ? std::nullopt : std::optional(options.size);
    plan.rotation = options.rotation;
    plan.rotation.nanoseconds = static_cast<std::uint64_t>(rotate->count());
    if (const auto checked = check(options, plan); !checked) {
        return tl::unexpected<Failure>(checked.error());
    }
    return plan;
}

void print_end(const Recorder& recorder, const CaptureFiles& files) {
    const LiveFigures& figures = recorder.figures();
    const double seconds = figures.seconds > 0 ? figures.seconds : 1;
    const auto rate = [seconds](std::uint64_t count) {
        return static_cast<std::uint64_t>(static_cast<double>(count) / seconds);
    };
    bool sums_agree = false;
    const std::string sums = live_summary(figures, files, sums_agree);
    std::string where = files.name();
    if (files.files() > 1) {
        where += fmt::format(" is the last of {} files, {} of which are kept", files.files(),
                             files.files() - files.files_removed());
    }
    fmt::print(stderr, "{}: {} frames, {} in {:.2f} s ({} frames/s, {}/s); ended by {}\n{}", where,
               grouped(files.frames()), bytes_text(files.bytes()), seconds, grouped(rate(figures.frames)),
               bytes_text(rate(figures.frame_bytes)), recorder.why(), sums);
    const StreamCount total = figures.streams.total();
    if (figures.kernel.dropped != 0) {
        log_warning("the kernel dropped frames → a larger --buffer or a faster disk");
    }
    if (total.missing > figures.kernel.dropped + figures.kernel.dropped_interface) {
        log_warning(
            "records are missing that no counter here knows of → look at the switch and at the interface's "
            "own figures (ethtool -S), and whether the link takes frames of 9000 bytes");
    }
}

Exit capture(const CaptureOptions& options, const CommonOptions& common) {
    const auto plan = plan_of(options);
    if (!plan) {
        return report(plan.error());
    }
    auto interface = Interface::open(options.interface);
    if (!interface) {
        return report(interface.error());
    }
    auto files = CaptureFiles::open(options.output, interface->link_type(), plan->rotation);
    if (!files) {
        return report(files.error());
    }
    std::unique_ptr<LiveDecoder> decoder;
    if (!options.decode.empty() || plan->trigger.is_on()) {
        OutputRequest request;
        request.path = options.decode;
        request.format = options.decode.empty() ? std::optional(OutputFormat::none) : std::nullopt;
        auto started =
            LiveDecoder::start(request, plan->trigger, files->backlog(), interface->link_type(), options.output);
        if (!started) {
            return report(started.error());
        }
        decoder = std::move(*started);
    }
    Recorder recorder(*interface, *files, decoder.get(), plan->stop);
    LiveLine line(!common.quiet && !common.no_progress);
    const Result<void> run = recorder.run(line);
    if (!common.quiet) {
        print_end(recorder, *files);
    }
    const Exit decoded = decoder ? decoder->finish(common) : Exit::fine;
    return run ? decoded : report(run.error());
}

Manual capture_manual() {
    return {
        {"Takes the interposer's datagrams (UDP port 60443) from an interface and writes them as they are into a pcap "
         "file with nanosecond times, which every other command reads. With --decode, messages are found and stored at "
         "the same time.",
         "Ends when a condition holds, or at Ctrl-C or SIGTERM: what had been received by then is written. All of "
         "these "
         "are orderly ends with exit status 0; a full disk or an interface that goes down is 2, and what was captured "
         "until then is whole.",
         "With --rotate-size or --rotate-time, boot.pcap becomes boot-00001.pcap, boot-00002.pcap and so on; --ring "
         "keeps only the last of them, which together with a trigger is what came before it.",
         "Decoding reads what was written, behind the capture, which never waits for it. A trigger is looked for in "
         "decoded messages, so that it comes some hundred milliseconds late or, when hardly anything is sent, when the "
         "next messages come; --post says how long to go on then.",
         "The summary says where every frame went, and by the numbers of the records what was lost on the way to the "
         "kernel, in the kernel, and before that at the interposer."},
        {{"eciscope capture -i eth1 -o boot.pcap", "until Ctrl-C"},
         {"eciscope capture -i eth1 -o boot.pcap --decode boot.ewf --duration 60s", "a minute, decoded at once"},
         {"eciscope capture -i eth1 -o ring.pcap --rotate-size 1G --ring 20 --until-violation --post 2s",
          "wait for trouble, keep the 20 GB around it"},
         {"eciscope capture -i eth1 -o - | eciscope decode - --to text", "watch"}}};
}

void add_stop_options(Program& program, CLI::App& command, CaptureOptions& options) {
    const std::string group = "When to end";
    command.add_option("--duration", options.duration, "After this time: 500ms, 60s")->type_name("TIME")->group(group);
    not_negative(command.add_option("--count", options.count, "After so many records")->type_name("N")->group(group));
    not_negative(command.add_option("--size", options.size, "When so much is written: 500M, 20G")
                     ->transform(CLI::AsSizeValue(true).description(""))
                     ->type_name("SIZE")
                     ->group(group));
    CLI::Option* op = command.add_option("--until-op", options.ops, "When such an operation is seen, such as RLDX")
                          ->check(CLI::IsMember(op_names()).description(""))
                          ->delimiter(',')
                          ->allow_extra_args(false)
                          ->type_name("OP")
                          ->group(group);
    program.takes_words(op, op_names());
    command.add_option("--until-line", options.lines, "When a message about this line is seen")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("ADDR[@HOME]")
        ->group(group);
    command.add_flag("--until-violation", options.violation, "When the protocol is violated")->group(group);
    command.add_option("--post", options.post, "Go on for so long after one of these three")
        ->type_name("TIME")
        ->group(group);
}

void add_file_options(Program& program, CLI::App& command, CaptureOptions& options) {
    program.takes_files(command.add_option("-o,--output", options.output, "pcap file to write; - is standard output")
                            ->required()
                            ->type_name("FILE"));
    program.takes_files(command
                            .add_option("--decode", options.decode,
                                        "Write the messages as well; the format is what the extension says, as EWF")
                            ->type_name("OUT"));
    const std::string group = "Several files";
    not_negative(
        command.add_option("--rotate-size", options.rotation.size, "A new file before one grows beyond this: 1G")
            ->transform(CLI::AsSizeValue(true).description(""))
            ->type_name("SIZE")
            ->group(group));
    command.add_option("--rotate-time", options.rotate_time, "A new file after this time: 60s")
        ->type_name("TIME")
        ->group(group);
    not_negative(command.add_option("--ring", options.rotation.ring, "Keep only the last N files")
                     ->type_name("N")
                     ->group(group));
}

}  // namespace

void add_capture(Program& program) {
    auto options = std::make_shared<CaptureOptions>();
    CLI::App* command =
        program.add("capture", "Capture the interposer's datagrams from a network interface", capture_manual(),
                    [&program, options] { return capture(*options, program.common()); });
    command->add_option("-i,--interface", options->interface.name, "Network interface, such as eth1")
        ->required()
        ->type_name("IFACE");
    add_file_options(program, *command, *options);
    add_stop_options(program, *command, *options);
    const std::string group = "Kernel";
    not_negative(command
                     ->add_option("--buffer", options->interface.buffer,
                                  "Memory for frames that wait to be written; 256MiB if not given")
                     ->transform(CLI::AsSizeValue(false).description(""))
                     ->type_name("SIZE")
                     ->group(group));
    command
        ->add_flag("--immediate", options->interface.immediate,
                   "Take each frame as it comes, not in batches: less delay, fewer frames a second")
        ->group(group);
}

}  // namespace eciscope::cli
