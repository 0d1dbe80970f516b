// eciscope doctor: what is wrong, and what to do.
#include <memory>

#include "examine.hpp"
#include "input_options.hpp"
#include "interrupt.hpp"
#include "program.hpp"
#include "run.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

namespace {

Exit doctor(const InputOptions& options, const CommonOptions& common) {
    if (options.files.empty()) {
        return print(examine_installation().text);
    }
    Exit worst = Exit::fine;
    for (const std::string& path : options.files) {
        InputOptions one = options;
        one.files = {path};
        const Examination examination = examine_file(one, common);
        worst = examination.exit == Exit::fine ? worst : examination.exit;
        if (const Exit printed = print(examination.text); printed != Exit::fine) {
            return printed;
        }
        if (interrupted()) {
            return interrupt_exit();
        }
    }
    return worst;
}

Manual doctor_manual() {
    return {{"Given files, reads each of them whole and says what it is, whether it is whole, cut, killed or damaged "
             "and where, "
             "and what to do about it; every diagnostic that was kept is listed with its offset.",
             "Without a file, looks at this installation: versions, terminal, permissions, room, and tools that go "
             "well with "
             "eciscope."},
            {{"eciscope doctor boot.pcap", "is this capture whole?"},
             {"eciscope doctor", "is this installation in order?"}}};
}

}  // namespace

void add_doctor(Program& program) {
    auto options = std::make_shared<InputOptions>();
    CLI::App* command =
        program.add("doctor", "Say what is wrong with a file or this installation, and what to do", doctor_manual(),
                    [&program, options] { return doctor(*options, program.common()); });
    add_input_options(program, *command, *options, "Files to look at; none for the installation");
    command->get_option("FILE")->required(false);
}

}  // namespace eciscope::cli
