// Places with notes, kept in a small JSON file beside the trace.
#pragma once

#include <string>
#include <vector>

#include "eciscope/decoder/time.hpp"
#include "eciscope/ewf/error.hpp"

namespace eciscope::view {

struct Bookmark {
    Picoseconds time = 0;
    std::string note;
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

[[nodiscard]] std::string bookmarks_path(const std::string& trace_path);
/// None where there is no file. The file is hostile like any other.
[[nodiscard]] ewf::Expected<std::vector<Bookmark>> load_bookmarks(const std::string& path);
/// Replaces the file whole or not at all.
[[nodiscard]] ewf::Expected<void> save_bookmarks(const std::string& path, const std::vector<Bookmark>& bookmarks);

}  // namespace eciscope::view
