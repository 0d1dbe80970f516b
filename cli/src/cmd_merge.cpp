// eciscope merge: several traces into one, by time.

#include <memory>

#include "input_options.hpp"
#include "merge.hpp"
#include "output_options.hpp"
#include "program.hpp"
#include "run.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

namespace {

struct MergeOptions {
    InputOptions input;
    OutputRequest output;
};

Exit merge(const MergeOptions& options, const CommonOptions& common) {
    OutputRequest request = options.output;
    request.colour = common.colour;
    if (const auto possible = check_output(request); !possible) {
        return report(possible.error());
    }
    Diagnostics diagnostics;
    auto source = open_merged(options.input, diagnostics);
    if (!source) {
        return report(source.error());
    }
    auto output = open_output(request, options.input.files);
    if (!output) {
        return report(output.error());
    }
    return run_job({**source, **output, diagnostics, common, request, options.input.files});
}

Manual merge_manual() {
    return {
        {"Writes the messages and events of several traces as one, in the order of their completion; where times are "
         "equal, by link, sender and the order in which the traces were given. The order within a trace is not "
         "touched.",
         "Every FILE is a trace of its own. Files that one interposer wrote one after the other are a single capture: "
         "give "
         "those to 'eciscope decode', which finds the messages that begin in one and end in the next.",
         "Nothing is left out: what stands in two of the inputs stands twice in the output."},
        {{"eciscope merge link0.ewf link1.ewf -o both.ewf", "join the traces of two taps"},
         {"eciscope merge a.ewf b.pcap c.ndjson --to text", "read traces of different kinds side by side"}}};
}

}  // namespace

void add_merge(Program& program) {
    auto options = std::make_shared<MergeOptions>();
    CLI::App* command = program.add("merge", "Join several traces by time", merge_manual(),
                                    [&program, options] { return merge(*options, program.common()); });
    add_input_options(program, *command, options->input, "Traces; - is standard input");
    add_output_options(program, *command, options->output);
}

}  // namespace eciscope::cli
