// eciscope cut: a part of a trace, by time, circuit, operation, line or number.
#include <fmt/format.h>

#include <memory>
#include <set>
#include <utility>

#include "figures.hpp"
#include "input_options.hpp"
#include "interrupt.hpp"
#include "names.hpp"
#include "output_options.hpp"
#include "program.hpp"
#include "run.hpp"
#include "selection.hpp"
#include "stored_source.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

namespace {

struct CutOptions {
    InputOptions input;
    OutputRequest output;
    std::string from_time;
    std::string to_time;
    std::string messages;
    std::vector<unsigned> vcs;
    std::vector<std::string> ops;
    std::vector<std::string> classes;
    std::vector<std::string> lines;
};

// Reads only the chunks of an EWF that may hold what is wanted.
class ChunkSource final : public TraceSource {
 public:
    ChunkSource(const TraceSource& whole, std::string name, Diagnostics& diagnostics, Selector& selector,
                const Selection& selection)
        : reader_(*whole.ewf_reader()),
          whole_(whole),
          name_(std::move(name)),
          diagnostics_(diagnostics),
          selector_(selector),
          selection_(selection) {}

    Result<void> run(TraceSink& sink) override {
        selector_.begin(reader_.time_base());
        if (reader_.chunk_count() != 0) {
            selector_.set_start(reader_.chunk(0).last_min);
        }
        const std::set<std::size_t> of_lines = chunks_of_lines();
        for (std::size_t number = 0; number < reader_.chunk_count(); ++number) {
            const ewf::ChunkInfo& chunk = reader_.chunk(number);
            const bool line_there = selection_.lines.empty() || chunk.events != 0 || of_lines.contains(number);
            if (!line_there || !selector_.may_hold(chunk)) {
                continue;
            }
            selector_.skip_to_message(chunk.first_message);
            ewf::PlayOptions one;
            one.from_chunk = number;
            one.to_chunk = number + 1;
            Stop stop(sink);
            const auto outcome = reader_.play(stop, diagnostics_, one);
            if (!outcome) {
                return tl::unexpected<Failure>(stored_failure(name_, outcome.error()));
            }
            bytes_ += chunk.bytes;
            if (stop.stopped()) {
                break;
            }
        }
        return {};
    }
    [[nodiscard]] TimeBase time_base() const override { return whole_.time_base(); }
    [[nodiscard]] ewf::Metadata metadata() const override { return whole_.metadata(); }
    [[nodiscard]] ProgressFigures figures() const override { return {bytes_, whole_.figures().total, 0}; }
    [[nodiscard]] std::string kind() const override { return whole_.kind(); }

 private:
    class Stop final : public TraceSink {
     public:
        explicit Stop(TraceSink& sink) : sink_(sink) {}
        bool batch(const TraceBatch& batch) override {
            stopped_ = !sink_.batch(batch);
            return !stopped_;
        }
        [[nodiscard]] bool stopped() const { return stopped_; }

     private:
        TraceSink& sink_;
        bool stopped_ = false;
    };

    [[nodiscard]] std::set<std::size_t> chunks_of_lines() const {
        std::set<std::size_t> chunks;
        for (const LineWish& wish : selection_.lines) {
            for (std::uint8_t home = 0; home < node_count; ++home) {
                if (!wish.home || *wish.home == home) {
                    const auto found = reader_.chunks_with_line({home, wish.aliased_cli});
                    chunks.insert(found.begin(), found.end());
                }
            }
        }
        return chunks;
    }

    const ewf::Reader& reader_;
    const TraceSource& whole_;
    std::string name_;
    Diagnostics& diagnostics_;
    Selector& selector_;
    const Selection& selection_;
    std::uint64_t bytes_ = 0;
};

// Tells the selector the base of times before the first batch of a source that has no index.
class Begin final : public TraceSink {
 public:
    Begin(Selector& selector, const TraceSource& source) : selector_(selector), source_(source) {}
    bool batch(const TraceBatch& batch) override {
        if (!std::exchange(begun_, true)) {
            selector_.begin(source_.time_base());
        }
        return selector_.batch(batch);
    }

 private:
    Selector& selector_;
    const TraceSource& source_;
    bool begun_ = false;
};

tl::unexpected<Failure> bad(const std::string& option, const std::string& value, const std::string& remedy) {
    return fail(Exit::usage, fmt::format("{}: {} makes no sense", option, value), remedy);
}

Result<void> select_by_time(const CutOptions& options, Selection& selection) {
    const std::string remedy =
        "Give +1.5ms from the start of the trace, seconds since 1970, or 2023-11-14T22:13:20.5Z.";
    for (const auto& [name, text, wish] : {std::tuple{"--from-time", &options.from_time, &selection.from_time},
                                           std::tuple{"--to-time", &options.to_time, &selection.to_time}}) {
        if (!text->empty()) {
            *wish = parse_time(*text);
            if (!*wish) {
                return bad(name, *text, remedy);
            }
        }
    }
    return {};
}

Result<Selection> selection_of(const CutOptions& options) {
    Selection selection;
    if (const auto times = select_by_time(options, selection); !times) {
        return tl::unexpected<Failure>(times.error());
    }
    if (!options.messages.empty()) {
        const auto range = parse_range(options.messages);
        if (!range) {
            return bad("--messages", options.messages, "Give FIRST..END, counted from 0, END not included.");
        }
        selection.messages = *range;
    }
    for (const unsigned vc : options.vcs) {
        selection.vcs.insert(static_cast<std::uint8_t>(vc));
    }
    selection.ops.insert(options.ops.begin(), options.ops.end());
    selection.classes.insert(options.classes.begin(), options.classes.end());
    for (const std::string& text : options.lines) {
        const auto line = parse_line(text);
        if (!line) {
            return bad("--line", text, "Give an address as 0x41941000, with its home as 0x41941000@1, or a:ALIASED@1.");
        }
        selection.lines.push_back(*line);
    }
    return selection;
}

Exit cut(const CutOptions& options, const CommonOptions& common) {
    OutputRequest request = options.output;
    request.colour = common.colour;
    const auto selection = selection_of(options);
    if (!selection) {
        return report(selection.error());
    }
    if (const auto possible = check_output(request); !possible) {
        return report(possible.error());
    }
    Diagnostics diagnostics;
    auto source = open_trace(options.input, diagnostics, request.threads);
    if (!source) {
        return report(source.error());
    }
    auto output = open_output(request, options.input.files);
    if (!output) {
        return report(output.error());
    }
    Selector selector(*selection, **output);
    Begin begin(selector, **source);
    Exit exit = Exit::fine;
    if ((*source)->ewf_reader() != nullptr) {
        ChunkSource chunks(**source, options.input.files.front(), diagnostics, selector, *selection);
        exit = run_job({chunks, **output, diagnostics, common, request, options.input.files, &selector});
    } else {
        exit = run_job({**source, **output, diagnostics, common, request, options.input.files, &begin});
    }
    if (!common.quiet) {
        fmt::print(stderr, "{} of {} messages that were looked at\n", grouped(selector.passed()),
                   grouped(selector.seen()));
    }
    return exit;
}

Manual cut_manual() {
    return {{"Writes the part of a trace that all given conditions select; of several values of one option any will "
             "do. If the "
             "input is an EWF file, only the chunks that may hold such messages are read.",
             "Times are those of completion: a message belongs to the part if its last word came at --from-time or "
             "later and "
             "before --to-time. Messages of the part are numbered from 0 again.",
             "Events between messages are kept where they matter: those of the links (loss, damage, retry, handshake) "
             "within "
             "the time of the part, and those of circuits of which messages are kept."},
            {{"eciscope cut boot.ewf -o start.ewf --to-time +1.5ms", "the first 1.5 ms"},
             {"eciscope cut boot.ewf --line 0x41941000@1 --to text", "all about one line of node 1, for reading"},
             {"eciscope cut boot.ewf -o x.ewf --vc 6 --vc 7 --op RLDX,RC2D_S", "requests for exclusive copies"},
             {"eciscope cut boot.pcap -o x.ndjson --messages 1000..2000", "a thousand messages of a capture"}}};
}

}  // namespace

void add_cut(Program& program) {
    auto options = std::make_shared<CutOptions>();
    CLI::App* command = program.add("cut", "Write a part of a trace", cut_manual(),
                                    [&program, options] { return cut(*options, program.common()); });
    add_input_options(program, *command, options->input, "Captures, or one stored trace; - is standard input");
    add_output_options(program, *command, options->output);
    const std::string group = "Selection";
    command->add_option("--from-time", options->from_time, "Completed at this time or later: +1.5ms, seconds or a date")
        ->type_name("TIME")
        ->group(group);
    command->add_option("--to-time", options->to_time, "Completed before this time")->type_name("TIME")->group(group);
    command->add_option("--messages", options->messages, "Numbers of messages, FIRST..END, END not included")
        ->type_name("A..B")
        ->group(group);
    command->add_option("--vc", options->vcs, "Virtual circuit; several, or separated by commas")
        ->check(CLI::Range(0, 15).description(""))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("VC")
        ->group(group);
    CLI::Option* op = command->add_option("--op", options->ops, "Operation, such as RLDX; several, or with commas")
                          ->check(CLI::IsMember(op_names()).description(""))
                          ->delimiter(',')
                          ->allow_extra_args(false)
                          ->type_name("OP")
                          ->group(group);
    program.takes_words(op, op_names());
    CLI::Option* of_class =
        command->add_option("--class", options->classes, "Class, such as MREQ; several, or with commas")
            ->check(CLI::IsMember(class_names()).description(""))
            ->delimiter(',')
            ->allow_extra_args(false)
            ->type_name("CLASS")
            ->group(group);
    program.takes_words(of_class, class_names());
    command
        ->add_option("--line", options->lines,
                     "Line by an address in it, or by its aliased index as a:INDEX; @HOME for one home only")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("ADDR[@HOME]")
        ->group(group);
}

}  // namespace eciscope::cli
