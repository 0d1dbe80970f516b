#include <clocale>
#include <exception>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "program.hpp"

namespace {

int run(int argc, char** argv) {
    using namespace eciscope::cli;  // NOLINT(google-build-using-namespace)
    std::setlocale(LC_CTYPE, "");
    catch_interrupts();
    Program program;
    add_decode(program);
    add_convert(program);
    add_info(program);
    add_check(program);
    add_cut(program);
    add_merge(program);
    add_recover(program);
    add_wireshark(program);
    add_view(program);
    add_doctor(program);
    add_capture(program);
    add_replay(program);
    add_completion(program);
    return static_cast<int>(program.run(argc, argv));
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "eciscope: out of memory\n");
    } catch (const std::exception& fault) {
        fmt::print(stderr, "eciscope: internal fault: {}\n  → Please report it, with the command line and the input.\n",
                   fault.what());
    }
    return static_cast<int>(eciscope::cli::Exit::damaged);
}
