#include "terminal.hpp"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace eciscope::cli {

namespace {

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    return value == nullptr ? std::string_view{} : std::string_view{value};
}

std::size_t columns_of(int descriptor) {
    std::size_t columns = 0;
    const std::string_view wanted = environment("COLUMNS");
    std::from_chars(wanted.data(), wanted.data() + wanted.size(), columns);
    winsize size{};
    if (columns == 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0) {
        columns = size.ws_col;
    }
    return columns < 20 ? 80 : columns;
}

}  // namespace

std::string locale_charset() {
    return nl_langinfo(CODESET);
}

Terminal look_at(int descriptor, ColourChoice choice) {
    Terminal terminal;
    terminal.is_terminal = isatty(descriptor) == 1;
    terminal.unicode = locale_charset() == "UTF-8";
    terminal.columns = columns_of(descriptor);
    const bool welcome = terminal.is_terminal && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
    terminal.colour = choice == ColourChoice::always || (choice == ColourChoice::automatic && welcome);
    return terminal;
}

}  // namespace eciscope::cli
