#include "output_options.hpp"

#include <map>
#include <string>

#include "input_options.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

void add_output_options(Program& program, CLI::App& command, OutputRequest& request) {
    CLI::Option* out =
        command.add_option("-o,--output", request.path, "Where to write; - or nothing is standard output")
            ->type_name("OUT");
    program.takes_files(out);

    std::map<std::string, OutputFormat> formats;
    for (std::size_t index = 0; index < output_format_names().size(); ++index) {
        formats[output_format_names()[index]] = static_cast<OutputFormat>(index);
    }
    CLI::Option* to = command
                          .add_option_function<OutputFormat>(
                              "--to", [&request](const OutputFormat& format) { request.format = format; },
                              "Format: ewf, ndjson (one object a line), json (one array), protobuf, pcapng (one "
                              "message a packet), text, none")
                          ->transform(CLI::CheckedTransformer(formats).description(""))
                          ->type_name("FORMAT");
    program.takes_words(to, output_format_names());
    add_threads_option(command, request.threads);
    command.add_flag("--provenance", request.provenance,
                     "Note in EWF the program's version and the inputs with their hashes; the digest stays the same");

    const std::map<std::string, ewf::TextTime> times = {
        {"relative", ewf::TextTime::relative}, {"absolute", ewf::TextTime::absolute}, {"delta", ewf::TextTime::delta}};
    CLI::Option* time = command
                            .add_option("--time", request.text.time,
                                        "Times in text: relative to the first, absolute, or delta to the line before")
                            ->transform(CLI::CheckedTransformer(times).description(""))
                            ->type_name("KIND");
    program.takes_words(time, {"relative", "absolute", "delta"});
    command.add_option("--words", request.text.data_words, "Data words of a message that text shows")
        ->check(CLI::Range(0, 18).description(""))
        ->type_name("N")
        ->capture_default_str();
}

}  // namespace eciscope::cli
