#include "input_options.hpp"

#include <fmt/format.h>

#include <vector>

#include "dma_source.hpp"

namespace eciscope::cli {

namespace {

const std::vector<std::string>& input_format_names() {
    static const std::vector<std::string> names = {"pcap", "pcapng", "edge-csv", "sys-csv", "ila-csv", "hex",
                                                   "raw",  "dma",    "ewf",      "ndjson",  "json"};
    return names;
}

}  // namespace

void add_input_options(Program& program, CLI::App& command, InputOptions& options, const std::string& help) {
    program.takes_files(command.add_option("FILE", options.files, help)->required());
    const std::string group = "Input";
    CLI::Option* format = command
                              .add_option("--format", options.format,
                                          "Read inputs as this instead of by content: " +
                                              fmt::format("{}", fmt::join(input_format_names(), ", ")))
                              ->check(CLI::IsMember(input_format_names()).description(""))
                              ->type_name("FORMAT")
                              ->group(group);
    program.takes_words(format, input_format_names());
    command.add_flag("--raw", options.raw, "Inputs are plain dumps of 64-byte blocks; needs --link and --from")
        ->group(group);
    command
        .add_option("--link", options.link, "Link of a plain dump, or of hexadecimal text that does not say it: 0 or 1")
        ->check(CLI::Range(0, 1).description(""))
        ->type_name("L")
        ->group(group);
    command.add_option("--from", options.from, "Sending node, likewise: 0 or 1")
        ->check(CLI::Range(0, 1).description(""))
        ->type_name("N")
        ->group(group);
    program.takes_files(
        command.add_option("--map", options.map, "The input is a trace buffer's dump, laid out as this JSON map says")
            ->type_name("JSON")
            ->group(group));
    CLI::Option* point =
        command
            .add_option("--point", options.point,
                        "Messages of a dump that were traced here: sys (at the directory, the links' clock; the "
                        "default), app (the application's clock), boundary (leaving for a link)")
            ->check(CLI::IsMember(trace_point_names()).description(""))
            ->type_name("POINT")
            ->group(group);
    program.takes_words(point, trace_point_names());
    command.add_option("--read-size", options.read_size, "Bytes to read at once; for tests")
        ->check(CLI::Range(1, 1 << 26).description(""))
        ->type_name("BYTES")
        ->group("");
}

void add_threads_option(CLI::App& command, unsigned& threads) {
    command.add_option("--threads", threads, "Threads that may work at once")
        ->check(CLI::Range(1, 64).description(""))
        ->type_name("N")
        ->capture_default_str();
}

}  // namespace eciscope::cli
