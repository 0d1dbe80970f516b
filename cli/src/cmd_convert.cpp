// eciscope convert: any trace into the file named last.
#include <memory>

#include "input_options.hpp"
#include "program.hpp"
#include "run.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

namespace {

struct ConvertOptions {
    InputOptions input;  ///< its last file is the output
    unsigned threads = 1;
};

Exit convert(ConvertOptions options, const CommonOptions& common) {
    std::vector<std::string>& files = options.input.files;
    if (files.size() < 2) {
        return report(
            {Exit::usage, "there is no output", "The last file is the one to write: eciscope convert IN OUT", false});
    }
    OutputRequest request;
    request.path = files.back();
    request.threads = options.threads;
    request.colour = common.colour;
    files.pop_back();
    if (const auto possible = check_output(request); !possible) {
        return report(possible.error());
    }
    Diagnostics diagnostics;
    auto source = open_trace(options.input, diagnostics, request.threads);
    if (!source) {
        return report(source.error());
    }
    auto output = open_output(request, files);
    if (!output) {
        return report(output.error());
    }
    return run_job({**source, **output, diagnostics, common, request, files});
}

Manual convert_manual() {
    return {{"Reads a trace of any kind, or several captures as one, and writes it into the last file named, in the "
             "format that "
             "its extension says: .pcapng for Wireshark, .ewf, .ndjson, .json, .pb or .txt.",
             "In pcapng every message and every event is a packet. Wireshark shows them with the plugin that comes "
             "with eciscope."},
            {{"eciscope convert boot.ewf boot.pcapng", "write messages for Wireshark"},
             {"eciscope convert part1.pcap part2.pcap boot.ewf", "store a capture that was cut into files"}}};
}

}  // namespace

void add_convert(Program& program) {
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* command =
        program.add("convert", "Convert a trace into the format that the output's name says", convert_manual(),
                    [&program, options] { return convert(*options, program.common()); });
    add_input_options(program, *command, options->input, "Captures, or one stored trace; the last is the output");
    add_threads_option(*command, options->threads);
}

}  // namespace eciscope::cli
