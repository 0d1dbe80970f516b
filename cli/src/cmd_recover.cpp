// eciscope recover: a whole EWF file of what is left of one.
#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <memory>

#include "counting_sink.hpp"
#include "eciscope/capture/identify.hpp"
#include "eciscope/ewf/io.hpp"
#include "eciscope/ewf/recover.hpp"
#include "figures.hpp"
#include "program.hpp"
#include "run.hpp"
#include "stored_source.hpp"
#include "summary.hpp"
#include "trace_output.hpp"

namespace eciscope::cli {

namespace {

struct RecoverOptions {
    std::string in;
    std::string out;
};

std::string report_text(const RecoverOptions& options, const ewf::RecoverReport& report) {
    std::string text =
        fmt::format("{}: {} messages and {} events in {} chunks, from {} to {}\n", options.out,
                    grouped(report.contents.messages), grouped(report.contents.events), grouped(report.contents.chunks),
                    seconds_text(report.contents.base, report.contents.first_min),
                    seconds_text(report.contents.base, report.contents.last_max));
    if (report.was_complete) {
        return text + fmt::format("{} was whole: the copy is the same.\n", options.in);
    }
    text += fmt::format("{} damaged chunks left out; {} bytes of {} belong to nothing whole\n",
                        grouped(report.chunks_damaged), grouped(report.bytes_skipped), options.in);
    if (report.messages_missing != 0) {
        text += fmt::format("{} messages are missing between those that are there\n", grouped(report.messages_missing));
    }
    if (report.metadata_lost) {
        text += "the names of nodes and links were lost; the usual ones stand there now\n";
    }
    return text;
}

Exit recover(const RecoverOptions& options, const CommonOptions& common) {
    const auto source = ewf::open_file(options.in);
    if (!source) {
        return report(stored_failure(options.in, source.error()));
    }
    Diagnostics diagnostics;
    diagnostics.add_source(options.in);
    auto file = OutputFile::open(options.out, {options.in});
    if (!file) {
        return report(file.error());
    }
    CountingSink sink(file->descriptor());
    const auto outcome = ewf::recover(**source, sink, diagnostics);
    if (!outcome && sink.error_number() != 0) {
        return report(file->write_failure(sink.error_number()));
    }
    if (!outcome) {
        return report(stored_failure(options.in, outcome.error()));
    }
    if (const auto closed = file->close(); !closed) {
        return report(closed.error());
    }
    if (!common.quiet) {
        fmt::print(stderr, "{}{}", report_text(options, *outcome), diagnostics_text(diagnostics, common.verbose));
    }
    return outcome->was_complete ? Exit::fine : Exit::damaged;
}

Manual recover_manual() {
    return {
        {"Makes a whole EWF file of one that was cut, overwritten in places, or whose writer was killed: every chunk "
         "that is whole is copied, and a new index is written. A killed writer loses at most its last chunks, a "
         "damaged "
         "byte at most one.",
         "The status is 0 if the file was whole, so that the copy is the same, and 2 if anything was missing. The "
         "input is "
         "never changed."},
        {{"eciscope recover killed.ewf -o whole.ewf", "save what a killed writer left"}}};
}

}  // namespace

void add_recover(Program& program) {
    auto options = std::make_shared<RecoverOptions>();
    CLI::App* command = program.add("recover", "Make a whole EWF file of what is left of one", recover_manual(),
                                    [&program, options] { return recover(*options, program.common()); });
    program.takes_files(command->add_option("FILE", options->in, "The damaged EWF file")->required());
    program.takes_files(command->add_option("-o,--output", options->out, "The file to write; - is standard output")
                            ->required()
                            ->type_name("OUT"));
}

}  // namespace eciscope::cli
