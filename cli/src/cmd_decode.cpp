// eciscope decode: any trace into any format.
#include <memory>

#include "input_options.hpp"
#include "output_options.hpp"
#include "program.hpp"
#include "run.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

namespace {

struct DecodeOptions {
    InputOptions input;
    OutputRequest output;
};

Exit decode(const DecodeOptions& options, const CommonOptions& common) {
    OutputRequest request = options.output;
    request.colour = common.colour;
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
    return run_job({**source, **output, diagnostics, common, request, options.input.files});
}

Manual decode_manual() {
    return {
        {"Finds the messages of a capture and writes them in the order in which they were complete. Several captures "
         "are taken as one, in the order of their times; the same capture cut into files gives the same output.",
         "The format of the output is what --to says; else what the extension of OUT says (.ewf, .ndjson, .jsonl, "
         ".json, .pb, .pcapng, .txt); else text for a terminal, and NDJSON for anything else.",
         "The same input gives the same bytes whatever the threads, the size of reads, and whether it comes from a "
         "file or a pipe.",
         "The accounts and what was wrong with the input go to standard error: every block read is decoded, idle, "
         "handshake, damaged, replayed or discarded, every word in a message, discarded or unfinished, and the sums "
         "are checked."},
        {{"eciscope decode boot.pcap -o boot.ewf", "store a capture as EWF"},
         {"eciscope decode boot.pcap | less -S", "read a capture; with -o - --to text also in a pipe"},
         {"xz -dc boot.pcap.xz | eciscope decode - -o boot.ewf", "read standard input"},
         {"eciscope decode boot.ewf --to ndjson | jq 'select(.op == \"RLDX\")'", "hand messages to another program"},
         {"eciscope decode --raw --link 0 --from 1 blocks.bin", "read a plain dump of 64-byte blocks"},
         {"eciscope decode boot.pcap --to none", "only check, say what is wrong"}}};
}

}  // namespace

void add_decode(Program& program) {
    auto options = std::make_shared<DecodeOptions>();
    CLI::App* command =
        program.add("decode", "Find the messages of a capture and write them in another format", decode_manual(),
                    [&program, options] { return decode(*options, program.common()); });
    add_input_options(program, *command, options->input, "Captures, or one stored trace; - is standard input");
    add_output_options(program, *command, options->output);
}

}  // namespace eciscope::cli
