// What stands at the other end of an output: a terminal or not, how wide, which characters it shows.
#pragma once

#include <cstddef>
#include <string>

namespace eciscope::cli {

enum class ColourChoice { automatic, always, never };

struct Terminal {
    bool is_terminal = false;
    bool unicode = false;  ///< the locale's character set is UTF-8
    bool colour = false;
    std::size_t columns = 80;
};

/// `descriptor` is 1 or 2. Obeys NO_COLOR, TERM=dumb and COLUMNS.
[[nodiscard]] Terminal look_at(int descriptor, ColourChoice choice = ColourChoice::automatic);

/// Name of the locale's character set, e.g. "UTF-8".
[[nodiscard]] std::string locale_charset();

}  // namespace eciscope::cli
