#include "input_options.hpp"

#include <fmt/format.h>

#include <vector>

namespace eciscope::cli {

namespace {

const std::vector<std::string>& input_format_names() {
    static const std::vector<std::string> names = {"pcap", "pcapng", "edge-csv", "sys-csv",
                                                   "raw",  "ewf",    "ndjson",   "json"};
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
    command.add_option("--link", options.link, "Link of a plain dump, 0 or 1")
        ->check(CLI::Range(0, 1).description(""))
        ->type_name("L")
        ->group(group);
    command.add_option("--from", options.from, "Sending node of a plain dump, 0 or 1")
        ->check(CLI::Range(0, 1).description(""))
        ->type_name("N")
        ->group(group);
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
